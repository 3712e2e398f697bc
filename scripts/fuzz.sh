#!/usr/bin/env bash
# Looks for inputs that break a promise: fuzz.sh [--untimed] [SECONDS [TARGET]]
#
# Every target of tests/fuzz/targets.txt (or that one) first shows its speed with one good file of
# about 1 KiB, unless --untimed is given, then searches for SECONDS (60; 0: not at all), two targets
# at a time. What is new is kept in build/fuzz/found/TARGET and taken up by the next search; the
# corpora of the project stay as they are. Findings go to out/fuzz. Ends with 1 when there is one, or
# when a target is too slow.
#
# Needs the presets fuzz and coverage built (./dev fuzz does that).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
programs=build/fuzz/tests/fuzz
found=build/fuzz/found
findings=out/fuzz
timed=true
if [ "${1-}" = --untimed ]; then
    timed=false
    shift
fi
seconds=${1-60}
only=${2-}
[[ "$seconds" =~ ^[0-9]+$ ]] || { echo "fuzz: \"$seconds\" is no number of seconds" >&2; exit 1; }

# The quarantine of freed memory needs few bytes here, and fresh pages are slow.
export ASAN_OPTIONS=allocator_may_return_null=1:quarantine_size_mb=8
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
mkdir -p "$found" "$findings"

mapfile -t targets < <(awk -v only="$only" '!/^#/ && NF && (only == "" || $1 == only) { print $1 }' \
    tests/fuzz/targets.txt)
[ ${#targets[@]} -gt 0 ] || { echo "fuzz: there is no target \"$only\"" >&2; exit 1; }

# column TARGET NUMBER: of its line in the table of targets
column() { awk -v name="$1" -v column="$2" '$1 == name { print $column }' tests/fuzz/targets.txt; }

# floor_of TARGET: runs a second that are wanted; "-" where it is not timed
floor_of() { if $timed; then column "$1" 3; else echo -; fi; }

# speed TARGET: runs a second with its file of 1 KiB, by processor time, the best of five tries
speed() {
    local program=$programs/fuzz_$1 file best=0 try time runs=4000 TIMEFORMAT="%U %S"
    file=$(echo "tests/fuzz/corpus/$1/one_kib".*)
    for try in 1 2 3 4 5; do
        time=$( { time "$program" -detect_leaks=0 -runs=$runs "$file" >"$found/$1.log" 2>&1; } 2>&1) ||
            { tail -n 20 "$found/$1.log" >&2; return 1; }
        try=$(awk -v runs=$runs '{ printf "%d", runs / ($1 + $2 + 1e-3) }' <<<"$time")
        if ((try > best)); then best=$try; fi
        if ((best >= $(floor_of "$1"))); then break; fi
    done
    echo "$best"
}

# search TARGET: leaves its talk in a log and its exit code in another file
search() {
    local code=0 words=()
    mkdir -p "$found/$1"
    if [ -e "tests/fuzz/$1.dict" ]; then words=(-dict="tests/fuzz/$1.dict"); fi
    # Entropic scheduling takes two thirds of the time of targets that reach much code.
    "$programs/fuzz_$1" -entropic=0 -max_total_time="$seconds" -max_len="$(column "$1" 2)" -timeout=10 \
        -rss_limit_mb=1024 -print_final_stats=1 -artifact_prefix="$findings/$1-" "${words[@]}" \
        "$found/$1" "tests/fuzz/corpus/$1" >"$found/$1.log" 2>&1 || code=$?
    echo "$code" >"$found/$1.code"
}

# figure TARGET NAME: of the last search
figure() { awk -v name="stat::$2:" '$1 == name { print $2 }' "$found/$1.log"; }

declare -A speeds
for target in "${targets[@]}"; do
    speeds[$target]=-
    if [ "$(floor_of "$target")" != - ]; then speeds[$target]=$(speed "$target"); fi
done

if ((seconds > 0)); then
    for target in "${targets[@]}"; do
        while (($(jobs -rp | wc -l) >= 2)); do wait -n; done
        search "$target" &
    done
    wait
fi

failed=false
printf '%-10s %9s %9s %11s %9s %9s  %s\n' \
    target "1 KiB/s" floor executions per_second coverage finding
for target in "${targets[@]}"; do
    floor=$(floor_of "$target")
    executions=- rate=- coverage=- finding=-
    if ((seconds > 0)); then
        executions=$(figure "$target" number_of_executed_units)
        rate=$(figure "$target" average_exec_per_sec)
        coverage=$(scripts/coverage.sh --one "$target" "tests/fuzz/corpus/$target" "$found/$target") || true
        finding=none
        if [ "$(cat "$found/$target.code")" != 0 ]; then
            finding=FOUND
            failed=true
        fi
    fi
    note=
    if [ "$floor" != - ] && ((speeds[$target] < floor)); then
        note=" TOO SLOW"
        failed=true
    fi
    printf '%-10s %9s %9s %11s %9s %7s %%  %s%s\n' "$target" "${speeds[$target]}" "$floor" \
        "${executions:--}" "${rate:--}" "${coverage:--}" "$finding" "$note"
done

for target in "${targets[@]}"; do
    if ((seconds == 0)) || [ "$(cat "$found/$target.code")" = 0 ]; then continue; fi
    printf '\n== %s ==\n' "$target"
    grep -E -A12 'broken promise|limit$|ERROR|runtime error' "$found/$target.log" | head -n 30 || true
    file=$(awk '/Test unit written to/ { print $NF }' "$found/$target.log" | tail -n 1)
    echo "again: UBSAN_OPTIONS=halt_on_error=1 $programs/fuzz_$target ${file:-(see $found/$target.log)}"
done
if $failed; then exit 1; fi
