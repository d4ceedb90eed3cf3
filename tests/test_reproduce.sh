#!/bin/sh
# make reproduce: the numbers of tests/reproduce.tsv are printed in doc/results.md, and the comparer tells a number that
# differs, and refuses tables, rows and columns that are not there. TAP.
. "$DLS_TEST_SOURCE/tests/script.sh"
python=${DLS_TEST_PYTHON:-python3}
if ! "$python" -c 'pass' 2>/dev/null; then
    skip "make reproduce" "no Python"
    echo "1..$number"
    exit 0
fi
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

cat >"$dir/printed.py" <<'END'
import re, sys
sys.path.insert(0, sys.argv[1] + "/tests")
import reproduce
text = open(sys.argv[1] + "/doc/results.md", encoding="utf-8").read().split("\n")
numbers = reproduce.read_numbers(sys.argv[1] + "/tests/reproduce.tsv")
for number in numbers:
    level = 0
    for line in text:
        heading = re.match("(#+) (.*)", line)
        if heading and level and len(heading[1]) <= level:
            level = 0
        if heading and heading[2] == number["section"]:
            level = len(heading[1])
        if level and re.search("(?<![0-9.,])" + re.escape(number["printed"]) + "(?![0-9]|[.,][0-9])", line):
            break
    else:
        print("%s: doc/results.md has no %s below '%s'" % (number["at"], number["printed"], number["section"]))
    if reproduce.value_of(number["printed"]) is not None and not reproduce.allowed(number) >= 0.0:
        print("%s: no tolerance" % number["at"])
END
"$python" "$dir/printed.py" "$DLS_TEST_SOURCE" >"$dir/told" 2>&1
[ ! -s "$dir/told" ] && [ "$(grep -vc '^#' "$DLS_TEST_SOURCE/tests/reproduce.tsv")" -ge 40 ]
ok $? "the numbers stand in doc/results.md"

# A program with one table.
cat >"$dir/program" <<'END'
#!/bin/sh
[ "$1" = works ] || { echo "the program fails"; exit 2; }
while [ "$1" != -o ]; do shift; done
printf '# head\nsolver\titerations\terror[m]\na\t20\t1.25e-3\nb\t1874\t0.5\nb\t90\tnan\n' >"$2/made.tsv"
END
chmod +x "$dir/program"
# compared STATUS WORDS TABLE ROWS CELL PRINTED TOLERANCE [COMMAND]
compared() {
    want=$1 words=$2 command=${8:-works}
    printf 'Section\tsmoke\t%s\t%s\t%s\t%s\t%s\t%s\treason\n' "$command" "$3" "$4" "$5" "$6" "$7" >"$dir/numbers.tsv"
    "$python" "$DLS_TEST_SOURCE/tests/reproduce.py" --program "$dir/program" -o "$dir/made" "$dir/numbers.tsv" >"$dir/out" 2>"$dir/err"
    [ $? -eq "$want" ] && grep -q "$words" "$dir/out"
    ok $? "$3 $4 $5 is $6 within $7: $words"
}
compared 0 '^ok ' made 'solver=a' error '1.3e-3' digits
compared 0 '^ok ' made 'solver=b;error=0.50' iterations '1,874' digits
compared 0 '^ok ' made - 'max iterations' '1,873' 1
compared 0 '^ok ' made 'solver=b' count 2 0
compared 0 '^ok ' made 'solver=a' error 0.0013 most
compared 1 '^DIFFERS' made 'solver=a' error 0.0012 most
compared 0 '^ok ' made 'solver=a' 'minus iterations' -20 0
compared 2 'has 2 rows' made 'solver=b' 'minus iterations' 20 0
compared 1 '^DIFFERS' made 'iterations=90' error 1 most
compared 1 '^DIFFERS .*: 0.00125, printed\|^DIFFERS .*: 1.25e-3, printed' made 'solver=a' error '1.31e-3' digits
compared 1 '^DIFFERS' made 'solver=b;error=0.5' iterations '1,900' '1%'
compared 1 '^DIFFERS' made 'iterations=90' error '0' 1e300
compared 2 'no column errors' made 'solver=a' errors 1 digits
compared 2 'no column solvers' made 'solvers=a' error 1 digits
compared 2 'no row with solver=c' made 'solver=c' error 1 digits
compared 2 'has 2 rows' made 'solver=b' iterations 1 digits
compared 2 'no table' none 'solver=a' error 1 digits
compared 2 'the program fails' made 'solver=a' error 1 digits fails
compared 2 '^UNKNOWN' made 'solver=a' solver 1 digits
printf 'Section\tsometimes\tworks\n' >"$dir/numbers.tsv"
"$python" "$DLS_TEST_SOURCE/tests/reproduce.py" --program "$dir/program" -o "$dir/made" "$dir/numbers.tsv" >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'numbers.tsv:1: 3 cells' "$dir/err"
ok $? "a line that is cut is refused"
echo "1..$number"
