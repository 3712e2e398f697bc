"""Makes the dancing figure of scenes/dressed.json and the dress that is sewn around it.

usage: python3 scripts/make_figure.py   (writes scenes/meshes/figure.glb and dress.obj)

The figure is the surface of a smooth union of tapered bones, which turn about their joints. Its
motion repeats itself, so it is a Fourier series: the mesh of the file is the mean pose, each
harmonic is two morph targets, and their weights are the cosine and the sine of the time.
"""
import itertools
import json
import math
import os
import struct

MESHES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scenes", "meshes")

CELL = 0.036  # m, of the grid on which the surface is found
BLEND = 0.016  # m, how far bones melt into each other
REACH = 0.07  # m, over which a joint bends the surface around it
PERIOD = 2.4  # s
KEYS = 72  # of the weights in a period
POSES = 24  # from which the harmonics are found
HARMONICS = 3

# ---- vectors ----


def add(a, b, share=1.0):
    return [a[k] + share * b[k] for k in range(3)]


def subtract(a, b):
    return add(a, b, -1.0)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def turned(p, degrees):
    """About x, then y, then z."""
    p = list(p)
    for axis, angle in enumerate(degrees):
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        i, j = (axis + 1) % 3, (axis + 2) % 3
        p[i], p[j] = c * p[i] - s * p[j], s * p[i] + c * p[j]
    return p


# ---- bones: parent, joint about which it turns, and tapered rods (end, end, radius, radius) ----


def mirrored(p):
    return (-p[0], p[1], p[2])


def make_bones():
    bones = {
        "pelvis": (None, (0, 0.96, 0), [((-0.065, 0.95, -0.01), (0.065, 0.95, -0.01), 0.118, 0.118),
                                        ((0, 0.98, 0), (0, 1.10, 0), 0.125, 0.098)]),
        "spine": ("pelvis", (0, 1.08, 0), [((0, 1.10, 0), (0, 1.24, 0), 0.098, 0.105)]),
        "chest": ("spine", (0, 1.20, 0),
                  [((-0.055, 1.31, 0), (0.055, 1.31, 0), 0.115, 0.115),
                   ((-0.14, 1.43, -0.01), (0.14, 1.43, -0.01), 0.056, 0.056)]),
        "head": ("chest", (0, 1.50, 0), [((0, 1.46, -0.01), (0, 1.57, 0), 0.05, 0.046),
                                         ((0, 1.645, 0.015), (0, 1.70, 0.005), 0.085, 0.092)]),
    }
    limbs = {
        "upper arm": ("chest", (0.17, 1.43, -0.01),
                      [((0.17, 1.43, -0.01), (0.43, 1.43, -0.01), 0.052, 0.042)]),
        "forearm": ("upper arm", (0.43, 1.43, -0.01),
                    [((0.43, 1.43, -0.01), (0.66, 1.43, -0.01), 0.043, 0.034),
                     ((0.71, 1.425, -0.01), (0.75, 1.42, -0.005), 0.047, 0.047)]),
        "thigh": ("pelvis", (0.10, 0.92, 0), [((0.10, 0.90, 0), (0.115, 0.51, 0), 0.072, 0.055)]),
        "shin": ("thigh", (0.115, 0.50, 0),
                 [((0.115, 0.50, 0), (0.115, 0.10, -0.01), 0.056, 0.042)]),
        "foot": ("shin", (0.115, 0.09, -0.01),
                 [((0.115, 0.055, -0.015), (0.12, 0.052, 0.11), 0.054, 0.050)]),
    }
    for name, (parent, joint, rods) in limbs.items():
        bones[name + " left"] = (parent if parent in bones else parent + " left", joint, rods)
        bones[name + " right"] = (parent if parent in bones else parent + " right", mirrored(joint),
                                  [(mirrored(a), mirrored(b), r, s) for a, b, r, s in rods])
    return bones


BONES = make_bones()
TRUNK = ("pelvis", "spine", "chest")


def rod_distance(p, rod):
    a, b, r, s = rod
    along = subtract(b, a)
    t = dot(subtract(p, a), along) / dot(along, along)
    t = min(max(t, 0.0), 1.0)
    return math.dist(p, add(a, along, t)) - (r + t * (s - r))


def distance(p, names=tuple(BONES)):
    """A smooth union: the more rods are near, the further out the surface lies."""
    total = sum(math.exp(-rod_distance(p, rod) / BLEND) for name in names for rod in BONES[name][2])
    return -BLEND * math.log(max(total, 1e-300))


def slope(p, step=1e-3):
    n = []
    for k in range(3):
        low, high = list(p), list(p)
        low[k] -= step
        high[k] += step
        n.append((distance(high) - distance(low)) / (2 * step))
    return n


# ---- the surface: a point in each cell that it crosses, drawn onto it ----


def make_surface():
    low, size = (-0.84, -0.04, -0.22), (1.68, 1.90, 0.46)
    counts = [round(s / CELL) for s in size]

    def place(i):
        return [low[k] + CELL * i[k] for k in range(3)]

    every = list(itertools.product(*map(range, counts)))
    inside = {i: distance(place(i)) < 0 for i in every}
    points, ids, quads = [], {}, []

    def point(cell):
        if cell not in ids:
            ids[cell] = len(points)
            points.append(add(place(cell), (CELL / 2,) * 3))
        return ids[cell]

    for i in every:
        for axis in range(3):
            other = tuple(i[k] + (k == axis) for k in range(3))
            if other not in inside or inside[i] == inside[other]:
                continue
            u, v = (axis + 1) % 3, (axis + 2) % 3
            around = [tuple(i[k] - (k == u) * a - (k == v) * b for k in range(3))
                      for a, b in ((1, 1), (0, 1), (0, 0), (1, 0))]
            quad = [point(cell) for cell in around]
            quads.append(quad if inside[i] else quad[::-1])
    assert len(points) == len(quads) + 2, "the surface is not that of a ball; choose another CELL"
    return relax(points, quads), quads


def relax(points, quads):
    """Points go to the middle of their neighbours and back to the surface, until they are even."""
    beside = [set() for _ in points]
    for quad in quads:
        for k in range(4):
            beside[quad[k]] |= {quad[k - 1], quad[(k + 1) % 4]}
    for _ in range(12):
        middles = [[sum(points[j][k] for j in near) / len(near) for k in range(3)]
                   for near in beside]
        points = [onto_surface(add(p, subtract(m, p), 0.6)) for p, m in zip(points, middles)]
    return points


def onto_surface(p):
    for _ in range(3):
        n = slope(p)
        p = add(p, n, -distance(p) / dot(n, n))
    return p


# ---- motion ----


def angles(t):
    """Degrees about x, y and z for each bone that turns, at a time from 0 to 1: walking on the
    spot, with a trunk that is upright at 0, where the dress is put on."""
    s, c = math.sin(2 * math.pi * t), math.cos(2 * math.pi * t)
    up, down = 1 - math.cos(4 * math.pi * t), math.sin(4 * math.pi * t)
    turns = {
        "pelvis": (0, 9 * s, -4 * s),
        "spine": (2 * up, -9 * s, 4 * s),
        "chest": (2 * up, -12 * s, 5 * s),
        "head": (-3 * up, 9 * s, -3 * s),
    }
    for side, sign in (("left", 1), ("right", -1)):
        bent = 20 * (1 + sign * c)  # most while the leg swings forwards
        turns["thigh " + side] = (-20 * sign * s - 0.45 * bent, 0, 0)
        turns["shin " + side] = (bent, 0, 0)
        turns["upper arm " + side] = (0, -20 * s, sign * (9 * down - 32))
        turns["forearm " + side] = (0, -sign * 25, sign * (6 * down - 4))
    return turns


def pose(points, weights, turns):
    """Every bone carries its share of each point."""

    def carried(p, name):
        while name:
            parent, joint, _ = BONES[name]
            p = add(joint, turned(subtract(p, joint), turns.get(name, (0, 0, 0))))
            name = parent
        return p

    out = []
    for p, shares in zip(points, weights):
        place = [0.0, 0.0, 0.0]
        for name, share in shares:
            place = add(place, carried(p, name), share)
        out.append(place)
    lowest = min(p[1] for p in out)  # it stands on the ground
    return [[p[0], p[1] - lowest, p[2]] for p in out]


def find_weights(points):
    weights = []
    for p in points:
        gaps = {name: min(rod_distance(p, rod) for rod in bone[2]) for name, bone in BONES.items()}
        nearest = min(gaps.values())
        shares = {name: max(0.0, 1 - (gap - nearest) / REACH) ** 2 for name, gap in gaps.items()}
        total = sum(shares.values())
        weights.append([(name, share / total) for name, share in shares.items() if share > 0])
    return weights


def find_harmonics(points):
    """The mean pose, then for each harmonic the shares of its cosine and of its sine."""
    weights = find_weights(points)
    poses = [pose(points, weights, angles(k / POSES)) for k in range(POSES)]

    def against(wave, scale):
        return [[scale * sum(wave(k / POSES) * poses[k][i][axis] for k in range(POSES))
                 for axis in range(3)] for i in range(len(points))]

    series = [against(lambda t: 1.0, 1 / POSES)]
    for n in range(1, HARMONICS + 1):
        series.append(against(lambda t, n=n: math.cos(2 * math.pi * n * t), 2 / POSES))
        series.append(against(lambda t, n=n: math.sin(2 * math.pi * n * t), 2 / POSES))
    return series


# ---- files ----


def write_glb(path, series, quads):
    buffer, views, accessors = bytearray(), [], []

    def store(values, form, width, target=None):
        """An accessor, with its bounds, of floats (f) or short indices (H)."""
        data = struct.pack("<%d%s" % (len(values), form), *values)
        exact = struct.unpack("<%d%s" % (len(values), form), data)
        views.append({"buffer": 0, "byteOffset": len(buffer), "byteLength": len(data)})
        if target:
            views[-1]["target"] = target
        accessors.append({"bufferView": len(views) - 1, "count": len(values) // width,
                          "componentType": 5126 if form == "f" else 5123,
                          "type": "VEC3" if width == 3 else "SCALAR",
                          "min": [min(exact[k::width]) for k in range(width)],
                          "max": [max(exact[k::width]) for k in range(width)]})
        buffer.extend(data + bytes(-len(data) % 4))
        return len(accessors) - 1

    corners = [quad[k] for quad in quads for k in (0, 1, 2, 0, 2, 3)]
    indices = store(corners, "H", 1, 34963)
    places = [store([x for p in part for x in p], "f", 3, 34962) for part in series]
    moments = [k / KEYS for k in range(KEYS + 1)]
    waves = [wave(2 * math.pi * n * t) for t in moments for n in range(1, HARMONICS + 1)
             for wave in (math.cos, math.sin)]
    times = store([PERIOD * t for t in moments], "f", 1)
    amounts = store(waves, "f", 1)
    tree = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "figure"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": places[0]}, "indices": indices,
                                    "targets": [{"POSITION": place} for place in places[1:]]}],
                    "weights": waves[:2 * HARMONICS]}],
        "animations": [{"samplers": [{"input": times, "output": amounts}],
                        "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(buffer)}],
    }
    text = json.dumps(tree, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(buffer)))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text)
        file.write(struct.pack("<I4s", len(buffer), b"BIN\0") + buffer)


# ---- the dress: rings around the trunk, then a bell below the hips ----

TOP, HIPS, HEM = 1.35, 0.97, 0.46  # m, heights along the cloth at the start
FLARE = 0.80  # m/m
ROUND = 80  # points of a ring
STEP = 0.023  # m, from ring to ring
GAP = 0.006  # m, from the skin: less than the collider keeps, so that the top is tight


def trunk_radius(y, direction):
    near, far = 0.0, 0.4
    for _ in range(40):
        r = (near + far) / 2
        inside = distance((r * direction[0], y, r * direction[1]), TRUNK) < GAP
        near, far = (r, far) if inside else (near, r)
    return near


def make_dress():
    directions = [(math.sin(2 * math.pi * k / ROUND), math.cos(2 * math.pi * k / ROUND))
                  for k in range(ROUND)]
    hips = [trunk_radius(HIPS, d) for d in directions]
    heights = [TOP - k * STEP for k in range(math.ceil((TOP - HEM) / STEP))]
    points = []
    for y in heights:
        for k, d in enumerate(directions):
            r = trunk_radius(y, d) if y > HIPS else hips[k] + FLARE * (HIPS - y)
            points.append((r * d[0], y, r * d[1]))
    quads = [[ring * ROUND + k, (ring + 1) * ROUND + k, (ring + 1) * ROUND + (k + 1) % ROUND,
              ring * ROUND + (k + 1) % ROUND]
             for ring in range(len(heights) - 1) for k in range(ROUND)]
    return points, quads


def write_obj(path, points, quads):
    with open(path, "w", encoding="utf-8") as file:
        file.write("# The dress of the dancing figure: tight above, a bell below, m, y up\n")
        file.writelines("v %.4f %.4f %.4f\n" % tuple(p) for p in points)
        file.writelines("f %d %d %d %d\n" % tuple(i + 1 for i in quad) for quad in quads)


def main():
    points, quads = make_surface()
    write_glb(os.path.join(MESHES, "figure.glb"), find_harmonics(points), quads)
    write_obj(os.path.join(MESHES, "dress.obj"), *make_dress())
    print("%d points, %d quads" % (len(points), len(quads)))


if __name__ == "__main__":
    main()
