#!/usr/bin/env bash
# Proves the examples of README.md and docs/: takes them out and tries them, each in a folder of
# its own in which `scenes` leads to the scenes of the project.
#
#   ```c     first line /* compile */ or /* run */   a whole program, compiled (and run)
#   ```json  line before: <!-- scene -->             simulated for two frames
#   ```sh    line before: <!-- run -->               executed with `supple` on the PATH
#
# usage: snippets.sh TOOL STATIC_LIBRARY [ROOT]. CC names the compiler.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: snippets.sh TOOL STATIC_LIBRARY [ROOT]" >&2; exit 1; }
cc=${CC:-cc}
tool=$(realpath "$1")
library=$(realpath "$2")
cd "${3-$(dirname "${BASH_SOURCE[0]}")/..}"
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Writes each snippet to NUMBER/snippet.KIND and lists "number kind file:line".
mapfile -t pages < <(find README.md docs -name '*.md' 2>/dev/null | LC_ALL=C sort)
[ ${#pages[@]} -gt 0 ] || { echo "snippets: no pages"; exit 0; }
awk -v scratch="$scratch" '
    function begin(kind) {
        number++
        folder = scratch "/" number
        system("mkdir -p " folder)
        path = folder "/snippet." language
        print number, kind, FILENAME ":" FNR
    }
    FNR == 1 { language = ""; path = ""; before = "" }
    language == "" && /^```[a-z]/ {
        language = substr($0, 4)
        first = 1
        if (language == "json" && before ~ /^<!-- scene -->/) begin("scene")
        if (language == "sh" && before ~ /^<!-- run -->/) begin("shell")
        next
    }
    language != "" && /^```/ {
        if (path != "") close(path)
        language = path = before = ""
        next
    }
    language == "c" && first && /^\/\* compile \*\//  { begin("compile") }
    language == "c" && first && /^\/\* run \*\//      { begin("program") }
    path != "" { print >path }
    { first = 0; before = $0 }
' "${pages[@]}" >"$scratch/list"

try() {
    case "$1" in
        compile | program)
            "$cc" -std=c17 -Wall -Wextra -Werror -I "$root/include" snippet.c -o snippet \
                "$library" -lm -lpthread && { [ "$1" = compile ] || ./snippet; }
            ;;
        scene) "$tool" run snippet.json --frames 2 ;;
        shell) PATH="$(dirname "$tool"):$PATH" bash -euo pipefail snippet.sh ;;
    esac
}

count=0
while read -r number kind place; do
    cd "$scratch/$number"
    ln -s "$root/scenes" scenes
    if ! try "$kind" >log 2>&1 </dev/null; then
        cat log >&2
        echo "$place: this snippet ($kind) does not work" >&2
        exit 1
    fi
    count=$((count + 1))
done <"$scratch/list"
echo "snippets: all $count work (${#pages[@]} pages)"
