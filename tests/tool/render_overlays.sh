# supple render: what overlays show, on bodies of every colour; scales that take little room; and a
# camera that looks over walls.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"
skip() {
    echo "skipped: $*"
    exit 77
}

command -v node >/dev/null || skip "node is missing"
[ -d "$SUPPLE_SOURCE/node_modules/pngjs" ] || skip "pngjs is missing; npm ci installs it"

# demand JAVASCRIPT TEXT PICTURE...: pixel(n, x, y) is [r, g, b] of picture n; count(n, f) counts its
# pixels for which f(r, g, b, x, y) holds
demand() {
    local condition=$1 text=$2
    shift 2
    NODE_PATH=$SUPPLE_SOURCE/node_modules node -e '
const { PNG } = require("pngjs");
const [condition, ...names] = process.argv.slice(1);
const pictures = names.map((name) => PNG.sync.read(require("fs").readFileSync(name)));
const pixel = (n, x, y) => [...pictures[n].data.subarray(4 * (y * pictures[n].width + x), 4 * (y * pictures[n].width + x) + 3)];
function count(n, f) {
  let sum = 0;
  for (let y = 0; y < pictures[n].height; y++) {
    for (let x = 0; x < pictures[n].width; x++) sum += f(...pixel(n, x, y), x, y) ? 1 : 0;
  }
  return sum;
}
process.exit(eval(condition) ? 0 : 1);' "$condition" "$@" || fail "$text"
}

# a red box, 2 m wide, that presses on a floor the camera does not see
cat >red.json <<'SCENE'
{
  "version": 1,
  "frames": 90,
  "bodies": [
    { "name": "box", "shape": { "box": { "size": [2, 1, 2], "segments": [4, 2, 4] } }, "position": [0, 0.51, 0], "colour": "#d02020" }
  ],
  "colliders": [{ "shape": { "box": { "size": [1.5, 1, 1.5] } }, "position": [0, -0.5, 0], "colour": "#c02020" }],
  "camera": { "from": [0, 1, 9], "look_at": [0, 0.4, 0], "fov": 20 },
  "background": "#4060c0"
}
SCENE
"$SUPPLE" render red.json --size 320x180 --samples 8 --frame 20 --quiet -o plain.png 2>err.txt
[ $? -ne 6 ] || skip "this build cannot draw"
expect 0 render red.json --size 320x180 --samples 8 --frame 20 --overlay contacts -o contacts.png
light='(r, g, b, x, y) => Math.min(r, g, b) > 170 && y > 40'
dark='(r, g, b, x, y) => r < 130 && x > 110 && x < 210 && y > 65 && y < 112' # within the front of the box
demand "count(0, $light) === 0 && count(1, $light) > 60" 'arrows are not white on red' plain.png contacts.png
demand "count(0, $dark) === 0 && count(1, $dark) > 40" 'arrows have no dark rim' plain.png contacts.png

# depths: of two solids that begin 0.2 m in each other, arrows that long
cat >deep.json <<'SCENE'
{ "version": 1, "bodies": [
    { "name": "lower", "shape": { "box": { "size": [2, 0.6, 2] } }, "solid": { "clusters": { "cell": 0.25 } }, "colour": "#d02020", "position": [0, 0.3, 0] },
    { "name": "upper", "shape": { "box": { "size": [1, 0.6, 1] } }, "solid": { "clusters": { "cell": 0.25 } }, "colour": "#d02020", "position": [0, 0.7, 0] }],
  "gravity": [0, 0, 0], "camera": { "from": [0, 1, 9], "look_at": [0, 0.4, 0], "fov": 20 }, "background": "#4060c0" }
SCENE
expect 0 render deep.json --size 320x180 --samples 8 --frame 1 -o above.png
expect 0 render deep.json --size 320x180 --samples 8 --frame 1 --overlay depths -o depths.png
demand "count(0, $light) === 0 && count(1, $light) > 60" 'depths are not drawn' above.png depths.png
expect 0 render red.json --size 320x180 --samples 8 --frame 20 --overlay depths -o shallow.png
demand "count(0, $light) === 0" 'what lies on the ground is drawn deep' shallow.png

# attachments: a line from the corner of the box to a place in the air above
sed 's/"camera"/"attachments": [{ "body": "box", "nearest": [0.9, 0.5, 0.9], "to": { "point": [1, 2.2, 1] }, "keep_length": true }],\n  &/' \
    red.json >held.json
expect 0 render held.json --size 320x180 --samples 8 --frame 0 -o plain0.png
expect 0 render held.json --size 320x180 --samples 8 --frame 0 --overlay attachments -o held.png
demand 'count(0, (r, g, b) => g > 150 && b > 150 && r < 90) === 0' 'cyan without an attachment' plain0.png
demand 'count(0, (r, g, b, x, y) => g > 150 && b > 150 && r < 90 && x > 180 && x < 260) > 80' 'the attachment is not drawn' held.png

# sleep: who sleeps is grey
expect 0 render red.json --size 320x180 --samples 8 --frame 20 --overlay sleep -o awake.png
expect 0 render red.json --size 320x180 --samples 8 --frame 90 --overlay sleep -o asleep.png
demand 'pixel(0, 160, 100)[0] > 2 * pixel(0, 160, 100)[1]' 'who is awake is grey' awake.png
demand 'pixel(0, 160, 100)[0] < 1.3 * pixel(0, 160, 100)[1]' 'who sleeps is not grey' asleep.png

# the scale: at the right edge, once in a contact sheet, left out of small pictures
expect 0 render red.json --size 320x180 --samples 8 --frame 0 -o first.png
expect 0 render red.json --size 320x180 --samples 8 --frame 0 --overlay velocity -o scale.png
differs='(r, g, b, x, y) => [r, g, b].some((c, k) => Math.abs(c - pixel(1, x, y)[k]) > 3) && x > 260'
demand "count(0, $differs) > 1000 && count(0, $differs) < 320 * 180 / 16" 'the scale takes too much or nothing' scale.png first.png
for overlay in '' '--overlay velocity'; do
    expect 0 render red.json --size 640x180 --samples 1 --frames 0:1 --contact-sheet 1x2 $overlay -o "sheet${overlay:+-velocity}.png"
    expect 0 render red.json --size 149x180 --samples 1 --frame 0 $overlay -o "small${overlay:+-velocity}.png"
done
differs='(r, g, b, x, y) => [r, g, b].some((c, k) => c !== pixel(1, x, y)[k])'
demand "count(0, (r, g, b, x, y) => x > 270 && x < 320 && ($differs)(r, g, b, x, y)) === 0" 'each cell has a scale' sheet-velocity.png sheet.png
demand "count(0, (r, g, b, x, y) => x > 600 && ($differs)(r, g, b, x, y)) > 1000" 'the sheet has no scale' sheet-velocity.png sheet.png
demand "count(0, (r, g, b, x, y) => x > 100 && y < 20 && ($differs)(r, g, b, x, y)) === 0" 'a small picture has a scale' small-velocity.png small.png

# a box behind walls of 3 m: the camera goes up, also where it falls there in the middle of a film
cat >walls.json <<'SCENE'
{
  "version": 1,
  "frames": 30,
  "bodies": [{ "shape": { "box": { "segments": [3, 3, 3] } }, "position": [0, 0.6, 0] }],
  "colliders": [
    { "shape": "plane" },
    { "shape": { "box": { "size": [4, 3, 0.2] } }, "position": [0, 1.5, 2] },
    { "shape": { "box": { "size": [4, 3, 0.2] } }, "position": [0, 1.5, -2] },
    { "shape": { "box": { "size": [0.2, 3, 4] } }, "position": [2, 1.5, 0] },
    { "shape": { "box": { "size": [0.2, 3, 4] } }, "position": [-2, 1.5, 0] }
  ]
}
SCENE
lit='(r, g, b) => r + g + b > 0'
expect 0 render walls.json --size 160x90 --overlay ids -o walls.png
[ -s err.txt ] && fail "a note where the camera sees: $(cat err.txt)"
demand "count(0, $lit) > 1500" 'the box behind walls is hidden' walls.png
expect 0 render walls.json --size 160x90 --overlay ids --orbit 180 -o walls.png
demand "count(0, $lit) > 500" 'the box behind walls is hidden from the other side' walls.png
sed 's/0.6, 0\]/4, 0]/; s/"frames": 30/"frames": 60/' walls.json >well.json
expect 0 render well.json --size 160x90 --overlay ids --frames 0:60 --contact-sheet 1x2 -o well.png
demand "count(0, (r, g, b, x) => x >= 80 && r + g + b > 0) > 100" 'what falls into a well is lost' well.png

# a room with a ceiling: no place sees it, and a note says so
sed 's/{ "shape": "plane" }/&, { "shape": { "box": { "size": [4.2, 0.2, 4.2] } }, "position": [0, 3.1, 0] }/' walls.json >room.json
expect 0 render room.json --size 160x90 --overlay ids -o room.png
says 'colliders hide the bodies'
expect 0 render room.json --size 160x90 --overlay ids --quiet -o room.png
[ -s err.txt ] && fail "--quiet has notes: $(cat err.txt)"
sed 's/"frames"/"camera": { "from": [0, 2, 9], "look_at": [0, 1, 0] }, &/' room.json >given.json
expect 0 render given.json --size 160x90 --overlay ids -o room.png
[ -s err.txt ] && fail "a note where the scene has a camera: $(cat err.txt)"

exit $((failures > 0))
