#!/usr/bin/env bash
# What the built library shows to the outside:
# * no mutable variable, global or static;
# * every global name begins with sup_ or supi_;
# * as a shared library it needs only the C library, libm and threads, and exports exactly the
#   functions that include/supple/*.h declares;
# * each of these headers compiles alone, as C and as C++.
# usage: symbols.sh STATIC_LIBRARY [SHARED_LIBRARY]. Without the second it is made from the first,
# which is position-independent. CC names the compiler.
set -euo pipefail
export LC_ALL=C
cc=${CC:-cc}
library=$(realpath "${1:?usage: symbols.sh STATIC_LIBRARY [SHARED_LIBRARY]}")
shared=${2:+$(realpath "$2")}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# fail_if_any LIST TEXT: one name per line in LIST
fail_if_any() {
    [ -n "$1" ] || return 0
    printf 'symbols: %s:\n%s\n' "$2" "$1" >&2
    exit 1
}

# Constant tables of pointers lie in .data.rel.ro: written by the loader only.
objdump -t "$library" >"$scratch/table"
fail_if_any "$(awk '
    /file format/ { object = $1 }
    {
        # address flags section <tab> size name; flag d: the section itself
        split($0, half, "\t")
        n = split(half[1], field, " ")
        if (half[1] !~ / d / && field[n] ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ &&
            field[n] !~ /^\.data\.rel\.ro/)
            print object, field[n], $NF
    }' "$scratch/table")" "mutable variables in the library"

fail_if_any "$(nm -g --defined-only "$library" | awk 'NF == 3 && $3 !~ /^supi?_/ { print $3 }')" \
    "global names without sup_ or supi_"

if [ -z "$shared" ]; then
    shared=$scratch/libsupple.so
    "$cc" -shared -o "$shared" -Wl,--whole-archive "$library" -Wl,--no-whole-archive \
        -Wl,--no-undefined -lm -lpthread
fi
nm -D --defined-only "$shared" | awk '{ print $3 }' | sort -u >"$scratch/exported"
for header in include/supple/*.h; do
    echo "#include \"supple/${header##*/}\""
done >"$scratch/all.h"
"$cc" -E -P -std=c17 -I include -x c "$scratch/all.h" | tr '\n' ' ' | tr ';{}' '\n' |
    sed -n '/visibility("default")/p' | grep -o 'sup_[a-z0-9_]* *(' | tr -d ' (' |
    sort -u >"$scratch/declared"
fail_if_any "$(comm -23 "$scratch/exported" "$scratch/declared")" \
    "exported, but not declared in include/supple"
fail_if_any "$(comm -13 "$scratch/exported" "$scratch/declared")" \
    "declared in include/supple, but not in the library"

# compiles_alone HEADER COMPILER...
compiles_alone() {
    local header=$1
    shift
    echo "#include \"supple/${header##*/}\"" |
        "$@" -fsyntax-only -Wall -Wextra -Wconversion -Werror -I include - && return
    echo "symbols: $header does not compile alone: $*" >&2
    exit 1
}
for header in include/supple/*.h; do
    compiles_alone "$header" "$cc" -x c -std=c17
    for cxx in g++ clang++; do
        if command -v "$cxx" >/dev/null; then
            compiles_alone "$header" "$cxx" -x c++ -std=c++17
        fi
    done
done
echo "symbols: $(wc -l <"$scratch/exported") exported functions, all declared; no mutable variable"
