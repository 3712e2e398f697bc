# supple render: each kind of collider is drawn where it is, still, moving, turned and inside out.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"
. "$SUPPLE_SOURCE/tests/tool/measure.bash"
needs_package pngjs

# scene COLLIDER...: the camera stands 12 m in front of x = 0, y = 1, z = 0; the body is out of sight
scene() {
    local IFS=, colliders
    colliders="$*"
    cat >scene.json <<SCENE
{
  "version": 1,
  "frames": 60,
  "gravity": [0, 0, 0],
  "bodies": [{ "shape": { "icosphere": { "radius": 0.1, "subdivisions": 1 } }, "position": [0, 50, 0] }],
  "colliders": [$colliders],
  "camera": { "from": [0, 1, 12], "look_at": [0, 1, 0], "fov": 30 },
  "background": "#4060c0"
}
SCENE
}
# draw NAME [FRAME]
draw() { expect 0 render scene.json --size 480x240 --samples 4 --quiet --frame "${2:-0}" -o "$1.png"; }

# spans TEXT FRAME POINT...: what the picture shows more than an empty one reaches from pixel to pixel as these
# points do, each x,y,z in m
spans() {
    local text=$1 frame=$2
    shift 2
    draw thing "$frame"
    box=$(node -e '
        const points = process.argv.slice(1).map((word) => word.split(",").map(Number));
        const focus = 120 / Math.tan(Math.PI / 12);
        const columns = points.map(([x, , z]) => 240 + (focus * x) / (12 - z));
        const rows = points.map(([, y, z]) => 120 - (focus * (y - 1)) / (12 - z));
        console.log(JSON.stringify([Math.min(...columns), Math.max(...columns) - 1,
          Math.min(...rows), Math.max(...rows) - 1]));' -- "$@")
    demand "[m.changed.left, m.changed.right, m.changed.top, m.changed.bottom].every((at, k) => Math.abs(at - $box[k]) < 1.8)" \
        "$text is not at $box" thing.png --other empty.png
}

scene
needs_pictures scene.json
draw empty

# still ones
scene '{ "shape": { "sphere": { "radius": 0.6 } }, "position": [1, 2, 0] }'
spans 'a sphere' 0 0.4,2,0 1.6,2,0 1,1.4,0 1,2.6,0
scene '{ "shape": { "box": { "size": [1, 2, 0.5] } }, "position": [-2, 1, 0], "rotation": [0, 0, 30] }'
spans 'a turned box' 0 -2.067,2.116,0.25 -1.067,0.384,0.25 -2.933,1.616,0.25 -1.933,-0.116,0.25
scene '{ "shape": { "capsule": { "radius": 0.3, "length": 1 } }, "position": [2, 1, 0], "rotation": [0, 0, 90] }'
spans 'a lying capsule' 0 1.2,1,0 2.8,1,0 2,0.7,0 2,1.3,0
scene '{ "shape": { "capsule": { "radius": 0.3, "length": 1 } }, "position": [-3, 1.5, 0] }'
spans 'a standing capsule' 0 -3.3,1.5,0 -2.7,1.5,0 -3,0.7,0 -3,2.3,0

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >tetra.obj
mesh='{ "shape": { "mesh": { "file": "tetra.obj", "scale": [2, 1, 1] } }, "position": [-1, 0.5, 0] }'
scene "$mesh"
spans 'a mesh' 0 -1,0.5,0 1,0.5,0 -1,1.5,0 -1,0.5,1
# a slope, 3 m long in two cells and 1.5 m wide
scene '{ "shape": { "heights": { "size": [3, 1.5], "rows": [[0, 0.2, 1], [0, 0.2, 1]] } }, "position": [1, 0.5, 0] }'
spans 'a grid of heights' 0 -0.5,0.5,0.75 -0.5,0.5,-0.75 1,0.7,0.75 2.5,1.5,0.75 2.5,1.5,-0.75
# at x = 1 the slope is not straight: above its lower half there is nothing
demand 'm.regions[0].every((c, k) => Math.abs(c - m.regions[1][k]) < 4)' 'heights are not where they belong' \
    thing.png 265,112,6,3 20,112,6,3
scene '{ "shape": "plane" }'
draw thing
demand 'm.changed.left === 0 && m.changed.right === 479 && m.changed.top > 117 && m.changed.top < 130 && m.changed.bottom === 239' \
    'a plane does not end at the horizon' thing.png --other empty.png
scene '{ "shape": "plane", "position": [0, 0, -1], "rotation": [90, 0, 0] }'
draw thing
demand 'm.changed.left === 0 && m.changed.right === 479 && m.changed.top === 0 && m.changed.bottom === 239' \
    'a wall does not fill the picture' thing.png --other empty.png
scene '{ "shape": "plane", "position": [0, 0, -1], "rotation": [-90, 0, 0] }'
draw thing
demand 'm.changed.different === 0' 'a wall is seen from behind' thing.png --other empty.png
scene '{ "shape": "box", "position": [0, 1, 0], "sensor": true }'
draw thing
demand 'm.changed.different === 0' 'a sensor is drawn' thing.png --other empty.png

# containers: their front is open, and light comes in
core='{ "shape": { "sphere": { "radius": 0.4 } }, "position": [0, 1, 0], "colour": "#e01010" }'
for shape in '{ "box": { "size": [2, 2, 2] } }' '{ "sphere": { "radius": 1 } }' \
    '{ "capsule": { "radius": 1, "length": 0.5 } }' '{ "mesh": { "file": "octa.obj" } }'; do
    printf 'v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n' >octa.obj
    printf 'f %s\n' '1 3 5' '3 2 5' '2 4 5' '4 1 5' '3 1 6' '2 3 6' '4 2 6' '1 4 6' >>octa.obj
    scene "$core" "{ \"shape\": $shape, \"position\": [0, 1, 0], \"colour\": \"#e0e0e0\" }"
    draw thing
    demand 'm.regions[0][0] < m.regions[0][1] + 30' "a whole $shape does not hide what is inside" thing.png 235,115,10,10
    scene "$core" "{ \"shape\": $shape, \"position\": [0, 1, 0], \"colour\": \"#e0e0e0\", \"inverted\": true }"
    draw thing
    demand 'm.regions[0][0] > 100 && m.regions[0][0] > 2 * m.regions[0][1]' \
        "a container $shape hides what is inside, or lies in the dark" thing.png 235,115,10,10
done
scene '{ "shape": { "box": { "size": [2, 2, 2] } }, "position": [0, 1, 0], "inverted": true }'
spans 'a container' 0 -1,0,1 1,2,1 -1,2,-1

# moving ones, half way
scene '{ "shape": { "box": { "size": [1, 0.5, 0.1] } },
    "motion": { "keys": [{ "time": 0, "position": [-3, 1, 0] }, { "time": 1, "position": [3, 2, 0] }] } }'
spans 'a box at its start' 0 -3.5,0.75,0.05 -2.5,1.25,0.05
spans 'a box on its way' 30 -0.5,1.25,0.05 0.5,1.75,0.05
scene '{ "shape": { "capsule": { "radius": 0.2, "length": 1.6 } }, "position": [1, 1, 0],
    "motion": { "keys": [{ "time": 0, "rotation": [0, 0, 0] }, { "time": 1, "rotation": [0, 0, 180] }] } }'
spans 'a turning capsule' 30 0,1,0 2,1,0 1,0.8,0 1,1.2,0
scene '{ "shape": { "sphere": { "radius": 0.6 } },
    "motion": { "keys": [{ "time": 0, "position": [0, 1, 0] }, { "time": 1, "position": [2, 3, 0] }] } }'
spans 'a moving sphere' 30 0.4,2,0 1.6,2,0 1,1.4,0 1,2.6,0
scene '{ "shape": "plane", "rotation": [90, 0, 0],
    "motion": { "keys": [{ "time": 0, "position": [0, 0, 20] }, { "time": 1, "position": [0, 0, -40] }] } }'
draw thing
demand 'm.changed.different === 0' 'a wall behind the camera is seen' thing.png --other empty.png
draw thing 30
demand 'm.changed.count === 480 * 240' 'a moving wall has not come' thing.png --other empty.png
# the points of a mesh, two frames of a cache: 2 m to the right in a second
node -e '
    const points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    const bytes = Buffer.alloc(32 + 2 * 12 * points.length);
    bytes.write("POINTCACHE2");
    [1, points.length].forEach((value, k) => bytes.writeInt32LE(value, 12 + 4 * k));
    bytes.writeFloatLE(1, 24);
    bytes.writeInt32LE(2, 28);
    [0, 2].forEach((along, frame) => points.forEach(([x, y, z], i) => {
      [x + along, y, z].forEach((value, k) => bytes.writeFloatLE(value, 32 + 12 * (frame * points.length + i) + 4 * k));
    }));
    require("fs").writeFileSync("tetra.pc2", bytes);'
scene '{ "shape": { "mesh": { "file": "tetra.obj", "animation": { "file": "tetra.pc2", "fps": 1 } } }, "position": [-1, 0.5, 0] }'
spans 'an animated mesh' 30 0,0.5,0 1,0.5,0 0,1.5,0 0,0.5,1

exit $((failures > 0))
