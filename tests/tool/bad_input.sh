# Bad input: each kind has its own message and exit code 2, nothing is written, old files stay as they were.
set -u
failures=0

# refuse MESSAGE ARGUMENT...: supple must end with 2, say MESSAGE, and leave no trace
refuse() {
    local message=$1 before after code
    shift
    before=$(ls -A)
    "$SUPPLE" "$@" >out.txt 2>err.txt
    code=$?
    after=$(ls -A)
    if [ $code -ne 2 ] || ! grep -qF -- "$message" err.txt || [ -s out.txt ] || [ "$before" != "$after" ]; then
        echo "FAILED: supple $*"
        echo "  code $code, wanted 2 and: $message"
        sed 's/^/  said: /' err.txt
        failures=$((failures + 1))
    fi
}

# scene TEXT MESSAGE: a run of this scene must be refused
scene() {
    printf '%s' "$1" >scene.json
    refuse "$2" run scene.json -o new.glb --stats new-stats.json
}

body() { scene "{\"version\": 1, \"bodies\": [{\"shape\": $1}]}" "$2"; }

touch out.txt err.txt scene.json

# files
refuse 'none.json: there is no such file' run none.json -o new.glb
scene '' 'scene.json:1:1: the file is empty'
head -c 1000 "$SUPPLE" >scene.json
refuse 'scene.json:1:1: unexpected control character 0x7f' run scene.json -o new.glb
head -c 100000 /dev/zero | tr '\0' '[' >scene.json
refuse 'scene.json:1:65: nested deeper than 64' run scene.json -o new.glb
mkdir folder.json folder.obj
refuse 'cannot read folder.json: it is a folder' run folder.json -o new.glb
refuse 'cannot read folder.obj: it is a folder' info folder.obj
refuse 'there is no folder missing' run scene.json -o missing/new.glb

# meshes
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n' >bad.obj
body '{"mesh": {"file": "bad.obj"}}' 'scene.json:1:55: bad.obj:4:7: vertex index 4 is out of the range 1 to 3'
refuse 'bad.obj:4:7: vertex index 4 is out of the range 1 to 3' info bad.obj
printf 'ply\nformat ascii 1.0\nelement vertex 1000000\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n' >bad.ply
body '{"mesh": {"file": "bad.ply"}}' 'scene.json:1:55: bad.ply:3:9: 1000000 times "vertex" cannot fit'
refuse 'bad.ply:3:9: 1000000 times "vertex" cannot fit' info bad.ply
printf 'solid a\n facet normal 0 0 1\n outer loop\n vertex 0 0 inf\n' >bad.stl
body '{"mesh": {"file": "bad.stl"}}' 'scene.json:1:55: bad.stl:4:13: "inf" stands where a finite number should'
head -c 600 /dev/zero >bad.stl
refuse 'bad.stl: byte 80: the header announces 0 triangles = 84 bytes, the file has 600' info bad.stl
body '{"mesh": {"file": "none.obj"}}' 'scene.json:1:55: cannot read none.obj: there is no such file'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >open.obj
body '{"mesh": {"file": "open.obj"}}, "fill": 0.1' '"fill" needs a closed surface, but this mesh has 3 open edges'

# scenes
body '"box", "stifness": 1' 'scene.json:1:44: unknown key "stifness" in a body'
body '"box", "mass": 1, "mass": 2' 'scene.json:1:55: the key "mass" stands already in line 1'
body '"box", "mass": "heavy"' 'scene.json:1:52: "mass" must be a number, not a string'
body '"box", "mass": NaN' 'scene.json:1:52: NaN is not allowed'
body '"box", "mass": 1e999' 'scene.json:1:52: 1e999 is beyond the range of a double'
body '"box", "mass": -1' 'scene.json:1:52: "mass" must be above 0'
body '"box", "copies": {"grid": {"count": [100, 100, 100], "step": [1, 1, 1]}}' 'particles; at most'

# an old output survives a failed run
printf 'old' >old.glb
printf 'old' >old.obj
printf '{"version": 1, "bodies": [{"shape": "box", "mass": -1}]}' >scene.json
refuse '"mass" must be above 0' run scene.json -o old.glb -o old.obj
for file in old.glb old.obj; do
    if [ "$(cat $file)" != old ]; then
        echo "FAILED: $file was changed"
        failures=$((failures + 1))
    fi
done
rm old.glb # the gate looks at every .glb that tests leave

exit $((failures > 0))
