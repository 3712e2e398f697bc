# supple mesh: surfaces filled, the report, every format, what other programs write, refusals.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"
star=$SUPPLE_SOURCE/scenes/meshes/star.obj

# ---- filling

expect 0 model twisted_rope --detail 0.25 -o rope.ply -q
expect 0 mesh rope.ply --count 3000 -o rope.vtu -o rope.msh -o rope.json -o rope.obj
says ' tetrahedra, '
says 'stuff, cells of '
says 'the surface has '
says ' %)'
says '1 piece, outside closed and simple, Euler number 2'
says 'wrote rope.vtu'
says 'wrote rope.obj'
for ending in vtu msh json obj; do [ -s rope.$ending ] || fail "no rope.$ending"; done
expect 0 convert rope.obj back.ply
says 'closed, volume '
expect 0 mesh "$star" --cell 0.1 --json
says '"least_angle": '
says '"method": '
expect 0 mesh rope.ply --method cage --quiet -o cage.msh
[ -s out.txt ] && fail "--quiet says something"
expect 0 mesh rope.ply --count 3000 --cut -o half.obj -q
[ "$(wc -l <half.obj)" -lt "$(wc -l <rope.obj)" ] || fail "--cut leaves as much"
# twice the same bytes
expect 0 mesh rope.ply --count 3000 -o again.msh -q
cmp -s rope.msh again.msh || fail "two runs give different files"

# ---- a cage around next to nothing: no percentages

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.3 0.3 0.001\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n' >scale.obj
expect 0 mesh scale.obj --cell 0.2 --method cage
says ' times that)'

# ---- an open surface gets a cage, and says why

cat >sheet.obj <<'OBJ'
v 0 0 0
v 1 0 0
v 1 0.8 0.7
v 0 1 0
v 2 3 0
f 1 2 3
f 1 3 4
f 3 2 5
OBJ
expect 0 mesh sheet.obj --cell 0.2
says 'cage, cells of 0.2 m; not stuff, as the surface is open'
refuse 2 'sheet.obj: the surface has no inside: the surface is open' mesh sheet.obj --method stuff -o x.msh

# ---- tetrahedra of other programs

expect 0 mesh rope.msh
says ' 0 flat, '
printf '5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n' >two.node
printf '2 4 0\n1 1 3 2 4\n2 2 3 4 5\n' >two.ele
for name in two.node two.ele; do
    expect 0 mesh $name -o two.msh
    says '1 were inside out, 0 flat'
    says '2 tetrahedra, 5 points, 9 edges, 6 triangles outside'
done
expect 0 mesh two.ele --json
says '"repaired": '
says '"flipped": 1,'
expect 0 mesh two.msh -o twice.msh -q
cmp -s two.msh twice.msh || fail "a file that is read is written differently"
cat >blocks.msh <<'MSH'
$MeshFormat
4.1 0 8
$EndMeshFormat
$Nodes
1 4 1 4
3 1 0 4
1
2
3
4
0 0 0
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
1 1 1 1
3 1 4 1
1 1 2 3 4
$EndElements
MSH
expect 0 mesh blocks.msh
says '1 tetrahedra, 4 points'

# ---- meshio sees the same

python=/usr/bin/python3
if $python -c 'import meshio' 2>/dev/null; then
    $python - >out.txt 2>&1 <<'PY' || { fail "meshio reads other tetrahedra" && cat out.txt; }
import json
import meshio
import numpy
wanted = json.load(open("rope.json"))
points, tets = numpy.array(wanted["points"], "f4"), numpy.array(wanted["tets"])
for name in ("rope.vtu", "rope.msh"):
    mesh = meshio.read(name)
    assert numpy.array_equal(mesh.points.astype("f4"), points), name
    assert numpy.array_equal(mesh.cells_dict["tetra"], tets), name
mesh = meshio.Mesh(points, [("tetra", tets)])
meshio.write("written4.msh", mesh, file_format="gmsh", binary=False)
meshio.write("written2.msh", mesh, file_format="gmsh22", binary=False)
meshio.write("written.node", mesh)
PY
    for name in written4.msh written2.msh written.node; do
        [ -e $name ] || continue
        expect 0 mesh $name -o read.msh -q
        cmp -s rope.msh read.msh || fail "$name is read differently"
    done
fi

# ---- a picture, cut open

if "$SUPPLE" render "$SUPPLE_SOURCE/scenes/hello.json" --frame 0 --size 16x16 --samples 1 -q -o tiny.png; then
    expect 0 mesh rope.ply --count 3000 --picture rope.png
    says 'drew rope.png'
    [ "$(head -c 8 rope.png | tail -c 7)" = "$(printf 'PNG\r\n\032\n')" ] || fail "rope.png is no picture"
    expect 0 mesh rope.ply --count 3000 --picture again.png -q
    cmp -s rope.png again.png || fail "two pictures differ"
    expect 0 mesh two.msh --picture two.png -q
    cmp -s rope.png two.png && fail "the picture does not show the tetrahedra"
else
    refuse 6 'this build cannot draw; install ' mesh rope.ply --picture rope.png
    [ -e rope.png ] && fail "a picture without a renderer"
fi
refuse 1 'cannot draw rope.gif: the name must end in .png' mesh rope.ply --picture rope.gif
refuse 2 'cannot write nowhere/rope.png: there is no folder nowhere' mesh rope.ply --picture nowhere/rope.png

# ---- refusals

refuse 1 '--cell and --count exclude each other' mesh rope.ply --cell 1 --count 5 -o x.msh
refuse 1 'cannot write x.png: the name must end in .vtu, .msh or .json' mesh rope.ply -o x.png
refuse 1 'rope.ply is the input itself' mesh rope.ply -o rope.ply
refuse 1 '--cell must be a number from 1e-06 to 1e+06, not "wide"' mesh rope.ply --cell wide
refuse 1 'two.msh is full of tetrahedra already: --cell, --count and --method are for surfaces' mesh two.msh --cell 0.1
refuse 1 'two.ele is full of tetrahedra already' mesh two.ele --method cage
refuse 2 'cells of 1e-05 m are too small for this surface' mesh rope.ply --cell 1e-5 -o x.msh
printf '$MeshFormat\n2.2 1 8\n' >binary.msh
refuse 2 'binary.msh:2:5: "1" stands where 0, for text, should' mesh binary.msh -o x.msh
refuse 2 'cannot read rope.vtu: the name must end in .obj, .ply, .stl, .glb or .gltf, or for tetrahedra in .msh, .node or .ele' mesh rope.vtu
for words in 'convert rope.msh x.obj' 'info two.ele' 'fit rope.msh -o x.json' 'run rope.msh'; do
    refuse 2 'it is for tetrahedra; supple mesh reads them and writes their outside' $words
done
refuse 2 'gone.node' mesh gone.node -o x.msh
refuse 1 'is written twice' mesh rope.ply -o x.msh -o ./x.msh

# ---- signals: code 5 at once, and no file

stops_by_signals late.msh mesh rope.ply --count 20000000
exit $((failures > 0))
