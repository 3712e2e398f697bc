#!/usr/bin/env bash
# A disk that is full and memory that runs out, as the tool meets them: the code says which, the
# message names the file, old files are as they were, and nothing half is left.
source "$(dirname "${BASH_SOURCE[0]}")/expect.bash"

cat >small.json <<'TEXT'
{ "version": 1, "bodies": [{ "shape": { "icosphere": { "subdivisions": 4 } }, "position": [0, 1, 0] }],
  "colliders": [{ "shape": "plane" }] }
TEXT
mkdir disk

# old files; those of the frames that a .pvd lists come with it
old() {
    local name
    for name in x.obj x.pc2 x.mdd x.glb x.pvd x-000000.vtu x.usda other; do
        echo "old $name" >"disk/$name"
    done
}
state() { (cd disk && cksum ./*); }
# no_room WORDS...: every kind of file, through these words
no_room() {
    local name before
    through=("$@")
    for name in x.glb x.pc2 x.mdd x.pvd x.usda; do
        before=$(state)
        expect 3 run small.json -n 12 --quiet -o disk/$name
        says "disk/${name%.*}"
        [ "$(state)" = "$before" ] || fail "$name on a full disk: $(state)"
    done
    through=()
}

# a limit to the size of a file
old
no_room bash -c 'ulimit -f 8 && exec "$@"' limit

# a disk of 64 kB, where mounting one is allowed: what is in the way there is the sum of all files
mount='mount -t tmpfs -o size=64k none disk || exit 99'
if unshare -rm bash -c "$mount" 2>/dev/null; then
    export -f no_room old state expect says fail
    unshare -rm bash -c "$mount; failures=0; old; no_room; exit \$failures" ||
        fail "a small disk"
fi

# room again
expect 0 run small.json -n 12 --quiet -o disk/x.glb -o disk/x.pc2 -o disk/x.pvd -o disk/x.usda
expect 0 run small.json -n 12 --quiet -o disk/x.mdd
[ "$(cat disk/* | grep -a '^old')" = 'old other' ] || fail "an old file is left"
compgen -G 'disk/*.part*' && fail "a temporary is left"

# memory: sanitizers need too much of it to be limited
limited=(bash -c 'ulimit -v 200000 && exec "$@"' limit)
if [ -n "$("${limited[@]}" "$SUPPLE" --version 2>/dev/null)" ]; then
    sed 's/"subdivisions": 4/"subdivisions": 8/' small.json >big.json
    old
    before=$(state)
    through=("${limited[@]}")
    expect 4 run big.json -n 12 --quiet -o disk/x.glb
    says 'out of memory'
    through=()
    [ "$(state)" = "$before" ] || fail "no memory: $(state)"
fi

rm -r disk # no look at what is meant to be no GLB
exit $((failures > 0))
