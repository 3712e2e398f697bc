# Reports of one scene and of two in a real browser: no errors, nothing fetched, everything shows, in light and in
# dark, on a phone and on a wide screen.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

[ -z "${SUPPLE_SHORT-}" ] || skip "tool.report writes the same pages for the sanitizers"
chromium=$(command -v chromium) || skip "chromium is missing"
needs_package playwright-core

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

expect 0 report small.json -o one.html --size 160x90 --samples 1
if grep -q 'has no pictures' err.txt; then
    grep -q 'There are no pictures' one.html || fail "the page does not say why it has no pictures"
    [ $failures -gt 0 ] || skip "this build cannot draw"
    exit 1
fi
sed 's/"frames"/"gravity": [0, -1.6, 0], &/' small.json >moon.json
expect 0 report --compare small.json moon.json -o two.html --size 160x90 --samples 1
for name in one two; do
    node "$SUPPLE_SOURCE/scripts/browse_report.mjs" "$chromium" $name.html $name || fail "$name.html is faulty"
done
exit $((failures > 0))
