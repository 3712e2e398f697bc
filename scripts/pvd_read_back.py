"""Reads a .pvd and its .vtu with meshio and compares them with the .obj and .pc2 of the same run.

usage: /usr/bin/python3 scripts/pvd_read_back.py FPS STEM FILE.pvd   (STEM.obj, STEM.pc2)
"""
import os
import struct
import sys
import xml.etree.ElementTree

import meshio
import numpy


def read_cache(path):
    with open(path, "rb") as file:
        header = file.read(32)
        points, _, _, frames = struct.unpack("<iffi", header[16:])
        return numpy.fromfile(file, "<f4").reshape(frames, points, 3)


def read_polygons(path):
    """The corners of every polygon or point of a cloud, and the number of its group."""
    polygons, groups, group = [], [], -1
    with open(path, encoding="utf-8") as file:
        for line in file:
            group += line.startswith("g ")
            if line.startswith(("f ", "p ")):
                polygons.append([int(word) - 1 for word in line.split()[1:]])
                groups.append(group)
    return polygons, groups


def check_frame(path, points, first, before, fps, obj):
    mesh = meshio.read(path)
    assert mesh.points.dtype == numpy.float32 and numpy.array_equal(mesh.points, points), "points"
    moved, speed = mesh.point_data["displacement"], mesh.point_data["velocity"]
    assert numpy.array_equal(moved, points - first), "displacement"
    exact = (points.astype(float) - before) * fps
    assert numpy.array_equal(speed, exact.astype(numpy.float32)), "velocity"
    polygons, groups = obj
    assert [list(cell) for block in mesh.cells for cell in block.data] == polygons, "cells"
    assert numpy.concatenate(mesh.cell_data["surface"]).tolist() == groups, "surfaces"


def main(fps, stem, path):
    cache, obj = read_cache(stem + ".pc2"), read_polygons(stem + ".obj")
    entries = xml.etree.ElementTree.parse(path).getroot().findall("Collection/DataSet")
    assert len(entries) == len(cache), f"{path} lists {len(entries)} of {len(cache)} frames"
    for k, entry in enumerate(entries):
        assert float(entry.get("timestep")) == k / fps, f"frame {k} is at {entry.get('timestep')} s"
        frame = os.path.join(os.path.dirname(path), entry.get("file"))
        check_frame(frame, cache[k], cache[0], cache[max(k - 1, 0)], fps, obj)
    print(f"ok {path}: {len(cache)} frames of {len(obj[0])} cells")


main(float(sys.argv[1]), sys.argv[2], sys.argv[3])
