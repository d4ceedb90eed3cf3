#!/bin/sh
# provenance.sh commit SRCDIR                         prints the commit of the sources
# provenance.sh header SRCDIR VERSION FLAGS FILE      writes FILE, a C header; leaves it alone where nothing changed
# The commit comes from git where SRCDIR is the top of a repository, else from SRCDIR/.commit (a tarball), else "unknown".
set -eu

commit() {
    if test "$(git -C "$1" rev-parse --show-toplevel 2>/dev/null)" = "$(cd "$1" && pwd -P)"; then
        git -C "$1" describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null || echo unknown
    elif test -r "$1/.commit"; then
        head -n 1 "$1/.commit"
    else
        echo unknown
    fi
}

quoted() { printf '%s' "$1" | tr -s ' \t\n' ' ' | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^ //' -e 's/ $//'; }

case $1 in
commit) commit "$2" ;;
header)
    {
        echo '/* Made by build-aux/provenance.sh. */'
        echo "#define DLS_BUILD_VERSION \"$(quoted "$3")\""
        echo "#define DLS_BUILD_COMMIT \"$(quoted "$(commit "$2")")\""
        echo "#define DLS_BUILD_FLAGS \"$(quoted "$4")\""
    } > "$5.$$" # two makes at once do not meet
    if cmp -s "$5.$$" "$5"; then rm -f "$5.$$"; else mv -f "$5.$$" "$5"; fi
    ;;
*) echo "provenance.sh: commit or header, not '$1'" >&2; exit 2 ;;
esac
