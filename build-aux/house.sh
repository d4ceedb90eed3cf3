#!/bin/sh
# house.sh - the rooms of the house and who includes whom, for graphviz: an arrow from a folder to each folder whose
# headers its files include, with the number of includes. Public headers are one room, which all may include: left out.
# build-aux/house.sh | dot -Tsvg >house.svg
set -eu
cd "$(dirname "$0")/.."
git ls-files 'lib/*.[ch]' 'solvers/*.[ch]' 'reference/*.[ch]' 'experiments/*.[ch]' 'cmd/*.[ch]' 'bench/*.[ch]' |
    xargs grep -Ho '^#include "[^"]*"' | sed 's/:#include "/ /; s/"$//' | while read -r file header; do
        case $header in delassus/*) continue ;; esac
        from=${file%/*} to=
        for base in "$from" lib solvers reference experiments .; do
            [ -e "$base/$header" ] && { to=${base#./}/$header; break; }
        done
        to=${to#./}
        [ -n "$to" ] && [ "${to#*/}" != "$to" ] && [ "${to%/*}" != "$from" ] && echo "$from ${to%/*}"
    done | LC_ALL=C sort | uniq -c | awk '
        BEGIN { print "digraph house { rankdir = BT; node [shape = box, fontname = sans]; edge [fontsize = 9, color = gray40];" }
        { printf "    \"%s\" -> \"%s\" [label = %d];\n", $2, $3, $1 }
        END { print "}" }'
