# Completion: each shell is asked what it would offer, for every verb that there is.
. "$SUPPLE_SOURCE/tests/tool/expect.bash"

for shell in bash zsh fish; do
    expect 0 completion $shell
    cp out.txt script.$shell
    if command -v $shell >/dev/null; then
        $shell -n script.$shell || fail "$shell cannot read its script"
    fi
done
refuse 1 'completion is there for bash|zsh|fish, not for "tcsh"' completion tcsh
refuse 1 'completion needs bash|zsh|fish' completion
verbs=$("$SUPPLE" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
# one_line: its lines, sorted, with a blank between two
one_line() { LC_ALL=C sort | paste -sd ' '; }
# options VERB: one on each line
options() { "$SUPPLE" "$1" --help | sed -n '/^Options:/,$p' | grep -o -e '^  -[a-z]' -e ' --[a-z-]*' | tr -d ' '; }
long_options() { options "$1" | grep -e --; }

mkdir files
cd files
mkdir folder
touch a.json 'b c.json' tape.sup star.obj other.txt

# offered_bash LINE: what bash offers for its last word, in one line
offered_bash() {
    bash --norc -c '
        source "$1"
        read -ra COMP_WORDS <<<"${2//=/ = }"
        [[ $2 != *" " ]] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _supple
        printf "%s\n" "${COMPREPLY[@]}"' offered ../script.bash "$1" | one_line
}
offered_fish() { fish --no-config -c 'source ../script.fish; complete -C $argv' "$1" | cut -f1 | one_line; }

# offers SHELL LINE WORDS: exactly these, sorted
offers() {
    local found
    found=$(offered_$1 "$2")
    [ "$found" = "$3" ] || fail "$1 offers for \"$2\": $found, not $3"
}
# what every shell must offer
ask() {
    local shell=$1 verb
    offers $shell 'supple ex' export
    offers $shell 'supple run ' 'a.json b c.json folder'"$2"
    offers $shell 'supple run t' ''
    offers $shell 'supple run a.json -o o' other.txt
    offers $shell 'supple run a.json --simd s' 'scalar sse2'
    offers $shell 'supple run a.json --frames ' ''
    offers $shell 'supple export ' "folder$2 tape.sup"
    offers $shell 'supple info s' star.obj
    offers $shell 'supple completion ' 'bash fish zsh'
    offers $shell 'supple report --compare a' a.json
    offers $shell 'supple no-such-verb ' ''
    for verb in $verbs; do
        [[ " $(offered_$shell 'supple ') " == *" $verb "* ]] || fail "$shell does not offer $verb"
        offers $shell "supple $verb --" "$(long_options "$verb" | one_line)"
    done
}

ask bash ''
offers bash 'supple run a.json --simd=s' 'scalar sse2'
offers bash 'supple run a.json -' "$(options run | one_line)"
offers bash 'supple manual ' "$(options manual | one_line)"
if command -v fish >/dev/null; then
    ask fish /
    offers fish 'supple run a.json --simd=s' '--simd=scalar --simd=sse2'
fi

# zsh offers only to somebody who types: here into a terminal of its own, where ^T lists
cat >../ask.zsh <<'ZSH'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; autoload -Uz compinit; compinit -u -D; source ../script.zsh; LISTMAX=1000'
zpty -w shell 'list() { zle list-choices; zle -R; print -n "DO""NE" }; zle -N list; bindkey ^T list; print REA""DY'
zpty -r shell answer '*READY*'
for line; do
    zpty -w -n shell $'\x15'"$line"$'\x14'
    zpty -r shell answer '*DONE*'
    print -r -- "== $line"
    print -r -- "$answer"
done
ZSH
# zsh_offers LINE PATTERN: in what lies in zsh.txt
zsh_offers() {
    awk -v line="== $1" '/^== / { on = $0 == line; next } on' zsh.txt | grep -q -e "$2" || fail "zsh does not offer for \"$1\": $2"
}
if command -v zsh >/dev/null; then
    lines=('supple ' 'supple run ' 'supple export ' 'supple run a.json --simd ')
    for verb in $verbs; do lines+=("supple $verb --"); done
    TERM=vt100 timeout 60 zsh -f ../ask.zsh "${lines[@]}" >zsh.txt || fail "zsh does not answer"
    zsh_offers 'supple run ' 'a.json  *b\\ c.json  *folder/'
    zsh_offers 'supple export ' 'folder/  *tape.sup'
    zsh_offers 'supple run a.json --simd ' 'auto  *avx2  *scalar  *sse2'
    for verb in $verbs; do
        zsh_offers 'supple ' "$verb  *-- "
        for option in $(long_options "$verb"); do
            zsh_offers "supple $verb --" "$option .*-- "
        done
    done
fi

exit $((failures > 0))
