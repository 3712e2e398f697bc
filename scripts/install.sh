#!/usr/bin/env bash
# Installs the Debian packages of the given sets (see packages.txt) that are missing.
# Silent and offline when nothing is. usage: install.sh SET...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

missing_package=6 # exit code

# One line "package version or" for every package of the sets.
wanted() {
    local set
    for set in "$@"; do
        awk -v set="$set" '$1 == set { print $2, $3, $4 }' scripts/packages.txt
    done
}

# Prints the version if the package is installed.
installed_version() {
    local state
    # shellcheck disable=SC2016 # the format belongs to dpkg-query
    state=$(dpkg-query -W -f '${db:Status-Status} ${Version}\n' "$1" 2>/dev/null) || return 0
    awk '$1 == "installed" { print $2; exit }' <<<"$state"
}

apt() {
    local command=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600)
    if [ "$(id -u)" != 0 ]; then command=(sudo "${command[@]}"); fi
    "${command[@]}" "$@"
}

if ! command -v dpkg-query >/dev/null; then
    echo "install: not a Debian system; these must be there: $(wanted "$@" | cut -d' ' -f1 | xargs)" >&2
    exit 0
fi

missing=()
while read -r package version or; do
    if [ "$or" != - ] && command -v "$or" >/dev/null; then continue; fi
    found=$(installed_version "$package")
    if [ -z "$found" ]; then
        missing+=("$package")
    elif [ "$version" != - ] && [[ "${found#*:}" != "$version"[.+-]* ]]; then
        echo "install: $package is $found; known to work is $version" >&2
    fi
done < <(wanted "$@")
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    echo "install: these Debian packages are missing, and only root may install them:" >&2
    echo "  apt-get install ${missing[*]}" >&2
    exit "$missing_package"
fi

echo "install: ${missing[*]}" >&2
if ! { apt update && apt -y --no-install-recommends install "${missing[@]}"; } >&2; then
    echo "install: could not install ${missing[*]}" >&2
    exit "$missing_package"
fi
