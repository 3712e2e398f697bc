# The man page: all verbs and options are in it, and readers of roff find nothing wrong.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

expect 0 manual
cp out.txt supple.1
! LC_ALL=C grep -n '[^ -~]' supple.1 || fail "the page is not plain ASCII"
refuse 1 'manual takes options only; "x" is one too many' manual x

# has TEXT: the page as roff has it, with its escapes
has() { grep -qF -- "${1//-/\\-}" supple.1 || fail "the page does not have: $1"; }
verbs=$("$SUPPLE" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ -n "$verbs" ] || fail "there are no verbs"
for verb in $verbs; do
    has ".SS \"supple $verb"
    for option in $("$SUPPLE" "$verb" --help | sed -n '/^Options:/,$s/^ .*\(--[a-z-]*\).*/\1/p'); do
        has "\\fB$option\\fR"
    done
done
for section in NAME SYNOPSIS DESCRIPTION OPTIONS VERBS 'EXIT STATUS' ENVIRONMENT FILES EXAMPLES; do
    has ".SH $section"
done

# The meanings of the exit codes are those of the reference.
while IFS='|' read -r _ code meaning _; do
    grep -qxF -- "$(sed 's/^ *//;s/ *$//' <<<"$meaning")" supple.1 || fail "exit code $code is not explained as in the reference"
done < <(grep -E '^\| [0-7] \|' "$SUPPLE_SOURCE/docs/tool-reference.md")

# Readers of roff; the page has no date, so that every build gives the same bytes.
if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning supple.1 | grep -v 'missing date' && fail "mandoc finds something"
fi
if command -v groff >/dev/null; then
    groff -man -ww -z supple.1 2>&1 | grep . && fail "groff finds something"
fi

exit $((failures > 0))
