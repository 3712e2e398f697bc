# supple deform: what is moved and what is kept, every way to select, scripts, animations, refusals.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

cat >sheet.obj <<'OBJ'
# a comment that stays
mtllib some.mtl
o thing
v 0 0 0
v 1.0 0 0   # kept
v 1 1 0 0.5 0.25 1
v 0 1 0
v 2 0 0
v 2 1 0
vt 0 0
vt 0.5 0
vt 0.5 1
vt 0 1
vt 1 0
vt 1 1
vn 0 0 1
g left
usemtl red
f 1/1/1 2/2/1 3/3/1 4/4/1
l 1 2
g right
usemtl blue
f 2/2/1 5/5/1 6/6/1
f -5/-5/1 -1/-1/1 -4/-4/1
OBJ

# ---- what is not moved stays, byte for byte

expect 0 deform sheet.obj -o moved.obj -e 'pull index=3 by=0,0,0.1 transfer=0'
says 'pull: 1 point, 6 reached in 3 generations, 1 pass'
says 'wrote moved.obj'
sed 's/^v 0 1 0$/v 0 1 0.1/' sheet.obj >wanted.obj
cmp -s wanted.obj moved.obj || fail "more than one vertex has changed"
expect 0 deform sheet.obj -o coloured.obj -q -e 'pull nearest=1,1.1,0 by=0,0,0.25 transfer=0'
grep -q '^v 1 1 0.25 0.5 0.25 1$' coloured.obj || fail "the colour of a vertex is lost"

# 100,000 vertices with uv and groups
awk 'BEGIN {
    n = 320
    for (j = 0; j < n; j++) for (i = 0; i < n; i++) printf "v %.4f %.4f 0\n", i / n, j / n
    for (j = 0; j < n; j++) for (i = 0; i < n; i++) printf "vt %.4f %.4f\n", i / n, j / n
    for (j = 0; j + 1 < n; j++) {
        print "g row" j "\nusemtl m" j % 3
        for (i = 0; i + 1 < n; i++) {
            a = j * n + i + 1
            printf "f %d/%d %d/%d %d/%d %d/%d\n", a, a, a + 1, a + 1, a + n + 1, a + n + 1, a + n, a + n
        }
    }
}' >large.obj
expect 0 deform large.obj -o pulled.obj -e 'pull nearest=0.5,0.5,0 by=0,0,0.02 depth=30 fade'
grep -v '^v ' large.obj >rest.txt
grep -v '^v ' pulled.obj | cmp -s - rest.txt || fail "faces, groups or uv have changed"
paste -d'|' large.obj pulled.obj | awk -F'|' '$1 != $2' >different.txt
[ "$(wc -l <different.txt)" -gt 1000 ] || fail "too little has moved"
[ "$(wc -l <different.txt)" -lt 1900 ] || fail "more than 30 generations have moved"
expect 0 convert pulled.obj pulled.ply
says '102400 points, 101761 polygons'
expect 0 deform large.obj -o direct.ply -q -e 'pull nearest=0.5,0.5,0 by=0,0,0.02 depth=30 fade'
# meshio sees the points and faces of the text
if python=/usr/bin/python3 && $python -c 'import meshio' 2>/dev/null; then
    $python "$SUPPLE_SOURCE/scripts/meshio_read_back.py" pulled.obj pulled.obj pulled.ply direct.ply >seen.txt 2>&1 ||
        fail "meshio: $(cat seen.txt)"
    [ "$(grep -c ': 102400 points, 101761 cells$' seen.txt)" = 3 ] || fail "meshio sees other numbers: $(cat seen.txt)"
fi

# ---- new faces keep what theirs had

expect 0 deform sheet.obj -o split.obj -e 'split stretch=1.2' \
    -e 'pull material=blue by=0.3,0,0 transfer=0'
says 'edges split'
grep -q '^v 1.3 1 0 0.5 0.25 1$' split.obj || fail "the colour of a vertex is lost"
grep -q '^v 0.65 0 0$' split.obj || fail "no point in the middle of a side"
grep -q '^vt 0.25 0 0$' split.obj || fail "no uv in the middle of a side"
grep -q '^f 1/1/1 7/7/2 2/2/1 3/3/1 8/8/3 4/4/1$' split.obj || fail "the quad has not got two corners"
[ "$(grep -c '^usemtl' split.obj)" = 2 ] || fail "materials are lost"
grep -q '^l 1 2$' split.obj || fail "a line is lost"
grep -qx '# a comment that stays' split.obj && grep -qx '# kept' split.obj || fail "comments are lost"
expect 0 deform sheet.obj -o within.obj -e 'split stretch=1.2 within' \
    -e 'pull material=blue by=0.3,0,0 transfer=0'
says 'edges split'
cmp -s split.obj within.obj && fail "splits within a pass are those after it"
# An edge from 0 to 1, pulled away by 0.9 with a transfer of 0.2: the far end would follow by 0.18 and leave 1.72.
# So the middle follows by 0.18, to 0.32, and the end follows that by 0.036; after a pass the middle is that of -0.9 and 0.82.
printf 'v 0 0 0\nv 1 0 0\nv 4 0 3\nf 1 2 3\n' >thorn.obj
# thorn NAME X MIDDLE WORDS: where the end of that edge and its new point are
thorn() {
    expect 0 deform thorn.obj -o "$1.obj" -e "split stretch=1.5 $4" -e 'pull index=0 by=-0.9,0,0 transfer=0.2 transverse=0 passes=1'
    says ', 1 edges split'
    awk -v x="$2" -v middle="$3" '/^v/ { n++; d = $2 - (n == 1 ? -0.9 : n == 2 ? x : n == 3 ? $2 : middle); if (d * d > 1e-12) bad = 1 }
        END { exit bad || n != 4 }' "$1.obj" || fail "the thorn $1: $(grep '^v' "$1.obj")"
}
thorn within 0.964 0.32 within
thorn after 0.82 -0.04 ''
expect 0 convert split.obj split.ply
expect 0 deform sheet.obj -o joined.obj -e 'split stretch=0 squeeze=collapse squeezed=0.9' \
    -e 'pull group=left by=0.2,0,0 transfer=0'
expect 0 convert joined.obj joined.ply

sed 's/ *#.*//; s/ 0.5 0.25 1$//' sheet.obj >plain.obj
expect 0 deform plain.obj -o split.obj -q -e 'split stretch=1.2' -e 'pull material=blue by=0.3,0,0 transfer=0'
[ -s err.txt ] && fail "something is lost of plain.obj"
# names of several words: faces in several groups, a material with a space
sed 's/^g left/g left  west/; s/^usemtl red/usemtl dark red/' plain.obj >words.obj
for selection in '"group": "west"' '"group": "left"' '"material": "dark red"'; do
    printf '{"operations": [{"pull": {%s, "by": [0, 0, 1], "transfer": 0}}]}' "$selection" >words.json
    expect 0 deform words.obj -o named.obj --script words.json
    says 'pull: 4 points'
done
grep -qx 'g left  west' named.obj || fail "names of groups have changed"
refuse 2 'no point of words.obj is selected' deform words.obj -o x.obj -e 'pull material=dark by=0,0,1'
# losses are told in silence too
expect 0 deform plain.obj -o plain.ply -q -e 'pull index=0 by=0,0,1'
says 'warning: uv, normals, groups and materials of plain.obj are kept in .obj only'
expect 0 deform plain.obj -o plain.ply -o plain.stl -q -e 'pull index=0 by=0,0,1'
[ "$(grep -c 'kept in .obj only' err.txt)" = 1 ] || fail "one loss is told for each file"

# ---- what does nothing, or too much, is warned of

expect 0 deform plain.obj -o idle.obj -q -e 'pull index=0 by=0,0,0'
says 'warning: pull: it has moved nothing'
expect 0 deform plain.obj -o idle.obj -q -e 'dent centre=0,0,9 radius=1 fading=1,2'
says 'warning: dent: it has moved nothing'
expect 0 deform plain.obj -o idle.obj -q -e 'pull index=0 by=0,0,1' -e 'pin index=1' -e 'split stretch=1.2'
says 'warning: pin: no pull follows, so it does nothing'
says 'warning: split: no pull follows, so it does nothing'
expect 0 deform plain.obj -o huge.obj -q -e 'dent centre=0,0,9 radius=1e5'
says 'warning: dent: its tool of 2e+05 m is far larger than the mesh of 2.24 m'
expect 0 deform plain.obj -o busy.obj -q -e 'pin index=1' -e 'split stretch=1.2' \
    -e 'pull index=0 by=0,0,1' -e 'dent centre=0,0,9 radius=1'
grep -q 'nothing\|larger' err.txt && fail "a warning of what has been done"
sed 's/^v 2 1 0$/v 1e30 1 0/' plain.obj >far.obj
refuse 2 "far.obj:$(grep -n 1e30 far.obj | cut -d: -f1):3: cannot be deformed: points[5] is not a place within 1e9 m" deform far.obj -o x.obj -e 'pull index=0 by=0,0,1'

expect 0 deform plain.obj -o pinned.obj -q -e 'pin index=0,2' -e 'pull index=0,1 by=0,0,1'
says 'warning: pull: 1 of its points is pinned'
expect 0 deform plain.obj -o pinned.obj -q -e 'pin index=0,2' -e 'pull index=0,1,2 by=0,0,1'
says 'warning: pull: 2 of its points are pinned'
# as many passes as there may be, or too few of them for what was left at a split
printf 'v 0 0 0\nv 0.05 0 0\nv 1 1 0\nv 2 0 0\nf 1 2 3\nf 2 4 3\n' >short.obj
expect 0 deform short.obj -o short1.obj -e 'pull index=0 by=-1,0,0 transfer=0'
says 'warning: pull: 64 passes are too few for so long a way'
says ', 64 passes'
expect 0 deform short.obj -o short1.obj -e 'split stretch=2' -e 'pull index=0 by=-1,0,0 transfer=0'
says 'warning: pull: 64 passes are too few for a part of the way: some of 36 were longer'
says ', 36 passes'

# ---- PLY of all three forms

cat >colours.ply <<'PLY'
ply
format ascii 1.0
comment kept
element vertex 4
property float x
property float y
property double z
property uchar red
element face 1
property list uchar int vertex_indices
property float weight
end_header
0 0 0 255
1 0 0 128
1 1 0 64
0 1 0 32
4 0 1 2 3 0.5
PLY
expect 0 deform colours.ply -o moved.ply -q -e 'pull index=1 by=0,0,0.5 transfer=0'
sed 's/^1 0 0 128$/1 0 0.5 128/' colours.ply | cmp -s - moved.ply || fail "an ascii PLY is changed elsewhere"
for order in little big; do
    {
        sed -n "1,/end_header/p" colours.ply | sed "s/ascii/binary_${order}_endian/"
        if [ $order = little ]; then one='\0\0\200\077' half='\0\0\0\077'; else one='\077\200\0\0' half='\077\0\0\0'; fi
        zero='\0\0\0\0' long='\0\0\0\0\0\0\0\0'
        for row in "$zero$zero$long\377" "$one$zero$long\200" "$one$one$long\100" "$zero$one$long\040"; do printf "$row"; done
        printf '\004'
        for i in 0 1 2 3; do
            if [ $order = little ]; then printf "\\$i\0\0\0"; else printf "\0\0\0\\$i"; fi
        done
        printf "$half"
    } >$order.ply
    expect 0 deform $order.ply -o $order-moved.ply -q -e 'pull index=1 by=0,0,0.5 transfer=0'
    [ "$(wc -c <$order.ply)" = "$(wc -c <$order-moved.ply)" ] || fail "$order: another length"
    [ "$(cmp -l $order.ply $order-moved.ply | wc -l)" -le 8 ] || fail "$order: more than a number"
    expect 0 convert $order-moved.ply $order.obj
    grep -q '^v 1 0 0.5$' $order.obj || fail "$order: the point is not there"
done

# ---- what other formats have no place for is warned of, and nothing else

sed 's/^0 0 0 255/0 0 0 0.5 0 255/; s/^1 0 0 128/1 0 0 1 0 128/; s/^1 1 0 64/1 1 0 1 1 64/; s/^0 1 0 32/0 1 0 0 1 32/
s/^property uchar red/property float s\nproperty float t\n&/' colours.ply >uv.ply
for ending in obj stl glb usda; do
    expect 0 deform uv.ply -o uv.$ending -q -e 'pull index=0 by=0,0,0.1'
    says 'warning: s, t, red and weight of uv.ply are kept in .ply only'
done
expect 0 deform uv.ply -o uv1.ply -o uv.vtu -o uv.obj -q -e 'pull index=0 by=0,0,0.1'
[ "$(grep -c 'kept in .ply only' err.txt)" = 1 ] || fail "one loss of a .ply is told for each file"
expect 0 deform uv.ply -o uv1.ply -q -e 'pull index=0 by=0,0,0.1'
[ -s err.txt ] && fail "a .ply written as such loses something"
sed '/^element face/i element edge 1\nproperty int vertex1\nproperty int vertex2' uv.ply | sed '/^4 0 1 2 3/i 0 1' >edge.ply
expect 0 deform edge.ply -o edge.obj -q -e 'pull index=0 by=0,0,0.1'
says 'warning: s, t, red, edge and weight of edge.ply are kept'
expect 0 deform plain.obj -o bare.ply -q -e 'pull index=0 by=0,0,0.1'
expect 0 deform bare.ply -o bare.stl -o bare.obj -q -e 'pull index=0 by=0,0,0.1'
[ -s err.txt ] && fail "points and faces are all that bare.ply has"
sed '/^v /i usemtl' bare.obj >nameless.obj # and one group of all faces
expect 0 deform nameless.obj -o nameless.stl -q -e 'pull index=0 by=0,0,0.1'
[ -s err.txt ] && fail "no material, or one group of all, is lost"
# groups and materials alone
grep -v '^v[tn]' plain.obj | sed '/^f/ s,/[0-9/-]*,,g' >named.obj
expect 0 deform named.obj -o named.stl -q -e 'pull index=0 by=0,0,0.1'
says 'warning: groups and materials of named.obj are kept in .obj only'
# a glTF with uv and normals: without a name for its bytes
gltf() {
    printf '{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"scene":0,"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0%s}}]}],' "${1:-}"
    printf '"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},'
    printf '{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":0,"componentType":5126,"count":3,"type":"VEC2"}],'
    printf '"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,%s"}]}' \
        "$(printf '%0.s\0' {1..12} | cat - <(printf '\0\0\200\077\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0') | base64 -w0)"
}
gltf >lone.gltf
gltf ',"NORMAL":1,"TEXCOORD_0":2' >rich.gltf
expect 0 deform lone.gltf -o lone.obj -q -e 'pull index=0 by=0,0,0.1'
[ -s err.txt ] && fail "points and faces are all that lone.gltf has"
expect 0 deform rich.gltf -o rich.glb -q -e 'pull index=0 by=0,0,0.1'
says 'warning: normals and uv of rich.gltf are lost'
# of normals that are not there nothing is said
expect 0 convert plain.obj bare.glb
expect 0 deform bare.glb -o bare1.glb -e 'pull index=0 by=0,0,0.1'
grep -q normals err.txt && fail "a .glb without normals keeps them"
expect 0 deform plain.obj -o plain1.obj -e 'pull index=0 by=0,0,0.1'
says 'normals of plain.obj stay as they were'

# ---- every selection and operation, in a script

expect 0 model twisted_rope --detail 0.25 -o rope.ply -q
cat >script.json <<'JSON'
{"operations": [
  {"pin": {"box": [-1, -1, -1, -0.4, 1, 1]}},
  {"pull": {"sphere": [0.6, 0.03, 0, 0.1], "by": [0.05, 0.1, 0], "transverse": 0.9}},
  {"push": {"index": [100, 101], "along": 0.002, "depth": 4, "fade": true}},
  {"landmarks": {"from": [[0, 0, 0], [0.3, 0, 0]], "to": [[0, 0.1, 0], [0.3, 0, 0]], "reach": 0.3}}
]}
JSON
expect 0 deform rope.ply --script script.json -o rope.obj
says 'pin: '
says 'push: 2 points'
says 'landmarks: '
expect 0 deform rope.ply --script script.json -o again.obj -q
[ -s out.txt ] && fail "--quiet says something"
cmp -s rope.obj again.obj || fail "two runs give different files"

expect 0 deform "$SUPPLE_SOURCE/scenes/meshes/star.obj" -o star.stl -e 'bulge centre=0,0,0 radius=0.1'
says ', volume '
expect 0 deform star.stl -o star.glb -e 'dent centre=0,3,0 sides=0.2,0.2,0.2'
refuse 2 'the centre of a dent must be outside' deform star.stl -o x.stl -e 'dent centre=0,0,0 radius=0.1'
refuse 2 'the centre of a bulge must be inside' deform star.stl -o x.stl -e 'bulge centre=0,9,0 radius=0.1'

# edges near a tool are made short for it
printf 'v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 3 2\nf 1 4 3\n' >table.obj
expect 0 deform table.obj -o table1.obj -e 'dent centre=0,0.1,0 radius=0.4 refine'
says 'edges split'
[ "$(grep -c '^v ' table1.obj)" -gt 100 ] || fail "a table is not refined for a tool"
awk '/^v / { d = sqrt($2 * $2 + ($3 - 0.1) ^ 2 + $4 * $4); if (d < 0.3999) bad = 1 } END { exit bad }' table1.obj ||
    fail "a point is inside of the tool"
refuse 2 '"refine" is for "radius"' deform table.obj -o x.obj -e 'dent centre=0,0.1,0 mesh=star.obj refine'

# ---- every word does what the manual says

# does NAME WORDS...: operations on plain.obj, whose points go to NAME.txt
does() {
    local name=$1 words=() w
    shift
    for w in "$@"; do words+=(-e "$w"); done
    expect 0 deform plain.obj -o "$name.obj" "${words[@]}"
    grep '^v ' "$name.obj" >"$name.txt"
}
# alike A B: the same points to 1e-5
alike() {
    paste -d' ' "$1.txt" "$2.txt" | awk '{ for (k = 2; k <= 4; k++) { d = $k - $(k + 4); if (d > 1e-5 || d < -1e-5) bad = 1 } } END { exit bad }'
}
hop='pull index=0 by=0,0,0.2 transfer=1 transverse=1'
does mass 'pin index=1 mass=1' "$hop"
grep -qx 'v 1 0 0.1' mass.txt || fail "a mass of 1 does not halve the way"
# out of the front of a face, and into it
does outwards 'pull index=3 along=0.25 transfer=0'
grep -qx 'v 0 1 0.25' outwards.txt || fail "a pull does not go outwards"
does inwards 'push index=3 along=0.25 transfer=0'
grep -qx 'v 0 1 -0.25' inwards.txt || fail "a push does not go inwards"
does wide 'pull index=0 by=0,0,1 beta=0.5'
says ', 2 passes'
does narrow 'pull index=0 by=0,0,1 beta=0.05'
says ', 20 passes'
does around 'pin index=1,2' "$hop"
says '6 reached'
does blocked 'pin index=1,2' "$hop pins_block"
says ', 2 reached'
does clay 'pull index=0 by=0,0,0.6 transfer=0' 'pull index=0 by=0,0,0.0001'
does memory 'pull index=0 by=0,0,0.6 transfer=0' 'pull index=0 by=0,0,0.0001 memory'
awk '$2 < 1.0001 && $2 > 0.99 && $3 == 0 && $4 < 0.001 { found = 1 } END { exit !found }' clay.txt || fail "clay remembers a length"
alike clay memory && fail "edges do not return to their first length"
does plain1 'pull index=0 by=0.1,0.2,0.3'
does whole 'pull index=0 by=0.1,0.2,0.3 reproducible'
alike plain1 whole || fail "reproducible sums are other sums"
does limited 'split stretch=1.2 limit=7' 'pull material=blue by=0.6,0,0 transfer=0'
[ "$(wc -l <limited.txt)" = 7 ] || fail "there are more points than the limit"
does still 'dent centre=0.5,0.5,0.3 radius=0.3 strength=0'
grep '^v ' plain.obj >was.txt
alike still was || fail "a tool without strength dents"
does ball 'dent centre=0.5,0.5,0.3 radius=0.3'
alike ball was && fail "a ball does not dent"
does axes 'dent centre=0.5,0.5,0.3 radii=0.3,0.3,0.3'
alike ball axes || fail "an ellipsoid with equal axes is no ball"
does once 'carve centre=0.5,0.5,0.3 radius=0.3 steps=1'
alike once ball || fail "one step of carving is no dent"
does twice 'carve centre=0.5,0.5,0.3 radius=0.3 steps=2'
does again 'dent centre=0.5,0.5,0.3 radius=0.3' 'dent centre=0.5,0.5,0.3 radius=0.3'
alike twice again || fail "two steps in place are not two dents"
alike twice ball && fail "carved twice is as carved once"
does groove 'carve centre=0.3,0.5,0.3 radius=0.2 way=0.4,0,0 steps=3'
does fine 'carve centre=0.3,0.5,0.3 radius=0.25 way=0.2,0,0 steps=3 refine' # the last step splits nothing
grep -q '^carve: [1-9][0-9]* edges split' out.txt || fail "splits of a groove are not counted"
does dents 'dent centre=0.3,0.5,0.3 radius=0.2' 'dent centre=0.5,0.5,0.3 radius=0.2' 'dent centre=0.7,0.5,0.3 radius=0.2'
alike groove dents || fail "a groove is not dents along its way"
does back 'dent centre=0.5,0.5,0.3 radius=0.3' 'dent centre=0.5,0.5,0.3 radius=0.3 inverse'
alike back was || fail "the way back does not lead back"
# the same by a mesh
cat >chisel.obj <<'OBJ'
v 0.2 0.2 0.6
v 0.8 0.2 0.6
v 0.5 0.8 0.6
v 0.5 0.5 0.1
f 1 2 3
f 1 4 2
f 2 4 3
f 3 4 1
OBJ
does wedge 'dent centre=0.5,0.5,0.4 mesh=chisel.obj'
alike wedge was && fail "a mesh does not dent"
does unwedged 'dent centre=0.5,0.5,0.4 mesh=chisel.obj' 'dent centre=0.5,0.5,0.4 mesh=chisel.obj inverse'
alike unwedged was || fail "the way back from a mesh does not lead back"
does upright 'dent centre=0.5,0.5,0.3 radii=0.4,0.2,0.2'
does turned 'dent centre=0.5,0.5,0.3 radii=0.2,0.4,0.2 rotation=0,0,0.70710678,0.70710678'
alike upright turned || fail "a turned ellipsoid is another one"
marks='landmarks from=0,0,0;2,0,0 to=0,0,1;2,0,0'
does four "$marks"
does two "$marks power=2"
alike four two && fail "the power of landmarks does nothing"
does near "$marks reach=1.5"
grep -qx 'v 2 1 0' near.txt || fail "a landmark reaches too far"
does compact "$marks compact"
alike compact four && fail "compact does nothing"
corners='landmarks from=0,0,0;2,0,0;0,1,0;2,1,1;0,0,1 to=0,0,0;4,0,0;0,2,0;4,2,1;0,0,1'
does fitted "$corners method=affine"
awk '{ print $1, 2 * $2, 2 * $3, $4 }' was.txt >doubled.txt
alike fitted doubled || fail "an affine map is not kept"
grep -q warning err.txt && fail "an affine map is warned of"
does loose1 "$corners method=displacements"
alike fitted loose1 && fail "displacements are affine"
# where only a translation fits, that is said, to the quiet too
grep -q warning err.txt && fail "displacements are warned of"
expect 0 deform sheet.obj -q -o x.obj -e 'landmarks from=0,0,0;2,0,0;0,1,0 to=0,0,0;4,0,0;0,2,0 method=affine'
says 'warning: landmarks: 3 in different places: an affine map needs 4, so turns and scales are not kept'
expect 0 deform sheet.obj -q -o x.obj -e 'landmarks from=0,0,0;2,0,0;0,1,0;2,1,0;1,1,0 to=0,0,0;4,0,0;0,2,0;4,2,0;2,2,0'
says 'warning: landmarks: all 5 are in a plane: no affine map fits, so turns and scales are not kept'
rm x.obj

# ---- seams: glTF has a point once for each uv, and all of them go together

cat >seam.obj <<'OBJ'
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 1 0 0
v 2 0 0
v 2 1 0
v 1 1 0
f 1 2 3 4
f 5 6 7 8
OBJ
expect 0 convert seam.obj seam.glb
seam() { expect 0 deform "$1" -o torn.glb -q -e "${2:-pull index=0 by=0,0,0.2 transfer=1 transverse=1}"; expect 0 convert torn.glb torn.obj; }
seam seam.glb
[ "$(grep -c '^v ' torn.obj)" = 8 ] || fail "points of a seam are lost"
[ "$(grep -c '^v [012] [01] 0.2$' torn.obj)" = 8 ] || fail "a seam stops a pull"
seam seam.obj
[ "$(grep -c '^v [012] [01] 0.2$' torn.obj)" = 4 ] || fail "an .obj is joined too"
# numbers are those of the file
seam seam.glb 'pull index=7 by=0,0,0.2 transfer=0'
[ "$(grep -c '^v 1 1 0.2$' torn.obj)" = 2 ] || fail "both points of a seam are not at one place"
refuse 2 'index 8 is out of the range 0 to 7' deform seam.glb -o x.glb -e 'pull index=8 by=0,0,1'
cp torn.glb target.glb
seam seam.glb 'morph file=target.glb'
[ "$(grep -c '^v 1 1 0.2$' torn.obj)" = 2 ] || fail "a morph with seams does not arrive"
expect 0 deform seam.glb --frames 3 -o seams.glb -q -e 'pull index=0 by=0,0,0.2 transfer=1 transverse=1'
expect 0 convert --frame 2 seams.glb seams.obj
[ "$(grep -c '^v [012] [01] 0.2$' seams.obj)" = 8 ] || fail "an animation does not have all points of a seam"

# ---- animations and morphs

expect 0 deform sheet.obj --frames 5 -o sheet.glb -o sheet.pvd -e 'pull index=2 by=0,0,1'
says 'wrote sheet.glb'
expect 0 convert --frame 4 sheet.glb last.ply
expect 0 deform sheet.obj -o half.obj -q -e 'morph file=moved.obj amount=0.5'
grep -q '^v 0 1 0.05$' half.obj || fail "half of a morph is not half of the way"

# an .obj beside its points is the one that came in; others lose what it has
for ending in pc2 mdd; do
    expect 0 deform sheet.obj --frames 3 -o kept.$ending -q -e 'pull index=2 by=0,0,1'
    [ -s err.txt ] && fail "something is lost beside a .$ending"
    cmp -s sheet.obj kept.obj || fail "the .obj beside a .$ending is another one"
    rm kept.obj
done
expect 0 deform --morph sheet.obj moved.obj --frames 3 -o kept.pc2
expect 0 convert kept.pc2 kept.glb
says '3 poses'
expect 0 deform sheet.obj --frames 3 -o kept.pc2 -o kept.glb -o kept.usda -q -e 'pull index=2 by=0,0,1'
says 'warning: uv, normals, colours, groups and materials of sheet.obj are kept beside .pc2 and .mdd only'
[ "$(wc -l <err.txt)" = 1 ] || fail "one loss is told for each animation"
expect 0 deform rich.gltf --frames 3 -o kept.glb -q -e 'pull index=0 by=0,0,0.1'
says 'warning: normals and uv of rich.gltf are lost in an animation'
expect 0 deform uv.ply --frames 3 -o kept.ply -q -e 'pull index=0 by=0,0,0.1'
says 'warning: s, t, red and weight of uv.ply are lost in an animation'
[ -s kept-000002.ply ] || fail "no series of .ply"
for name in kept.stl kept.sup; do
    refuse 1 'with --frames the name must end in .glb, .pc2, .mdd, .pvd, .usda, .ply or .obj' deform sheet.obj --frames 3 -o $name -e 'pull index=0 by=0,0,1'
done

# a picture, where this build can draw (what is in it: gate.deform.*)
code=0
"$SUPPLE" deform sheet.obj --picture drawn.png -q -e 'pull index=0 by=0,0,0.02 depth=1' 2>said.txt || code=$?
case $code in
    0) [ "$(head -c 4 drawn.png | tail -c 3)" = PNG ] || fail "the picture is no .png" ;;
    6) grep -q 'cannot draw' said.txt || fail "it is not said why nothing is drawn" ;;
    *) fail "a picture ended with $code" ;;
esac
# framed FILE: colours of rings come near its edge, and not to it
framed() {
    ffmpeg -nostdin -loglevel error -i "$1" -vf scale=96:72:flags=area -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w3 |
        awk '{ x = (NR - 1) % 96; y = int((NR - 1) / 96); high = $1; low = $1
               for (k = 2; k <= 3; k++) { if ($k > high) high = $k; if ($k < low) low = $k }
               edge = x; if (y < edge) edge = y; if (95 - x < edge) edge = 95 - x; if (71 - y < edge) edge = 71 - y
               if (high - low > 60 && (least == "" || edge < least)) least = edge }
             END { exit !(NR == 96 * 72 && least >= 2 && least <= 6) }'
}
if [ $code = 0 ] && command -v ffmpeg >/dev/null; then
    printf 'v 0 0 0\nv 2 0 0\nv 2 0 2\nv 0 0 2\nf 1 4 3 2\n' >tile.obj
    for orbit in 0 200; do
        expect 0 deform tile.obj --picture turned$orbit.png --orbit $orbit -q -e 'pull index=0 by=0,-1,0 transfer=1 transverse=1'
        framed turned$orbit.png || fail "turned by $orbit it is cut off, or far away"
    done
    # rings stay where another operation follows
    expect 0 deform tile.obj --picture ringed.png -q -e 'pull index=0 by=0,-1,0 transfer=1 transverse=1' -e 'landmarks from=0,0,0 to=0,0,1e-3'
    framed ringed.png || fail "rings are gone after another operation"
    cmp -s turned0.png turned200.png && fail "a turned camera sees the same"
fi
refuse 1 '--orbit turns the camera of a picture' deform sheet.obj --orbit 5 -o x.obj -e 'pull index=0 by=0,0,1'

# one mesh becomes another one: point by point, or by landmarks of parts and on to its surface
expect 0 deform --morph sheet.obj moved.obj -o whole.obj -q
cmp -s whole.obj moved.obj || fail "a morph does not end at its target"
expect 0 deform --morph sheet.obj moved.obj --frames 3 -o way.glb
expect 0 convert --frame 1 way.glb way.obj
grep -q '^v 0 1 0.05$' way.obj || fail "the middle of a morph is not half of the way"
# two blocks side by side, 4 x 1 x 1 and 4 x 2 x 1, with other faces and numbers of points
block() {
    awk -v tall="$1" -v n="$2" 'BEGIN {
        for (i = 0; i <= n; i++) {
            x = 4 * i / n
            printf "v %g 0 0\nv %g %g 0\nv %g %g 1\nv %g 0 1\n", x, x, tall, x, tall, x
        }
        for (i = 0; i < n; i++) {
            if (i == 0) print "g low\nf 1 2 3 4"
            if (i == n / 2) print "g high"
            a = 4 * i + 1
            for (j = 0; j < 4; j++)
                printf "f %d %d %d %d\n", a + j, a + 4 + j, a + 4 + (j + 1) % 4, a + (j + 1) % 4
        }
        printf "f %d %d %d %d\n", 4 * n + 4, 4 * n + 3, 4 * n + 2, 4 * n + 1
    }'
}
block 1 8 >a.obj
block 2 6 >b.obj
cat >parts.json <<'JSON'
{"parts": [
  {"group": "low", "from": [[0, 0, 0], [0, 1, 0], [0, 0, 1], [2, 0, 0], [2, 1, 1]],
   "to": [[0, 0, 0], [0, 2, 0], [0, 0, 1], [2, 0, 0], [2, 2, 1]]},
  {"group": "high", "from": [[4, 0, 0], [4, 1, 0], [4, 0, 1], [2, 0, 0], [2, 1, 1]],
   "to": [[4, 0, 0], [4, 2.2, 0], [4, 0, 1], [2, 0, 0], [2, 2, 1]]}
]}
JSON
expect 0 deform --morph a.obj b.obj --landmarks parts.json -o became.obj
says 'morph: 36 points'
expect 0 info became.obj
[ "$(awk '/^v / && $3 > 1.9999 && $3 < 2.0001' became.obj | wc -l)" = 18 ] || fail "the top is not where that of the other is"
awk '/^v / && !($2 < 1e-5 || $2 > 3.99999 || $3 < 1e-5 || $3 > 1.99999 || $4 < 1e-5 || $4 > 0.99999) { bad = 1 } END { exit bad }' became.obj ||
    fail "a point of a morph is not on the other surface"
sed '$s/]}/], "snap": false}/' parts.json >loose.json
expect 0 deform --morph a.obj b.obj --landmarks loose.json -o loose.obj -q
grep -q '^v 4 2.2 0$' loose.obj || fail "a landmark is not at its place"
cmp -s loose.obj became.obj && fail "the surface of the other mesh is not used"
refuse 2 'a.obj has 36 points, but there are 28: give landmarks' deform --morph b.obj a.obj -o x.obj
refuse 1 '--landmarks is for --morph' deform a.obj --landmarks parts.json -o x.obj -e 'pin index=0'
refuse 1 'is the input itself' deform --morph a.obj b.obj -o a.obj
sed 's/"low"/"none"/' parts.json >none.json
refuse 2 'none.json:2:3: no point of a.obj is selected' deform --morph a.obj b.obj --landmarks none.json -o x.obj
sed 's/, \[2, 2, 1\]\]}/]}/' parts.json >few.json
refuse 2 'as many places of three numbers' deform --morph a.obj b.obj --landmarks few.json -o x.obj
sed 's/"low",/"low", "method": "affine",/; s/\[2, 1, 1\]\]/[2, 1, 0]]/' parts.json >flat.json
sed -i 's/\[0, 0, 1\], //; s/\[0, 0, 1\], //' flat.json
expect 0 deform --morph a.obj b.obj --landmarks flat.json -o flat.obj -q
says 'landmarks of part 1: all 4 are in a plane'
grep -q 'part 2' err.txt && fail "five landmarks of a part are warned of"
# mistakes within a part are told there, those of the other mesh without a place
printf '{"parts": [\n{"from": [[0, 0, 0]], "to": [[0, 0, 1]]},\n{"from": [[1, 0, 0], [1, 0, 0]], "to": [[0, 0, 1], [0, 0, 2]]}]}' >twice.json
refuse 2 'twice.json:3:1: landmarks 0 and 1 are in one place' deform --morph a.obj b.obj --landmarks twice.json -o x.obj
refuse 2 'few.json:2:3: "from" and "to" must be as many places' deform --morph a.obj b.obj --landmarks few.json -o x.obj
printf '{"parts": [{"from": [[0, 0, 0]], "to": [[0, 0, 1]], "amount": 1}]}' >odd.json
refuse 2 'in a part' deform --morph a.obj b.obj --landmarks odd.json -o x.obj
printf 'v 0 0 0\nv 0 1 0\nv 1 0 0\n' >faceless.obj
refuse 2 'supple: faceless.obj has no faces to go to' deform --morph a.obj faceless.obj --landmarks parts.json -o x.obj
refuse 2 'supple: cannot read nope.obj' deform --morph a.obj nope.obj --landmarks parts.json -o x.obj
refuse 2 'supple: cannot read nope.obj' deform --morph a.obj nope.obj -o x.obj
refuse 2 '--do:1: cannot read nope.obj' deform a.obj -o x.obj -e 'morph file=nope.obj'
refuse 2 'supple: a.obj has 36 points, but there are 28' deform --morph b.obj a.obj -o x.obj
printf '{"part": []}' >wrong.json
refuse 2 'wrong.json:1:2:' deform --morph a.obj b.obj --landmarks wrong.json -o x.obj

# ---- refusals, with a place and a code, and nothing written

refuse 1 'give -o FILE or a picture' deform sheet.obj -e 'pull index=0 by=0,0,1'
refuse 1 'give --do, --script or --morph' deform sheet.obj -o x.obj
printf '{"operations": []}' >empty.json
refuse 2 'empty.json:1:16: there are no operations: nothing is done' deform sheet.obj --script empty.json -o x.obj
expect 0 deform sheet.obj --script empty.json -q -o empty.obj -e 'pull index=0 by=0,0,1'
refuse 1 'is the input itself' deform sheet.obj -o sheet.obj -e 'pull index=0 by=0,0,1'
refuse 1 'the name must end in .png' deform sheet.obj --picture x.jpg -e 'pull index=0 by=0,0,1'
refuse 1 'give -o FILE too' deform sheet.obj --picture x.png --frames 3 -e 'pull index=0 by=0,0,1'
refuse 1 'must end in .obj' deform sheet.obj -o x.json -e 'pull index=0 by=0,0,1'
refuse 1 '--fps is for an animation' deform sheet.obj -o x.obj --fps 25 -e 'pull index=0 by=0,0,1'
refuse 1 '--fps is for an animation' deform sheet.obj -o x.obj --fps 30 -e 'pull index=0 by=0,0,1'
refuse 2 '--do:1: the second distance of "fading"' deform sheet.obj -o x.obj -e 'dent centre=0,3,0 radius=1 fading=0,0'
refuse 2 '"rotation" is for' deform sheet.obj -o x.obj -e 'dent centre=0,3,0 radius=1 rotation=0,0,0,1'
refuse 2 '"rotation" is for' deform sheet.obj -o x.obj -e 'bulge centre=0,3,0 mesh=star.obj rotation=0,0,0,1'
refuse 2 '--do:2:' deform sheet.obj -o x.obj -e 'pin index=0' -e 'split stretch=1.05'
says '"stretch" must be 0 or from 1.1 to 4'
refuse 2 'is out of the range 0 to 5' deform sheet.obj -o x.obj -e 'pull index=6 by=0,0,1'
refuse 2 'no point of sheet.obj is selected' deform sheet.obj -o x.obj -e 'pull box=5,5,5,6,6,6 by=0,0,1'
refuse 2 'no point of sheet.obj is selected' deform sheet.obj -o x.obj -e 'pin material=green'
refuse 2 '--do:1: an item of "operations" cannot be "pul"; did you mean "pull"' deform sheet.obj -o x.obj -e 'pul index=0 by=0,0,1'
refuse 2 '--do:2:' deform sheet.obj -o x.obj -e 'pin index=0' -e 'pull index=1 bye=0,0,1'
refuse 2 'give either "by" or "along"' deform sheet.obj -o x.obj -e 'pull index=0'
refuse 2 '"transfer"' deform sheet.obj -o x.obj -e 'pull index=0 by=0,0,1 transfer=2'
refuse 2 'script.json:2:' deform sheet.obj -o x.obj --script script.json
refuse 2 'landmarks 0 and 1 are in one place' deform sheet.obj -o x.obj \
    -e 'landmarks from=0,0,0;0,0,0 to=0,0,0;1,0,0'
expect 0 deform sheet.obj -q -o merged.obj -e 'landmarks from=0,0,0;0,0,0 to=0,0,1;0,0,1'
cat >hollow.obj <<'OBJ'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
OBJ
refuse 2 'not star-shaped' deform sheet.obj -o x.obj -e 'dent centre=3,3,3 mesh=hollow.obj'
expect 0 deform sheet.obj -o x1.obj -q -e 'dent centre=0.1,0.1,0.1 mesh=hollow.obj'
refuse 2 'has 4 points, but there are 6' deform sheet.obj -o x.obj -e 'morph file=hollow.obj'
refuse 2 'other faces in the end' deform sheet.obj -o x.glb --frames 3 -e 'split stretch=1.2' \
    -e 'pull index=5 by=1,0,0 transfer=0'
# as many as before, but others: one edge is split and one joined
cat >strip.obj <<'OBJ'
v 0 0 0
v 1 0 0
v 2 0 0
v 3 0 0
v 4 0 0
v 0.5 2 0
v 1.5 2 0
v 2.5 2 0
v 3.5 2 0
f 1 2 6
f 2 7 6
f 2 3 7
f 3 8 7
f 3 4 8
f 4 9 8
f 4 5 9
OBJ
one_for_one=(-e 'split stretch=1.2 squeeze=collapse squeezed=0.6 budget=1' -e 'pull index=2 by=0.5,0,0 transfer=0 passes=1')
refuse 2 'other faces in the end' deform strip.obj -o x.glb --frames 3 "${one_for_one[@]}"
expect 0 deform strip.obj -o strip1.obj "${one_for_one[@]}"
says '1 edges split, 1 joined'
[ "$(grep -c '^[vf]' strip1.obj)" = 16 ] || fail "another number of points and faces"
refuse 2 'cannot read' deform none.obj -o x.obj -e 'pull index=0 by=0,0,1'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/2 3/1\n' >bad.obj
refuse 2 'bad.obj:5:7: vt index 2, but the file has 1' deform bad.obj -o x.obj -e 'pull index=0 by=0,0,1'
# a point that hangs on nothing, and an edge without length
printf 'v 0 0 0\nv 0 0 0\nv 0 1 0\nv 7 7 7\nf 1 2 3\n' >odd.obj
expect 0 deform odd.obj -o odd1.obj -e 'pull index=0,3 by=0.1,0,0 transfer=1 transverse=0'
grep -q '^v 7.1 7 7$' odd1.obj || fail "a lonely point does not move"
grep -c '^v 0.1 0 0$' odd1.obj | grep -qx 2 || fail "an edge without length does not hand on all"
says 'odd.obj: edges without length: 1;'
expect 0 deform odd.obj -o odd2.obj -e 'pull index=0 by=0.1,0,0' -e 'pull index=1 by=0.1,0,0'
[ "$(grep -c 'without length' err.txt)" = 1 ] || fail "edges without length are told for each pull"
# parts that no edges lead to stay as they are, and that is said; a depth or pins are no such thing
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >near.txt
printf 'v 5 0 0\nv 6.25 0 0 # kept\nv 5 1.50 0\nf 4 5 6\n' >far.txt
cat near.txt far.txt >apart.obj
expect 0 deform apart.obj -o apart1.obj -e 'pull index=0 by=0,0,0.2'
says 'pull: 1 point, 3 reached in 1 generations, '
says 'supple: pull: no edges lead to 3 of 6 points'
grep -q '^v 0 0 0.2$' apart1.obj || fail "what is pulled stays"
tail -n 4 apart1.obj | cmp -s - far.txt || fail "a part that no edges lead to has changed"
expect 0 deform apart.obj -o apart2.obj -q -e 'pull index=0 by=0,0,0.2'
[ -s err.txt ] && fail "--quiet tells of parts"
expect 0 deform apart.obj -o apart2.obj -e 'pull index=0,3 by=0,0,0.2'
grep -q 'no edges' err.txt && fail "a part that is pulled is told of"
expect 0 deform plain.obj -o deep.obj -e 'pull index=0 by=0,0,0.2 depth=1'
says ', 3 reached in 1 generations'
grep -q 'no edges' err.txt && fail "points beyond a depth are told of"
expect 0 deform plain.obj -o deep.obj -e 'pin index=1,2' -e 'pull index=0 by=0,0,0.2 pins_block'
says ', 2 reached'
grep -q 'no edges' err.txt && fail "points behind pins are told of"

# ---- splits keep colours and digits

printf 'v 0.123456789012345 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nf 1 2 3\n' >rgb.obj
expect 0 deform rgb.obj -o rgb1.obj -q -e 'split stretch=1.2' -e 'pull index=1 by=0.3,0,0 transfer=0 passes=1'
grep -q '^v 0.123456789012345 0 0 1 0 0$' rgb1.obj || fail "digits or colours of a vertex are lost"
grep -q '^v 0.7117284 0 0 0.5 0.5 0$' rgb1.obj || fail "a new vertex has not the mean colour"

# ---- nothing that is read is written over, and nothing twice

printf '{"operations": [{"pull": {"index": [3], "by": [0, 0, 0.1]}}]}' >script.json
cp moved.obj other.obj
refuse 1 'sheet.obj is the input itself; it is not overwritten' deform sheet.obj -o sheet.obj -e 'pull index=0 by=0,0,1'
refuse 1 'other.obj is an input too; it is not overwritten' deform --morph sheet.obj other.obj -o other.obj
refuse 1 './other.obj is an input too' deform sheet.obj -o ./other.obj -e 'morph file=other.obj'
refuse 1 'hollow.obj is an input too' deform sheet.obj -o hollow.obj -e 'dent centre=0.1,0.1,0.1 mesh=hollow.obj'
ln script.json script.obj
refuse 1 'script.obj is an input too' deform sheet.obj --script script.json -o script.obj
refuse 1 'twice.obj is written twice' deform sheet.obj -o twice.obj -o twice.obj -e 'pull index=0 by=0,0,1'
refuse 1 'is written twice' deform sheet.obj -o twice.obj -o ./twice.obj -e 'pull index=0 by=0,0,1'

# ---- tools that would tear or crush

refuse 2 'the centre lies on the surface' deform sheet.obj -o x.obj -e 'dent centre=1,1,0 radius=0.2'
refuse 2 'no way leads back for 1 points inside of the tool' deform sheet.obj -o x.obj \
    -e 'dent centre=1,1,0.1 radius=0.5 inverse=true'
cat >cube.obj <<'OBJ'
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
OBJ
refuse 2 'the centre lies on the surface, which would be torn up there: move it outside' deform cube.obj -o x.obj \
    -e 'dent centre=0.5,0.5,1 radius=0.2'
refuse 2 'move it inside' deform cube.obj -o x.obj -e 'bulge centre=1,1,1 radius=0.2'

# ---- a picture that cannot be drawn leaves no mesh

printf 'v 0 0 0\nv 1 0 0\n' >points.obj
refuse 2 'has no faces to be drawn' deform points.obj -o x.obj --picture x.png -e 'pull index=0 by=0,0,1'

# ---- signals: code 5 at once, and no file

{ echo '{"operations": ['
  for i in $(seq 5000); do echo '{"pull": {"index": [0], "by": [0, 0, 0.001]}}, {"pull": {"index": [9], "by": [0, 0, 0.001]}},'; done
  echo '{"pull": {"index": [0], "by": [0, 0, 0.001]}}]}'; } >long.json
{ for i in $(seq 0 99); do for j in $(seq 0 99); do echo "v $i $j 0"; done; done
  for i in $(seq 0 98); do for j in $(seq 1 99); do a=$((100 * i + j)); echo "f $a $((a + 100)) $((a + 101)) $((a + 1))"; done; done; } >wide.obj
stops_by_signals late.obj deform wide.obj --script long.json
exit $((failures > 0))
