# supple plot: charts from a file of --stats; bad files, bad columns, exit codes.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

# is_xml FILE: by whichever reader is there
is_xml() {
    if command -v python3 >/dev/null; then
        python3 -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' "$1" || fail "$1 is not XML"
    elif command -v xmllint >/dev/null; then
        xmllint --huge --noout "$1" || fail "$1 is not XML"
    else
        # every tag that is opened is closed
        tr '\n' ' ' <"$1" | sed 's/>/>\n/g' | awk '
            !match($0, /<[^<]*>$/) { next }
            { tag = substr($0, RSTART); name = tag; gsub(/^<\/?|[ \/>].*$/, "", name) }
            tag ~ /^<[!?]/ || tag ~ /\/>$/ { next }
            tag ~ /^<\// { if (open[depth--] != name) exit 1; next }
            { open[++depth] = name }
            END { if (depth != 0) exit 1 }' || fail "$1 is not XML"
    fi
}
lines() { grep -c '<polyline' "$1"; }

cat >small.json <<'SCENE'
{
  "version": 1,
  "frames": 20,
  "bodies": [{ "shape": { "box": { "segments": [2, 2, 2] } }, "position": [0, 0.8, 0] }],
  "colliders": [{ "shape": "plane" }]
}
SCENE
"$SUPPLE" run small.json --stats s.json --quiet || fail "run --stats"

# charts
expect 0 plot s.json
is_xml out.txt
[ "$(lines out.txt)" -eq 4 ] || fail "the default chart has not 4 lines"
grep -q 'prefers-color-scheme:dark' out.txt || fail "no colours for the dark"
grep -q '>small.json<' out.txt || fail "the title is not the scene"
cp out.txt default.svg
expect 0 plot s.json -o x.svg
cmp -s x.svg default.svg || fail "-o and standard output differ"
expect 0 plot s.json --columns 'momentum.x,|momentum|,contacts' --title 'a < b & "c"' --size 400x300 -o x.svg
is_xml x.svg
[ "$(lines x.svg)" -eq 3 ] || fail "3 columns are not 3 lines"
grep -qF 'a &lt; b &amp; &quot;c&quot;' x.svg || fail "the title is not escaped"
grep -qF 'width="400" height="300"' x.svg || fail "--size is not kept"
grep -qF '>momentum.x (kg m/s)<' x.svg || fail "the legend lacks a unit"
says 'momentum.x (kg m/s) and contacts (no unit) share one axis'
expect 0 plot s.json --columns momentum.x,momentum.y -o y.svg
[ -s err.txt ] && fail "a note about columns of one unit: $(cat err.txt)"
expect 0 plot s.json --columns momentum -o y.svg
grep -qF '>|momentum|<' y.svg || fail "bars may not be left out"
# a long title ends in dots where the picture ends; all of it is there for those who hear it
long=$(printf 'äbcdefghi %.0s' 1 2 3 4 5 6 7 8 9)
expect 0 plot s.json --title "$long" --size 400x300 -o y.svg
is_xml y.svg
grep -q '<text class="heading"[^>]*>äbcdefghi .*…</text>' y.svg || fail "a long title is cut without dots"
grep -qF "<title>$long</title>" y.svg || fail "a long title is not in the description"
heading=$(sed -n 's/.*<text class="heading"[^>]*>\(.*\)<.*/\1/p' y.svg)
[ "$(printf %s "$heading" | LC_ALL=C tr -d '\200-\277' | wc -c)" -le 43 ] || fail "the heading is too long: $heading"
expect 0 plot s.json --title "${long::38}" --size 400x300 -o y.svg
grep -q '…' y.svg && fail "a title that fits is cut"
expect 0 plot s.json --columns kinetic --log -o y.svg
is_xml y.svg
[ -z "$(ls | grep -F .part)" ] || fail "temporary files are left"

# the columns
expect 0 plot s.json --list
for column in kinetic energy momentum.x '|momentum|' deepest_share ms.total; do
    grep -q "^$(printf %s "$column" | sed 's/[.|]/[&]/g') " out.txt || fail "--list lacks $column"
done
expect 1 plot s.json --list -o list.svg
says '--list draws nothing'
[ -e list.svg ] && fail "--list has written a chart"
expect 2 plot s.json --columns kinetic,kinetik
says 'there is no column "kinetik"; did you mean "kinetic"?'
expect 2 plot s.json --columns 'kinetic,,elastic'
expect 2 plot s.json --columns xyzzy
says '--list names them all'
for twice in kinetic,elastic,kinetic 'momentum,|momentum|'; do
    expect 1 plot s.json --columns "$twice" -o twice.svg
    says 'is named twice'
    [ -e twice.svg ] && fail "a chart of $twice was written"
done
expect 1 plot s.json --columns time,kinetic,potential,elastic,energy,contacts,deepest,top_speed,momentum
says '8 columns at most'

# bodies one by one: their energies are parts of the whole
cat >two.json <<'SCENE'
{
  "version": 1,
  "frames": 20,
  "bodies": [
    { "name": "left", "shape": "box", "position": [0, 3, 0], "velocity": [1, 0, 0] },
    { "name": "right", "shape": "box", "position": [5, 3, 0], "copies": { "grid": { "count": [1, 1, 2], "step": [1, 1, 4] } } }
  ]
}
SCENE
"$SUPPLE" run two.json --stats t.json --quiet || fail "run --stats of two"
expect 0 plot t.json --list
awk '$1 == "energy" { all = $4 } $1 == "left.energy" { left = $4 } $1 == "right.energy" { right = $4 }
    END { off = left + right - all; exit !(left > 0 && right > 1.9 * left && off * off < 1e-6 * all * all) }' out.txt ||
    fail "the energies of bodies are not those of all: $(grep energy out.txt)"
grep -q '^left.momentum.x  *kg m/s ' out.txt || fail "--list lacks left.momentum.x"
expect 0 plot t.json --columns left.energy,right.energy -o two.svg
[ "$(lines two.svg)" -eq 2 ] || fail "2 bodies are not 2 lines"
expect 1 plot t.json --columns left.energy,left.energy
says 'the column "left.energy" is named twice'
expect 2 plot t.json --columns middle.energy
sed 's/"names": \["left", /"names": [/' t.json >bad.json
expect 2 plot bad.json
says '"by_name" must be 4 numbers for each of the 1 "names"'
sed 's/"names": \["left"/"names": [7/' t.json >bad.json
expect 2 plot bad.json
says 'a name must be a string'
sed 's/"names": .*/"names": 7,/' t.json >bad.json
expect 2 plot bad.json
says '"names" must be an array of at most 64 names'

# a long file: few points, and no peak is lost
awk 'BEGIN {
    printf "{\"version\": 1, \"scene\": \"long\", \"fps\": 60, \"substeps\": 1, \"bodies\": 1, \"particles\": 1,"
    printf " \"threads\": 1, \"simd\": \"scalar\", \"frames\": ["
    for (i = 0; i <= 9999; i++) {
        printf "%s\n{\"frame\": %d, \"time\": %d, \"kinetic\": %d, \"potential\": 0, \"elastic\": 0,", i ? "," : "", i, i, i == 7777 ? 100 : i % 2
        printf " \"momentum\": [0, 0, 0], \"angular_momentum\": [0, 0, 0], \"top_speed\": 0, \"strain_largest\": 0,"
        printf " \"strain_mean\": 0, \"contacts\": 0, \"deepest\": 0, \"deepest_share\": 0, \"ms\": {\"begin\": 0,"
        printf " \"integrate\": 0, \"contacts\": 0, \"project\": 0, \"settle\": 0, \"total\": 0}, \"hash\": \"0123456789abcdef\"}"
    }
    print "]}"
}' >long.json
expect 2 plot long.json --columns kinetic,elastic --log
says '"elastic" is never above 0'
expect 0 plot long.json --columns kinetic -o long.svg
points=$(sed -n 's/.*<polyline points="\([^"]*\)".*/\1/p' long.svg | wc -w)
[ "$points" -le 2000 ] && [ "$points" -gt 1000 ] || fail "$points points of 10000"
top=$(sed -n 's/.*<polyline points="\([^"]*\)".*/\1/p' long.svg | tr ' ' '\n' | sort -t, -k2,2n | head -n 1)
# time 7777 of 9999 is at the same share of the way from the first point to the last
sed -n 's/.*<polyline points="\([^"]*\)".*/\1/p' long.svg | tr ' ' '\n' | awk -F, -v top="${top%,*}" '
    NR == 1 { first = $1 } { last = $1 }
    END { share = (top - first) / (last - first); exit !(share > 0.777 && share < 0.779) }' ||
    fail "the peak is not where it was"

# bad files: each with its place
bad() { # SED_SCRIPT MESSAGE
    sed "$1" s.json >bad.json
    expect 2 plot bad.json
    says "$2"
    [ -s out.txt ] && fail "a bad file gives a chart: $2"
}
expect 2 plot none.json
says 'none.json: there is no such file'
bad 's/"version": 1/"version": 2/' 'bad.json:2:14: "version" must be 1, not 2'
bad 's/"fps"/"fsp"/' 'bad.json:4:3: unknown key "fsp" in a file of --stats; did you mean "fps"?'
bad '11s/"kinetic": /"kinetic": "many"+/' 'bad.json:11:'
bad '12s/"elastic": [^,]*, //' 'bad.json:12:5: a frame needs "elastic"'
bad '12s/"time": [^,]*/"time": 0/' 'bad.json:12:26: "time" must be later than in the frame before'
bad '12s/"hash": "./"hash": "X/' '"hash" must be 16 hexadecimal digits'
bad '12s/"momentum": \[[^]]*\]/"momentum": [1, 2]/' '"momentum" must be an array of 3 numbers'
bad '11,$d; 10s/\[/[]}/' '"frames" must be an array of at least one frame'
bad '20,$d' 'bad.json:20:1:'
expect 2 plot small.json
says 'small.json:'

expect 0 plot --help
awk 'length > 100 { exit 1 }' out.txt || fail "plot --help is too wide"

# wrong command lines, and the system
expect 1 plot
expect 1 plot s.json -o x.png
says 'must end in .svg'
expect 1 plot s.json --size 10x10
expect 1 plot s.json --size 400
expect 2 plot s.json -o missing/x.svg
cp s.json in.svg
expect 1 plot in.svg -o in.svg
expect 1 plot in.svg -o ./in.svg
says 'not overwritten'
cmp -s s.json in.svg || fail "the input was changed"
# links and devices are not replaced
printf old >old.svg
ln -s old.svg link.svg
ln -s /dev/null device.svg
mkfifo pipe.svg
for name in link device pipe; do
    expect 2 plot s.json -o $name.svg
    says 'not a plain file'
done
[ -L link.svg ] && [ "$(cat old.svg)" = old ] && [ -L device.svg ] && [ -p pipe.svg ] ||
    fail "a link or a device was replaced"
if [ -e /dev/full ]; then
    "$SUPPLE" plot s.json >/dev/full 2>err.txt
    [ $? -eq 3 ] || fail "a full disk is not code 3"
fi

exit $((failures > 0))
