#!/usr/bin/env bash
# Golden state hashes. tests/golden/NAME.txt holds "frame hash" for some frames of scenes/NAME.json,
# for every NAME in tests/golden/scenes.txt; a number behind a name there is its last frame.
#
#   golden.sh check TOOL SIMDS THREADS [LAST_FRAME]   compare; lists with commas: scalar,sse2 1,2,8
#   golden.sh write TOOL                              make the files anew
#
# Ends with 77 (skipped) when the processor lacks the instruction set.
set -euo pipefail
frames=(1 10 60 300)
skipped=77

usage() {
    echo "usage: golden.sh check TOOL SIMDS THREADS [LAST_FRAME] | golden.sh write TOOL" >&2
    exit 1
}
[ $# -ge 2 ] || usage
verb=$1
tool=$(realpath -m "$2")
[ -x "$tool" ] || { echo "golden: $tool is not built; ./dev test builds it" >&2; exit 1; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mapfile -t scenes < <(grep -v '^#' tests/golden/scenes.txt | awk 'NF { print $1 }')
declare -A last_of
while read -r name last _; do
    last_of[$name]=${last:-${frames[-1]}}
done < <(grep -v '^#' tests/golden/scenes.txt | awk 'NF')
[ ${#scenes[@]} -gt 0 ] || { echo "golden: no scenes in tests/golden/scenes.txt" >&2; exit 1; }

# hashes SCENE LAST_FRAME SIMD THREADS: the lines of the golden frames
hashes() {
    "$tool" hash "scenes/$1.json" --frames "$2" --simd "$3" --threads "$4" |
        awk -v frames="${frames[*]}" '
            BEGIN { n = split(frames, list, " "); for (i = 1; i <= n; i++) golden[list[i]] = 1 }
            $1 in golden'
}

earlier() { echo $(($1 < $2 ? $1 : $2)); }

processor_has() {
    case "$1" in
        scalar | auto) true ;;
        sse2) [ "$(uname -m)" = x86_64 ] ;;
        avx2) grep -qw avx2 /proc/cpuinfo ;;
        *) usage ;;
    esac
}

# compare SCENE LAST_FRAME SIMD THREADS
compare() {
    local file=tests/golden/$1.txt want got
    [ -f "$file" ] || { echo "golden: no $file; make it by ./dev golden" >&2; return 1; }
    want=$(awk -v last="$2" '$1 <= last' "$file")
    got=$(hashes "$@") || { echo "golden: $1: the tool failed" >&2; return 1; }
    [ -n "$want" ] && [ "$want" = "$got" ] && return
    echo "golden: $1 differs with --simd $3 --threads $4 (< $file, > $tool)" >&2
    diff <(echo "$want") <(echo "$got") >&2
    return 1
}

check() {
    local last=$3 simd threads scene runs=0
    local simds threadses
    IFS=, read -ra simds <<<"$1"
    IFS=, read -ra threadses <<<"$2"
    for simd in "${simds[@]}"; do
        if ! processor_has "$simd"; then
            echo "golden: skipped, this processor has no $simd"
            exit "$skipped"
        fi
        for threads in "${threadses[@]}"; do
            for scene in "${scenes[@]}"; do
                compare "$scene" "$(earlier "$last" "${last_of[$scene]}")" "$simd" "$threads"
                runs=$((runs + 1))
            done
        done
    done
    echo "golden: $runs runs to frame $last agree"
}

write() {
    local scene file
    for scene in "${scenes[@]}"; do
        file=tests/golden/$scene.txt
        hashes "$scene" "${last_of[$scene]}" auto 1 >"$file.new"
        if cmp -s "$file.new" "$file"; then
            rm "$file.new"
            echo "golden: $file is as before"
        else
            mv "$file.new" "$file"
            echo "golden: $file is new: say in the commit why"
        fi
    done
}

case "$verb" in
    check)
        [ $# = 4 ] || [ $# = 5 ] || usage
        check "$3" "$4" "${5:-${frames[-1]}}"
        ;;
    write)
        [ $# = 2 ] || usage
        write
        ;;
    *) usage ;;
esac
