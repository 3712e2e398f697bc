# supple model: every model in every format, the same surface each time, refusals.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

# ---- files

expect 0 model squid
says ' points, '
says ' triangles, 1 closed surface, '
says 'wrote squid.ply'
[ -s squid.ply ] || fail "no squid.ply"
for ending in obj ply stl glb vtu usda; do
    expect 0 model squid --detail 0.25 -o small.$ending
    says "wrote small.$ending"
    [ -s small.$ending ] || fail "no small.$ending"
done
expect 0 convert small.ply back.obj
cmp -s small.obj back.obj || fail "the formats hold different squids"
expect 0 model truck --detail 0.25 -o truck.obj
says ' 5 closed surfaces, '
expect 0 model twisted_rope --detail 0.25 -o rope.ply -q
[ -s out.txt ] && fail "--quiet says something"
[ "$(wc -c <small.ply)" -lt "$(wc -c <squid.ply)" ] || fail "less detail does not make a smaller file"

# ---- scenes know them

cat >scene.json <<'JSON'
{ "version": 1, "frames": 2, "bodies": [{ "shape": { "squid": { "detail": 0.25 } }, "position": [0, 1, 0] }, { "shape": "twisted_rope" }] }
JSON
expect 0 info scene.json
says squid
says twisted_rope

# ---- refusals

expect 1 model
expect 1 model squit
says 'there is no model "squit"; did you mean "squid"?'
expect 1 model elephant
says 'there is no model "elephant"'
expect 1 model squid --detail 9
says '--detail must be a number from 0.25 to 4, not "9"'
expect 1 model squid -o squid.png
says 'must end in .obj, .ply, .stl, .glb, .vtu or .usda'
expect 2 model squid -o nowhere/squid.ply
says 'there is no folder nowhere'
touch pair.pc2
expect 2 model squid -o pair.obj
says 'cannot write pair.obj alone: pair.pc2 beside it is the motion of another'
[ -e pair.obj ] && fail "pair.obj was written"
exit $((failures > 0))
