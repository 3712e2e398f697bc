"""Reads meshes of Supple by meshio and compares points and polygons with an .obj.

usage: /usr/bin/python3 scripts/meshio_read_back.py REFERENCE.obj FILE...
Points must be the same floats. An .stl has none of its own: there the corners of the triangles are compared.
"""

import sys

import meshio
import numpy


def read_obj(path):
    """Points and polygons by hand: what the others are compared with must not come from meshio."""
    points, polygons = [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if words[:1] == ["v"]:
                points.append([float(word) for word in words[1:4]])
            elif words[:1] == ["f"]:
                polygons.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return numpy.array(points, "f4"), polygons


def fans(polygons):
    return [[p[0], p[c - 1], p[c]] for p in polygons for c in range(2, len(p))]


def cells_of(mesh):
    return [list(map(int, corners)) for block in mesh.cells for corners in block.data]


def compare(path, points, polygons):
    mesh = meshio.read(path)
    found = mesh.points.astype("f4")
    cells = cells_of(mesh)
    if path.endswith(".stl"):
        wanted = [points[corner].tolist() for triangle in fans(polygons) for corner in triangle]
        places = [found[corner].tolist() for triangle in cells for corner in triangle]
        assert places == wanted, f"{path}: other triangles"
    else:
        assert numpy.array_equal(found, points), f"{path}: other points"
        # meshio sorts cells by their number of corners
        assert sorted(cells) == sorted(polygons), f"{path}: other polygons"
    print(f"{path}: {len(found)} points, {len(cells)} cells")


def main():
    reference, *files = sys.argv[1:]
    points, polygons = read_obj(reference)
    for path in files:
        compare(path, points, polygons)


main()
