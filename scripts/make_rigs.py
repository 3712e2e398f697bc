#!/usr/bin/env python3
"""Makes two meshes and their bodies of oriented particles, for scenes/wrapper.json and scenes/knot.json.

usage: python3 scripts/make_rigs.py TOOL   (writes bar and overhand .obj, .json and .arrays.ply in scenes/meshes)
"""
import math
import os
import subprocess
import sys
import tempfile

MESHES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'scenes', 'meshes')


def add(a, b, share=1.0):
    return tuple(u + share * v for u, v in zip(a, b))


def way(a, b):
    return add(b, a, -1.0)


def dot(a, b):
    return sum(u * v for u, v in zip(a, b))


def unit(a):
    return tuple(u / math.sqrt(dot(a, a)) for u in a)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def write(name, title, points, faces, spacing, edits, tool):
    path = os.path.join(MESHES, name + '.obj')
    with open(path, 'w') as out:
        out.write('# %s\n' % title)
        for p in points:
            out.write('v %.5g %.5g %.5g\n' % p)
        for f in faces:
            out.write('f %s\n' % ' '.join(str(i + 1) for i in f))
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as file:
        file.write('\n'.join(edits) + '\n')
        file.flush()
        subprocess.run([tool, 'fit', path, '--spacing', str(spacing), '--edits', file.name,
                        '--check', '-o', os.path.join(MESHES, name + '.json')], check=True)


def bar(tool):
    """Four particles near each end and one in the middle."""
    length, width, along, across = 1.6, 0.3, 48, 8
    points, faces, ids = [], [], {}

    def point(p):
        key = tuple(round(c, 6) + 0.0 for c in p)
        if key not in ids:
            ids[key] = len(points)
            points.append(key)
        return ids[key]

    def side(origin, a, b, m, n):
        at = lambda i, j: point(add(add(origin, a, i / m), b, j / n))
        for i in range(m):
            for j in range(n):
                faces.append((at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)))

    half, x, y, z = width / 2, (length, 0, 0), (0, width, 0), (0, 0, width)
    left, right = (-length / 2, -half, -half), (length / 2, -half, -half)
    side(add(left, z), x, y, along, across)
    side(left, y, x, across, along)
    side(add(left, y), z, x, across, along)
    side(left, x, z, along, across)
    side(right, y, z, across, across)
    side(left, z, y, across, across)
    places = [(s * 0.4, u * 0.1, v * 0.1) for s in (-1, 1) for u, v in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    edits = ['erase all'] + ['add %g %g %g' % p for p in places + [(0, 0, 0)]]
    edits += ['links 0.45 all', 'fit all']
    write('bar', 'A bar of 1.6 x 0.3 x 0.3 m, along x', points, faces, 0.32, edits, tool)


def overhand_line():
    """Most of a trefoil, whose ends are led aside."""
    size, first, gap, count = 0.1, math.pi / 3, 0.35, 400
    line = []
    for i in range(count + 1):
        t = first + gap + (2 * math.pi - 2 * gap) * i / count
        x, y = math.sin(t) + 2 * math.sin(2 * t), math.cos(t) - 2 * math.cos(2 * t)
        turn = math.pi / 2 - math.atan2(math.cos(first) - 2 * math.cos(2 * first),
                                        math.sin(first) + 2 * math.sin(2 * first))
        c, s = math.cos(turn), math.sin(turn)
        line.append((size * (c * x - s * y), size * (s * x + c * y), -1.6 * size * math.sin(3 * t)))

    def lead(place, direction, target):
        out = []
        for _ in range(75):
            direction = unit(add(direction, way(direction, target), 0.06))
            place = add(place, direction, 0.01)
            out.append(place)
        return out

    begin, end = unit(way(line[1], line[0])), unit(way(line[-2], line[-1]))
    side = -1.0 if begin[0] > 0 else 1.0
    line = lead(line[0], begin, (side, 0, 0))[::-1] + line + lead(line[-1], end, (-side, 0, 0))
    even, gone, step = [line[0]], 0.0, 0.025
    for p, q in zip(line, line[1:]):
        while gone + math.dist(p, q) >= step:
            p = add(p, unit(way(p, q)), step - gone)
            even.append(p)
            gone = 0.0
        gone += math.dist(p, q)
    for _ in range(4):
        middle = [tuple((a + 2 * b + c) / 4 for a, b, c in zip(*three))
                  for three in zip(even, even[1:], even[2:])]
        even = [even[0]] + middle + [even[-1]]
    return even


def overhand(tool):
    """One particle every 5 cm, each linked to the next."""
    radius, around, line = 0.03, 10, overhand_line()
    points, faces = [], []
    u = (0.0, 1.0, 0.0)
    for i, p in enumerate(line):
        t = unit(way(line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]))
        u = unit(add(u, t, -dot(u, t)))
        w = cross(t, u)
        for k in range(around):
            a = 2 * math.pi * k / around
            points.append(add(add(p, u, radius * math.cos(a)), w, radius * math.sin(a)))
    last = (len(line) - 1) * around
    for i in range(0, last, around):
        for k in range(around):
            a, b = i + k, i + (k + 1) % around
            faces.append((a, b, b + around, a + around))
    for k in range(around):
        faces.append((last + around, (k + 1) % around, k))
        faces.append((last + around + 1, last + k, last + (k + 1) % around))
    points.append(add(line[0], unit(way(line[1], line[0])), 0.6 * radius))
    points.append(add(line[-1], unit(way(line[-2], line[-1])), 0.6 * radius))
    edits = ['erase all'] + ['add %.5g %.5g %.5g' % p for p in line[::2]]
    edits += ['links 0.075 all', 'fit all', 'mass 0.06 all']
    write('overhand', 'A rope with a loose overhand knot, 6 cm thick', points, faces, 0.05, edits, tool)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bar(sys.argv[1])
    overhand(sys.argv[1])
