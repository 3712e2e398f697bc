# supple run --stats: how deep bodies of tetrahedra are in each other.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

expect 0 run "$SUPPLE_SOURCE/scenes/stack.json" --frames 120 --stats s.json --quiet
grep -o '"deepest": [^,]*' s.json | cut -d ' ' -f 2 >depths.txt
[ "$(wc -l <depths.txt)" -eq 121 ] || fail "not every frame tells how deep it is"
# cubes 3 mm and more apart, edges of 0.06 to 0.1 m: nothing at first, a tenth of an edge in the
# fall, and what carries them when they stand
awk 'NR == 1 && $1 != 0 { exit 1 }' depths.txt || fail "something is deep before anything meets"
awk '$1 < 0 || $1 > 0.006 { exit 1 }' depths.txt || fail "cubes fall deeper into each other than 6 mm"
tail -n 20 depths.txt | awk '!($1 > 0 && $1 < 0.002) { exit 1 }' || fail "a stack is not between 0 and 2 mm deep"

exit $((failures > 0))
