# Tests that look at pictures: numbers by scripts/measure_picture.mjs. Source it behind expect.bash.

# demand JAVASCRIPT TEXT ARGUMENT...: m is what measure_picture.mjs says of the picture
demand() {
    local condition=$1 text=$2
    shift 2
    node "$SUPPLE_SOURCE/scripts/measure_picture.mjs" "$@" >measured.json
    node -e "const m = JSON.parse(require('fs').readFileSync('measured.json')); process.exit($condition ? 0 : 1)" ||
        fail "$text: $(cat measured.json)"
}
