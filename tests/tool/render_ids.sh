# supple render --overlay ids: every body in the colour of its number, all else black, nothing mixed.
set -u
skip() {
    echo "skipped: $*"
    exit 77
}
fail() {
    echo "FAILED: $*"
    exit 1
}

command -v node >/dev/null || skip "node is missing"
[ -d "$SUPPLE_SOURCE/node_modules/pngjs" ] || skip "pngjs is missing; npm ci installs it"

# the third body lies behind the wall, below the fourth
cat >four.json <<'SCENE'
{
  "version": 1,
  "frames": 1,
  "gravity": [0, 0, 0],
  "bodies": [
    { "shape": { "box": { "size": [1, 1, 1] } }, "position": [-2, 1, 0],
      "copies": { "grid": { "count": [2, 1, 1], "step": [1.5, 0, 0] } } },
    { "shape": { "icosphere": { "radius": 0.2 } }, "position": [2, 0.4, -1] },
    { "shape": { "icosphere": { "radius": 0.5 } }, "position": [2, 1.6, -1] }
  ],
  "colliders": [
    { "shape": "plane" },
    { "shape": { "box": { "size": [2, 1, 0.2] } }, "position": [2, 0.5, 0] }
  ],
  "camera": { "from": [0, 1, 8], "look_at": [0, 1, 0], "fov": 40 }
}
SCENE

# 163: not a multiple of the eight rays that are traced at a time
"$SUPPLE" render four.json --overlay ids --size 163x91 -o ids.png 2>err.txt
code=$?
[ $code -ne 6 ] || skip "this build cannot draw"
[ $code -eq 0 ] || fail "$(cat err.txt)"
"$SUPPLE" render four.json --overlay ids --size 163x91 --samples 64 --threads 3 -o more.png
cmp -s ids.png more.png || fail "samples or threads change a mask"

NODE_PATH=$SUPPLE_SOURCE/node_modules node -e '
const { PNG } = require("pngjs");
const image = PNG.sync.read(require("fs").readFileSync("ids.png"));
const seen = new Map();
for (let k = 0; k < image.data.length; k += 4) {
  const colour = image.data.readUIntBE(k, 3);
  seen.set(colour, (seen.get(colour) ?? 0) + 1);
}
const colours = [0, 1, 2, 3].map((body) => (body + 1) * 0x9e3779 % 2 ** 24);
const [left, right, hidden, ball] = colours.map((colour) => seen.get(colour) ?? 0);
seen.delete(0);
console.log(`pixels: ${left} ${right} ${hidden} ${ball}, ${seen.size} colours`);
const fine = left > 100 && right > 100 && ball > 100 && hidden === 0 && seen.size === 3;
process.exit(fine ? 0 : 1);
' || fail "the mask has other bodies or colours"

"$SUPPLE" render four.json --overlay ids,particles -o mixed.png 2>err.txt
[ $? -eq 1 ] && grep -q 'ids is a mask' err.txt || fail "ids goes together with particles"
exit 0
