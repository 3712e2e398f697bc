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
[ -s series.pvd ] && [ "$(ls series-*.vtu | wc -l)" -eq 7 ] || fail "series.pvd has not 7 poses"
expect 0 convert run.glb scene.usda
grep -q timeSamples scene.usda || fail "scene.usda does not move"
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
expect 0 convert giant.pc2 again.pc2 --scale 0.001
near_poses run.pc2 again.pc2
expect 0 convert run.pc2 same.pc2 --weld 0
cmp -s run.pc2 same.pc2 || fail "welding what is whole changes it"
expect 0 convert run.pc2 joined.pc2 --weld 0.6 # the box of 26 points has edges of half a metre
[ "$(wc -c <joined.pc2)" -lt "$(wc -c <run.pc2)" ] || fail "nothing is joined"
expect 0 info joined.obj

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
refuse 2 'house.json: the name of a mesh file must end in' convert house.json b.ply
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
refuse 2 'the mesh has no polygons' convert house.obj b.stl --weld 100
sed 's/^v 1.3 0 1.7/v 1e35 0 1.7/' house.obj >far.obj
refuse 2 'point 1 is not finite' convert far.obj b.ply --scale 1e9

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
refuse 2 'the mesh has no polygons' convert house.obj old.stl --weld 100
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
