# A report in a real browser: no errors, nothing fetched, everything shows, in light and in dark and on a
# phone.
set -u
skip() {
    echo "skipped: $*"
    exit 77
}

chromium=$(command -v chromium) || skip "chromium is missing"
command -v node >/dev/null || skip "node is missing"
[ -d "$SUPPLE_SOURCE/node_modules/playwright-core" ] || skip "playwright-core is missing; npm ci installs it"

cat >small.json <<'SCENE'
{
  "version": 1,
  "name": "5 < 6 & \"quoted\"",
  "frames": 12,
  "bodies": [
    { "name": "<b>box</b>", "shape": { "box": { "segments": [3, 3, 3] } }, "position": [0, 1, 0] },
    { "shape": { "icosphere": { "subdivisions": 2 } }, "position": [0, 2.5, 0] }
  ],
  "colliders": [{ "shape": "plane" }]
}
SCENE

"$SUPPLE" report small.json -o small.html --size 160x90 --samples 1 2>err.txt || {
    cat err.txt
    exit 1
}
if grep -q 'has no pictures' err.txt; then
    grep -q 'There are no pictures' small.html || {
        echo "FAILED: the page does not say why it has no pictures"
        exit 1
    }
    skip "this build cannot draw"
fi
node "$SUPPLE_SOURCE/scripts/browse_report.mjs" "$chromium" small.html small
