# SIGINT and SIGTERM: exit code 5, whole files that hold the frames so far, no temporary files.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

for signal in INT TERM; do
    printf 'old' >a.glb
    "$SUPPLE" run "$SUPPLE_SOURCE/scenes/hello.json" --frames 1000000 -o a.glb -o b.pc2 --stats s.json \
        >out.txt 2>err.txt &
    pid=$!
    # some frames must be under way; the temporary .pc2 tells
    for _ in $(seq 200); do
        [ "$(cat b.pc2* 2>/dev/null | wc -c)" -gt 1000000 ] && break
        sleep 0.1
    done
    [ "$(cat a.glb)" = old ] || fail "the old file went before the run was done"
    kill -$signal $pid
    wait $pid
    code=$?
    [ $code -eq 5 ] || fail "SIG$signal gave code $code"
    grep -q 'stopped after frame [0-9]* of 1000000' err.txt || fail "it does not say where it stopped"
    done_frames=$(sed -n 's/.*stopped after frame \([0-9]*\) of.*/\1/p' err.txt)
    [ -z "$(ls | grep -F .part)" ] || fail "temporary files are left"

    # the .pc2 says how many points and poses it has, and has them
    points=$(od -A n -t d4 -j 16 -N 4 b.pc2 | tr -d ' ')
    poses=$(od -A n -t d4 -j 28 -N 4 b.pc2 | tr -d ' ')
    [ "$poses" -eq $((done_frames + 1)) ] || fail "b.pc2 has $poses poses after frame $done_frames"
    [ "$(wc -c <b.pc2)" -eq $((32 + poses * points * 12)) ] || fail "b.pc2 is cut off"
    # the .glb says how long it is
    [ "$(od -A n -t u4 -j 8 -N 4 a.glb | tr -d ' ')" -eq "$(wc -c <a.glb)" ] || fail "a.glb is cut off"
    [ "$(grep -c '"frame":' s.json)" -eq "$poses" ] || fail "s.json is cut off"
    tail -c 2 s.json | grep -q '}' || fail "s.json has no end"
    rm -f a.glb b.obj b.pc2 s.json
done

# before the first frame: a large solid is under way for seconds, and nothing is written yet
echo '{"version": 1, "bodies": [{"shape": {"box": {}}, "solid": {"springs": {"count": 9000000}}}]}' >large.json
stops_by_signals late.glb run large.json

exit $((failures > 0))
