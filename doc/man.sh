#!/bin/sh
# man.sh PROGRAM OUTPUT - the man page, from the program's own help texts, through help2man.
set -eu
program=$1 output=$2
include=$(mktemp)
trap 'rm -f "$include" "$output.new"' EXIT
{
    printf '[NAME]\ndelassus \\- certify rigid-body constraint solvers\n'
    for command in $("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p'); do
        printf '[DELASSUS %s]\n.nf\n' "$(echo "$command" | tr '[:lower:]' '[:upper:]')"
        "$program" "$command" --help | sed 's/\\/\\\\/g; s/^\([.'\'']\)/\\\&\1/; s/-/\\-/g'
        printf '.fi\n\n'
    done
} > "$include"
help2man --no-info --section=1 --include="$include" --output="$output.new" "$program"
mv "$output.new" "$output"
