# Every kind of animation, read back by programs of others and compared with the .pc2 of the same run; which names are
# refused; what a run that is stopped leaves.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"
needs_package three
python=/usr/bin/python3
$python -c 'import meshio' 2>/dev/null || skip "meshio is missing (Debian: python3-meshio)"

# polygons of 3, 4 and 5 corners, names that mean something to XML and USD, two that a prim cannot tell apart
printf 'v %s\n' '0 0 0' '1 0 0' '1 1 0' '.5 1.5 0' '0 1 0' '0 0 1' '1 0 1' '1 1 1' '.5 1.5 1' '0 1 1' >house.obj
printf 'f %s\n' '5 4 3 2 1' '6 7 8 9 10' '1 2 7 6' '2 3 8 7' '3 4 9 8' '4 5 10 9' '5 1 6 10' >>house.obj
printf 'v %s\n' '0 0 0' '.3 0 0' '0 .3 0' '0 0 .3' '.3 .3 .3' >cloud.obj
cat >mix.json <<'END'
{
  "version": 1,
  "frames": 30,
  "fps": 24,
  "bodies": [
    { "name": "5 & \"<ü>\"", "shape": { "mesh": { "file": "house.obj" } }, "mass": 1, "position": [0, 0.2, 0] },
    { "name": "a ball", "shape": "icosphere", "position": [3, 0.6, 0] },
    { "name": "a_ball", "shape": "icosphere", "position": [5, 0.7, 0] },
    { "name": "cloud", "shape": { "mesh": { "file": "cloud.obj" } }, "position": [7, 0.3, 0] }
  ],
  "colliders": [{ "shape": "plane" }]
}
END

# read_back STEM: STEM.pc2 is right; is everything else the same?
read_back() {
    node "$SUPPLE_SOURCE/scripts/read_back.mjs" 24 "$1.pc2" b.mdd d.usda e.glb || fail "three.js read something else"
    $python "$SUPPLE_SOURCE/scripts/pvd_read_back.py" 24 "$1" 'c & "<c>.pvd' || fail "meshio read something else"
}
kinds='-o a.pc2 -o b.mdd -o d.usda -o e.glb'
expect 0 run mix.json $kinds -o 'c & "<c>.pvd' -o f.sup
no_part
[ "$(ls c*.vtu | wc -l)" -eq 31 ] || fail "there are not 31 .vtu"
says 'wrote c & "<c>.pvd and 31 .vtu files beside it'
cmp -s a.obj b.obj && fail "both .obj name the same cache"
diff <(tail -n +2 a.obj) <(tail -n +2 b.obj) >/dev/null || fail "the .obj of .pc2 and .mdd differ"
read_back a
# the readers notice what is another run
(
    mkdir other && cd other || exit
    sed 's/3, 0.6, 0/3, 0.61, 0/' ../mix.json >mix.json
    cp ../*.obj . && "$SUPPLE" run mix.json -o a.pc2 --quiet 2>/dev/null
)
node "$SUPPLE_SOURCE/scripts/read_back.mjs" 24 other/a.pc2 b.mdd >out.txt && fail "read_back.mjs sees no difference"
grep -q 'BAD b.mdd.*point' out.txt || fail "read_back.mjs does not say which point"
$python "$SUPPLE_SOURCE/scripts/pvd_read_back.py" 24 other/a 'c & "<c>.pvd' >/dev/null 2>&1 && fail "pvd_read_back.py sees no difference"

# export writes the same bytes, over the files of a longer run
mkdir tape
(
    cd tape && for name in a.pc2 c-000030.vtu c-000031.vtu; do echo old >$name; done
    "$SUPPLE" export ../f.sup $kinds -o c.pvd --quiet || echo "export failed"
) | grep . && fail "export does not work"
for file in a.obj a.pc2 b.obj b.mdd d.usda e.glb; do cmp -s $file tape/$file || fail "export writes another $file"; done
cmp -s 'c & "<c>-000030.vtu' tape/c-000030.vtu || fail "export writes another last frame"
[ "$(cat tape/c-000031.vtu)" = old ] || fail "a file that is no frame was changed"
expect 0 export f.sup -o part.mdd -o part.pvd --frames 4:9
[ "$(ls part-*.vtu | wc -l)" -eq 6 ] || fail "part.pvd has not 6 frames"
says 'wrote part.pvd and 6 .vtu files beside it'
[ "$(od -A n -t u1 -N 4 part.mdd | xargs)" = '0 0 0 6' ] || fail "part.mdd has not 6 frames"

# names that are refused
refuse 1 'a.pc2 and a.mdd both write a.obj' run mix.json -o a.pc2 -o a.mdd
refuse 1 'both write ./a.obj' run mix.json -o a.mdd -o ./a.obj
refuse 1 'both write twice-000000.vtu' run mix.json -o twice.pvd -o twice.PVD
refuse 1 'must end in .glb, .pc2, .mdd, .pvd, .usda, .ply, .obj or .sup' run mix.json -o a.vtu
refuse 1 'is to be written twice' run mix.json -o s.pvd --stats ./s-000003.vtu
refuse 1 'house.obj is read by the scene' run mix.json -o house.mdd
cp mix.json s-000007.vtu
refuse 1 's-000007.vtu is read by the scene' run s-000007.vtu -o s.pvd
cp f.sup s-000001.vtu
refuse 1 's-000001.vtu is the tape itself' export s-000001.vtu -o s.pvd
mkdir g-000002.vtu
refuse 2 'cannot write g-000002.vtu: it is a folder' run mix.json -o g.pvd
refuse 2 'UTF-8 without control characters' run mix.json -o "$(printf 'a\033.pvd')"

# a run that is stopped: the files hold the poses so far, but for .mdd
"$SUPPLE" run mix.json --frames 100000 -o stop.mdd -o stopped.pvd -o stopped.usda >out.txt 2>err.txt &
pid=$!
soon test -e "stopped-000004.vtu.$pid.part" || fail "no frames of stopped.pvd"
kill -INT $pid
wait $pid
[ $? -eq 5 ] || fail "a run that was stopped does not end with 5"
says 'stop.mdd is not written: an .mdd needs all its frames'
poses=$(($(sed -n 's/.*stopped after frame \([0-9]*\) of.*/\1/p' err.txt) + 1))
[ "$(ls stopped-*.vtu | wc -l)" -eq $poses ] || fail "stopped.pvd has not $poses frames"
[ "$(grep -c '<DataSet' stopped.pvd)" -eq $poses ] || fail "stopped.pvd lists not $poses frames"
grep -q "endTimeCode = $((poses - 1))\$" stopped.usda || fail "stopped.usda does not end with frame $((poses - 1))"
grep -q 'stop\.' out.txt && fail "the summary names files that are not there"
ls stop.* >/dev/null 2>&1 && fail "stop.mdd is there"
no_part

exit $((failures > 0))
