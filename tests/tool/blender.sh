# Blender plays what a run and a conversion write: OBJ + PC2, OBJ + MDD and GLB, to a micrometre.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"
[ -n "${SUPPLE_LONG-}" ] || skip "only in the long tests"
command -v blender >/dev/null || skip "blender is missing"

cat >small.json <<'SCENE'
{ "version": 1, "frames": 30,
  "bodies": [
    { "name": "jelly", "shape": { "box": { "segments": [3, 3, 3] } }, "position": [0, 1, 0], "velocity": [1, -5, 0],
      "rotation": [10, 20, 30], "material": { "stiffness": 4 } },
    { "name": "ball", "shape": { "icosphere": { "radius": 0.5 } }, "position": [3, 2, 1], "velocity": [-3, 0, 0] } ],
  "colliders": [{ "shape": "plane" }] }
SCENE
expect 0 run small.json -o run.pc2 -o run.glb -o cache.mdd
expect 0 convert run.glb turned.mdd
expect 0 convert run.pc2 turned.pc2
[ $failures = 0 ] || exit 1

blender --background --factory-startup --python-exit-code 1 \
    --python "$SUPPLE_SOURCE/scripts/blender_read_back.py" -- \
    run.pc2 60 run.pc2 cache.mdd run.glb turned.mdd turned.pc2 >blender.txt 2>&1 || fail "Blender plays something else"
grep -F 'largest error' blender.txt
[ "$(grep -cF 'largest error' blender.txt)" -eq 5 ] || fail "not all files were compared"
[ $failures = 0 ] || sed 's/^/  said: /' blender.txt

exit $((failures > 0))
