#!/usr/bin/env bash
# Line coverage of what the fuzz targets of tests/fuzz/targets.txt are for, by their corpora.
#
#   coverage.sh [--check] [BUILD]         a table; with --check an error below 85 %
#   coverage.sh --one TARGET INPUTS...    one figure in per cent, by these files and folders
#
# BUILD is the folder of the preset coverage (build/coverage).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
least=85

# Profiles are read by the tools of the compiler that made them.
llvm=$(dirname "$(realpath "$(command -v clang)")")

# files TARGET: what it must reach
files() {
    local patterns
    patterns=$(awk -v name="$1" '$1 == name { for (i = 4; i <= NF; i++) print $i }' tests/fuzz/targets.txt)
    # shellcheck disable=SC2086 # patterns become names
    echo $patterns
}

# measure TARGET INPUTS...: prints "lines missed"
measure() {
    local target=$1 program=$build/tests/fuzz/fuzz_$1 profile=$scratch/$1
    [ -x "$program" ] || { echo "coverage: $program is not built" >&2; return 1; }
    if ! LLVM_PROFILE_FILE=$profile.raw "$program" "${@:2}" >"$profile.log" 2>&1; then
        tail -n 20 "$profile.log" >&2
        return 1
    fi
    "$llvm/llvm-profdata" merge -sparse -o "$profile.data" "$profile.raw"
    # shellcheck disable=SC2046 # one word each
    "$llvm/llvm-cov" report "$program" -instr-profile="$profile.data" $(files "$target") |
        awk '$1 == "TOTAL" { print $8, $9; found = 1 } END { exit !found }'
}

per_cent() { awk -v lines="$1" -v missed="$2" 'BEGIN { printf "%.1f", 100 * (lines - missed) / lines }'; }

check=false
one=false
case "${1-}" in
    --check) check=true; shift ;;
    --one) one=true; shift ;;
esac
build=build/coverage
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if $one; then
    # shellcheck disable=SC2046 # two words
    per_cent $(measure "$@")
    exit
fi
build=${1-build/coverage}

failed=false
printf '%-10s %8s %8s %8s\n' target lines missed covered
mapfile -t targets < <(awk '!/^#/ && NF { print $1 }' tests/fuzz/targets.txt)
for target in "${targets[@]}"; do
    figures=$(measure "$target" "tests/fuzz/corpus/$target")
    read -r lines missed <<<"$figures"
    note=
    if ((100 * (lines - missed) < least * lines)); then
        note="  below $least %"
        failed=true
    fi
    printf '%-10s %8d %8d %6s %%%s\n' "$target" "$lines" "$missed" "$(per_cent "$lines" "$missed")" "$note"
done
if $check && $failed; then exit 1; fi
