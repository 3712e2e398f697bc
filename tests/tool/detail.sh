# Levels of detail that follow the clock: recorded, repeated to the same bits, gone on with.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

# No machine is so fast: whatever can get coarser does, one body every three frames.
cat >hasty.json <<'SCENE'
{
  "version": 1,
  "frames": 150,
  "budget_ms": 1e-6,
  "bodies": [
    { "name": "jelly", "shape": { "box": { "segments": [6, 6, 6] } }, "fill": 0.17, "position": [0, 1, 0],
      "copies": { "grid": { "count": [3, 1, 1], "step": [1.5, 0, 0] } },
      "details": [
        { "clusters": "whole" },
        { "clusters": { "cubes": { "edge": 0.7 } }, "mode": "linear" },
        { "clusters": { "cubes": { "edge": 0.5 } }, "mode": "quadratic" }
      ] },
    { "name": "ball", "shape": "icosphere", "position": [1, 3, 0] }
  ],
  "colliders": [{ "shape": "plane" }]
}
SCENE

hash_of() { sed -n 's/^hash //p' out.txt; }

expect 0 run hasty.json -o first.sup -o first.pc2 --stats stats.json
says 'detail changed 6 times'
hash=$(hash_of)
[ "$(grep -o '"clusters": [0-9]*' stats.json | uniq | wc -l)" -eq 7 ] || fail "the numbers do not show 6 changes"
expect 0 info first.sup
says 'details    changed 6 times'
says 'frame 3      jelly.1: level 1'
says 'frame 18     jelly.3: level 0'
expect 0 info first.sup --json
[ "$(grep -c '"level": ' out.txt)" -eq 6 ] || fail "not all choices are told"

# the same bits again, with other threads and instructions, from a scene that only the tape hurries
for options in "-t 1" "-t 2" "--simd scalar"; do
    expect 0 run hasty.json --replay first.sup -o again.sup -o again.pc2 $options
    [ "$(hash_of)" = "$hash" ] || fail "$options: another hash"
    cmp -s first.sup again.sup || fail "$options: another tape"
    cmp -s first.pc2 again.pc2 || fail "$options: another animation"
done
expect 0 run hasty.json --replay first.sup -n 10 --json
grep -q '"detail_changes": 3' out.txt || fail "10 frames have 3 changes"

# a tape that was cut: as far as it goes
size=$(wc -c <first.sup)
head -c $((size / 2)) first.sup >half.sup
expect 0 run hasty.json --replay half.sup --json
expect 2 run hasty.json --replay half.sup -n 150
says ' frames; it cannot be repeated for 150'
expect 0 run hasty.json --replay half.sup
says 'half.sup ends at frame '

# a tape that is longer than the scene says: to its end
expect 0 run hasty.json -n 170 -o long.sup
expect 0 run hasty.json --replay long.sup -o longer.sup
says 'long.sup ends at frame 170, and so does the run'
cmp -s long.sup longer.sup || fail "a longer tape is not repeated to its end"

# what info and plot say of it
expect 0 info hasty.json
says 'a budget of 1e-06 ms for a step'
says ', 3 levels of detail, at the start 2'
expect 0 info hasty.json --json
grep -q '"budget_ms": ' out.txt || fail "no budget in JSON"
grep -q '"detail": ' out.txt || fail "no level in JSON"
expect 0 run hasty.json --replay first.sup --stats s.json
expect 0 plot s.json --columns clusters -o clusters.svg
grep -q '>clusters<' clusters.svg || fail "the chart has no clusters"

# going on: what was recorded before the snapshot stays, and with --replay the tape is the same again
head -c $((size * 4 / 5)) first.sup >on.sup.part
cp on.sup.part same.sup.part
expect 0 run hasty.json -o on.sup --resume
says 'went on from frame'
expect 0 info on.sup
says 'frame 18     jelly.3: level 0'
expect 0 run hasty.json -o same.sup --resume --replay first.sup
cmp -s first.sup same.sup || fail "another tape after going on"

# a budget that is kept changes nothing, and only run looks at the clock
sed 's/"budget_ms": 1e-6/"budget_ms": 100000/' hasty.json >lazy.json
sed 's/"budget_ms": 1e-6,//' hasty.json >plain.json
expect 0 run lazy.json -o lazy.sup
hash=$(hash_of)
grep -q 'detail changed' out.txt && fail "something changed without need"
expect 0 info lazy.sup
grep -q 'details' out.txt && fail "choices are told that nobody made"
for scene in plain lazy hasty; do
    expect 0 hash $scene.json
    grep -q "$hash" out.txt || fail "$scene.json moves otherwise"
done

# what cannot be repeated
expect 2 run lazy.json --replay first.sup
says 'first.sup belongs to another scene, or its files have changed since'
expect 2 run hasty.json --replay gone.sup
expect 2 run hasty.json --replay hasty.json
says 'this is no tape'
expect 1 run hasty.json --replay first.sup -o first.sup
says 'cannot be repeated and written at once'

exit $((failures > 0))
