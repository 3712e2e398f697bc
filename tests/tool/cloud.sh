# A body from a cloud of points through every command: info, run, export, convert, render.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

cp "$SUPPLE_SOURCE/scenes/meshes/knot.ply" .
cat >cloud.json <<'SCENE'
{
  "version": 1,
  "frames": 40,
  "bodies": [
    { "name": "knot", "shape": { "mesh": { "file": "knot.ply" } }, "mass": 5, "position": [0, 0.3, 0] },
    { "name": "ball", "shape": "icosphere", "position": [2, 0.5, 0] }
  ],
  "colliders": [{ "shape": "plane" }]
}
SCENE

# info says what it is, and takes no point for unused
expect 0 info knot.ply
says 'knot.ply: cloud of points'
says 'points      1500; each becomes a particle'
expect 0 info knot.ply --json
says '"polygons": 0'
expect 0 info cloud.json
says '1x cloud, 5 kg, 1500 particles, 1 cluster, 0 pinned, radius 0.0171 m'
grep -q 'no polygon' err.txt && fail "points of a cloud are called unused"

# every animation, and the same bytes from a tape
kinds='-o a.pc2 -o b.mdd -o c.usda -o d.glb -o e.pvd'
expect 0 run cloud.json $kinds -o f.sup -q
mkdir tape
(cd tape && "$SUPPLE" export ../f.sup $kinds -q) || fail "export fails"
for file in a.obj a.pc2 b.obj b.mdd c.usda d.glb e-000040.vtu; do
    cmp -s $file tape/$file || fail "export writes another $file"
done
grep -qF 'float[] widths = [0.0342' c.usda || fail "c.usda does not know how large the spheres are"
expect 0 info f.sup
no_part
if [ -d "$SUPPLE_SOURCE/node_modules/gltf-validator" ]; then
    node "$SUPPLE_SOURCE/scripts/validate_glb.mjs" d.glb || fail "d.glb is not valid"
fi

# there and back: the points stay, to the last digit
expect 0 convert knot.ply one.obj
says '1500 points, 0 polygons, a cloud'
for ending in ply glb; do
    expect 0 convert one.obj two.$ending -q
    expect 0 convert two.$ending back.obj -q
    cmp -s one.obj back.obj || fail ".$ending changes the cloud"
done
for ending in vtu usda; do expect 0 convert one.obj two.$ending -q; done
expect 0 convert f.sup pose.ply --frame 40 -q
expect 0 convert d.glb moving.pc2 -q
refuse 2 'it holds triangles, but the mesh has no polygons' convert one.obj two.stl

# what needs a surface says so
sed 's/"mass": 5/"fill": 0.1/' cloud.json >fill.json
refuse 2 'fill.json:5:76: "fill" needs a closed surface, but knot.ply is a cloud of points' run fill.json
sed 's/"shape": "plane"/"shape": { "mesh": { "file": "knot.ply" } }/' cloud.json >wall.json
refuse 2 'the mesh of a collider has no polygon' run wall.json

# drawn: spheres of the body's number, in colours of overlays too
needs_package pngjs
needs_pictures cloud.json
expect 0 render cloud.json --overlay ids -f 30 --size 160x90 -o ids.png
expect 0 render cloud.json --overlay velocity -f 10 --size 160x90 --samples 1 -o speed.png
expect 0 render cloud.json -f 10 --size 160x90 --samples 1 -o plain.png
cmp -s speed.png plain.png && fail "a cloud does not show its speed"
NODE_PATH=$SUPPLE_SOURCE/node_modules node -e '
const { PNG } = require("pngjs");
const image = PNG.sync.read(require("fs").readFileSync("ids.png"));
let seen = 0;
for (let k = 0; k < image.data.length; k += 4) seen += image.data.readUIntBE(k, 3) === 0x9e3779;
console.log(`pixels of the cloud: ${seen}`);
process.exit(seen > 100 ? 0 : 1);
' || fail "the cloud is not in the mask"
exit $((failures > 0))
