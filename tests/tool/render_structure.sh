# supple render judged by structure: the size of a silhouette, colours of known places, the shadow,
# what overlays show; bodies of all sizes, bodies far apart; orbits and contact sheets; a disk that is
# full; the memory of a long film.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"
. "$SUPPLE_SOURCE/tests/tool/measure.bash"
needs_package pngjs

cat >one.json <<'SCENE'
{
  "version": 1,
  "frames": 2,
  "gravity": [0, 0, 0],
  "bodies": [
    { "shape": { "icosphere": { "radius": 0.5, "subdivisions": 4 } }, "position": [0, 1, 0], "colour": "#d02020" }
  ],
  "colliders": [{ "shape": "plane", "colour": "#909090" }],
  "camera": { "from": [0, 1, 6], "look_at": [0, 1, 0], "fov": 30 },
  "background": "#4060c0"
}
SCENE

needs_pictures one.json
# draw NAME OPTION...
draw() {
    local name=$1
    shift
    expect 0 render one.json --size 320x240 --quiet "$@" -o "$name.png"
}

draw plain --samples 16
draw ids --overlay ids
# a ball of 0.5 m seen from 6 m: a disc of 37.45 pixels radius
demand 'Math.abs(m.lit / 4406 - 1) < 0.02' 'the silhouette has another size' ids.png
demand 'm.regions[0][0] > 2 * m.regions[0][1] && m.regions[0][0] > 2 * m.regions[0][2]' \
    'the ball is not red' plain.png 140,100,40,40
demand 'm.regions[0][2] > m.regions[0][0] + 60' 'the sky is not blue' plain.png 20,10,40,20
# the lamp stands to the left: the shadow lies to the right, its mirror image is lit
demand 'm.regions[0][1] < 0.75 * m.regions[1][1]' 'there is no shadow' plain.png 195,187,30,6 95,187,30,6
draw particles --samples 16 --overlay particles
demand 'm.changed.count > 500 && m.changed.left > 115 && m.changed.right < 205 && m.changed.top > 75 && m.changed.bottom < 165' \
    'particles are drawn beside the ball' particles.png --other plain.png
draw velocity --samples 16 --overlay velocity
demand 'm.changed.right > 290 && m.changed.left > 115' 'velocity has no colour bar' velocity.png --other plain.png
draw contacts --samples 16 --overlay contacts
demand 'm.changed.count === 0' 'contacts are drawn where there are none' contacts.png --other plain.png

# two bodies, one of them fast or pulled apart: that one has the colours of the other end of the scale, which
# goes from light yellow to dark blue
pair() { # BODIES
    cat >pair.json <<SCENE
{
  "version": 1,
  "frames": 12,
  "gravity": [0, 0, 0],
  "bodies": [$1],
  "camera": { "from": [0, 0, 8], "look_at": [0, 0, 0], "fov": 30 }
}
SCENE
}
# pair_shows OVERLAY: the first body lies at 0 of the scale, the second near its top
pair_shows() {
    expect 0 render pair.json --size 320x240 --samples 4 --quiet --overlay "$1" -o pair.png
    expect 0 render pair.json --size 320x240 --quiet --overlay ids -o pair-ids.png
    demand 'm.bodies.length === 2' "$1 hides a body" pair.png --ids pair-ids.png
    demand 'm.bodies[0].mean[0] > 170 && m.bodies[0].mean[0] > m.bodies[0].mean[2] + 50' \
        "$1: what is still is not light" pair.png --ids pair-ids.png
    demand 'm.bodies[1].mean[0] < 130 && m.bodies[1].mean[2] > m.bodies[1].mean[1] + 20' \
        "$1: what is not still is not dark" pair.png --ids pair-ids.png
}
ball='"shape": { "icosphere": { "radius": 0.5 } }'
pair "{ $ball, \"position\": [-1, 0, 0] }, { $ball, \"position\": [0.4, 0, 0], \"velocity\": [3.9, 0, 0] }"
pair_shows velocity
block='"shape": { "box": { "size": [0.8, 0.8, 0.8] } }'
pair "{ $block, \"position\": [-1, 0, 0] },
    { $block, \"position\": [1, 0, 0], \"pins\": [
      { \"box\": { \"low\": [-1, -1, -1], \"high\": [1, -0.39, 1] } },
      { \"box\": { \"low\": [-1, 0.39, -1], \"high\": [1, 1, 1] }, \"motion\": { \"keys\": [
        { \"time\": 0, \"offset\": [0, 0, 0] }, { \"time\": 0.2, \"offset\": [0, -0.35, 0] } ] } } ] }"
pair_shows strain
# springs show theirs where they are: cloth that is held in the middle and drawn up is dark above, light below
pair '{ "shape": { "grid": { "size": [2, 2], "segments": [10, 10] } }, "weave": "cloth", "rotation": [90, 0, 0], "pins": [
      { "box": { "low": [-2, -1, -0.01], "high": [2, 1, 0.01] } },
      { "box": { "low": [-2, -1, -2], "high": [2, 1, -0.99] }, "motion": { "keys": [
        { "time": 0, "offset": [0, 0, 0] }, { "time": 0.2, "offset": [0, 0.4, 0] } ] } } ] }'
expect 0 render pair.json --size 320x240 --samples 4 --quiet --overlay strain -o cloth.png
demand 'm.regions[0][0] < 130 && m.regions[1][0] > 170' 'springs do not show where they are strained' cloth.png 140,80,40,20 140,140,40,20

# a bar in cubes has a colour for each of them
cat >bar.json <<'SCENE'
{
  "version": 1,
  "frames": 1,
  "gravity": [0, 0, 0],
  "bodies": [
    {
      "shape": { "box": { "size": [2, 0.4, 0.4], "segments": [20, 4, 4] } },
      "clusters": { "cubes": { "edge": 0.45 } },
      "colour": "#808080"
    }
  ],
  "camera": { "from": [0, 1, 6], "look_at": [0, 0, 0], "fov": 30 }
}
SCENE
expect 0 render bar.json --size 320x240 --quiet --overlay ids -o bar-ids.png
expect 0 render bar.json --size 320x240 --samples 4 --quiet -o bar.png
demand 'm.bodies[0].hues === 0' 'a grey bar has colours' bar.png --ids bar-ids.png
expect 0 render bar.json --size 320x240 --samples 4 --quiet --overlay clusters -o bar.png
demand 'm.bodies[0].hues >= 3' 'clusters look alike' bar.png --ids bar-ids.png

# a ball on a floor: the arrows of its contacts stand on the touched place, the middle of the picture
sed -e 's/"gravity": \[0, 0, 0\]/"gravity": [0, -9.81, 0]/' -e 's/"frames": 2/"frames": 40/' \
    -e 's/"position": \[0, 1, 0\]/"position": [0, 0.5, 0]/' \
    -e 's/"camera": .*}/"camera": { "from": [0, 0.5, 6], "look_at": [0, 0, 0], "fov": 30 }/' one.json >floor.json
expect 0 render floor.json --size 320x240 --samples 16 --quiet -o floor.png
expect 0 render floor.json --size 320x240 --samples 16 --quiet --overlay contacts -o arrows.png
demand 'm.changed.count > 30 && m.changed.bottom < 126 && m.changed.top > 70 && m.changed.top < 110' \
    'arrows of contacts do not point up' arrows.png --other floor.png
demand 'm.changed.left > 120 && m.changed.right < 200' 'arrows of contacts are beside' arrows.png --other floor.png

# half an orbit: left and right change places
pair "{ $ball, \"position\": [-1, 0, 0] }, { $ball, \"position\": [1.2, 0.3, 0] }"
expect 0 render pair.json --size 320x240 --quiet --overlay ids -o front.png
demand 'm.bodies[0].x < 110 && m.bodies[1].x > 220' 'two bodies are not left and right' front.png --ids front.png
expect 0 render pair.json --size 320x240 --quiet --overlay ids --orbit 180 -o back.png
demand 'm.bodies[0].x > 210 && m.bodies[1].x < 100 && m.bodies[1].y < 110' \
    'half an orbit does not look from behind' back.png --ids back.png
# a quarter: the camera goes to the right of where it stood, so that what was right is in front
expect 0 render pair.json --size 320x240 --quiet --overlay ids --orbit 90 -o side.png
demand 'm.bodies[1].count > 1.2 * m.bodies[0].count && Math.abs(m.bodies[1].x - 160) < 3' \
    'a quarter of an orbit does not look from the right' side.png --ids side.png

# an automatic camera comes as near as it must: bodies of all sizes look alike
for size in 1e-4 1e-3 1 1e4; do
    cat >sized.json <<SCENE
{
  "version": 1,
  "frames": 1,
  "gravity": [0, 0, 0],
  "bodies": [{ "shape": { "icosphere": { "radius": $size, "subdivisions": 3 } }, "position": [0, 0, 0], "mass": 1 }]
}
SCENE
    expect 0 render sized.json --size 320x240 --overlay ids -o sized.png
    [ -s err.txt ] && fail "a body of $size m: $(cat err.txt)"
    demand 'm.lit > 11500 && m.lit < 12000' "a body of $size m has another size in the picture" sized.png
done

# what is next to nothing, as rounding errors at rest are, does not fill the scales
cat >rest.json <<'SCENE'
{
  "version": 1,
  "frames": 1,
  "gravity": [0, 0, 0],
  "bodies": [{ "shape": { "box": { "segments": [4, 4, 4] } }, "velocity": [1e-5, 0, 0] }]
}
SCENE
for kind in velocity strain; do
    expect 0 render rest.json --size 320x240 --samples 4 --overlay $kind -o rest.png
    demand 'm.regions[0][0] > 150 && m.regions[0][1] > 150' "--overlay $kind shows noise" rest.png 120,110,40,40
done

# a contact sheet with fewer frames than cells: the last stays black
draw sheet --samples 1 --contact-sheet 2x2
demand 'm.regions[0][2] > 90 && m.regions[1][2] > 90 && m.regions[2][2] > 90 && m.regions[3].every((c) => c === 0)' \
    'the cells of the sheet' sheet.png 0,0,160,60 160,0,160,60 0,120,160,60 160,120,160,120

# each cell is the picture of its frame; the container is made of one-sided triangles, whose order
# must not follow from the pictures before
cat >cells.json <<'SCENE'
{
  "version": 1,
  "frames": 9,
  "bodies": [
    { "shape": { "icosphere": { "radius": 0.3 } }, "position": [-0.6, 0.9, 0], "velocity": [4, 2, 0], "colour": "#30a040" }
  ],
  "colliders": [
    { "shape": { "sphere": { "radius": 1.4 } }, "inverted": true, "position": [0, 1.2, 0], "colour": "#c0a060",
      "motion": { "keys": [{ "time": 0, "rotation": [0, 0, 0] }, { "time": 0.15, "rotation": [50, 70, 20] }] } }
  ],
  "camera": { "from": [1, 1.5, 6], "look_at": [0, 1.2, 0], "fov": 35 }
}
SCENE
expect 0 render cells.json --size 320x240 --samples 4 --quiet --contact-sheet 2x2 -o cells.png
cell=0
for frame in 0 3 6 9; do
    expect 0 render cells.json --size 160x120 --samples 4 --quiet --frame $frame -o cell.png
    demand 'm.changed.different === 0' "cell $cell is not frame $frame" \
        cells.png --crop $((cell % 2 * 160)),$((cell / 2 * 120)),160,120 --other cell.png
    cell=$((cell + 1))
done
demand 'm.changed.count > 100' 'all cells look alike' cells.png --crop 0,0,160,120 --other cell.png

# bodies far apart: a note with a camera that sees one of them
cat >far.json <<'SCENE'
{
  "version": 1,
  "frames": 1,
  "gravity": [0, 0, 0],
  "bodies": [
    { "shape": { "box": {} }, "position": [3, 1, 2] },
    { "shape": { "box": { "size": [0.5, 0.5, 0.5] } }, "position": [1000, 1, 0] }
  ]
}
SCENE
expect 0 render far.json --size 320x240 --overlay ids -o far.png
says 'the bodies cover less than 1/10000 of the picture'
camera=$(sed -n 's/.*write into the scene: //p' err.txt)
sed "s/\"frames\": 1/&, $camera/" far.json >near.json
expect 0 render near.json --size 320x240 --overlay ids -o near.png
[ -s err.txt ] && fail "a note where the scene has a camera: $(cat err.txt)"
demand 'm.lit > 9000' "the camera of the note sees little" near.png
expect 0 render far.json --size 320x240 --overlay ids --quiet -o far.png
[ -s err.txt ] && fail "--quiet has notes: $(cat err.txt)"

# a disk that is full: no half file
for name in full.png full.mp4; do
    code=0
    (ulimit -f 1 && exec "$SUPPLE" render one.json --size 320x240 --samples 4 --quiet -o $name 2>err.txt) || code=$?
    [ $code = 3 ] || [ $code = 6 ] || fail "$name on a full disk gives $code: $(cat err.txt)"
    [ -z "$(find . -name "$name*")" ] || fail "half of $name is left"
done

# memory_of FRAMES: peak of a film, kB
memory_of() {
    "$SUPPLE" render long.json --frames 0:$1 --size 64x36 --samples 1 --quiet -o long.mp4 &
    local pid=$! peak=0 now
    while now=$(awk '/VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null) && [ -n "$now" ]; do
        peak=$now
        sleep 0.05
    done
    wait $pid || fail "the long film failed"
    echo "$peak"
}
if [ -n "${SUPPLE_LONG:-}" ] && command -v ffmpeg >/dev/null; then
    sed 's/"frames": 2/"frames": 1000/' one.json >long.json
    short=$(memory_of 50)
    long=$(memory_of 1000)
    echo "peak memory: $short kB for 51 pictures, $long kB for 1001"
    [ "$long" -lt $((short + 4096)) ] || fail "a film of 1001 pictures takes $long kB, one of 51 $short kB"
fi

exit $((failures > 0))
