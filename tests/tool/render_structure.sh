# supple render judged by structure: the size of a silhouette, colours of known places, the shadow,
# what overlays change; bodies of all sizes, bodies far apart; a disk that is full; the memory of a
# long film.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"
skip() {
    echo "skipped: $*"
    exit 77
}

command -v node >/dev/null || skip "node is missing"
[ -d "$SUPPLE_SOURCE/node_modules/pngjs" ] || skip "pngjs is missing; npm ci installs it"

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

# draw NAME OPTION...
draw() {
    local name=$1 code
    shift
    "$SUPPLE" render one.json --size 320x240 --quiet "$@" -o "$name.png" 2>err.txt
    code=$?
    [ $code -ne 6 ] || skip "this build cannot draw"
    [ $code -eq 0 ] || fail "render $*: $(cat err.txt)"
}
# demand JAVASCRIPT TEXT ARGUMENT...: m is what measure_picture.mjs says of the picture
demand() {
    local condition=$1 text=$2
    shift 2
    node "$SUPPLE_SOURCE/scripts/measure_picture.mjs" "$@" >measured.json
    node -e "const m = JSON.parse(require('fs').readFileSync('measured.json')); process.exit($condition ? 0 : 1)" ||
        fail "$text: $(cat measured.json)"
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
