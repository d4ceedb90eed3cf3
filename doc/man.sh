#!/bin/sh
# man.sh PROGRAM SECTIONS OUTPUT - the man page: options and commands from the program's own help texts, through help2man,
# and the other sections from the file SECTIONS.
set -eu
program=$1 sections=$2 output=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir" "$output.new"' EXIT
LC_ALL=C
export LC_ALL

# The main help without what SECTIONS says in more words.
cat > "$dir/delassus" <<END
#!/bin/sh
"$program" "\$@" | sed '/^Exit status:/,\$d'
END
chmod +x "$dir/delassus"

# A command's help as roff: its usage, paragraphs, and lists, whose lines begin with blanks. A list alone has no usage.
to_roff='
    function text(line) {
        gsub(/\\/, "\\e", line); gsub(/-/, "\\-", line)
        return line ~ /^[.'\'']/ ? "\\&" line : line
    }
    function item(line,   at) {
        sub(/^ +/, "", line)
        at = match(line, /  +/)
        if (!at) at = index(line, " ")
        printf ".TP\n.B %s\n%s\n", text(substr(line, 1, at - 1)), text(substr(line, at + RLENGTH * (RLENGTH > 0)))
    }
    NR == 1 && list { next }
    NR == 1 { sub(/^Usage: /, ""); printf ".PP\n.B %s\n.PP\n", text($0); next }
    NR == 2 && !list { printf "%s.\n", text(toupper(substr($0, 1, 1)) substr($0, 2)); next }
    /^$/ { print ".PP"; next }
    /^  / { item($0); next }
    { print text($0) }'
commands=$("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p')
{
    cat "$sections"
    for command in $commands; do
        printf '\n[DELASSUS %s]\n' "$(echo "$command" | tr '[:lower:]' '[:upper:]')"
        "$program" "$command" --help | awk "$to_roff"
    done
    printf '\n[FORMATS]\nThe format of a file is recognised from its content, or named.\n'
    "$program" list formats | awk -v list=1 "$to_roff"
} > "$dir/include"
help2man --no-info --section=1 --include="$dir/include" --output="$output.new" "$dir/delassus"

# Lines of text of at most 80 columns, a day in the date, and nothing twice, for readers of roff that insist on it.
sed '2s/"\([A-Z][a-z]*\) \([0-9][0-9]*\)"/"\1 1, \2"/' "$output.new" | awk '
    /^\.EX/ { verbatim = 1 }
    /^\.EE/ { verbatim = 0 }
    /^\.PP/ && previous ~ /^\.(PP|SH|SS)/ { next }
    { previous = $0 }
    !/^\./ && !verbatim {
        while (length($0) > 79) {
            for (at = 79; at > 1 && substr($0, at, 1) != " "; at--) ;
            if (at == 1) break
            print substr($0, 1, at - 1)
            $0 = substr($0, at + 1)
            if (/^[.'\'']/) $0 = "\\&" $0
        }
    }
    { print }' > "$output"
