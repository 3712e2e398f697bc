#!/usr/bin/env bash
# The laws that can be read off the sources of src/ and tool/:
# * a file includes only its own room and lower floors, never sideways or up;
# * src/ calls no function whose result depends on the system (libm, locale, random numbers),
#   and outside src/base/ none that goes past the gates for memory and files;
# * files that CMakeLists.txt has gcc make vectors of (turning_sources) say nothing of doubles.
# Fails with file:line. usage: rooms.sh [ROOT]
set -euo pipefail
cd "${1-$(dirname "${BASH_SOURCE[0]}")/..}"

# mapfile, because an empty list would make awk read the standard input
mapfile -t files < <(find src tool -name '*.[ch]' | LC_ALL=C sort)
[ ${#files[@]} -gt 0 ] || { echo "rooms: no sources in src/ and tool/" >&2; exit 1; }

turning=$(sed -n 's/.*"\/src\/contact\/(\(.*\))\\\\\.c\$").*/\1/p' CMakeLists.txt | grep turning)

awk -v turning="$turning" '
function complain(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
    failed = 1
}

function add_names(names, reason, list, n, i) {
    n = split(names, list, " ")
    for (i = 1; i <= n; i++) forbidden[list[i]] = reason
}

BEGIN {
    n = split("base 0 geom 1 file 1 deform 2 solve 2 contact 2 skin 2 blueprint 3 world 4 " \
              "scene 5 tape 5 tool 6", pair, " ")
    for (i = 1; i < n; i += 2) floor[pair[i]] = pair[i + 1]
    for (i = 1; i < ARGC; i++) is_file[ARGV[i]] = 1

    # All of math.h but the exact functions sqrt, fabs, floor, ceil, trunc, ldexp, rint, lrint, llrint.
    n = split("acos acosh asin asinh atan atan2 atanh cbrt copysign cos cosh erf erfc exp exp2 " \
              "expm1 fdim fma fmax fmin fmod frexp hypot ilogb lgamma llround log log10 log1p " \
              "log2 logb lround modf nan nearbyint nextafter nexttoward pow remainder remquo " \
              "round scalbln scalbn sin sincos sinh tan tanh tgamma", math, " ")
    for (i = 1; i <= n; i++)
        add_names(math[i] " " math[i] "f " math[i] "l", "libm differs between systems; see base/real.h")
    add_names("strtod strtof strtold atof", "depends on the locale; see base/number.h")
    add_names("rand srand random drand48", "differs between systems")
    add_names("malloc calloc realloc free aligned_alloc posix_memalign", "memory: use base/memory.h")
    add_names("fopen freopen fdopen open creat rename remove unlink", "files: use base/file_io.h")
}

# Code without strings and comments; a block comment may go on over lines.
function code_of(line, out, c, two, quote) {
    out = ""
    while (line != "") {
        two = substr(line, 1, 2)
        c = substr(line, 1, 1)
        if (in_comment) {
            if ((i = index(line, "*/")) == 0) return out
            in_comment = 0
            line = substr(line, i + 2)
        } else if (two == "/*") {
            in_comment = 1
            line = substr(line, 3)
        } else if (two == "//") {
            return out
        } else if (c == "\"" || c == "\047") {
            quote = c
            line = substr(line, 2)
            while (line != "" && (c = substr(line, 1, 1)) != quote)
                line = substr(line, c == "\\" ? 3 : 2)
            line = substr(line, 2)
            out = out "_"
        } else {
            match(line, /^([^\/"\047]+|\/)/)
            out = out substr(line, 1, RLENGTH)
            line = substr(line, RLENGTH + 1)
        }
    }
    return out
}

function check_include(path, other) {
    other = path
    if (room == "tool" && ("tool/" path) in is_file) return
    if (!sub(/\/.*/, "", other)) {
        complain(room == "tool" ? "no such file in tool/: " path \
                                : "write the include as \"room/file.h\": " path)
    } else if (other == "supple") {
        return
    } else if (!(other in floor)) {
        complain("unknown room: " path)
    } else if (other != room && floor[other] + 0 >= floor[room] + 0) {
        complain("room " room " (floor " floor[room] ") must not include " path \
                 " (floor " floor[other] ")")
    }
}

function check_calls(code, name, before) {
    while (match(code, /[A-Za-z_][A-Za-z0-9_]*[ \t]*\(/)) {
        name = substr(code, RSTART, RLENGTH)
        before = substr(code, 1, RSTART - 1)
        code = substr(code, RSTART + RLENGTH)
        sub(/[ \t]*\($/, "", name)
        if (!(name in forbidden) || before ~ /(\.|->)[ \t]*$/) continue
        if (room == "base" && forbidden[name] ~ /^(memory|files):/) continue
        complain(name "(): " forbidden[name])
    }
}

FNR == 1 {
    n = split(FILENAME, part, "/")
    room = part[1] == "tool" ? "tool" : part[2]
    in_comment = 0
    floats_only = FILENAME ~ "^src/contact/(" turning ")\\.c$"
    if (!(room in floor)) complain("unknown room: " room)
}

/^[ \t]*#[ \t]*include[ \t]*"/ && !in_comment {
    split($0, part, "\"")
    check_include(part[2])
    next
}

{
    code = code_of($0)
    if (room != "tool") check_calls(code)
    if (floats_only && code ~ /(^|[^A-Za-z0-9_])double([^A-Za-z0-9_]|$)/) {
        complain("gcc 12 may forget a rounding of doubles here; see turning_sources in CMakeLists.txt")
    }
}

END { exit failed }
' "${files[@]}"
echo "rooms: ${#files[@]} files keep the laws"
