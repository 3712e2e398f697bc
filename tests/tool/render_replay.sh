# supple render --replay: pictures of a run whose details the clock has changed. Skipped where the build cannot draw.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

# No machine is so fast: the jelly gets coarser after frame 3, and again after frame 6.
cat >hasty.json <<'SCENE'
{
  "version": 1,
  "frames": 30,
  "budget_ms": 1e-6,
  "bodies": [
    { "name": "jelly", "shape": { "box": { "segments": [6, 6, 6] } }, "fill": 0.17, "position": [0, 0.55, 0],
      "velocity": [0, -4, 0], "material": { "stiffness": 60 },
      "details": [
        { "clusters": "whole" },
        { "clusters": { "cubes": { "edge": 0.7 } }, "mode": "linear" },
        { "clusters": { "cubes": { "edge": 0.5 } } }
      ] }
  ],
  "colliders": [{ "shape": "plane" }],
  "camera": { "from": [0, 1, 3], "look_at": [0, 0.5, 0] }
}
SCENE
touch out.txt err.txt
needs_pictures hasty.json
quick="--size 160x90 --samples 2" # two options: not to be quoted

expect 0 run hasty.json -o tape.sup
says 'detail changed 2 times'

# picture FRAME OPTION...: writes picture.png
picture() {
    expect 0 render hasty.json $quick -o picture.png --frame "$@"
}
# until the first change nothing differs, afterwards it does
for frame in 3 20; do
    picture $frame
    mv picture.png plain-$frame.png
    picture $frame --replay tape.sup
    mv picture.png replay-$frame.png
done
cmp -s plain-3.png replay-3.png || fail "the tape changes what comes before its first choice"
cmp -s plain-20.png replay-20.png && fail "the tape changes nothing"

# the same for threads, and where the scene is simulated twice: for many pictures without a camera, or with a scale
picture 20 --replay tape.sup --threads 2
cmp -s picture.png replay-20.png || fail "2 threads draw another motion"
for overlay in strain clusters; do
    expect 0 render hasty.json $quick -o many-%02d.png --frames 4:8 --replay tape.sup --overlay $overlay
done
expect 0 render hasty.json $quick -o again-%02d.png --frames 20:20 --replay tape.sup
cmp -s again-20.png replay-20.png || fail "a numbered picture is another"
expect 0 render hasty.json $quick -o last-%02d.png --frames 19:20 --replay tape.sup
cmp -s last-20.png replay-20.png || fail "the second picture is another"
grep -v '"camera"' hasty.json | sed 's/"plane" }\],/"plane" }]/' >free.json
expect 0 run free.json -o free.sup
expect 0 render free.json $quick -o free-%02d.png --frames 0:20 --replay free.sup --quiet
expect 0 render free.json $quick -o free.png --frame 20 --replay free.sup
cmp -s free-20.png free.png || fail "a second pass draws another motion"

# it goes on from the snapshots of the tape, which hold no contacts: with and without it all is the same
sed 's/"frames": 30/"frames": 130/; /budget_ms/d' hasty.json >long.json
expect 0 run long.json -o long.sup
for view in "--frame 60" "--frame 60 --overlay contacts" "--frame 127" "--frame 120 --overlay velocity"; do
    expect 0 render long.json $quick $view -o plain.png
    expect 0 render long.json $quick $view -o jumped.png --replay long.sup
    cmp -s plain.png jumped.png || fail "$view: the tape draws another picture"
done

# a tape that ends before the scene
expect 0 run hasty.json -o short.sup --frames 10
expect 0 render hasty.json $quick -o short.png --replay short.sup
says 'short.sup ends at frame 10, and so does what is drawn'
picture 10 --replay tape.sup
cmp -s short.png picture.png || fail "the end of a short tape is another picture"
rm -f short.png picture.png
refuse 1 'frame 11 is beyond the end: short.sup has 10 frames' render hasty.json $quick -o short.png --replay short.sup --frame 11

# what cannot be repeated
refuse 2 'tape.sup belongs to another scene' render free.json $quick -o other.png --replay tape.sup
refuse 2 'this is no tape' render hasty.json $quick -o other.png --replay hasty.json
refuse 2 'gone.sup' render hasty.json $quick -o other.png --replay gone.sup

exit $((failures > 0))
