# What the shell tests of the verbs share: source it first; end with: exit $((failures > 0)).
set -u
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect CODE ARGUMENT...: runs supple; its words are in out.txt and err.txt
expect() {
    local wanted=$1 code
    shift
    "$SUPPLE" "$@" >out.txt 2>err.txt
    code=$?
    if [ $code -ne "$wanted" ]; then
        fail "supple $* ended with $code, not $wanted"
        sed 's/^/  said: /' err.txt
    fi
}
says() { grep -qF -- "$1" out.txt err.txt || fail "nothing says: $1"; }
