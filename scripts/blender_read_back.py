"""Plays animations of Supple in Blender and compares every point of every pose with a .pc2.

usage: blender --background --factory-startup --python-exit-code 1 --python scripts/blender_read_back.py --
           REFERENCE.pc2 FPS FILE...
A .pc2 or .mdd is played by the Mesh Cache modifier on the .obj of the same name, a .glb by its shape keys.
"""

import os
import struct
import sys

import bpy
import numpy

# Debian's importer of glTF is older than its numpy.
if not hasattr(numpy, "bool"):
    numpy.bool = bool

LARGEST_ERROR = 1e-6  # m


def read_pc2(path):
    """The poses as an array (pose, point, 3)."""
    with open(path, "rb") as file:
        header = struct.unpack("<12siiffi", file.read(32))
        assert header[0] == b"POINTCACHE2\0" and header[1] == 1, f"{path} is no PC2"
        points, poses = header[2], header[5]
        values = numpy.frombuffer(file.read(), "<f4")
    return values.reshape(poses, points, 3).astype(float)


def local_points(objects):
    """The points of all objects as they are drawn now, one after the other, without their transforms."""
    graph = bpy.context.evaluated_depsgraph_get()
    parts = []
    for thing in objects:
        mesh = thing.evaluated_get(graph).data
        points = numpy.empty(3 * len(mesh.vertices), "f4")
        mesh.vertices.foreach_get("co", points)
        parts.append(points.reshape(-1, 3))
    return numpy.concatenate(parts).astype(float)


def new_meshes(load):
    """What an importer brings into an empty scene."""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    assert load() == {"FINISHED"}
    return [thing for thing in bpy.context.scene.objects if thing.type == "MESH"]


def open_cache(path):
    """The one mesh of an .obj, moved by the cache beside it. Its object is turned, its points are not."""
    obj = os.path.splitext(path)[0] + ".obj"
    meshes = new_meshes(lambda: bpy.ops.wm.obj_import(filepath=obj, forward_axis="NEGATIVE_Z", up_axis="Y"))
    assert len(meshes) == 1, f"{obj} becomes {len(meshes)} objects"
    modifier = meshes[0].modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format = path[-3:].upper()
    modifier.filepath = os.path.abspath(path)
    modifier.frame_start = 0
    modifier.interpolation = "NONE"
    return lambda: local_points(meshes)


def surface_order(path):
    """The names of the surfaces of an .obj, in its order."""
    with open(path, encoding="utf-8") as file:
        return [line[2:].strip() for line in file if line.startswith("g ")]


def open_glb(path, order):
    """Objects with shape keys. The importer turns y up to z up."""
    meshes = new_meshes(lambda: bpy.ops.import_scene.gltf(filepath=path))
    assert sorted(thing.name for thing in meshes) == sorted(order), "the objects have other names"
    meshes.sort(key=lambda thing: order.index(thing.name))

    def points():
        p = local_points(meshes)
        return numpy.stack([p[:, 0], p[:, 2], -p[:, 1]], axis=1)

    return points


def compare(path, points_now, poses):
    worst = 0.0
    for number, expected in enumerate(poses):
        bpy.context.scene.frame_set(number)
        points = points_now()
        assert points.shape == expected.shape, f"{path}: {len(points)} points, not {len(expected)}"
        worst = max(worst, float(abs(points - expected).max()))
    print(f"{path}: {len(poses)} poses of {poses.shape[1]} points, largest error {worst:.3g} m")
    assert worst <= LARGEST_ERROR, f"{path}: the error is too large"


def main():
    reference, fps, *files = sys.argv[sys.argv.index("--") + 1:]
    poses = read_pc2(reference)
    assert abs(poses[-1] - poses[0]).max() > 0.01, "nothing moves"
    bpy.context.scene.render.fps = int(fps)
    order = surface_order(os.path.splitext(reference)[0] + ".obj")
    for path in files:
        compare(path, open_glb(path, order) if path.endswith(".glb") else open_cache(path), poses)


main()
