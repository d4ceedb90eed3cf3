#!/bin/sh
# every-function.sh HEADER... - a C++ program that holds the address of every function that the headers declare: it links only
# where each of them has C linkage and is exported.
set -eu
for header; do printf '#include "delassus/%s"\n' "${header##*/}"; done
printf '\n#include <cstdio>\n\ntypedef void (*function)();\n'
printf '#define FUNCTION(name) reinterpret_cast<function>(&name)\nstatic const function functions[] = {\n'
# Comments and macros go; what remains of the form "name(" is a declaration or a definition.
for header; do
    sed -e '/^#ifdef __cplusplus/,/^#endif/d' -e 's,/\*.*\*/,,; /\/\*/,/\*\//d' -e '/^#/d' "$header" | tr '\n' ' ' | sed 's/[{][^{}]*[}]/{}/g' |
        grep -o '[^;{}(]* \**dls_[a-z0-9_]*(' | grep -v typedef | sed 's/.*[ *]\(dls_[a-z0-9_]*\)($/    FUNCTION(\1),/'
done | LC_ALL=C sort -u
cat <<'END'
};

int main()
{
    int missing = 0, count = 0;
    for (function f : functions)
        missing += f == nullptr, count++;
    std::printf("%s 1 - %d functions are linked from C++\n1..1\n", missing || count < 100 ? "not ok" : "ok", count);
    return 0;
}
END
