#!/usr/bin/env bash
# The pictures of docs/deform.md: meshes are made here, deformed and drawn by the tool, and put side
# by side.
#
#   deform_pictures.sh make TOOL          draw them anew, in docs/pictures
#   deform_pictures.sh check TOOL [NAME]  do they look as drawn anew? all of them, or one
#
# check ends with 77 (skipped) when the build cannot draw or a program is missing.
set -euo pipefail
names=(rings transverse passes pins cube volumes face plate)
cannot_draw=6 # exit code of the tool
skipped=77

case "$#,${1-}" in
    2,make | 2,check | 3,check) ;;
    *)
        echo "usage: deform_pictures.sh make TOOL | deform_pictures.sh check TOOL [NAME]" >&2
        exit 1
        ;;
esac
tool=$(realpath "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# ---- meshes

sheet() { # POINTS OF A SIDE: triangles from -1 to 1
    awk -v n="$1" 'BEGIN {
        for (j = 0; j < n; j++) for (i = 0; i < n; i++) printf "v %.6g 0 %.6g\n", 2 * i / (n - 1) - 1, 2 * j / (n - 1) - 1
        for (j = 0; j + 1 < n; j++) for (i = 0; i + 1 < n; i++) {
            a = j * n + i + 1
            printf "f %d %d %d\nf %d %d %d\n", a, a + n, a + n + 1, a, a + n + 1, a + 1
        }
    }'
}
# The surface of a cube, n edges a side, as triangles; `round` makes a ball of it.
cube() { # EDGES ROUND
    awk -v n="$1" -v round="$2" '
    function point(x, y, z,   key, r) {
        key = x "," y "," z
        if (key in seen) return seen[key]
        seen[key] = ++count
        if (round) {
            x = 2 * x / n - 1; y = 2 * y / n - 1; z = 2 * z / n - 1
            x = sin(x * a) / cos(x * a); y = sin(y * a) / cos(y * a); z = sin(z * a) / cos(z * a)
            r = sqrt(x * x + y * y + z * z)
            printf "v %.7f %.7f %.7f\n", x / r, y / r, z / r
        } else {
            printf "v %g %g %g\n", x, y, z
        }
        return count
    }
    function side(f, u, v) { # the two coordinates of a side, seen from outside
        if (f == 0) return point(u, v, n)
        if (f == 1) return point(v, u, 0)
        if (f == 2) return point(n, u, v)
        if (f == 3) return point(0, v, u)
        if (f == 4) return point(v, n, u)
        return point(u, 0, v)
    }
    BEGIN {
        a = atan2(1, 1)
        for (f = 0; f < 6; f++) for (u = 0; u < n; u++) for (v = 0; v < n; v++) {
            p = side(f, u, v); q = side(f, u + 1, v); r = side(f, u + 1, v + 1); s = side(f, u, v + 1)
            faces = faces sprintf("f %d %d %d\nf %d %d %d\n", p, q, r, p, r, s)
        }
        printf "%s", faces
    }'
}

# ---- pictures

# draw PART MESH WORDS...: what the tool says is kept
draw() {
    local part=$1 mesh=$2 code=0
    shift 2
    "$tool" deform "$mesh" --picture "$part.png" "$@" >"$part.txt" || code=$?
    [ $code -ne $cannot_draw ] || exit $skipped
    [ $code -eq 0 ] || exit $code
}
# beside NAME PART...: parts half as large, in a row
beside() {
    local name=$1 inputs=() chain="" k=0
    shift
    for part in "$@"; do
        inputs+=(-i "$part.png")
        chain+="[$k]scale=480:360:flags=area[p$k];"
        k=$((k + 1))
    done
    for ((k = 0; k < $#; k++)); do chain+="[p$k]"; done
    [ $# -gt 1 ] && chain+="hstack=inputs=$#" || chain+="null"
    ffmpeg -nostdin -loglevel error -y "${inputs[@]}" -filter_complex "$chain" -frames:v 1 \
        -compression_level 9 -pred mixed "deform-$name.png"
}

make_rings() {
    sheet 41 >sheet.obj
    draw rings sheet.obj -e 'pull nearest=0,0,0 by=0,0.35,0'
    beside rings rings
}
make_transverse() {
    sheet 41 >sheet.obj
    for t in 0 0.5 1; do draw "transverse$t" sheet.obj -e "pull nearest=0,0,0 by=0,0.35,0 transverse=$t"; done
    beside transverse transverse0 transverse0.5 transverse1
}
make_passes() {
    sheet 41 >sheet.obj
    draw once sheet.obj -e 'pull nearest=-0.2,0,0 by=0.4,0.2,0 transfer=1 transverse=0.3 depth=14 fade passes=1'
    draw often sheet.obj -e 'pull nearest=-0.2,0,0 by=0.4,0.2,0 transfer=1 transverse=0.3 depth=14 fade'
    beside passes once often
}
make_pins() {
    sheet 41 >sheet.obj
    draw around sheet.obj -e 'pin box=0.29,-1,-0.6,0.31,1,0.6' -e 'pull nearest=-0.1,0,0 by=0,0.5,0 transfer=1 transverse=0.95'
    draw blocked sheet.obj -e 'pin box=0.29,-1,-1,0.31,1,1' -e 'pull nearest=-0.1,0,0 by=0,0.5,0 transfer=1 transverse=0.95 pins_block'
    beside pins around blocked
}
make_cube() {
    cube 4 0 >cube.obj
    draw whole cube.obj -e 'pull nearest=0,4,4 by=-1.5,1.5,1.5 transfer=0.5 transverse=0'
    draw split cube.obj -e 'split stretch=1.5' -e 'pull nearest=0,4,4 by=-1.5,1.5,1.5 transfer=0.5 transverse=0'
    beside cube whole split
}
make_volumes() {
    cube 40 1 >ball.obj
    draw dent ball.obj -e 'dent centre=0.42,0.66,0.91 radius=0.5'
    draw bulge ball.obj -e 'bulge centre=-0.55,0.55,0.25 radius=0.5'
    beside volumes dent bulge
}
# The volumes of the caption are those that the tool says.
caption_volumes() {
    cat dent.txt bulge.txt | sed -n 's/.*, volume \(.*\) -> \(.*\) m^3/\1 \2/p' | awk '
        NR == 1 { printf "Dent: %.4f m^3 before, %.4f after. ", $1, $2 }
        NR == 2 { printf "Bulge: %.4f before, %.4f after, %.4f more.", $1, $2, $2 - $1 }'
}
make_face() {
    cube 40 1 >ball.obj
    for amount in 0.01 0.5 1; do
        draw "face$amount" ball.obj -e "landmarks $(face) power=4 amount=$amount"
    done
    beside face face0.01 face0.5 face1
}
# Places of a head and where they go, in pairs: what stays, then nose, eyes, brows, mouth, cheeks, chin.
face() {
    awk 'function put(x, y, z, u, v, w) {
        r = sqrt(x * x + y * y + z * z)
        from = from (from ? ";" : "") x / r "," y / r "," z / r
        to = to (to ? ";" : "") u "," v "," w
    }
    function still(x, y, z) { r = sqrt(x * x + y * y + z * z); put(x, y, z, x / r, y / r, z / r) }
    BEGIN {
        still(0, 1, 0.2); still(0, 0, -1); still(1, 0, 0); still(-1, 0, 0); still(0.7, 0.6, 0); still(-0.7, 0.6, 0)
        put(0, 0, 1, 0, -0.05, 1.4); put(0, 0.25, 1, 0, 0.28, 0.98)
        put(0.15, -0.02, 1, 0.14, -0.1, 1.05); put(-0.15, -0.02, 1, -0.14, -0.1, 1.05)
        put(0.36, 0.3, 0.9, 0.36, 0.28, 0.72); put(-0.36, 0.3, 0.9, -0.36, 0.28, 0.72)
        put(0.4, 0.55, 0.8, 0.4, 0.52, 0.92); put(-0.4, 0.55, 0.8, -0.4, 0.52, 0.92)
        put(0, -0.33, 1, 0, -0.36, 1.04); put(0, -0.45, 0.95, 0, -0.46, 0.86); put(0, -0.57, 0.88, 0, -0.56, 0.98)
        put(0.6, -0.15, 0.8, 0.64, -0.12, 0.84); put(-0.6, -0.15, 0.8, -0.64, -0.12, 0.84)
        put(0, -0.85, 0.55, 0, -1.05, 0.85); put(0.45, -0.75, 0.4, 0.38, -0.85, 0.42); put(-0.45, -0.75, 0.4, -0.38, -0.85, 0.42)
        print "from=" from " to=" to
    }'
}
make_plate() {
    sheet 81 >plate.obj
    awk 'BEGIN {
        print "{\"operations\": ["
        for (k = 0; k < 30; k++) {
            r = 0.165 * sqrt(k); x = r * cos(2.39996 * k); z = r * sin(2.39996 * k)
            printf "{\"pull\": {\"nearest\": [%.4f, 0, %.4f], \"by\": [0, -0.08, 0], \"transverse\": 0.95, \"transfer\": 1, \"depth\": 7, \"fade\": true}},\n", x, z
        }
        print "{\"pull\": {\"index\": [0], \"by\": [0, 0, 0]}}]}"
    }' >plate.json
    draw plate plate.obj --script plate.json
    beside plate plate
}

command -v ffmpeg >/dev/null || exit $skipped
if [ "$1" = make ]; then
    for name in "${names[@]}"; do
        "make_$name"
        cp "deform-$name.png" "$root/docs/pictures/"
    done
    exit 0
fi
[ -d "$root/node_modules/pngjs" ] || exit $skipped
for name in "${names[@]}"; do
    grep -q "(pictures/deform-$name.png)" "$root/docs/deform.md" || {
        echo "docs/deform.md does not show deform-$name.png" >&2
        exit 1
    }
    [ $# -lt 3 ] || [ "$3" = "$name" ] || continue
    "make_$name"
    [ "$name" != volumes ] || grep -qF "$(caption_volumes)" "$root/docs/deform.md" || {
        echo "docs/deform.md has other volumes than: $(caption_volumes)" >&2
        exit 1
    }
    (cd "$root" && node scripts/check_picture.mjs alike "docs/pictures/deform-$name.png" "$scratch/deform-$name.png")
done
