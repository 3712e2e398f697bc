# Tapes: recorded, exported, killed at any moment and gone on with to the same bytes.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

cat >small.json <<'SCENE'
{
  "version": 1,
  "frames": 500,
  "bodies": [
    { "name": "ball", "shape": { "icosphere": { "radius": 0.4 } }, "position": [0, 1, 0],
      "copies": { "grid": { "count": [2, 2, 1], "step": [0.9, 1, 0] } } },
    { "name": "mesh", "shape": { "mesh": { "file": "tetra.obj" } }, "mass": 1, "position": [0, 5, 0] }
  ],
  "colliders": [
    { "shape": "plane" },
    { "shape": { "box": { "size": [1, 0.4, 1] } },
      "motion": { "keys": [{ "time": 0, "position": [-2, 0.2, 0] }, { "time": 2, "position": [1, 0.2, 0] },
                           { "time": 4, "position": [-2, 0.2, 0] }], "loop": true } }
  ]
}
SCENE
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >tetra.obj
frames=$([ -n "${SUPPLE_LONG-}" ] && echo 500 || { [ -n "${SUPPLE_SHORT-}" ] && echo 150 || echo 300; })

# the whole run, and what is made from it
expect 0 run small.json -n $frames -o whole.sup -o run.glb -o run.pc2
size=$(wc -c <whole.sup)
says 'wrote whole.sup'
expect 0 export whole.sup -o made.glb -o made.obj
for kind in glb obj pc2; do cmp -s run.$kind made.$kind || fail "export and run differ in .$kind"; done
expect 0 run small.json -n 40 -o few.glb -o few.sup --glb-poses 5
expect 0 export few.sup -o fewer.glb --glb-poses 5
cmp -s few.glb fewer.glb || fail "export and run differ with --glb-poses"
expect 0 export whole.sup -o part.pc2 --frames 10:19
[ "$(wc -c <part.pc2)" -eq $((32 + 10 * ($(wc -c <run.pc2) - 32) / (frames + 1))) ] || fail "not 10 poses"
cmp -s -n 1000 -i 32:$((32 + 10 * ($(wc -c <run.pc2) - 32) / (frames + 1))) part.pc2 run.pc2 ||
    fail "the poses are not those from 10 on"
expect 0 info whole.sup
says "frames     $frames of $frames at 60 per second"
says 'whole'
expect 0 info whole.sup --json
grep -q '"snapshots": '$((frames / 60 + 1)) out.txt || fail "the number of snapshots is wrong"

# a byte that was changed anywhere: nobody makes anything of it
for share in 1 3 5 7 9; do
    cp whole.sup harmed.sup
    printf '\x5a\xa5' | dd of=harmed.sup bs=1 seek=$(($(wc -c <whole.sup) * share / 10)) conv=notrunc 2>/dev/null
    for words in "info harmed.sup" "export harmed.sup -o harmed.glb --frames 0:1" "convert harmed.sup harmed.obj" \
        "run small.json -n $frames --replay harmed.sup"; do
        expect 2 $words
        says 'its bytes are damaged'
    done
done

# await_bytes PID COUNT: until the part of kill.sup has so many, or the run is over. The clock says nothing on a busy machine.
await_bytes() {
    while kill -0 $1 2>/dev/null && [ "$(stat -c %s kill.sup.part 2>/dev/null || echo 0)" -lt $2 ]; do sleep 0.002; done
}
# killed_and_resumed SIGNAL [OPTIONS]: starts a run, ends it at a random moment, goes on, compares
killed_and_resumed() {
    local name=kill.sup
    rm -f $name $name.part
    "$SUPPLE" run small.json -n $frames -o $name --quiet 2>err.txt &
    local pid=$!
    await_bytes $pid $((RANDOM % 1000 * size / 1000))
    kill -$1 $pid 2>/dev/null
    wait $pid 2>/dev/null
    local code=$?
    if [ -e $name ]; then
        cmp -s $name whole.sup || fail "SIG$1: the final name is a partial file"
        done_before=$((done_before + 1))
    else
        [ $1 = KILL ] || [ $code -eq 5 ] || fail "SIG$1 gave code $code"
        [ $1 = KILL ] || [ -e $name.part ] || fail "SIG$1 leaves no part"
        midway=$((midway + 1))
    fi
    expect 0 run small.json -n $frames -o $name --resume ${2-}
    cmp -s $name whole.sup || fail "SIG$1: the tape is another one"
    [ -e $name.part ] && fail "a part is left"
}
RANDOM=4711
midway=0 done_before=0
moments=$([ -n "${SUPPLE_LONG-}" ] && echo 50 || { [ -n "${SUPPLE_SHORT-}" ] && echo 4 || echo 12; })
for i in $(seq $moments); do killed_and_resumed KILL "--threads $((1 + i % 2))"; done
for i in 1 2 3; do killed_and_resumed INT; done
[ $midway -ge $((moments / 3)) ] || fail "only $midway of $moments were killed midway"

# one run after the other is killed, until the tape is whole
rm -f kill.sup kill.sup.part
for share in 10 25 45 60 80 95 100; do
    "$SUPPLE" run small.json -n $frames -o kill.sup --resume --quiet 2>err.txt &
    pid=$!
    [ $share = 100 ] || { await_bytes $pid $((share * size / 100)) && kill -KILL $pid 2>/dev/null; }
    wait $pid 2>/dev/null
done
cmp -s kill.sup whole.sup || fail "many kills change the tape"

# scenes with attachments, moving pins and colliders, cut off behind a snapshot
for scene in chain breakaway squeeze; do
    expect 0 run "$SUPPLE_SOURCE/scenes/$scene.json" -n 70 -o scene.sup
    head -c $(($(wc -c <scene.sup) * 19 / 20)) scene.sup >again.sup.part
    expect 0 run "$SUPPLE_SOURCE/scenes/$scene.json" -n 70 -o again.sup --resume
    says 'went on from frame 60'
    cmp -s scene.sup again.sup || fail "$scene.json does not go on alike"
    rm -f scene.sup again.sup
done

# a complete tape needs no run; one of another scene is not touched
expect 0 run small.json -n $frames -o whole.sup --resume
says 'whole.sup is complete already'
sed 's/"mass": 1/"mass": 2/' small.json >other.json
cp whole.sup kept.sup
cp whole.sup kept.sup
expect 2 run small.json -n 7 -o whole.sup --resume
says 'is complete with'
cmp -s whole.sup kept.sup || fail "a complete tape of another length was replaced"
expect 2 run other.json -n $frames -o whole.sup --resume
says 'belongs to another scene'
cmp -s whole.sup kept.sup || fail "a tape of another scene was changed"
head -c $((size / 2)) whole.sup >begun.sup.part
cp begun.sup.part kept.part
expect 2 run other.json -n $frames -o begun.sup --resume
says 'begun.sup.part belongs to another scene'
printf '# other\n' | cat - tetra.obj >tetra2.obj && mv tetra.obj old.obj && mv tetra2.obj tetra.obj
expect 2 run small.json -n $frames -o begun.sup --resume
says 'another scene'
mv old.obj tetra.obj
expect 2 run small.json -n 77 -o begun.sup --resume
says "was begun with $frames frames, not with 77"
cmp -s begun.sup.part kept.part || fail "a refused part was changed"
expect 0 info begun.sup.part
says 'partial'
expect 0 export begun.sup.part -o begun.pc2
says 'is partial'

# nothing to go on with: from the start, and it says so. Without --resume a part is replaced
printf 'x' >empty.sup.part
expect 0 run small.json -n 5 -o fresh.sup --resume
says 'there is no fresh.sup.part'
: >empty.sup.part
expect 0 run small.json -n 5 -o empty.sup --resume
says 'the run begins at frame 0'
cmp -s fresh.sup empty.sup || fail "an empty part changes the tape"
expect 0 run small.json -n 5 -o begun.sup
says 'begun.sup.part of an earlier run is replaced'
cmp -s fresh.sup begun.sup || fail "an old part changes the tape"
expect 1 run small.json -o a.glb --resume
expect 1 run small.json -o a.sup -o a.glb --resume
says 'supple export'
expect 1 run small.json -o a.sup --stats s.json --resume
expect 1 run small.json -o a.sup -o b.sup

# two at once: the second is refused and does no harm
"$SUPPLE" run small.json -n 100000 -o twice.sup --quiet 2>/dev/null &
pid=$!
for _ in $(seq 100); do [ -s twice.sup.part ] && break || sleep 0.05; done
expect 2 run small.json -n 100000 -o twice.sup
says 'another run is writing it'
grep -q 'is replaced' err.txt && fail "it claims to replace what another run writes"
expect 2 run small.json -n 100000 -o twice.sup --resume
says 'another run is writing it'
kill -INT $pid
wait $pid
[ $? -eq 5 ] || fail "the first of two runs was harmed"
expect 0 info twice.sup.part

# instruction sets may change in between
if "$SUPPLE" run small.json -n 1 --simd avx2 --quiet 2>/dev/null; then
    rm -f kill.sup
    "$SUPPLE" run small.json -n $frames -o kill.sup --simd avx2 --quiet 2>/dev/null &
    pid=$!
    await_bytes $pid $((6 * size / 10))
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null # until then it may hold its lock
    expect 0 run small.json -n $frames -o kill.sup --simd scalar --resume
    cmp -s kill.sup whole.sup || fail "other instructions change the tape"
fi

# a full disk: code 3, the part stays, and the run goes on later
rm -f kill.sup
(ulimit -f $(($(wc -c <whole.sup) / 1024 / 2)) && exec "$SUPPLE" run small.json -n $frames -o kill.sup >out.txt 2>err.txt)
[ $? -eq 3 ] || fail "a full disk is not code 3"
says 'cannot write kill.sup.part'
says 'kill.sup.part is kept'
[ -e kill.sup ] && fail "a full disk leaves a partial file"
expect 0 run small.json -n $frames -o kill.sup --resume
says 'went on from frame'
cmp -s kill.sup whole.sup || fail "a full disk changes the tape"

# what is damaged or foreign is refused
for place in 200000 3000000; do # in a snapshot, in a frame
    cp whole.sup bad.sup
    printf 'XYZ' | dd of=bad.sup bs=1 seek=$place conv=notrunc 2>/dev/null
    expect 2 info bad.sup
    says 'bad.sup: byte '
done
expect 2 export bad.sup -o bad.pc2
[ -e bad.pc2 ] && fail "a damaged tape was exported"
expect 2 info small.json.sup
cp small.json text.sup
expect 2 info text.sup
says 'this is no tape'
expect 2 export small.json -o a.glb
expect 2 export gone.sup -o a.glb
expect 1 export whole.sup
expect 1 export whole.sup -o b.sup
expect 1 export whole.sup -o a.glb --frames 5:4
expect 1 export whole.sup -o a.glb --frames 0:100000
for verb in run hash; do
    expect 2 $verb whole.sup
    says 'is a tape, not a scene'
done
for verb in run info export; do expect 0 $verb --help; done

exit $((failures > 0))
