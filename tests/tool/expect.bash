# What the shell tests of the verbs share: source it first; end with: exit $((failures > 0)).
set -u
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}
# skip REASON: the test cannot run here
skip() {
    echo "skipped: $*"
    exit 77
}
# needs_package NAME: of npm, for node
needs_package() {
    command -v node >/dev/null || skip "node is missing"
    [ -d "$SUPPLE_SOURCE/node_modules/$1" ] || skip "$1 is missing; npm ci installs it"
}
# needs_pictures SCENE: a build that can draw
needs_pictures() {
    "$SUPPLE" render "$1" --frame 0 --size 16x16 --samples 1 -o probe.png >out.txt 2>err.txt
    [ $? -ne 6 ] || skip "$(cat err.txt)"
    rm -f probe.png
}

# expect CODE ARGUMENT...: runs supple, through the words of $through; what it says is in out.txt and err.txt
through=()
expect() {
    local wanted=$1 code
    shift
    "${through[@]}" "$SUPPLE" "$@" >out.txt 2>err.txt
    code=$?
    if [ $code -ne "$wanted" ]; then
        fail "supple $* ended with $code, not $wanted"
        sed 's/^/  said: /' err.txt
    fi
}
says() { grep -qF -- "$1" out.txt err.txt || fail "nothing says: $1"; }
# refuse CODE MESSAGE ARGUMENT...: supple ends so, says so, and leaves no trace
refuse() {
    local code=$1 message=$2 before
    shift 2
    before=$(find . | sort)
    expect "$code" "$@"
    says "$message"
    [ "$before" = "$(find . | sort)" ] || fail "supple $* has left something behind"
}
# no_part [WHAT]: nothing half written lies about
no_part() { [ -z "$(find . -name '*.part*')" ] || fail "${1:-supple}: temporary files are left"; }

# locked_folder NAME: makes a folder that this user may not write, or $through another one where this is root;
# false where there is no such user
locked_folder() {
    through=()
    mkdir "$1" && chmod 555 "$1"
    touch "$1/x" 2>/dev/null || return 0
    rm "$1/x"
    through=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    "${through[@]}" "$SUPPLE" --version >/dev/null 2>&1 && return 0
    through=()
    return 1
}
# soon COMMAND...: waits until it is true, 20 s at most
soon() {
    for _ in $(seq 200); do
        "$@" && return 0
        sleep 0.1
    done
    return 1
}

# catches SIGNAL PID: has the process said what it does then?
catches() {
    local mask
    mask=$(awk '/^SigCgt/ { print $2 }' "/proc/$2/status" 2>/dev/null)
    (((16#${mask:-0} >> ($(kill -l "$1") - 1)) & 1))
}
# stops_by_signals FILE WORDS...: supple ends with code 5 at once, and FILE is not there
stops_by_signals() {
    local file=$1 signal pid code
    shift
    for signal in INT TERM; do
        "$SUPPLE" "$@" -o "$file" >out.txt 2>err.txt &
        pid=$!
        soon catches $signal $pid
        kill -$signal $pid
        wait $pid
        code=$?
        [ $code -eq 5 ] || fail "SIG$signal gave code $code"
        says 'stopped; nothing is written'
        [ -e "$file" ] && fail "SIG$signal leaves a file"
    done
    no_part
}
