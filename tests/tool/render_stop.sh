# supple render and signals: pictures are dropped or whole, films end whole; an ffmpeg that hangs is ended, with
# all it has started.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

cat >still.json <<'SCENE'
{
  "version": 1,
  "frames": 100000,
  "gravity": [0, 0, 0],
  "bodies": [{ "shape": { "box": {} } }],
  "camera": { "from": [2, 2, 4], "look_at": [0, 0, 0] }
}
SCENE
needs_pictures still.json

# stopped SIGNAL ARGUMENT...: render gets the signal once `begun` is true; it must end soon, with 5. Sets $seconds.
stopped() {
    local signal=$1 pid start code
    shift
    "$SUPPLE" render "$@" >out.txt 2>err.txt &
    pid=$!
    soon begun || fail "render $* does not begin"
    start=$SECONDS
    kill -$signal $pid
    wait $pid
    code=$?
    seconds=$((SECONDS - start))
    [ $code -eq 5 ] || fail "render $*: SIG$signal gives $code: $(cat err.txt)"
    [ $seconds -le 5 ] || fail "render $*: it took $seconds s to stop"
    no_part "render $*"
}
begun() { sleep 0.7; }

# one picture that would take hours, with one thread and with two: an old one stays
printf 'old' >long.png
stopped INT still.json --frame 0 --size 4096x4096 --samples 4096 -o long.png
says 'stopped after 0 of 1 pictures; nothing was written'
stopped TERM still.json --frame 0 --size 4096x4096 --samples 4096 --threads 2 -o long.png
[ "$(cat long.png)" = old ] || fail "a stopped picture took an old one away"
# a contact sheet
stopped INT still.json --contact-sheet 64x64 --size 4096x4096 --samples 256 --frames 0:5000 -o sheet.png
says 'nothing was written'
[ ! -e sheet.png ] || fail "a stopped contact sheet was written"
# numbered pictures: what is there is whole, and --resume makes all of them
begun() { [ -e frame-0003.png ]; }
stopped INT still.json --size 64x36 --samples 64 --frames 0:2000 -o frame-%04d.png
says '--resume goes on'
drawn=$(sed -n 's/.*stopped after \([0-9]*\) of.*/\1/p' err.txt)
[ "$(ls frame-*.png | wc -l)" = "$drawn" ] || fail "there are $(ls frame-*.png | wc -l) pictures, not $drawn"
expect 0 render still.json --size 64x36 --samples 64 --frames 0:$((drawn + 3)) -o frame-%04d.png --resume
says "4 pictures of 64x36"
says "$drawn kept"
for frame in 0 $((drawn - 1)) $((drawn + 3)); do
    expect 0 render still.json --size 64x36 --samples 64 --frame $frame -o want.png
    cmp -s want.png "$(printf 'frame-%04d.png' $frame)" || fail "picture $frame is another after a stop"
done

# films
command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || {
    echo "ffmpeg is missing: films were not looked at"
    exit $((failures > 0))
}
size=320x180
bytes=$((320 * 180 * 3))
frames_of() { ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$1"; }
# is_running PID: soon still, and not only as a process whose end nobody has asked for
is_running() {
    for _ in $(seq 20); do
        grep -qs '^State:[[:space:]]*[^[:space:]XZ]' "/proc/$1/status" || return 1
        sleep 0.1
    done
}

# film NAME SCRIPT: a film through an ffmpeg that is SCRIPT; $real is the true one. Sets $code and $seconds.
real=$(command -v ffmpeg)
mkdir fake
film() {
    printf '#!/usr/bin/env bash\nreal=%q bytes=%s\n%s\n' "$real" $bytes "$2" >fake/ffmpeg
    chmod +x fake/ffmpeg
    printf 'old' >"$1"
    rm -f signalled child
    local start=$SECONDS
    PATH=$PWD/fake:$PATH timeout -s KILL 60 "$SUPPLE" render still.json --size $size --samples 1 -o "$1" >out.txt 2>err.txt
    code=$?
    seconds=$((SECONDS - start))
}

# stopped when the first picture has been taken: the film is whole and holds those that were drawn
for name in stopped.gif stopped.mp4; do
    film $name 'exec "$real" "$@" < <(head -c $bytes; kill -INT $PPID; cat)'
    [ $code -eq 5 ] || fail "$name: SIGINT gives $code: $(cat err.txt)"
    says 'the film is whole and ends there'
    drawn=$(sed -n 's/.*stopped after \([0-9]*\) of.*/\1/p' err.txt)
    [ "${drawn:-0}" -gt 0 ] || fail "$name: nothing was drawn"
    case $name in
    *.gif) [ "$(frames_of $name)" -ge 1 ] || fail "$name has no pictures" ;;
    *.mp4) [ "$(frames_of $name)" = "$drawn" ] || fail "$name has $(frames_of $name) pictures, not $drawn" ;;
    esac
    no_part $name
done

# an ffmpeg that hangs, before it reads and at the end: one signal ends all of it, the old film stays
sleeper='sleep 600 & echo $! >child; '
for hang in "$sleeper (sleep 0.5; kill -INT \$PPID) & wait" \
    "$sleeper (sleep 0.5; kill -TERM \$PPID) & cat >/dev/null; wait" \
    "$sleeper (sleep 0.5; kill -INT \$PPID) & while :; do sleep 0.3; done"; do
    film hung.mp4 "$hang"
    [ $code -eq 5 ] || fail "$hang: the code is $code, not 5: $(cat err.txt)"
    [ $seconds -le 10 ] || fail "$hang: it took $seconds s"
    says 'nothing was written'
    says 'ffmpeg hung'
    [ "$(cat hung.mp4)" = old ] || fail "$hang: the old film went"
    is_running "$(cat child)" && fail "$hang: a process is left"
    no_part "$hang"
done

# the temporary tells whose it is
film named.mp4 'ls named.mp4.* >names; echo named.mp4.$PPID.part >wanted; cat >/dev/null & kill -INT $PPID; wait; exit 1'
cmp -s names wanted || fail "the temporary is $(cat names), not $(cat wanted)"
no_part named.mp4

exit $((failures > 0))
