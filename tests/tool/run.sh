# The verbs at work: outputs, JSON, help, version, exit codes.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

# is_json FILE: by whichever reader is there
is_json() {
    if command -v node >/dev/null; then
        node -e 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))' "$1" || fail "$1 is not JSON"
    elif command -v python3 >/dev/null; then
        python3 -m json.tool "$1" >/dev/null || fail "$1 is not JSON"
    fi
}

cat >small.json <<'SCENE'
{
  "version": 1,
  "name": "say \"hello\"",
  "frames": 7,
  "bodies": [
    { "name": "a", "shape": { "box": { "segments": [2, 2, 2] } }, "position": [0, 1, 0],
      "copies": { "grid": { "count": [2, 1, 1], "step": [3, 0, 0] } } },
    { "shape": { "mesh": { "file": "tetra.obj" } }, "mass": 1, "position": [0, 3, 0] }
  ],
  "colliders": [{ "shape": "plane" }]
}
SCENE
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >tetra.obj

# help and version
expect 0 --version
says 'supple '
expect 0 --help
verbs='run info export convert fit model mesh deform hash render plot report manual completion'
[ "$(sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p' out.txt | xargs)" = "$verbs" ] || fail "--help names other verbs"
for verb in $verbs; do
    expect 0 $verb --help
    says "Usage: supple $verb"
    "$SUPPLE" $verb --help 2>/dev/null | awk 'length > 100 { exit 1 }' || fail "$verb --help is too wide"
done

# run
expect 0 run small.json
says '7 frames of 3 bodies'
expect 0 run small.json --frames=4 -o a.glb -o b.pc2 --stats s.json --json
is_json out.txt
is_json s.json
for file in a.glb b.obj b.pc2 s.json; do [ -s $file ] || fail "$file is missing"; done
[ -z "$(ls | grep -F .part)" ] || fail "temporary files are left"
# .pc2: 32 bytes, then 5 poses of 26 + 26 + 4 points of 12 bytes
[ "$(wc -c <b.pc2)" -eq $((32 + 5 * 56 * 12)) ] || fail "b.pc2 has not 5 poses of 56 points"
[ "$(head -c 4 a.glb)" = glTF ] || fail "a.glb is no glTF"
[ "$(grep -c '"frame":' s.json)" -eq 5 ] || fail "s.json has not 5 frames"
expect 0 run small.json --frames 2 --quiet
[ -s out.txt ] && fail "--quiet is not quiet"

# one of each, and no name
printf 'ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n' >dot.ply
echo '{ "version": 1, "bodies": [{ "shape": { "mesh": { "file": "dot.ply" } }, "mass": 1, "radius": 0.1 }] }' >dot.json
expect 0 run dot.json --frames 1
says '1 frame of 1 body (1 particle) in'
expect 0 info dot.json
grep -q ' $' out.txt && fail "a line of info ends with a blank"

# info
expect 0 info small.json
says '3 bodies'
expect 0 info small.json --json
is_json out.txt
expect 0 info tetra.obj
says 'closed      yes'
grep -q unused out.txt && fail "all points of tetra.obj are used"
expect 0 info tetra.obj --json
is_json out.txt
# points that no polygon uses
sed 's/^v 0 0 1$/&\nv 2 2 2\nv 3 3 3/' tetra.obj >stray.obj
sed 's/tetra.obj/stray.obj/' small.json >stray.json
expect 0 info stray.obj
says 'unused      2, in no polygon'
expect 0 info stray.obj --json
says '"unused_points": 2'
for json in '' --json; do
    expect 0 info stray.json $json
    [ "$(grep -c 'no polygon' err.txt)" -eq 1 ] || fail "info stray.json $json has not one note"
    says 'body-2: points that no polygon of its mesh uses: 2;'
done

# findings about clusters: as sentences, as JSON, and those that look like mistakes as notes of a run
cat >bar.json <<'SCENE'
{
  "version": 1,
  "bodies": [
    { "name": "bar", "shape": { "box": { "size": [1, 0.25, 0.25], "segments": [8, 2, 2] } }, "fill": 0.125,
      "clusters": { "cubes": { "edge": 0.4, "overlap": 0.4 } } }
  ]
}
SCENE
expect 0 info bar.json
says '      - a particle lies in'
grep -q 'one cluster only' out.txt && fail "a few particles at the rim are told"
expect 0 info bar.json --json
is_json out.txt
says '"kind": "memberships"'
expect 0 run bar.json --frames 1
[ -s err.txt ] && grep -q note err.txt && fail "a good scene is not silent"
sed 's/"cubes": .*/"sets": { "joints": true, "particles": [[0, 1, 2, 3], [4, 5, 6, 7]] } } }/; s/8, 2, 2/1, 1, 1/; s/, "fill": 0.125//' bar.json >loose.json
for verb in info run; do
    expect 0 $verb loose.json --json
    grep -q 'loose.json:5:29: pieces that share no particle: 2,' err.txt || fail "$verb does not tell of loose pieces"
done

# particles of a body: surface first, then the filling; the numbers that pins and regions mean
cat >held.json <<'SCENE'
{
  "version": 1,
  "bodies": [
    { "name": "bar", "shape": { "box": { "size": [1, 0.4, 0.4], "segments": [2, 1, 1] } }, "fill": 0.2,
      "regions": [{ "index": [3], "material": { "stiffness": 30 } }], "pins": [{ "index": [2, 12] }], "radius": 0.125,
      "position": [0, 7, 0], "copies": { "grid": { "count": [2, 1, 1], "step": [3, 0, 0] } } }
  ]
}
SCENE
expect 0 info held.json --particles bar
[ "$(wc -l <out.txt)" -eq $((2 + 12 + 5)) ] || fail "not 12 particles and 5 inside"
says '        0         -0.5         -0.2         -0.2      0.125      9.412  surface'
says '        2          0.5         -0.2         -0.2      0.125      9.412  surface, pinned'
says '        3         -0.5          0.2         -0.2      0.125      9.412  surface, region 1'
says '       12         -0.4            0            0          0      9.412  inside, pinned'
expect 0 info held.json --particles bar.2 --json
is_json out.txt
says '{"id": 2, "place": [0.5, -0.2, -0.2], "radius": 0.125, "mass": 9.411765, "surface": true, "region": 0, "pinned": true}'
[ "$(grep -c '"id": ' out.txt)" -eq 17 ] || fail "not 17 particles in JSON"
refuse 2 'held.json has no body "bra"; did you mean "bar"?' info held.json --particles bra
refuse 1 '--particles is for scenes, and tetra.obj is a mesh' info tetra.obj --particles bar

# hash: the same for threads and instruction sets, and the same as in --stats
expect 0 hash small.json --frames 4
cp out.txt one.txt
[ "$(wc -l <one.txt)" -eq 4 ] || fail "hash prints not 4 lines"
grep -qE '^4 [0-9a-f]{16}$' one.txt || fail "a line is not: frame hash"
grep -qF "$(sed -n 's/^4 //p' one.txt)" s.json || fail "hash and --stats disagree"
for more in '--threads 2' '--simd scalar'; do
    expect 0 hash small.json --frames 4 $more
    cmp -s out.txt one.txt || fail "$more changes the hash"
done
expect 0 hash small.json --frames 4 --json
is_json out.txt

# wrong command lines
expect 1
expect 1 rnu
says 'did you mean run?'
expect 1 run
expect 1 run small.json more.json
expect 1 run small.json --fraems 3
says 'did you mean --frames?'
expect 1 run small.json --frames
expect 1 run small.json --frames many
expect 1 run small.json --frames 0
expect 1 run small.json --quiet=yes
expect 1 run small.json --simd avx9
expect 1 run small.json -o a.xyz
expect 1 run small.json -o same.glb -o ./same.glb
expect 1 run small.json -o same.obj -o same.pc2
expect 1 run small.json -o same.glb --stats same.glb
cp small.json copy.json
cp tetra.obj kept.obj
expect 1 run copy.json --stats copy.json
says 'not overwritten'
expect 1 run small.json -o tetra.pc2
says 'not overwritten'
cmp -s small.json copy.json && cmp -s tetra.obj kept.obj || fail "an input was changed"
ls same.* >/dev/null 2>&1 && fail "a refused run has written"

# the system fails
if [ -e /dev/full ]; then
    "$SUPPLE" info small.json >/dev/full 2>err.txt
    [ $? -eq 3 ] || fail "a full disk is not code 3"
fi
mkdir closed
chmod 555 closed
if ! touch closed/x 2>/dev/null; then
    expect 3 run small.json --frames 1 -o closed/a.glb
fi

# no colours in a file
NO_COLOR=1 expect 1 rnu
grep -q "$(printf '\033')" err.txt && fail "colours where none belong"

# What looks like a mistake is told, by every verb that looks at the scene; --quiet asks for silence.
cat >twins.json <<'END'
{"version": 1, "frames": 2, "bodies": [{"name": "one", "shape": "icosphere"},
 {"name": "two", "shape": "icosphere", "position": [0.05, 0, 0]}]}
END
for verb in run info; do
    expect 0 $verb twins.json
    grep -q '^supple: twins.json:2:.*"two" overlaps "one"' err.txt || fail "$verb does not tell of an overlap"
done
expect 0 run twins.json --quiet
[ ! -s err.txt ] || fail "--quiet tells notes"

# what is too stiff for as many substeps as there may be is told what else helps
cat >stiff.json <<'SCENE'
{ "version": 1, "frames": 2, "bodies": [{ "shape": "box", "material": { "stiffness": 100000 } }] }
SCENE
expect 0 run stiff.json
says 'substeps would do, but 64 are the most: raise "fps", lower its "stiffness", or take the rule "rigid"'
expect 0 run stiff.json --quiet
says 'is too stiff for these steps'
# a solve that never ends is told, once and not at the first blow
cat >loose.json <<'SCENE'
{ "version": 1, "frames": 60, "bodies": [{ "name": "towel", "shape": { "grid": { "segments": [8, 8] } },
  "weave": { "cloth": { "stretch": 1e6 } }, "pins": [{ "index": [0] }], "springs": { "iterations": 1 } }] }
SCENE
expect 0 run loose.json
says 'the implicit solve of "towel" leaves'
[ "$(grep -c 'implicit solve' err.txt)" = 1 ] || fail "it is told more than once"
expect 0 run loose.json --frames 10
grep -q 'implicit solve' err.txt && fail "one blow is told"
# so stiff that it falls as through syrup: told at once; not where Newton goes on, or it is softer
cat >syrup.json <<'SCENE'
{ "version": 1, "frames": 2, "bodies": [{ "name": "towel", "shape": { "grid": { "segments": [10, 10] } },
  "weave": { "cloth": { "stretch": 1e6 } }, "pins": [{ "index": [0, 10] }] }] }
SCENE
expect 0 run syrup.json --quiet
says 'rad/s) that it turns too slowly about its pins'
sed 's/}] }/}], "newton": 3 }/; s/"newton": 3/"springs": { "newton": 3 }/' syrup.json >newton.json
expect 0 run newton.json --quiet
grep -q 'too slowly' err.txt && fail "three steps of Newton turn too slowly"
sed 's/1e6/1e4/' syrup.json >soft.json
expect 0 run soft.json --quiet
grep -q 'too slowly' err.txt && fail "soft cloth turns too slowly"
# pins that leave their neighbours behind: 40 m/s, 1/6 m a substep, with edges of 0.1 m; 10 m/s are told as well, 1 m/s is not
cat >led.json <<'SCENE'
{ "version": 1, "frames": 4, "bodies": [{ "shape": { "grid": { "size": [1, 1], "segments": [10, 10] } },
  "weave": "cloth", "springs": { "meet_itself": true }, "pins": [{ "index": [0],
  "motion": { "keys": [{ "time": 0, "offset": [0, 0, 0] }, { "time": 0.1, "offset": [4, 0, 0] }] } }] }] }
SCENE
expect 0 run led.json --stats led-stats.json --quiet
says 'frame 1: pins of thin bodies that meet themselves go 4.9 times as far'
[ "$(grep -c 'pins of thin' err.txt)" = 1 ] || fail "pins are told of more than once"
grep -q '"led": 4.9' led-stats.json || fail "--stats does not say how far pins are led"
sed 's/\[4, 0, 0\]/[1, 0, 0]/' led.json >slower.json
expect 0 run slower.json --quiet
says 'go 1.2 times as far'
sed 's/\[4, 0, 0\]/[0.1, 0, 0]/' led.json >slow.json
expect 0 run slow.json --quiet
grep -q 'pins of thin' err.txt && fail "pins that are led slowly are told"
# a weave has neither of these
cat >taut.json <<'SCENE'
{ "version": 1, "frames": 2, "bodies": [{ "shape": { "rope": { "segments": 40 } },
  "weave": { "rope": { "stretch": 1e8 } }, "springs": { "integrator": "symplectic", "adaptive": false } }] }
SCENE
expect 0 run taut.json
says '64 are the most: raise "fps", let its springs be "adaptive", take the integrator "implicit", or lower "stretch" or "young" of its weave'
cat >mixed.json <<'SCENE'
{ "version": 1, "frames": 2, "bodies": [{ "shape": "box", "weave": { "hexes": { "young": 1e10 } }, "clusters": "whole",
  "springs": { "adaptive": false } }] }
SCENE
expect 0 run mixed.json
says 'raise "fps", lower the "stiffness" of its material, or "stretch" or "young" of its weave'
expect 0 report taut.json -o taut.html --no-pictures
grep -q 'take the integrator .*implicit' taut.html || fail "the report gives no advice for springs"

# elements of which every side belongs to two have no surface; they are drawn as points
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.2 0.2 0.2\n' >five.obj
cat >bare.json <<'SCENE'
{ "version": 1, "frames": 2, "bodies": [{ "shape": { "mesh": { "file": "five.obj" } },
  "weave": { "elements": { "corners": [[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 3, 4], [0, 2, 3, 4], [1, 2, 3, 4]] } } }] }
SCENE
expect 0 info bare.json
says '5 particles'
expect 0 run bare.json -o bare.glb
expect 0 run bare.json -o bare.sup
expect 0 export bare.sup -o bare.pc2

exit $((failures > 0))
