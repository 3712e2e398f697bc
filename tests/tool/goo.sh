# Soft substance through the commands: a mesh for every pose, refusals of what cannot hold it, tapes, pictures.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

cat >goo.json <<'SCENE'
{
  "version": 1,
  "frames": 6,
  "bodies": [
    { "name": "goo", "shape": { "box": { "size": [0.3, 0.3, 0.3] } }, "blob": { "spacing": 0.06, "cells": 4 }, "position": [0, 0.4, 0] },
    { "name": "ball", "shape": "icosphere", "position": [2, 0.5, 0] }
  ],
  "colliders": [{ "shape": "plane" }]
}
SCENE

expect 0 run goo.json -o series.ply -q
for pose in 000000 000003 000006; do
    [ -s series-$pose.ply ] || fail "there is no series-$pose.ply"
done
[ ! -e series-000007.ply ] || fail "there are too many poses"
expect 0 info series-000006.ply
says 'closed'
cmp -s series-000000.ply series-000006.ply && fail "it does not move"
no_part

for ending in glb pc2 mdd pvd usda; do
    refuse 2 'change from frame to frame' run goo.json -o a.$ending
done

# particles go into every format, and into tapes
sed 's/"cells": 4/"surface": false/' goo.json >spheres.json
expect 0 run spheres.json -o a.glb -q
expect 0 run goo.json -o a.sup -q
expect 0 export a.sup -o b.ply -q
[ -s b-000006.ply ] || fail "a tape gives no series"
no_part
