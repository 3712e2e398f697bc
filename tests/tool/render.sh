# supple render: sizes, threads, films, numbered pictures, overlays, bad input. Skipped where the
# build cannot draw.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

# is_png FILE WIDTH HEIGHT: by its signature and the sizes in its header
is_png() {
    local found
    found=$(od -A n -t x1 -N 24 "$1" 2>/dev/null | tr -d ' \n')
    [ "$found" = "$(printf '89504e470d0a1a0a0000000d49484452%08x%08x' "$2" "$3")" ] ||
        fail "$1 is not a PNG of $2x$3"
}

cat >small.json <<'SCENE'
{
  "version": 1,
  "frames": 6,
  "bodies": [
    { "shape": { "box": { "segments": [3, 3, 3] } }, "position": [0, 0.7, 0], "rotation": [10, 20, 0],
      "velocity": [0, -3, 0] },
    { "shape": { "icosphere": { "radius": 0.4, "subdivisions": 2 } }, "position": [1.2, 0.8, 0] }
  ],
  "colliders": [
    { "shape": "plane" },
    { "shape": { "sphere": { "radius": 0.3 } }, "position": [-1, 0.3, 0] },
    { "shape": { "box": { "size": [0.3, 0.3, 0.3] } }, "position": [0, 0.15, 1.2] }
  ]
}
SCENE
touch out.txt err.txt
needs_pictures small.json
quick="--size 320x180 --samples 4" # two options: not to be quoted

# one picture, the same for every number of threads and run
expect 0 render small.json $quick
is_png small.png 320 180
for threads in 2 8; do
    expect 0 render small.json $quick --threads $threads -o threads.png
    cmp -s small.png threads.png || fail "$threads threads give another picture"
done
expect 0 render small.json $quick --simd scalar --frame 6 --quiet -o scalar.png
cmp -s small.png scalar.png || fail "--frame 6 is not the last frame"
[ -s out.txt ] && fail "--quiet is not quiet"
expect 0 render small.json $quick --frame 0 -o first.png
cmp -s small.png first.png && fail "the first frame looks like the last"
expect 0 render small.json --size 33x57 --samples 9 --orbit 90 -o odd.png
is_png odd.png 33 57

# overlays change the picture, each in its way
for kind in particles clusters contacts velocity strain particles,contacts,clusters; do
    expect 0 render small.json $quick --overlay $kind -o overlay-$kind.png
    cmp -s small.png overlay-$kind.png && fail "--overlay $kind shows nothing"
done

# numbered pictures, and going on with them
expect 0 render small.json $quick --frames 2:5 -o frame-%03d.png
[ "$(echo frame-*)" = "frame-002.png frame-003.png frame-004.png frame-005.png" ] ||
    fail "numbered pictures are not 2 to 5: $(echo frame-*)"
cp frame-004.png want.png
rm frame-004.png
cp first.png frame-003.png
expect 0 render small.json $quick --frames 2:5 -o frame-%03d.png --resume
says '3 kept'
cmp -s frame-004.png want.png || fail "--resume draws another picture"
cmp -s frame-003.png first.png || fail "--resume has drawn what was there"
# damaged ones are drawn anew: empty, cut off, with another beginning
size=$(wc -c <want.png)
for damage in 'head -c 0' "head -c $((size - 1))" 'tail -c +2'; do
    $damage want.png >frame-004.png
    expect 0 render small.json $quick --frames 2:5 -o frame-%03d.png --resume
    says '3 kept'
    cmp -s frame-004.png want.png || fail "--resume keeps a picture after: $damage"
done

# and those of another size
expect 0 render small.json --size 160x90 --samples 1 --frames 4:4 -o frame-%03d.png
expect 0 render small.json $quick --frames 2:5 -o frame-%03d.png --resume
says '3 kept'
cmp -s frame-004.png want.png || fail "--resume keeps a picture of another size"

# what run warns of, render does too, and once though it simulates twice; where all is there, nothing is simulated
cat >stiff.json <<'SCENE'
{
  "version": 1,
  "frames": 3,
  "bodies": [{ "name": "brick", "shape": "box", "material": { "stiffness": 5000 } }]
}
SCENE
expect 0 run stiff.json
grep 'is too stiff' err.txt >warning.txt || fail "run does not warn"
for output in stiff.png stiff-%02d.png; do
    expect 0 render stiff.json --size 32x18 --samples 1 -o $output
    cmp -s err.txt warning.txt || fail "render -o $output does not warn as run does: $(cat err.txt)"
done
expect 0 render stiff.json --size 32x18 --samples 1 --quiet -o stiff.png
cmp -s err.txt warning.txt || fail "render --quiet hides a warning"
expect 0 render stiff.json --size 32x18 --samples 1 -o stiff-%02d.png --resume
says '0 pictures of 32x18'
says '4 kept'
[ -s err.txt ] && fail "--resume simulates though nothing is missing"

# contact sheets: cells are rounded down; cells without frames are black, and no frame comes twice
expect 0 render small.json --size 320x180 --samples 1 --contact-sheet 2x3 -o sheet.png
is_png sheet.png 318 180
says '6 pictures of 106x90'
expect 0 render small.json --size 320x180 --samples 1 --contact-sheet 2x3 --frames 2:3 -o few.png
is_png few.png 318 180
says '2 pictures of 106x90'
expect 0 render small.json --size 320x180 --samples 1 --contact-sheet 1x2 --frames 2:2 -o one.png
says '1 picture of 160x180'
no_part

# films
if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
    probe() {
        ffprobe -v error -count_frames -select_streams v \
            -show_entries stream=width,height,r_frame_rate,nb_read_frames -of csv=p=0 "$1"
    }
    expect 0 render small.json $quick -o film.mp4
    [ "$(probe film.mp4)" = 320,180,60/1,7 ] || fail "film.mp4 is $(probe film.mp4)"
    expect 0 render small.json $quick --orbit 90 -o film.gif
    probe film.gif | grep -q '^320,180,25/1,3$' || fail "film.gif is $(probe film.gif)"
    # shorter than one picture of a .gif lasts
    for fps in 20 60 1000; do
        sed "s/\"frames\"/\"fps\": $fps, &/" small.json >fast.json
        expect 0 render fast.json $quick --frames 2:2 -o short.gif
        probe short.gif | grep -q '^320,180,.*,1$' || fail "one picture of $fps a second is $(probe short.gif)"
    done
    strange='a;b $(c) %.mp4'
    refuse 1 'stands only for numbers' render small.json $quick -o "$strange"
    expect 0 render small.json $quick --frames 0:1 -o "./-v 'a;b' \$(c):.mp4"
    [ -s "./-v 'a;b' \$(c):.mp4" ] || fail "a strange name is not written"
    no_part

    # ffmpeg fails: its words, no file, an old one stays
    mkdir fake
    printf '#!/bin/sh\necho "no space today" >&2\nexit 1\n' >fake/ffmpeg
    chmod +x fake/ffmpeg
    printf 'old' >old.mp4
    PATH=$PWD/fake:$PATH refuse 3 'no space today' render small.json $quick -o old.mp4
    [ "$(cat old.mp4)" = old ] || fail "a failed film took an old one away"
    # an ffmpeg that knows no H.264, and one that cannot be run
    printf '#!/usr/bin/env bash\nexec %q "${@/libx264/libnone264}"\n' "$(command -v ffmpeg)" >fake/ffmpeg
    PATH=$PWD/fake:$PATH refuse 6 'ffmpeg with libx264' render small.json $quick -o old.mp4
    # what a process of the same number has left behind, a link even, is no hindrance
    printf 'linked' >target
    (ln -s "$PWD/target" "left.mp4.$BASHPID.part" && exec "$SUPPLE" render small.json $quick --quiet -o left.mp4) ||
        fail "an old temporary file stops a film"
    [ "$(cat target)" = linked ] || fail "a film was written through a link"
    no_part
fi
mkdir broken
printf '#!/bin/sh\n' >broken/ffmpeg
PATH=$PWD/broken expect 6 render small.json $quick -o none.mp4
says 'cannot be run'
mkdir empty
PATH=$PWD/empty expect 6 render small.json $quick -o none.mp4
says 'ffmpeg'
no_part
[ ! -e none.mp4 ] || fail "there is a film without ffmpeg"

# wrong command lines
refuse 1 'must end in .png, .mp4 or .gif' render small.json -o a.bmp
refuse 1 'must end in .png, .mp4 or .gif' render small.json -o png
refuse 1 '--size must be' render small.json --size 0x90
refuse 1 '--size must be' render small.json --size 320
refuse 1 '--size must be' render small.json --size 9000x100
refuse 1 'even' render small.json --size 321x180 -o a.mp4
refuse 1 'even' render small.json --size 320x181 -o a.gif
refuse 1 'beyond the end' render small.json --frame 7
refuse 1 'beyond the end' render small.json --frames 0:7 -o a-%02d.png
refuse 1 '--frames must be' render small.json --frames 5:2 -o a-%02d.png
refuse 1 '--frames must be' render small.json --frames 5 -o a-%02d.png
refuse 1 '--frames needs' render small.json --frames 1:2 -o a.png
refuse 1 '--frame is for one' render small.json --frame 1 -o a-%02d.png
refuse 1 '--resume needs' render small.json --resume
refuse 1 'stands only for numbers' render small.json -o a-%d.png
refuse 1 'stands only for numbers' render small.json -o a-%02d-%02d.png
refuse 1 'stands only for numbers' render small.json -o a-%s.png
refuse 1 'stands only for numbers' render small.json -o %02d/a.png
refuse 1 '--overlay knows' render small.json --overlay heat
refuse 1 'one colour' render small.json --overlay velocity,strain
refuse 1 '--contact-sheet must be' render small.json --contact-sheet 3
refuse 1 '--contact-sheet must be RxC, both from 1 to 64' render small.json --contact-sheet 65x1
refuse 1 '--orbit must be a whole number from -3600 to 3600' render small.json --orbit 3601
refuse 1 'leaves cells' render small.json --contact-sheet 40x40 --size 320x180
refuse 1 '--contact-sheet makes' render small.json --contact-sheet 2x2 -o a-%02d.png
refuse 1 '--samples must be' render small.json --samples 0

refuse 1 '--output is given twice' render small.json -o a.png -o b.png
refuse 1 '--size is given twice' render small.json --size 320x180 -s 64x64

# wrong things
refuse 2 'there is no such file' render none.json
refuse 2 'there is no folder' render small.json -o none/a.png
refuse 2 'there is no folder' render small.json -o none/%04d.png
mkdir folder.png
refuse 2 'it is a folder' render small.json -o folder.png
ln -s /dev/null null.png
refuse 2 'not a plain file' render small.json $quick -o null.png
[ -L null.png ] && [ -c /dev/null ] || fail "a device was replaced"
for name in link.png link.mp4 link.gif link-001.png; do
    printf 'linked' >target
    ln -s target $name
    refuse 2 'not a plain file' render small.json $quick -o "${name/001/%03d}"
    [ "$(cat target)" = linked ] || fail "$name was written through"
done
cp small.json scene.png
refuse 1 'not overwritten' render scene.png -o scene.png

# folders that may not be written are found before the first step, all in the same words
if locked_folder closed; then
    sed 's/"frames": 6/"frames": 1000000/' small.json >endless.json
    through=(timeout 20 "${through[@]}")
    for name in a.png a-%07d.png a.mp4 a.gif; do
        refuse 3 "cannot create closed/${name/\%07d/0000000}: Permission denied" render endless.json $quick -o closed/$name
    done
    through=()
fi

# a full disk, where mounting a small one is allowed
mkdir full
full=(unshare -rm bash -c 'mount -t tmpfs -o size=4k none full || exit 99; "$@"; code=$?; ls -A full >left.txt; exit $code' full)
if [ "$("${full[@]}" echo mounted 2>/dev/null)" = mounted ]; then
    through=("${full[@]}")
    for name in a.png a-%02d.png a.mp4; do
        case $name in *.mp4) command -v ffmpeg >/dev/null || continue ;; esac
        expect 3 render small.json $quick --samples 16 -o full/$name
        [ -s left.txt ] && fail "half of $name is left on a full disk: $(cat left.txt)"
    done
    through=()
fi

exit $((failures > 0))
