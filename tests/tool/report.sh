# supple report: one page that stands alone, for one scene and for two; exit codes.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"
shows() { grep -qF -- "$2" "$1" || fail "$1 does not show: $2"; }

# is_page FILE: well-formed, and needs nothing from elsewhere
is_page() {
    if command -v python3 >/dev/null; then
        python3 -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' "$1" || fail "$1 is not XML"
    elif command -v xmllint >/dev/null; then
        xmllint --huge --noout "$1" || fail "$1 is not XML"
    fi
    [ "$(head -n 1 "$1")" = '<!DOCTYPE html>' ] || fail "$1 is not HTML"
    grep -qE 'https?://|<script|@import|url\(' "$1" && fail "$1 loads something"
    grep -oE '(src|href)="[^",;]*' "$1" | grep -vE '="data:' && fail "$1 leads elsewhere"
    # every picture has words
    [ "$(grep -o '<img ' "$1" | wc -l)" -eq "$(grep -oE 'alt="[^"]+"' "$1" | wc -l)" ] ||
        fail "$1 has a picture without words"
    no_part "$1"
}

cat >small.json <<'SCENE'
{
  "version": 1,
  "name": "5 < 6 & \"so\" <script>\u0001",
  "frames": 12,
  "materials": { "stone": { "rule": "rigid" } },
  "bodies": [
    { "name": "<b>&\"", "shape": { "box": { "segments": [2, 2, 2] } }, "position": [0, 1, 0] },
    { "name": "stone", "shape": { "icosphere": { "subdivisions": 1 } }, "material": "stone", "position": [0, 2.5, 0] }
  ],
  "colliders": [{ "name": "a<b", "shape": "plane" }, { "shape": { "sphere": { "radius": 0.25 } }, "position": [3, 0, 0] }]
}
SCENE
sed 's/"name": "5.*/"name": "other", "gravity": [0, -1.6, 0],/' small.json >"it's other.json"
small='--size 64x64 --samples 1'
charts='Energies
Momentum
Angular momentum
Top speed
Strain
Contacts
Deepest penetration
Deepest penetration between bodies
Time per phase'

# one scene
expect 0 report small.json -o one.html $small
says 'wrote one.html'
is_page one.html
while read -r title; do shows one.html "<h3>$title</h3>"; done <<<"$charts"
shows one.html '<h3>Energy by body</h3>'
[ "$(grep -c '<svg ' one.html)" -eq 10 ] || fail "one.html has not 10 charts"
shows one.html '<h1>5 &lt; 6 &amp; &quot;so&quot; &lt;script&gt;'
shows one.html '&lt;b&gt;&amp;&quot;'
shows one.html 'a&lt;b'
shows one.html 'sphere, radius 0.25 m'
shows one.html 'another run gives other numbers'
hash=$("$SUPPLE" hash small.json | sed -n 's/^12 //p')
shows one.html "$hash"
shows one.html "$("$SUPPLE" --version | sed 's/supple //')"
shows one.html 'supple report small.json -o one.html --size 64x64 --samples 1'
# the poster and 8 frames, or why there are none: on the page and to whoever waits for it
if grep -q 'the report has no pictures: supple was built without' err.txt; then
    shows one.html 'There are no pictures: supple was built without'
    grep -q '<img ' one.html && fail "one.html has pictures after all"
else
    grep -qF 'There are no pictures' one.html && fail "only one.html says that it has no pictures"
    [ "$(grep -o '<img ' one.html | wc -l)" -eq 9 ] || fail "one.html has not 9 pictures"
    shows one.html 'frame 4 of 12, 0.07'$'\xc2\xa0''s' # a unit stays with its number
    grep -qF 'data:image/png;base64,iVBORw0KGgo' one.html || fail "the pictures are no PNG"
    # render draws the same picture: both look at the whole motion
    expect 0 report small.json -o last.html $small --poster 12
    expect 0 render small.json -o last.png $small
    shows last.html "$(base64 -w 0 last.png)"
    expect 0 report small.json -o few.html $small --frames 3 --poster 0
    [ "$(grep -o '<img ' few.html | wc -l)" -eq 5 ] || fail "3 frames are not 4 pictures and a poster"
fi
expect 0 report small.json -o plain.html --no-pictures --frames 1 --quiet
[ -s out.txt ] && fail "--quiet is not quiet"
is_page plain.html
grep -q '<img ' plain.html && fail "--no-pictures has pictures"
shows plain.html 'There are no pictures: --no-pictures was given'

# two scenes
expect 0 report --compare small.json "it's other.json" -o two.html --no-pictures --frames 6 --threads 2
grep -q 'no pictures' err.txt && fail "what was asked for is no news"
is_page two.html
shows two.html 'B: other</h1>'
while read -r title; do grep -q "<h3>$title" two.html || fail "two.html lacks $title"; done <<<"$charts"
shows two.html 'kinetic, A'
shows two.html 'kinetic, B'
shows two.html "'it'\\''s other.json'"
[ "$(grep -c 'Hash of the last frame' two.html)" -eq 2 ] || fail "two.html has not 2 hashes"

# what run warns of; of two scenes, which one
sed 's/"shape": { "box"/"material": { "stiffness": 5000 }, &/' small.json >stiff.json
expect 0 report stiff.json -o stiff.html $small
[ "$(grep -c 'is too stiff for these steps' err.txt)" = 1 ] || fail "report warns not once: $(cat err.txt)"
shows stiff.html 'too stiff for these steps; it needs 8'
expect 0 report --compare small.json stiff.json -o two.html --no-pictures
says 'warning: stiff.json: "<b>&"" is too stiff'
shows two.html 'too stiff for these steps'
[ "$(grep -c 'too stiff for these steps' two.html)" = 1 ] || fail "the other scene is not too stiff"
expect 0 report stiff.json -o stiff.html --no-pictures --quiet
says 'is too stiff for these steps'
# springs: what the solver does, in --stats and in the page
cat >cloth.json <<'SCENE'
{ "version": 1, "frames": 3, "bodies": [{ "shape": { "grid": { "segments": [8, 8] } },
  "weave": { "cloth": { "stretch": 100 } }, "pins": [{ "index": [0] }] }] }
SCENE
expect 0 report cloth.json -o cloth.html --no-pictures
for title in 'Strain of springs' 'Work of the spring solver' 'Residual of implicit solves' 'Largest frequency of springs'; do
    shows cloth.html "<h3>$title</h3>"
done
expect 0 run cloth.json --stats cloth-stats.json
springs=$(grep -o '"springs": {[^}]*}' cloth-stats.json | tail -1)
for key in energy frequency iterations residual; do
    grep -qE "\"$key\": [0-9.e-]*[1-9]" <<<"$springs" || fail "--stats has no $key of springs: $springs"
done
grep -q '"rejected": 0' <<<"$springs" || fail "--stats does not tell rejected steps"
# steps that are too long where cloth hits a ball: they arrive in both
cat >hit.json <<'SCENE'
{ "version": 1, "frames": 6, "bodies": [{ "shape": { "grid": { "segments": [4, 4] } },
  "weave": { "cloth": { "stretch": 10, "shear": 5, "bend": 0 } },
  "springs": { "integrator": "symplectic", "adaptive": true }, "position": [0, 1, 0], "velocity": [0, -20, 0] }],
  "colliders": [{ "shape": { "sphere": { "radius": 0.3 } } }] }
SCENE
expect 0 run hit.json --stats hit-stats.json
grep -q '"rejected": [1-9]' hit-stats.json || fail "--stats has no step that was rejected"
expect 0 report hit.json -o hit.html --no-pictures
highest() { sed -n "s|.*<th scope=\"row\">$2</th>\(.*\)</tr>|\1|p" "$1" | sed 's/<[^>]*>/ /g' | awk '{ print $3 }'; }
[ "$(highest hit.html spring.rejected)" = "$(grep -o '"rejected": [0-9]*' hit-stats.json | awk '$2 > most { most = $2 } END { print most }')" ] ||
    fail "the report has other rejected steps than --stats: $(highest hit.html spring.rejected)"
# cloth that is cut: how far, and how many particles move by themselves; of other cloth neither
grep -qE '"(active|level)"' cloth-stats.json && fail "--stats tells of cells that nothing cuts"
cat >cut.json <<'SCENE'
{ "version": 1, "frames": 40, "bodies": [{ "shape": { "grid": { "segments": [4, 4] } },
  "weave": { "cloth": { "levels": 1 } }, "pins": [{ "index": [0] }] }] }
SCENE
expect 0 run cut.json --stats cut-stats.json
counts=$(grep -o '"active": [0-9]*, "level": [0-9]*' cut-stats.json | tr -d ',')
[ "$(wc -l <<<"$counts")" -eq 41 ] || fail "not every frame tells of cells"
awk 'NR == 1 { first = $2 == 25 && $4 == 0 } { last = $2 > 25 && $2 <= 81 && $4 == 1 } END { exit !(first && last) }' <<<"$counts" ||
    fail "cells are not cut from 25 particles on: $counts"
expect 0 plot cut-stats.json --list
awk '$1 == "spring.active" && $2 == 25 && $3 > 25 { active = 1 } $1 == "spring.level" && $2 == 0 && $3 == 1 { level = 1 }
    END { exit !(active && level) }' out.txt || fail "plot --list lacks how cloth is cut: $(grep spring out.txt)"

# events of other kinds are no warnings
sed 's/"position": \[0, 1, 0\]/"position": [0, 0.52, 0]/' small.json >landing.json
expect 0 report landing.json -o landing.html --no-pictures
[ -s err.txt ] && fail "report warns of a landing: $(cat err.txt)"
shows landing.html 'Contacts</h3>'
grep -q 'class="note">A body' landing.html && fail "what lands is not too stiff"

expect 0 report --help
awk 'length > 100 { exit 1 }' out.txt || fail "report --help is too wide"

# wrong command lines, inputs, and the system
expect 1 report -o x.html
expect 1 report small.json
expect 1 report small.json -o x.htm
says 'must end in .html'
expect 1 report small.json -o x.html --size 9x9
expect 1 report small.json -o x.html -o y.html
says '--output is given twice'
expect 1 report small.json -o x.html --samples 0
expect 1 report small.json -o x.html --poster 13
says 'past the last frame'
cp small.json scene.html
expect 1 report scene.html -o scene.html
says 'not overwritten'
cmp -s small.json scene.html || fail "the scene was changed"
expect 2 report none.json -o x.html
says 'none.json: there is no such file'
expect 2 report --compare small.json none.json -o x.html
expect 2 report small.json -o missing/x.html
# links and devices are not replaced
printf old >old.html
ln -s old.html link.html
mkfifo pipe.html
for name in link pipe; do
    expect 2 report small.json -o $name.html --no-pictures
    says 'not a plain file'
done
[ -L link.html ] && [ "$(cat old.html)" = old ] && [ -p pipe.html ] || fail "a link or a pipe was replaced"
# a file that may not grow
code=0
(ulimit -f 1 && exec "$SUPPLE" report small.json -o full.html $small >/dev/null 2>&1) || code=$?
[ $code = 3 ] || fail "a full disk gives $code"
[ ! -e full.html ] || fail "half a report was written"
ls x.html* >/dev/null 2>&1 && fail "a refused report was written"

# a folder that may not be written is found before the first step
if locked_folder closed; then
    through=(timeout 20 "${through[@]}")
    refuse 3 'cannot create closed/x.html: Permission denied' report small.json --frames 1000000 -o closed/x.html
    through=()
fi

# a signal, while it simulates and while it draws one long picture: nothing is written, an old page stays
printf 'old' >stopped.html
for options in '--frames 1000000' '--frames 1 --size 4096x4096 --samples 4096'; do
    "$SUPPLE" report "$SUPPLE_SOURCE/scenes/hello.json" -o stopped.html $options >out.txt 2>err.txt &
    pid=$!
    soon [ -e stopped.html.$pid.part ] || fail "nothing is being written"
    sleep 0.5
    start=$SECONDS
    kill -INT $pid
    wait $pid
    code=$?
    [ $code -eq 5 ] || fail "report $options: SIGINT gave code $code"
    [ $((SECONDS - start)) -le 5 ] || fail "report $options: it took $((SECONDS - start)) s to stop"
    says 'no report is written'
    [ "$(cat stopped.html)" = old ] || fail "a stopped report has written"
    no_part "report $options"
done

exit $((failures > 0))
