#!/usr/bin/env python3
"""reference.py PROGRAM - the reference chapter of the manual in Texinfo, from the program's own tables of fields."""
import json
import subprocess
import sys
import textwrap

# Lists that are the same in every build: peers and engines depend on the libraries that configure found.
LISTS = [
    ("joints", "Joint types", "The keys of an entry of @code{joints} in a scene, by its @code{type}."),
    ("motions", "Motion types of articulations", "How a link of an articulation moves against its parent: the value of "
     "the link's key @code{motion}."),
    ("curves", "Curves of tracks", "The curve that a track joint follows: an entry of @code{tracks} in a scene."),
    ("twists", "Twists of tracks", "How the frame of a track turns about its tangent."),
    ("solvers", "Solvers", "Names for @code{--solver} and @code{--solvers}.  A setting is given by "
     "@code{--set @var{solver}.@var{key}=@var{value}}, or by @code{--set @var{key}=@var{value}} where one "
     "solver runs."),
    ("schemes", "Time-stepping schemes", "Names for @code{--scheme}.  A setting is given by "
     "@code{--set scheme.@var{key}=@var{value}}."),
    ("experiments", "Experiments", "@code{delassus experiment @var{name}} runs one and writes its tables and figures; "
     "@code{delassus report} runs all of them.  A setting is given by @code{--set @var{key}=@var{value}}."),
]


def plain(text):
    return text.replace("@", "@@").replace("{", "@{").replace("}", "@}")


def sentence(text):
    text = plain(text).rstrip(".")
    return text[:1].upper() + text[1:] + "."


def field(f):
    """An entry of a table of settings: key, unit, default and range, then the help."""
    about = []
    if f["required"]:
        about.append("required")
    elif f["default"] is not None:
        about.append("default @code{%s}" % plain(f["default"]) if f["default"] != "" else "empty by default")
    if f["range"]:
        about.append("range @code{%s}" % plain(f["range"]))
    unit = " [%s]" % plain(f["unit"]) if f["unit"] else ""
    lines = ["@item %s%s" % (plain(f["key"]), unit)]
    lines.append(sentence(f["help"]) + ("  (" + "; ".join(about) + ")" if about else ""))
    return lines


def fields(table):
    lines = ["@table @code"]
    for f in table:
        lines += field(f)
    return lines + ["@end table", ""]


def item(kind, i):
    name = plain(i["name"])
    lines = ["@subsection @code{%s}" % name, "@anchor{%s %s}" % (kind, name), "@cindex %s (%s)" % (name, kind)]
    lines += [sentence(i["summary"]), ""]
    if i.get("kind"):
        lines += ["@noindent", "Kind: %s." % plain(i["kind"]), ""]
    if i.get("equation"):
        equation = textwrap.wrap(i["equation"], 88, subsequent_indent="    ", break_long_words=False)  # a line in print
        lines += ["@smallexample"] + [plain(line) for line in equation] + ["@end smallexample", ""]
    if i.get("takes"):
        lines += ["@noindent", "Takes: %s." % plain(i["takes"]), ""]
    if i.get("source"):
        lines += ["@noindent", "Source: %s." % plain(i["source"]).rstrip("."), ""]
    if i.get("fields"):
        lines += fields(i["fields"])
    return lines


def main():
    program = sys.argv[1]
    found = {}
    listed = subprocess.run([program, "list", "--json"], check=True, capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        entry = json.loads(line)
        found[entry["list"]] = entry
    out = ["@c Made by doc/reference.py from 'delassus list --json'; 'make update-reference' makes it again.", "@menu"]
    out += ["* %s::" % title for _, title, _ in LISTS] + ["@end menu", ""]
    for kind, title, opening in LISTS:
        entry = found[kind]
        out += ["@node %s" % title, "@section %s" % title, "@cindex %s" % title[0].lower() + title[1:], opening, ""]
        if entry["common"]:
            out += ["Keys of all of them:", ""] + fields(entry["common"])
        for i in entry["items"]:
            out += item(kind, i)
    print("\n".join(out).rstrip("\n"))


if __name__ == "__main__":
    main()
