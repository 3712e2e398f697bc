# supple fit: bodies from meshes, edits of bodies, reports, refusals, and files that survive failures.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"
meshes=$SUPPLE_SOURCE/scenes/meshes

# value KEY: a number of the report in out.txt
value() { sed -n "s/^ *\"$1\": \(.*[^,]\),\{0,1\}$/\1/p" out.txt; }
# between KEY LOW HIGH
between() { awk -v x="$(value "$1")" -v l="$2" -v h="$3" 'BEGIN { exit !(x >= l && x <= h) }' || fail "$1 is $(value "$1"), not $2 to $3"; }

# ---- from a mesh

expect 0 fit "$meshes/star.obj" -o star.json
says 'one piece, nothing amiss'
says 'wrote star.json'
[ -s star.json ] && [ -s star.arrays.ply ] || fail "files are missing"
grep -q '"where": "inside"' star.json || fail "a closed mesh is not filled"
no_part fit
cp star.json first.json && cp star.arrays.ply first.ply
expect 0 fit "$meshes/star.obj" -o star.json --quiet
[ -s out.txt ] && fail "--quiet is not quiet"
cmp -s star.json first.json && cmp -s star.arrays.ply first.ply || fail "the same twice is not the same"
expect 0 fit "$meshes/star.obj" -o star.json --seed 2
cmp -s star.arrays.ply first.ply && fail "another seed gives the same places"

# the mesh is named as it is seen from the body
mkdir -p a/b models
cp "$meshes/star.obj" models/star.obj
expect 0 fit models/star.obj -o a/b/star.json
grep -q '"mesh": "../../models/star.obj"' a/b/star.json || fail "the mesh is called $(grep mesh a/b/star.json)"
expect 0 fit a/b/star.json

expect 0 fit "$meshes/star.obj" --count 50 --json
between particles 40 65
between pieces 1 1
between far_vertices 0 0
between line_groups 0 0
expect 0 fit "$meshes/star.obj" --spacing 0.1 --mass 3 --nearest 6 --reach 0.2 --json
between spacing 0.1 0.1
between mass 2.999 3.001
between most_links 1 6
expect 0 fit "$meshes/star.obj" --where surface --surface-density 2 --json
says '"where": "surface"'

# open and dirty meshes have a surface
expect 0 fit "$meshes/dress.obj" -o dress.json --check
grep -q '"where": "surface"' dress.json || fail "an open mesh is not sprayed on its surface"
printf 'v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 0\nv 1 0 1\nv 0 0 1\nv 9 9 9\nf 1 2 3\nf 4 5 6\nf 4 4 5\nf 3 2 1\n' >dirty.obj
expect 0 fit dirty.obj --where surface --count 40 --json
between pieces 1 1
between particles 25 60

# ---- edits

expect 0 fit "$meshes/star.obj" -o edited.json --count 80 --edit 'pin below y -0.2' --edit 'part above y 0.1'
says '1 parts'
cat >edits.txt <<'EDITS'
# from a body to a body
stiffness 50 sphere 0 0 0 0.3 fade 0.1
unpin all
torsion 0.1 all
EDITS
expect 0 fit edited.json --edits edits.txt -o again.json
says '1 parts, 0 joints, 0 pins'
expect 0 fit edited.json -o same.json
cmp -s edited.arrays.ply same.arrays.ply || fail "a body without edits changes"
expect 0 fit "$meshes/star.obj" --count 100 --mirror x --mass 10
says 'mass 10 kg'
expect 0 fit "$meshes/star.obj" --count 100 --mirror x --json
between pieces 1 1
expect 7 fit edited.json --edit 'erase-links all all' --edit 'unpart 0' --check
says 'finding: the body is'
says 'bridge them'
expect 0 fit edited.json --edit 'erase-links all all' --json
says '"findings": ['

# ---- in a scene

# drop BODY KEYS NAME: the body falls on a floor, in NAME.obj and NAME.pc2
drop() {
    cat >scene.json <<SCENE
{
  "version": 1,
  "frames": 30,
  "bodies": [{ "shape": { "rig": { "file": "$1" } }, "position": [0, 1.2, 0]$2 }],
  "colliders": [{ "shape": "plane" }]
}
SCENE
    expect 0 run scene.json -o "$3.obj"
}
expect 0 fit "$meshes/star.obj" -o soft.json --count 60 --stiffness 30
expect 0 fit soft.json -o stiff.json --stiffness 200
expect 0 fit soft.json -o painted.json --edit 'weight 0 1 above y 0.2'
drop soft.json '' soft
drop stiff.json '' stiff
drop stiff.json ', "frames": { "stiffness": 30 }' told
drop painted.json '' painted
cmp -s soft.pc2 stiff.pc2 && fail "the stiffness of a rig does nothing"
cmp -s soft.pc2 told.pc2 || fail "the stiffness of a scene does nothing to a rig"
cmp -s soft.pc2 painted.pc2 && fail "painted weights do nothing"

# a single particle is a body, too
expect 0 fit "$meshes/star.obj" -o lone.json --count 1 --check
says '1 particles'
drop lone.json '' lone

# clash KEY MESSAGE: what a scene may not say of a rig
clash() {
    printf '{"version": 1, "bodies": [{"shape": {"rig": {"file": "soft.json"}}, %s}]}' "$1" >clash.json
    refuse 2 "$2" run clash.json
}
clash '"mass": 2' 'clash.json:1:77: a rig brings its own masses'
clash '"density": 300' 'clash.json:1:80: a rig brings its own masses'
clash '"scale": 2' 'a rig has the size that it was made with'
clash '"skin": "particles"' 'the mesh is no particle of such a body: take "frames" or "dual"'
clash '"fit": "inside"' 'a rig is fitted already'
expect 0 info scene.json --json
says '"links": '

# ---- refusals leave no trace

refuse 1 'needs MESH' fit
refuse 2 'there is no such file' fit nowhere.obj
refuse 1 'the name must end in .json' fit dirty.obj -o body.ply
refuse 1 '--spacing and --count exclude each other' fit dirty.obj --spacing 1 --count 5
refuse 1 '--spacing must be a number from 1e-06 to 1e+06, not "wide"' fit dirty.obj --spacing wide
refuse 1 '--where must be one of auto, inside, surface' fit dirty.obj --where outside
refuse 1 '--seed is for a mesh; edited.json is a body already' fit edited.json --seed 3
refuse 2 'open edge' fit "$meshes/dress.obj" --where inside -o no.json
refuse 2 'the mesh has no polygons' fit "$meshes/point.obj" -o no.json
refuse 2 '--edit:1:1: "pim" is no edit; known: pin' fit edited.json --edit 'pim all' -o no.json
refuse 2 '--mirror:1:8: "w": the axis must be' fit edited.json --mirror w -o no.json
printf 'pin all\nstiffness all\n' >bad.txt
refuse 2 'bad.txt:2:11: "all": the value must be a number' fit edited.json --edits bad.txt -o no.json
refuse 2 'less than a hundred-thousandth' fit "$meshes/star.obj" --spacing 0.000002 -o no.json
sed 's/"version": 1/"version": 9/' edited.json >future.json
refuse 2 'future.json:2:14: "version" must be 1, not 9' fit future.json
head -c 3000 edited.arrays.ply >cut.arrays.ply
sed 's/edited/cut/' edited.json >cut.json
refuse 2 'cut.json:4:13: cut.arrays.ply' fit cut.json
"$SUPPLE" convert "$meshes/star.obj" body.arrays.ply --quiet
refuse 1 'is read; it is not overwritten' fit body.arrays.ply -o body.json
if locked_folder locked; then
    refuse 3 'cannot create locked/body.json' fit "$meshes/star.obj" -o locked/body.json
fi
through=()
no_part fit

exit $((failures > 0))
