#!/usr/bin/env bash
# Formats every C and C++ file of the tree; with --check only says which are not formatted.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "${1-}" in
    --check) mode=(--dry-run -Werror) ;;
    "") mode=(-i) ;;
    *) echo "usage: format.sh [--check]" >&2; exit 1 ;;
esac

find . \( -path ./.git -o -path ./build -o -path ./out -o -name node_modules \) -prune -o \
    -type f \( -name '*.[ch]' -o -name '*.cpp' \) -print0 |
    xargs -0 --no-run-if-empty clang-format-14 "${mode[@]}" ||
    { echo "format: put it right by ./dev format" >&2; exit 1; }
