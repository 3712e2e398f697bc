# supple render judged by structure: the size of a silhouette, colours of known places, the shadow,
# what overlays change; a disk that is full; the memory of a long film.
set -u
failures=0
skip() {
    echo "skipped: $*"
    exit 77
}
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
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
