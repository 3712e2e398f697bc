#!/usr/bin/env bash
# The gallery: a poster of every scene, one contact sheet of all, and charts, in docs/pictures.
# scripts/gallery.txt says which frames, scripts/charts.txt which columns.
#
#   gallery.sh make TOOL          draw the pictures anew
#   gallery.sh page TOOL          does docs/gallery.md have all of them?
#   gallery.sh check TOOL SCENE   judge the pictures of a scene that are there
#   gallery.sh charts TOOL        compare the charts that are there
#
# check ends with 77 (skipped) when the build cannot draw or the npm packages are missing.
set -euo pipefail
size=640x360
cells=4          # of a row of the contact sheet
row_size=960x135 # so that they are 240x135
row_frames=20:140
samples=64
check_samples=8
check_row_samples=24 # few pixels, so that they cost little; and small bodies are noisy
largest=300000     # bytes of a poster
largest_row=100000 # bytes of a row of the contact sheet
cannot_draw=6  # exit code of the tool
skipped=77

usage() {
    echo "usage: gallery.sh make|page|charts TOOL | gallery.sh check TOOL SCENE" >&2
    exit 1
}
case "$#,${1-}" in
    2,make | 2,page | 2,charts | 3,check) ;;
    *) usage ;;
esac
verb=$1
tool=$(realpath "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
pictures=docs/pictures
page=docs/gallery.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "gallery: $*" >&2
    exit 1
}

# Arguments of supple for a poster and for a row of the contact sheet, as the page shows them.
poster_arguments() { # SCENE FRAME OPTIONS
    echo "render scenes/$1.json --frame $2 --size $size --samples $samples${3:+ $3}"
}
row_view() { # SCENE
    echo "render scenes/$1.json --contact-sheet 1x$cells --frames $row_frames --size $row_size"
}
row_arguments() { # SCENE
    echo "$(row_view "$1") --samples $samples"
}

# Lines of the table: scene, frame, least and most bodies that are seen, options.
mapfile -t table < <(grep -v '^#' scripts/gallery.txt | awk 'NF')
# Lines of the other: name, scene, frames, columns, other options.
mapfile -t charts < <(grep -v '^#' scripts/charts.txt | awk 'NF')

# Arguments of supple for the numbers of a chart and for itself.
stats_arguments() { # SCENE FRAMES
    echo "run scenes/$1.json --frames $2 --stats stats.json"
}
chart_arguments() { # COLUMNS OPTIONS
    echo "plot stats.json --columns $1${2:+ $2}"
}

# chart FOLDER LINE
chart() {
    local name scene frames columns options
    read -r name scene frames columns options <<<"$2"
    # shellcheck disable=SC2046 # the arguments are words
    (cd "$scratch" && ln -sfn "$OLDPWD/scenes" scenes &&
        "$tool" $(stats_arguments "$scene" "$frames") --quiet &&
        "$tool" $(chart_arguments "$columns" "$options") -o chart.svg >"$scratch/said")
    mv "$scratch/chart.svg" "$1/$name.svg"
}

threads=1 # tests run side by side

# draw OUTPUT ARGUMENTS
draw() {
    # shellcheck disable=SC2086 # the arguments are words
    "$tool" $2 --threads $threads --quiet -o "$1"
}

make() {
    local line scene frame options rows=() threads=2
    mkdir -p "$pictures"
    for line in "${table[@]}"; do
        read -r scene frame _ _ options <<<"$line"
        draw "$pictures/$scene.png" "$(poster_arguments "$scene" "$frame" "$options")"
        draw "$scratch/$scene.png" "$(row_arguments "$scene")"
        rows+=(-i "$scratch/$scene.png")
        echo "gallery: $scene is drawn"
    done
    for line in "${charts[@]}"; do chart "$pictures" "$line"; done
    ffmpeg -v error -y "${rows[@]}" -filter_complex "vstack=inputs=${#table[@]}" \
        -compression_level 9 "$pictures/contact-sheet.png"
}

# Every scene is in the table, and every picture on the page with the command that makes it.
page() {
    local file line scene frame name frames columns options
    for file in scenes/*.json; do
        scene=$(basename "$file" .json)
        grep -q "^$scene " scripts/gallery.txt || fail "scripts/gallery.txt has no scene $scene"
    done
    for line in "${table[@]}"; do
        read -r scene frame _ _ options <<<"$line"
        has_picture "$scene.png" $largest
        has_text "supple $(poster_arguments "$scene" "$frame" "$options") -o $scene.png"
        has_text "supple $(row_arguments "$scene")"
    done
    has_picture contact-sheet.png $((largest_row * ${#table[@]}))
    for line in "${charts[@]}"; do
        read -r name scene frames columns options <<<"$line"
        has_picture "$name.svg" $largest
        has_text "supple $(stats_arguments "$scene" "$frames")"
        has_text "supple $(chart_arguments "$columns" "$options") -o $name.svg"
    done
}

has_text() { grep -qF -- "$1" "$page" || fail "$page lacks: $1"; }

has_picture() { # NAME BYTES
    local file=$pictures/$1
    has_text "(pictures/$1)"
    [ -f "$file" ] || fail "$file is missing; ./dev gallery draws it"
    [ "$(wc -c <"$file")" -le "$2" ] || fail "$file has more than $2 bytes"
}

# Draws the same view twice more, cheaply, and lets check_picture.mjs compare. A tape saves simulating thrice.
check_poster() { # SCENE FRAME LEAST MOST OPTIONS...
    local tape=$scratch/run.sup code=0
    local view=(render "scenes/$1.json" --replay "$tape" --frame "$2" --size "$size" --quiet)
    "$tool" run "scenes/$1.json" --frames "$2" --quiet -o "$tape"
    "$tool" export "$tape" --quiet -o "$scratch/poses.pc2"
    "$tool" "${view[@]}" "${@:5}" --samples "$check_samples" -o "$scratch/anew.png" || code=$?
    [ $code != $cannot_draw ] || exit $skipped
    [ $code = 0 ] || fail "$1 cannot be drawn"
    "$tool" "${view[@]}" --overlay ids -o "$scratch/ids.png"
    node scripts/check_picture.mjs poster "$pictures/$1.png" "$scratch/ids.png" "$scratch/anew.png" \
        "$scratch/poses.pc2" "$3" "$4"
}

# The same for its row of the contact sheet. By day nothing is drawn for that: what makes a row old
# makes the poster old too, and both are drawn anew by one command.
check_row() { # SCENE ROW
    local others=()
    if [ -n "${SUPPLE_LONG-}" ]; then
        others=("$scratch/row-anew.png" "$scratch/row-ids.png")
        draw "${others[0]}" "$(row_view "$1") --samples $check_row_samples"
        draw "${others[1]}" "$(row_view "$1") --overlay ids"
    fi
    node scripts/check_picture.mjs row "$pictures/contact-sheet.png" ${#table[@]} $cells "$2" \
        "${others[@]}"
}

check() { # SCENE
    local row scene
    if [ ! -d node_modules/pngjs ]; then
        echo "gallery: skipped, the package pngjs is missing; npm ci installs it"
        exit $skipped
    fi
    for row in "${!table[@]}"; do
        read -r scene _ <<<"${table[row]}"
        [ "$scene" = "$1" ] || continue
        # shellcheck disable=SC2086 # the columns of the table
        check_poster ${table[row]}
        check_row "$scene" "$row"
        return
    done
    fail "scripts/gallery.txt has no scene $1"
}

# Charts are the same to the byte.
charts() {
    local line name
    for line in "${charts[@]}"; do
        read -r name _ <<<"$line"
        chart "$scratch" "$line"
        cmp -s "$scratch/$name.svg" "$pictures/$name.svg" || fail "$name.svg is another now"
    done
}

case "$verb" in
    make | page | charts) "$verb" ;;
    check) check "$3" ;;
esac
