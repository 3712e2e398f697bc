# supple convert: every pair of formats, what moves, notes, refusals, and files that survive failures.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

# A house: 10 points, two pentagons and five quads, closed.
cat >house.obj <<'OBJ'
v -1.1 0 1.7
v 1.3 0 1.7
v 1.3 0.9 1.7
v 0.1 2.3 1.7
v -1.1 1 1.7
v -1.1 0 -2
v 1.3 0 -2
v 1.3 0.9 -2
v 0.1 2.3 -2
v -1.1 1 -2
f 1 2 3 4 5
f 10 9 8 7 6
f 1 6 7 2
f 2 7 8 3
f 3 8 9 4
f 4 9 10 5
f 5 10 6 1
OBJ
closed='closed, volume 14.43 m^3'

# lines LETTER FILE.obj: its points (v) or polygons (f)
lines() { grep "^$1 " "$2"; }
same_points() { [ "$(lines v "$1")" = "$(lines v "$2")" ] || fail "$1 and $2 have other points"; }
# STL has no points of its own: their order is that of the triangles
same_places() { [ "$(lines v "$1" | sort)" = "$(lines v "$2" | sort)" ] || fail "$1 and $2 have other places"; }
# numbers FILE.pc2: those of its points, one in a line
numbers() { tail -c +33 "$1" | od -An -v -w4 -t f4; }
# near A B: two files of numbers, in pairs at most a millionth apart
near() { paste "$1" "$2" | awk 'NF != 2 || $1 - $2 > 1e-6 || $2 - $1 > 1e-6 { bad++ } END { exit bad > 0 || NR == 0 }'; }
# near_poses A.pc2 B.pc2: as many poses of as many points, and those near
near_poses() {
    cmp -s <(head -c 32 "$1") <(head -c 32 "$2") || fail "$1 and $2 have other numbers of points or poses"
    near <(numbers "$1") <(numbers "$2") || fail "$1 and $2 differ"
}

# ---- meshes: every pair of formats, and back

expect 0 convert house.obj in.ply
says "10 points, 7 polygons, $closed"
says 'wrote in.ply'
[ -s err.txt ] && fail "a note where nothing is lost"
for ending in stl glb; do
    expect 0 convert house.obj in.$ending
    says "in.$ending holds triangles: 7 polygons are cut into 16"
done
cp in.glb in.gltf # the reader looks at the bytes
for from in house.obj in.ply in.stl in.glb in.gltf; do
    for to in obj ply stl glb vtu usda; do
        expect 0 convert $from pair.$to
        says "$closed"
        [ -s pair.$to ] || fail "$from gives no pair.$to"
        case $to in vtu | usda) continue ;; esac # nobody here reads them
        expect 0 convert pair.$to back.obj
        says "10 points, "
        says "$closed"
        case $from$to in
            *stl*) same_places house.obj back.obj ;;
            *) same_points house.obj back.obj ;;
        esac
        case $from,$to in
            *stl* | *gl*) polygons=16 ;;
            *) polygons=7 ;;
        esac
        [ "$(lines f back.obj | wc -l)" -eq $polygons ] || fail "$from, $to: not $polygons polygons"
    done
done
[ "$(lines f house.obj)" = "$("$SUPPLE" convert in.ply same.obj >/dev/null && lines f same.obj)" ] || fail "polygons change"

# the same twice is the same bytes, in capital letters too
expect 0 convert house.obj IN2.PLY
cmp -s in.ply IN2.PLY || fail "the same mesh gives other bytes"
expect 0 convert house.obj quiet.ply --quiet
[ -s out.txt ] && fail "--quiet is not quiet"

# millimetres
expect 0 convert house.obj big.stl --scale 1000 -q
expect 0 convert big.stl small.stl --scale=0.001
says "$closed"
# triangles that share no points
awk '/^v/ { p[++n] = $0 } /^f/ { for (i = 3; i < NF; i++) { print p[$2]; print p[$i]; print p[$(i + 1)]; print "f -3 -2 -1" } }' \
    house.obj >soup.obj
expect 0 convert soup.obj welded.obj
says '48 points, 16 polygons, not closed: 48 open edges, 0 tangled edges'
expect 0 convert soup.obj welded.obj --weld 0
says "10 points, 16 polygons, $closed"
same_places house.obj welded.obj

# what is lost is told
sed 's/^f 1 2 3 4 5$/v 9 9 9\n&/' house.obj >stray.obj
expect 0 convert stray.obj stray.stl
says 'stray.stl has no place for points of no polygon: 1'
data=$(printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\0' | base64)
cat >skin.gltf <<JSON
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "skin": 0}],
 "skins": [{"joints": [0]}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,$data"}]}
JSON
expect 0 convert skin.gltf skin.obj
says 'skin.gltf: '
says 'ignored'
says '3 points, 1 polygons, not closed: 3 open edges'

# bones or nodes that move do not make a clip: the mesh stands, with a note
# animated NODE PATH MORE...: skin.gltf with such channels, and a target for weights
animated() {
    local channels= word=${interpolation:-LINEAR}
    while [ $# -gt 0 ]; do
        channels+="${channels:+, }{\"sampler\": 0, \"target\": {\"node\": $1, \"path\": \"$2\"}}"
        shift 2
    done
    sed -e "s/\"scene\": 0,/& \"animations\": [{\"channels\": [$channels], \"samplers\": [{\"input\": 1, \"output\": 1, \"interpolation\": \"$word\"}]}],/" \
        -e 's/{"mesh": 0, "skin": 0}\]/{"mesh": 0, "skin": 0}, {"name": "bone"}]/' -e 's/"joints": \[0\]/"joints": [1]/' -e 's/"nodes": \[0\]/"nodes": [0, 1]/' \
        -e 's/"attributes": {"POSITION": 0}/&, "targets": [{"POSITION": 0}]/' \
        -e 's/"max": \[1, 1, 0\]}/&, {"bufferView": 0, "componentType": 5126, "count": 1, "type": "SCALAR", "min": [0], "max": [0]}/' skin.gltf
}
for node in 0 1; do
    animated $node rotation >bones.gltf
    for ending in ply obj usda glb; do
        expect 0 convert bones.gltf bones.$ending
        says 'bones.gltf: its skin and its animations are ignored'
        [ -e bones.pc2 ] && fail "bones move"
    done
    same_points skin.obj bones.obj
    refuse 2 'bones.gltf does not move, and b.pc2 is for what does' convert bones.gltf b.pc2
    says 'its skin and its animations are ignored'
    refuse 1 'bones.gltf does not move; --frame is for what does' convert bones.gltf b.ply --frame 0
done
animated 1 rotation 0 weights >both.gltf # a clip of one key
expect 0 convert both.gltf both.obj
says 'both.gltf: its skin is ignored'
# what is no clip for a reason is refused
interpolation=CUBICSPLINE animated 0 weights >spline.gltf
animated 0 weights 0 translation >node.gltf
animated 0 weights | sed 's/\("animations": \[\)\({.*}\]}\)\],/\1\2, \2],/' >several.gltf
for name in 'spline CUBICSPLINE is not read' 'node the animation moves node 0' 'several a second animation moves weights'; do
    file=${name%% *}.gltf
    refuse 2 "${name#* }" convert $file b.obj
    says '--still takes the mesh without its motion'
    expect 0 convert $file still.obj --still
    same_points skin.obj still.obj
done

# ---- what moves

cat >small.json <<'SCENE'
{ "version": 1, "frames": 6,
  "bodies": [
    { "name": "a", "shape": { "box": { "segments": [2, 2, 2] } }, "position": [0, 1, 0], "velocity": [0, -9, 0],
      "material": { "stiffness": 5 } },
    { "name": "b", "shape": { "mesh": { "file": "house.obj" } }, "mass": 1, "position": [4, 3, 0], "velocity": [1, 0, 0] } ],
  "colliders": [{ "shape": "plane" }] }
SCENE
expect 0 run small.json -o run.glb -o run.pc2 -o run.sup

# a tape gives what the run has written
expect 0 convert run.sup tape.pc2
says '36 points, 31 polygons, closed, volume '
says '7 poses, 60 per second'
cmp -s run.pc2 tape.pc2 && cmp -s run.obj tape.obj || fail "a tape gives another .pc2"
expect 0 convert run.sup tape.glb
cmp -s run.glb tape.glb || fail "a tape gives another .glb"

# poses stay one to one, from either name of the pair
expect 0 convert run.pc2 one.pc2
cmp -s run.pc2 one.pc2 || fail "poses of a .pc2 change"
same_points run.obj one.obj
expect 0 convert run.obj two.obj
cmp -s run.pc2 two.pc2 || fail "an .obj goes without its .pc2"
expect 0 convert run.obj moving.glb
says '7 poses, 60 per second'
for glb in run.glb moving.glb tape.glb; do
    expect 0 convert $glb back.pc2
    says '7 poses, 60 per second'
    near_poses run.pc2 back.pc2
    same_points run.obj back.obj
done
expect 0 convert run.glb cache.mdd
for file in cache.obj cache.mdd; do says "wrote $file"; [ -s $file ] || fail "$file is missing"; done
[ "$(wc -c <cache.mdd)" -eq $((8 + 7 * 4 + 7 * 36 * 12)) ] || fail "cache.mdd has not 7 poses of 36 points"
expect 0 convert run.glb series.pvd
says 'wrote series.pvd and 7 .vtu files beside it'
[ -s series.pvd ] && [ "$(ls series-*.vtu | wc -l)" -eq 7 ] || fail "series.pvd has not 7 poses"
expect 0 convert run.glb scene.usda
grep -q timeSamples scene.usda || fail "scene.usda does not move"
no_part

# capital letters: the file that is named keeps them, its partner has small ones
for pair in 'PC2 obj' 'MDD obj' 'OBJ pc2' 'PVD' 'GLB' 'USDA'; do
    mkdir capital
    expect 0 convert run.glb capital/A.${pair% *}
    says "wrote capital/A.${pair% *}"
    for ending in $pair; do
        [ -s capital/A.$ending ] || fail "A.${pair% *}: A.$ending is missing"
        says "wrote capital/A.$ending"
    done
    [ "$(ls capital | grep -vc '\.vtu$')" -eq "$(wc -w <<<"$pair")" ] || fail "A.${pair% *}: there are other files"
    case $pair in
        PC2* | OBJ*)
            expect 0 convert capital/A.${pair% *} back.pc2
            says '7 poses, 60 per second'
            near_poses run.pc2 back.pc2
            ;;
        MDD*) cmp -s capital/A.MDD cache.mdd || fail "A.MDD is another one" ;;
        PVD) cmp -s capital/A-000006.vtu series-000006.vtu || fail "A.PVD has another last frame" ;;
        USDA) cmp -s capital/A.USDA scene.usda || fail "A.USDA is another one" ;;
    esac
    rm -r capital
done
no_part

# speeds: glTF is sampled, the poses of a .pc2 stay
expect 0 convert run.glb fast.pc2 --fps 120
says '13 poses, 120 per second'
near <(numbers fast.pc2 | tail -108) <(numbers run.pc2 | tail -108) || fail "the last pose is not the last"
expect 0 convert run.glb slow.pc2 --fps 25
says '4 poses, 25 per second'
expect 0 convert run.pc2 slow.glb --fps 23.976
says '7 poses, 23.976 per second'
expect 0 convert slow.glb slow.pc2
says '7 poses, 23.976 per second'
near_poses run.pc2 slow.pc2
expect 0 run small.json -n 150 -o long.pc2 -q
expect 0 convert long.pc2 long.glb
says 'long.glb keeps 120 of 151 poses, evenly spaced'
expect 0 convert long.glb long2.pc2 # the keys are not even: 60 per second
says '151 poses, 60 per second'

# one pose
for from in run.sup run.pc2 run.obj; do
    expect 0 convert $from ${from#*.}.ply --frame 5
    says 'wrote'
done
cmp -s sup.ply pc2.ply && cmp -s sup.ply obj.ply || fail "pose 5 is not the same of all"
expect 0 convert sup.ply pose.obj
near <(lines v pose.obj | tr -d v | xargs -n1) <(numbers run.pc2 | sed -n 541,648p) ||
    fail "pose 5 is another one"
expect 0 convert run.glb pose.glb --frame 6
expect 0 convert pose.glb pose.stl
expect 0 convert run.glb still.obj --still
[ -e still.pc2 ] && fail "--still moves"
same_points run.obj still.obj
expect 0 convert run.glb first.ply # one pose, as .ply holds no more
says 'its animations are ignored'
expect 0 convert run.pc2 first2.ply
cmp -s <(tail -c +300 first.ply | head -c 100) <(tail -c +300 first2.ply | head -c 100) || fail "the first pose is another one"

# lengths of all poses, and points that are joined in all
expect 0 convert run.pc2 giant.pc2 --scale 1000
near <(numbers giant.pc2 | awk '{ printf "%.9g\n", $1 / 1000 }') <(numbers run.pc2) || fail "not all poses are scaled"
[ "$(numbers giant.pc2 | sort -g | tail -1 | cut -d. -f1)" -gt 1000 ] || fail "giant.pc2 is not large"
near <(lines v giant.obj | tr -d v | xargs -n1 | awk '{ printf "%.9g\n", $1 / 1000 }') <(lines v run.obj | tr -d v | xargs -n1) ||
    fail "giant.obj is not scaled"
expect 0 convert run.pc2 same.pc2 --weld 0
cmp -s run.pc2 same.pc2 || fail "welding what is whole changes it"
expect 0 convert run.pc2 joined.pc2 --weld 0.6 # the box of 26 points has edges of half a metre
expect 0 info joined.obj
joined=$(od -An -t d4 -j 16 -N 4 joined.pc2 | xargs)
[ "$joined" -gt 10 ] && [ "$joined" -lt 36 ] || fail "$joined of 36 points are left"
[ "$(lines v joined.obj | wc -l)" -eq "$joined" ] || fail "joined.obj has not $joined points"
[ "$(numbers joined.pc2 | wc -l)" -eq $((7 * 3 * joined)) ] || fail "joined.pc2 has not 7 poses of $joined points"
# posed FILE.pc2 POINTS: the number of the pose and the place of every point
posed() { numbers "$1" | paste - - - | awk -v n="$2" '{ print int((NR - 1) / n), $1, $2, $3 }' | sort; }
[ -z "$(comm -23 <(posed joined.pc2 "$joined") <(posed run.pc2 36))" ] || fail "points are joined to places where none was"
expect 0 convert run.pc2 both.pc2 --weld 1.2 --scale 2 # joined after scaling
near <(numbers both.pc2 | awk '{ printf "%.9g\n", $1 / 2 }') <(numbers joined.pc2) || fail "--weld and --scale do not go together"
# every point twice, every other polygon over the second ones: joined, all is as before
{
    head -c 16 run.pc2 && printf '\x48\0\0\0' && tail -c +21 run.pc2 | head -c 12
    printf '%b' "$(tail -c +33 run.pc2 | od -An -v -w12 -t x1 | sed 's/ /\\x/g; p' | tr -d '\n')"
} >twice.pc2
{ lines v run.obj | sed p && lines f run.obj | awk '{ for (i = 2; i <= NF; i++) $i = 2 * $i - NR % 2; print }'; } >twice.obj
expect 0 convert twice.pc2 once.pc2 --weld 0
cmp -s run.pc2 once.pc2 || fail "points are joined in other poses"
[ "$(lines f run.obj)" = "$(lines f once.obj)" ] && same_points run.obj once.obj || fail "once.obj is another one"

# ---- refusals

refuse 1 'convert needs A' convert
refuse 1 'convert needs B' convert house.obj
refuse 1 'one too many' convert house.obj b.ply c.ply
refuse 1 'cannot write b.png: the name must end in .obj, .ply, .stl, .glb, .vtu or .usda' convert house.obj b.png
refuse 1 'cannot write b.gltf' convert house.obj b.gltf
refuse 1 'cannot write b.sup' convert run.sup b.sup
refuse 1 '--scale must be a number from 1e-09 to 1e+09, not "0"' convert house.obj b.ply --scale 0
refuse 1 'not "-1"' convert house.obj b.ply --scale -1
refuse 1 'not "1mm"' convert house.obj b.ply --scale 1mm
refuse 1 'not "nan"' convert house.obj b.ply --scale nan
refuse 1 '--weld must be a number from 0 to 1e+06' convert house.obj b.ply --weld -0.1
refuse 1 '--fps must be a number' convert run.pc2 b.glb --fps 0
refuse 1 '--still and --frame exclude each other' convert run.pc2 b.glb --still --frame 0
refuse 1 'b.pc2 is for what moves; --frame gives one pose' convert run.glb b.pc2 --frame 0
refuse 1 'frame 7 is beyond the end: run.sup has the poses 0 to 6' convert run.sup b.ply --frame 7
refuse 1 'house.obj does not move; --frame is for what does' convert house.obj b.ply --frame 0
refuse 1 '--fps is for what moves' convert house.obj b.glb --fps 30
refuse 1 '--fps is not for a tape' convert run.sup b.glb --fps 30
refuse 1 '--weld is for meshes' convert run.sup b.ply --weld 0
for ending in pc2 mdd pvd; do
    refuse 2 "house.obj does not move, and b.$ending is for what does" convert house.obj b.$ending
done

# what is wrong with A
refuse 2 'cannot read none.obj: there is no such file' convert none.obj b.ply
refuse 2 'cannot read none.pc2: there is no such file' convert none.pc2 b.glb
refuse 2 'cannot read "house.json": the name must end in' convert house.json b.ply
refuse 2 'other formats are only written' convert run.usda b.ply
mkfifo pipe.obj
refuse 2 'cannot read pipe.obj: it is not a plain file' convert pipe.obj b.ply
refuse 1 '--fps 0.001 leaves one pose of run.glb' convert run.glb b.glb --fps 0.001
# a mesh beside the motion of another would be taken for a pair
cp run.pc2 taken.pc2
refuse 2 'cannot write taken.obj alone: taken.pc2 beside it is the motion of another' convert house.obj taken.obj
[ ! -e taken.obj ] || fail "taken.obj is there"
# motion that is lost is told, unless that was asked for
expect 0 convert run.pc2 lost.ply
says 'lost.ply holds no motion: it has the first of'
expect 0 convert run.pc2 lost.ply --frame 2
grep -q 'no motion' err.txt && fail "a motion that was left out on purpose is told"
expect 0 convert run.glb lost.ply --still
grep -q 'ignored' err.txt && fail "animations that were left out on purpose are told"
cp run.pc2 lone.pc2
refuse 2 'lone.pc2 holds points alone; lone.obj, with their polygons, is not there' convert lone.pc2 b.glb
cp run.pc2 other.pc2
cp house.obj other.obj
refuse 2 'other.pc2 has 36 points, but its mesh has 10' convert other.obj b.glb
says '--still takes the mesh without its motion'
expect 0 convert other.obj other.glb --still
head -c 200 run.sup >cut.sup
refuse 2 'cut.sup' convert cut.sup b.glb
mkdir folder.obj
refuse 2 'cannot read folder.obj: it is a folder' convert folder.obj b.ply
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n' >bad.obj
refuse 2 'bad.obj:4:7: vertex index 4 is out of the range 1 to 3' convert bad.obj b.ply
refuse 2 'house.obj: --weld 100 leaves no polygon of it' convert house.obj b.stl --weld 100
sed 's/^v 1.3 0 1.7/v 1e35 0 1.7/' house.obj >far.obj
refuse 2 'far.obj: with --scale 1e+09, point 1 is too far out for a float' convert far.obj b.ply --scale 1e9
cp far.obj flies.obj # it is in the last pose that a point is too far out
{ printf 'POINTCACHE2\0\1\0\0\0\x0a\0\0\0\0\0\0\0\0\0\x80\x3f\2\0\0\0' && head -c 236 /dev/zero && printf '\xff\xff\x7f\x7f'; } >flies.pc2
refuse 2 'flies.pc2: with --scale 2, point 9 is too far out for a float' convert flies.pc2 b.glb --scale 2

# the input stays, by whatever name it is called
ln -s house.obj link.obj
for name in house.obj ./house.obj link.obj; do
    refuse 1 'it is not overwritten' convert house.obj $name --scale 2
done
refuse 1 'run.obj is read; it is not overwritten' convert run.obj run.mdd
refuse 1 'run.obj is read; it is not overwritten' convert run.pc2 run.obj --frame 2
refuse 1 'it is not overwritten' convert run.obj run.pc2
refuse 1 'run.sup' convert run.sup run.sup
"$SUPPLE" convert house.obj check.ply -q && cmp -s check.ply in.ply || fail "house.obj was changed"

# places that cannot be written; an old file survives every failure
refuse 2 'there is no folder missing' convert house.obj missing/b.ply
refuse 2 'there is no folder missing' convert run.glb missing/b.pc2
mkdir folder.ply
refuse 2 'cannot write folder.ply: it is a folder' convert house.obj folder.ply
if locked_folder locked; then
    refuse 3 'cannot create locked/b.ply' convert house.obj locked/b.ply
    refuse 3 'cannot create locked/b.' convert run.glb locked/b.pc2
fi
through=()
for file in old.ply old.obj old.pc2 old.stl; do printf old >$file; done
refuse 2 'bad.obj:4:7' convert bad.obj old.ply
refuse 2 '--weld 100 leaves no polygon' convert house.obj old.stl --weld 100
# a full disk; ulimit counts blocks of 1024 bytes
through=(bash -c 'ulimit -f 1; exec "$@"' limit)
expect 3 convert run.pc2 old.stl --still
says 'cannot write old.stl'
expect 3 convert run.glb old.pc2
says 'cannot write old.'
through=()
for file in old.ply old.obj old.pc2 old.stl; do [ "$(cat $file)" = old ] || fail "$file was changed"; done
no_part

exit $((failures > 0))
