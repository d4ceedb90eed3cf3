#!/bin/sh
# The report in small: every experiment and scene is in it, and whatever its page names is there and not empty. TAP.
if ! command -v gnuplot >/dev/null; then
    echo "1..0 # SKIP there is no gnuplot"
    exit 0
fi
. "$DLS_TEST_SOURCE/tests/script.sh"

# The report with its figures in every format; but for DLS_TEST_FULL, some parts of it alone.
figures=svg,png formats=$dir/formats least=10
[ -z "$DLS_TEST_FULL" ] || figures=svg,png,pdf,tikz formats=$dir/report least=50
"$program" report --small --figures "$figures" -o "$dir/report" >"$dir/out" 2>"$dir/told"
ok $? "the report in small"
grep -q "$dir/report/index.html" "$dir/out"
ok $? "it tells where its page is"
page=$dir/report/index.html

grep -o 'src="[^"]*"\|href="[^"]*"' "$page" | sed 's/.*="//; s/"$//' | sort -u >"$dir/named"
[ "$(wc -l <"$dir/named")" -gt 100 ] || echo "only $(wc -l <"$dir/named") files" >"$dir/told"
[ "$(wc -l <"$dir/named")" -gt 100 ]
ok $? "the page names more than a hundred files"
while read -r name; do
    case $name in
        '#'*) grep -q "id=\"${name#?}\"" "$page" || echo "$name is no part of the page" ;;
        *) [ -s "$dir/report/$name" ] || echo "$name is not there, or empty" ;;
    esac
done <"$dir/named" >"$dir/told"
nothing_told "every file that the page names is there, and not empty"
if command -v python3 >/dev/null; then
    mv "$dir/report" "$dir/moved"
    python3 - "$dir/moved" >"$dir/told" 2>&1 <<'END'
import functools, http.server, re, sys, threading, urllib.error, urllib.parse, urllib.request
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
handler.func.log_message = lambda *ignored: None
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
root = f"http://127.0.0.1:{server.server_port}/"
asked, pages = {root}, [root]
while pages:
    page = pages.pop()
    text = urllib.request.urlopen(page).read().decode()
    for name in re.findall(r'(?:src|href|data)="([^"]*)"|url\(([^)]*)\)', re.sub(r"<script.*?</script>", "", text, flags=re.S)):
        url = urllib.parse.urldefrag(urllib.parse.urljoin(page, name[0] or name[1]))[0]
        if url in asked or url.startswith("data:"):
            continue
        asked.add(url)
        try:
            answer = urllib.request.urlopen(url) if url.startswith(root) else None
        except urllib.error.HTTPError as error:
            answer = error
        if not answer or answer.status != 200 or not answer.read():
            print(page, "names", url, answer and answer.status)
        elif url.endswith(".html"):
            pages.append(url)
if len(asked) < 100:
    print("only", len(asked), "files")
END
    nothing_told "moved elsewhere and served by a static server, each file that a page of it names is answered"
    mv "$dir/moved" "$dir/report"
else
    skip "the report on a static server" "there is no python3"
fi
for name in "$dir/report"/*.tsv "$dir/report"/*.svg "$dir/report"/*.png "$dir/report"/*.tikz; do
    [ ! -e "$name" ] || grep -qxF "${name##*/}" "$dir/named" || echo "${name##*/}"
done >"$dir/told"
nothing_told "every table and figure is named on the page"
# Where no peer was built, as of a program that is linked statically, its experiment has nothing to tell.
empty='events|changes|free-box.(forces|rows)' # a free body has no row
"$program" list peers | grep -q '^  [a-z0-9-]* (' || empty="$empty|peers"
# So are what engines have other than we do, and their first steps.
"$program" list engines | grep '^  [a-z0-9-]*:' | grep -qv 'not built' || empty="$empty|engines.(notes|instants)"
for name in "$dir/report"/*.tsv; do
    awk -F'\t' -v empty="$empty" '/^#/ { notes++; next } !columns { columns = NF; next } NF != columns { wrong++ } { rows++ }
        END { if (!notes || !columns || (!rows && FILENAME !~ empty) || wrong) printf "%s: %d notes, %d columns, %d rows, %d of another width\n", FILENAME, notes, columns, rows, wrong }' "$name"
done >"$dir/told"
nothing_told "every table has provenance, columns, and rows of that width, or no event or change to tell"
for name in "$dir/report"/*.svg; do
    grep -q '<path' "$name" && grep -q '</svg>' "$name" || echo "${name##*/}"
    # pictures of mechanisms stand under those of figures
    [ -s "${name%.svg}.caption.txt" ] || [ ! -e "${name%.svg}.png" ] || echo "${name##*/} has no caption"
done >"$dir/told"
nothing_told "every figure is a whole drawing, and has a caption"
grep '<figcaption>' "$page" | sed -n 's/.*<figcaption>\(.*\)/\1/p' | awk 'length($0) < 20 { print "an empty caption: " $0 }' >"$dir/told"
[ "$(grep -c '<figcaption>' "$page")" -gt 50 ] || echo "few captions" >>"$dir/told"
nothing_told "captions stand on the page"
sed -n 's/.*<figcaption><b>Figure \([0-9]*\)\.<.*/\1/p' "$page" | awk '$1 != NR { print "figure " NR " is numbered " $1 }' >"$dir/told"
grep -o '<figcaption>.*' "$page" | grep -v '^<figcaption><b>Figure [0-9]' | head -3 >>"$dir/told"
sed 's/<[^>]*>//g' "$page" | grep -nw nan | head -3 >>"$dir/told"
for part in abstract method conclusion references; do
    grep -q "id=\"$part\"" "$page" || echo "no $part"
done >>"$dir/told"
nothing_told "the page is a paper: figures are numbered in their order, no nan is printed, and all its parts are there"
# A caption without its number and its first sentence: as long ones stand on the page once.
grep -o '<figcaption><b>Figure.*<div class="source">' "$page" | sed 's/<[^>]*>//g; s/^Figure [0-9]*\. [^.]*\. //' | awk 'length($0) > 100' | sort | uniq -d >"$dir/told"
nothing_told "no caption is repeated"
for name in $("$program" list experiments --names); do
    ! grep -q '(null)' "$page" && grep -q "<section id=\"$name\"" "$page" && grep -q "href=\"#$name\"" "$page" || echo "$name"
    [ ! -e "$dir/report/.$name.part" ] || echo "the folder of $name is left"
done >"$dir/told"
nothing_told "every experiment has a section that the contents lead to, and no folder of its own"
sed -n '2p' "$dir"/report/*.finding.txt | grep -v '[0-9]' >"$dir/told"
[ "$(ls "$dir"/report/*.finding.txt | wc -l)" -ge 6 ] || echo "few findings" >>"$dir/told"
nothing_told "findings are sentences with numbers"
grep -q '<code>delassus experiment spring --set stiffest=1e3 ' "$page" && grep -q '<code>delassus run scenes/pendulum.yaml .*--solver pgs' "$page"
ok $? "each figure has its own command"

for name in $("$program" list experiments --names) pendulum; do
    ls "$dir/report/$name".mechanism.*.svg >/dev/null 2>&1 || [ -s "$dir/report/$name.svg" ] ||
        echo "$name has no picture"
done >"$dir/told"
nothing_told "mechanisms are shown"

# Some parts, in a folder where another report was; one process or two.
: >"$dir/told"
cp -r "$dir/report" "$dir/some"
"$program" report --small --only spring,pendulum,chain-10 --jobs 1 -o "$dir/some" >"$dir/out" 2>"$dir/told" &&
    grep -q 'id="spring"' "$dir/some/index.html" && grep -q 'id="chain-10"' "$dir/some/index.html" && ! grep -q 'friction\.' "$dir/some/index.html"
ok $? "a report of some parts names nothing of an earlier one"
for name in "$dir"/some/spring*.tsv "$dir"/some/chain-10*.tsv; do
    grep -v '^#' "$name" >"$dir/a"
    grep -v '^#' "$dir/report/${name##*/}" | cmp -s - "$dir/a" || echo "${name##*/}"
done >"$dir/told"
nothing_told "its tables are the same"
"$program" report --only spring,springs -o "$dir/other" >"$dir/out" 2>"$dir/told"
[ $? -eq 2 ] && grep -q "'springs' is no experiment and no scene" "$dir/told" && [ ! -e "$dir/other" ]
ok $? "a part that there is not is an error before anything runs"

# Formats: a figure has all of them, and each is whole.
if [ "$formats" != "$dir/report" ]; then
    echo "# small run: figures of spring, track and pendulum alone are drawn as PDF and TikZ"
    "$program" report --small --only spring,track,pendulum --figures svg,png,pdf,tikz -o "$formats" >"$dir/out" 2>"$dir/told"
fi
is_pdf() { head -c 5 "$1" | grep -q '^%PDF-'; }
for caption in "$formats"/*.caption.txt; do
    stem=${caption%.caption.txt}
    is_pdf "$stem.pdf" && tail -c 6 "$stem.pdf" | grep -q '%%EOF' || echo "${stem##*/}.pdf"
    [ "$(head -c 8 "$stem.png" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] || echo "${stem##*/}.png"
    grep -q '^\\begin{tikzpicture}' "$stem.tikz" && [ "$(tail -n 1 "$stem.tikz")" = '\end{tikzpicture}' ] ||
        echo "${stem##*/}.tikz"
done >"$dir/told"
[ "$(ls "$formats"/*.tikz | wc -l)" -gt $least ] || echo "few figures" >>"$dir/told"
nothing_told "every figure is whole as PNG, PDF and TikZ"
grep '^\\node' "$formats"/*.tikz | grep '10^{\|[^\\][&#]' | head -3 >"$dir/told"
grep -q '10\$^{\\mathrm{-' "$formats/spring-exactness.tikz" || echo "no power" >>"$dir/told"
grep -q '\$\\theta\$\$_{\\mathrm{0}}\$' "$formats/track-contact.tikz" || echo "no index" >>"$dir/told"
nothing_told "labels of TikZ are translated: powers, indices, Greek letters"
if command -v pdffonts >/dev/null 2>&1; then
    for name in "$formats"/*.pdf; do
        pdffonts "$name" | awk -v name="${name##*/}" 'NR > 2 { found = 1; if ($(NF - 4) != "yes") print name ": " $0 }
            END { if (!found) print name ": no font" }'
    done >"$dir/told"
    nothing_told "every PDF has the fonts of its text"
else
    skip "every PDF has the fonts of its text" "there is no pdffonts"
fi
if command -v pdflatex >/dev/null 2>&1 && kpsewhich gnuplot-lua-tikz.sty >/dev/null; then
    {
        printf '%s\n' '\documentclass{article}' '\usepackage{gnuplot-lua-tikz}' '\begin{document}'
        # of the energies of runs one is like another
        for name in $(ls "$formats" | grep '\.tikz$' | grep -v '\.energy\.tikz$') pendulum.energy.tikz; do
            printf '\\input{%s}\n\n' "$name"
        done
        printf '%s\n' '\end{document}'
    } >"$formats/all.tex"
    (cd "$formats" && pdflatex -interaction=nonstopmode -halt-on-error all.tex) >"$dir/told" 2>&1 &&
        [ -s "$formats/all.pdf" ]
    ok $? "LaTeX compiles every TikZ figure"
else
    skip "LaTeX compiles every TikZ figure" "there is no pdflatex with gnuplot-lua-tikz.sty"
fi
"$program" report --only pendulum --small --figures gif -o "$dir/other" >"$dir/out" 2>"$dir/told"
[ $? -eq 2 ] && grep -q "figures: 'gif' is not a format of figures; use svg, png" "$dir/told" && [ ! -e "$dir/other" ]
ok $? "another format is an error before anything runs"

# The paper. Programs of these names stand first in PATH.
mkdir "$dir/bin"
imitate() { # name: standard input is what it does
    { echo '#!/bin/sh'; cat; } >"$dir/bin/$1"
    chmod +x "$dir/bin/$1"
}
paper=$dir/paper
paper() {
    PATH=$dir/bin:$PATH "$program" report --small --only pendulum,spring --pdf -o "$paper" >"$dir/out" 2>"$dir/told"
}
imitate pdflatex <<'end'
[ "$1" = --version ] && exit 0
echo "./report.tex:7: LaTeX Error: File \`booktabs.sty' not found."
exit 1
end
imitate chromium <<'end'
for word; do case $word in --print-to-pdf=*) echo '%PDF-printed' >"${word#*=}" ;; esac; done
end
paper && grep -q printed "$paper/report.pdf" && [ -s "$paper/report.tex" ] && [ ! -e "$paper/.report.pdf.part" ] &&
    [ ! -e "$paper/report.latex" ]
ok $? "where a package of LaTeX is missing, a browser prints the report"
imitate pdflatex <<'end'
[ "$1" = --version ] && exit 0
echo "./report.tex:70: Undefined control sequence."
echo all >report.latex/report.log
exit 1
end
paper
[ $? -eq 2 ] && grep -q 'report.tex:70: Undefined control sequence' "$dir/told" && grep -q all "$paper/report.log" &&
    grep -q printed "$paper/report.pdf"
ok $? "another complaint of LaTeX is an error with its line, and the PDF stays as it was"
imitate pdflatex <<'end'
[ "$1" = --version ] && exit 0
echo '%PDF-set' >report.latex/report.pdf
end
paper && grep -q set "$paper/report.pdf" && [ ! -e "$paper/report.latex" ] && [ ! -e "$paper/report.log" ]
ok $? "LaTeX comes first"
tex=$paper/report.tex
grep -o '\\includegraphics[^{]*{[^}]*}\|\\href{[^}]*}' "$tex" | sed 's/.*{//; s/}$//' | sort -u | while read -r name; do
    [ -s "$paper/$name" ] || echo "$name is not there, or empty"
done >"$dir/told"
for part in '\begin{abstract}' 'section{Method}' 'section{Conclusion}' '\begin{thebibliography}' 'section{Springs as ERP and CFM}' '{spring.mechanism.slider.pdf}' '{pendulum.energy.pdf}' toprule; do
    grep -qF "$part" "$tex" || echo "$part is missing" >>"$dir/told"
done
nothing_told "what report.tex includes and links is there"
rm "$dir/bin/pdflatex" "$dir/bin/chromium"
if command -v pdflatex >/dev/null 2>&1 && kpsewhich booktabs.sty >/dev/null && kpsewhich pgf.sty >/dev/null; then
    paper && is_pdf "$paper/report.pdf" && [ "$(wc -c <"$paper/report.pdf")" -gt 50000 ]
    ok $? "LaTeX sets the report"
elif command -v chromium >/dev/null 2>&1; then
    paper && is_pdf "$paper/report.pdf"
    ok $? "a browser prints the report"
else
    skip "the report as PDF" "there is neither LaTeX nor chromium"
fi

# An interrupted report keeps what was finished.
"$program" report --only pendulum,articulation --jobs 2 -o "$dir/cut" >"$dir/out" 2>"$dir/told" &
report=$!
for tenth in $(seq 300); do
    grep -q 'id="pendulum"' "$dir/cut/index.html" 2>/dev/null && break
    sleep 0.1
done
kill "$report"
wait "$report"
[ $? -gt 128 ] && grep -q 'of 2 parts are done' "$dir/cut/index.html" && grep -q 'id="pendulum"' "$dir/cut/index.html"
ok $? "an interrupted report has a page of what was finished"
"$program" list experiments | sed -n 's/^  \([a-z]*\):.*/\1/p' | while read -r name; do
    ls "$dir/report" | grep -q "^$name.*\.tsv$" || echo "$name has no table"
    ls "$dir/report" | grep -q "^$name.*\.svg$" || echo "$name" | grep -Eqx "$empty" || echo "$name has no figure"
done >"$dir/told"
nothing_told "every experiment has a table and a figure"
awk -F'\t' '/^[^#]/ { print $1 }' "$dir/report/runs.summary.tsv" >"$dir/runs"
for scene in "$DLS_TEST_SOURCE"/scenes/*.yaml; do
    stem=$(basename "$scene" .yaml)
    grep -qxF "$stem" "$dir/runs" || echo "$stem was not run"
done >"$dir/told"
nothing_told "every scene was run"
awk -F'\t' '/^[^#]/ && $1 != "file" && $5 > 11 { print }' "$dir/report/runs.summary.tsv" >"$dir/told"
nothing_told "ten steps each"

: >"$dir/file"
"$program" report --small -o "$dir/file" >"$dir/out" 2>"$dir/err"
status=$?
cp "$dir/err" "$dir/told"
[ $status -eq 7 ] && [ "$(wc -l <"$dir/err")" -eq 1 ]
ok $? "a file in place of its folder is one error"
DELASSUS_DATADIR=$dir/none "$program" report --small -o "$dir/other" >"$dir/out" 2>"$dir/told"
[ $? -eq 2 ] && grep -q 'none' "$dir/told" && [ ! -e "$dir/other/index.html" ]
ok $? "so is a folder of scenes that is not there; there is no page then"
echo "1..$number"
