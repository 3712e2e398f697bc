# supple fit on models and on rough closed meshes of 1,000 and 100,000 triangles: one piece, nothing amiss, soon done.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"
[ -n "${SUPPLE_LONG-}" ] && [ -z "${SUPPLE_SHORT-}" ] || skip "only in the long tests"

# rough ROUND ACROSS: a closed ring whose surface is all edges, in two triangles for each of ROUND x ACROSS cells
rough() {
    awk -v n="$1" -v m="$2" 'BEGIN {
        srand(7)
        turn = 8 * atan2(1, 1)
        for (i = 0; i < n; i++) for (j = 0; j < m; j++) {
            tube = 0.3 * (1 + 0.25 * (rand() - 0.5) + 0.3 * (int(8 * j / m) % 2) * (int(20 * i / n) % 2))
            out = 1 + tube * cos(turn * j / m)
            print "v", out * cos(turn * i / n), tube * sin(turn * j / m), out * sin(turn * i / n)
        }
        for (i = 0; i < n; i++) for (j = 0; j < m; j++) {
            a = i * m + j + 1; b = i * m + (j + 1) % m + 1
            c = (i + 1) % n * m + j + 1; d = (i + 1) % n * m + (j + 1) % m + 1
            print "f", a, b, d
            print "f", a, d, c
        }
    }'
}
# fits MESH WORDS...: by processor time
fits() {
    local mesh=$1 took
    shift
    took=$({ TIMEFORMAT='%U %S'; time "$SUPPLE" fit "$mesh" "$@" >out.txt 2>err.txt; } 2>&1 | awk '{ print $1 + $2 }')
    echo "$mesh $*: $took s, $(grep -m 1 particles out.txt)"
    says 'one piece, nothing amiss'
    awk -v t="$took" 'BEGIN { exit !(t > 0 && t <= 5) }' || fail "$mesh took $took s of the processor, more than 5"
}

for model in squid lionfish truck plant twisted_rope; do
    expect 0 model "$model" -o "$model.obj"
    fits "$model.obj" -o "$model.json" --check
done
rough 32 16 >rough1k.obj
rough 250 200 >rough100k.obj
[ "$(grep -c '^f' rough1k.obj) $(grep -c '^f' rough100k.obj)" = "1024 100000" ] || fail "the rough meshes are others"
for mesh in rough1k rough100k; do
    expect 0 mesh "$mesh.obj"
    says closed
    fits "$mesh.obj" -o "$mesh.json" --check
    fits "$mesh.obj" -o "$mesh.json" --check --where surface
    expect 0 fit "$mesh.json" --check
done
exit $((failures > 0))
