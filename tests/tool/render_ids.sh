# supple render --overlay ids: every body in the colour of its number, all else black, nothing mixed.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"
needs_package pngjs

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

needs_pictures four.json
# 163: not a multiple of the eight rays that are traced at a time
expect 0 render four.json --overlay ids --size 163x91 -o ids.png
expect 0 render four.json --overlay ids --size 163x91 --samples 64 --threads 3 -o more.png
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

refuse 1 'ids is a mask' render four.json --overlay ids,particles -o mixed.png
exit $((failures > 0))
