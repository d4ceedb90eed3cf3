#!/bin/sh
# Profiles and leaderboards: what the tables say about each other, and answers of others.
. "$DLS_TEST_SOURCE/tests/script.sh"

out=$dir/out-folder
answers() { sed '/^#/d' "$out/profile.answers.tsv"; }

# Two that have a solution, one that has none, and one with redundant rows.
printf '{"A": [[2.0, 1.0], [1.0, 2.0]], "b": [-5.0, -6.0]}' >"$dir/plain-1.json"
printf '{"A": [[1.0, 0.5], [0.5, 1.0]], "b": [-1.0, 1.0]}' >"$dir/plain-2.json"
printf '{"A": [[0.0, 0.0], [0.0, 1.0]], "b": [-1.0, 0.0]}' >"$dir/none-1.json"
printf '{"A": [[1.0, 1.0], [1.0, 1.0]], "b": [-1.0, -1.0]}' >"$dir/redundant-1.json"
profile() { "$program" profile "$dir"/*.json --solvers pgs,lemke,newton --iterations 1000 -o "$out" >"$dir/out" 2>"$dir/err"; }
profile
ok $? "a profile of four problems and three solvers"
if command -v gnuplot >/dev/null; then
    grep -o '<text>.*' "$out/profile-families.svg" | sed 's/<[^>]*>//g; /^[01]/d; /^$/d; /^share/d' | sort | tr '\n' ' ' >"$dir/told"
    [ "$(cat "$dir/told")" = "lemke newton none pgs plain redundant " ]
    ok $? "the axes of the families have names alone"
else
    skip "the axes of the families" "there is no gnuplot"
fi

# Where figures are not looked at, gnuplot draws nothing.
if command -v gnuplot >/dev/null; then
    mkdir "$dir/bin" && cp "$DLS_TEST_SOURCE/tests/idle_gnuplot.sh" "$dir/bin/gnuplot"
    PATH=$dir/bin:$PATH
fi

# Every solver and problem has a verdict at every tolerance, and the scores count them.
[ "$(answers | wc -l)" -eq 37 ] && sed '/^#/d' "$out/profile.scores.tsv" | awk -F '\t' '
    NR > 1 && ($3 != 4 || $4 + $5 + $6 + $7 + $8 + $9 + $10 != 4 || $11 != $4 - 16 * $8) { bad = 1 } END { exit bad || NR != 10 }'
ok $? "scores count every verdict once"

# A direct method is right about a problem without a solution only by its proof.
answers | awk -F '\t' '$2 == "none" && $4 == "lemke" { n += $7 == "no-solution" && $8 == "right" } END { exit n != 3 }'
ok $? "a proof that there is no solution is right"

# Families add up to the scores, in every column of counts.
for table in scores families; do
    sed '/^#/d' "$out/profile.$table.tsv" | awk -F '\t' -v shift=$([ $table = families ]; echo $((1 - $?))) '
        NR > 1 { for (k = 3; k <= 10; k++) sum[$1 " " $(2 + shift) " " k] += $(k + shift) } END { for (k in sum) print k, sum[k] }' | sort >"$dir/$table"
done
[ -s "$dir/scores" ] && diff "$dir/scores" "$dir/families" >"$dir/told"
ok $? "families add up to the scores"

# The tree: its leaves hold every problem once, it costs no more than the best single solver on what both were learnt from, and errors are shares.
sed '/^#/d' "$out/profile.tree.tsv" | awk -F '\t' 'NR > 1 { n[$1] += $4 == "-" ? $8 : 0 } END { for (t in n) { k++; bad += n[t] != 4 } exit bad || k != 3 }' &&
    sed '/^#/d' "$out/profile.choice.tsv" | awk -F '\t' '
        NR > 1 { n++; if ($3 == "all") cost[$1 $2] = $7; bad += $6 != $5 / $4 || $4 != 4 } END { for (k in cost) if (k ~ /tree/) { other = k; sub("tree", "single", other); bad += cost[k] > cost[other] } exit bad || n != 18 }'
ok $? "a tree chooses for every problem"

# Ratios: at the end each curve has the share of right answers; at ratio 1 the shares add up to those that anybody has right. Columns: profile,
# cost, tolerance, solver, x, until, before, share, low, high.
curves() { sed '/^#/d' "$out/profile.curves.tsv"; }
curves | awk -F '\t' '
    NR > 1 && $1 == "ratio" { key = $2 $3 $4; if ($5 == 1 && $2 == "seconds") first[$3] += $8; if ($7 != before[key] + 0 || $8 <= $7 || $5 < until[key]) bad = 1; before[key] = $8; until[key] = $6 }
    END { for (t in first) if (first[t] < 1) bad = 1; for (k in before) n++; exit bad || n == 0 }'
ok $? "curves rise, step by step, and every problem that was solved has a fastest solver"
curves | awk -F '\t' 'NR > 1 { bad += $9 > $8 || $10 < $8; wide += $9 < $10 } END { exit bad > 0 || wide == 0 }'
ok $? "bands hold their curves"
# Every problem is a family of its own: drawn again, they are the same ones.
mkdir "$dir/alone"
for name in a b c; do sed "s/-5.0/-$(printf %d "'$name").0/" "$dir/plain-1.json" >"$dir/alone/$name-1.json"; done
"$program" profile "$dir"/alone/*.json --solvers pgs,lemke -o "$dir/alone/o" >"$dir/out" 2>"$dir/err" &&
    sed '/^#/d' "$dir/alone/o/profile.curves.tsv" | awk -F '\t' 'NR > 1 { bad += $9 != $8 || $10 != $8; n++ } END { exit bad > 0 || n == 0 }'
ok $? "and are their curves where a family has one problem"
# Budgets: what a solver has right within a number of sweeps does not depend on other solvers.
budgets() { sed '/^#/d' "$1/profile.curves.tsv" | awk -F '\t' '$1 == "budget" && $2 == "row-visits" && $4 == "pgs" { print $3, $5, $8, $9, $10 }'; }
budgets "$dir/alone/o" >"$dir/with"
rm -r "$dir/alone/o/answers/lemke" && "$program" leaderboard "$dir/alone/o" >"$dir/out" 2>"$dir/err"
budgets "$dir/alone/o" >"$dir/without"
[ -s "$dir/with" ] && diff "$dir/with" "$dir/without" >"$dir/told"
ok $? "the budget of a solver does not depend on others"

# What has been answered is not answered again.
cp -r "$out/answers" "$dir/before"
profile && diff -r "$out/answers" "$dir/before" >"$dir/told"
ok $? "a second run keeps the answers"

# Answers to other settings and limits are others; those of other solvers stay.
cp -r "$out" "$dir/other-out"
other() { "$program" profile "$dir"/*.json --iterations 1000 -o "$dir/other-out" "$@" >"$dir/out" 2>"$dir/err"; }
differ() { diff -rq "$out/answers" "$dir/other-out/answers" | awk '{ print $2 }' | xargs -n 1 dirname | xargs -n 1 basename | sort -u | tr '\n' ' '; }
other --solvers pgs --set omega=0.5 && [ "$(differ)" = "pgs " ] && grep -q '"settings": "omega=0.5 seconds=1"' "$dir"/other-out/answers/pgs/*.json
ok $? "other settings have other answers"
other --solvers pgs && other --solvers lemke,pgs --iterations 999 && grep -q '"most_iterations": 999' "$dir"/other-out/answers/lemke/*.json
ok $? "and so has another limit of iterations"
other --solvers pgs --seconds 2
[ $? -eq 2 ] && grep -q 'answers/[a-z]*/[0-9a-f]*.json.*: limit: is [12] s, but [12] s in .*answers/[a-z]*/[0-9a-f]*.json' "$dir/err"
ok $? "answers of different time limits are not compared"
"$program" profile "$dir/plain-1.json" --solvers all-own -o "$dir/all-own" >"$dir/out" 2>"$dir/err" &&
    "$program" list solvers | sed -n 's/^  \([a-z-]*\) (\(direct\|iterative\)).*/\1/p' | sort >"$dir/scores" && ls "$dir/all-own/answers" | diff "$dir/scores" - >"$dir/told"
ok $? "every solver of the list"
refuses "one solver twice" "answers/pgs" profile "$dir/plain-1.json" --solvers pgs,pgs -o "$dir/twice"

# Problems of the collection, by their names, beside a file and a folder of such a name.
mkdir "$dir/named" "$dir/named/copies"
here=$(pwd)
case $program in /*) there=$program ;; *) there=$here/$program ;; esac
(cd "$dir/named" && "$there" profile copies/1 copies/2 painleve/3 "$dir/plain-1.json" --solvers cone-newton -o o) >"$dir/out" 2>"$dir/err"
sed '/^#/d' "$dir/named/o/profile.answers.tsv" | awk -F '\t' 'NR > 1 { n[$2] += $8 == "right" } END { exit n["copies"] != 6 || n["painleve"] != 3 || n["plain"] != 3 }'
ok $? "problems of the collection by name"
refuses "a name that is neither" "no file of this name; the collection has no set 'painlev'; did you mean 'painleve'" profile painlev --solvers pgs -o "$dir/none"
refuses "a number that a set has not" "painleve/0 to painleve/35" profile painleve/36 --solvers pgs -o "$dir/none"

# A sweep that diverges: JSON has no infinite impulses, and the message says that they were left out.
printf '{"A": [[1.0, 2.0], [2.0, 1.0]], "b": [-1.0, -1.0], "lo": [null, null], "hi": [null, null]}' >"$dir/named/far-1.json"
"$program" profile "$dir/named/far-1.json" --solvers pgs -o "$dir/named/far" >"$dir/out" 2>"$dir/err" &&
    grep -q '"lambda": null.*impulse [0-9]* is not finite: left out' "$dir"/named/far/answers/pgs/*.json &&
    sed '/^#/d' "$dir/named/far/profile.scores.tsv" | awk -F '\t' 'NR > 1 && $4 > 0 { bad = 1 } END { exit bad }'
ok $? "a sweep that diverges is not right"

# Somebody else's answers: one that is wrong.
mkdir "$out/answers/other"
for file in "$out"/answers/lemke/*.json; do
    sed 's/"solver": "lemke"/"solver": "other"/; s/"lambda": \[[^]]*\]/"lambda": [3.0, 4.0]/' "$file" >"$out/answers/other/$(basename "$file")"
done
"$program" leaderboard "$out" >"$dir/out" 2>"$dir/err" &&
    answers | awk -F '\t' '$4 == "other" && $6 == "solved" { n++; w += $8 == "silently-wrong" } END { exit !(n > 0 && n == w) }'
ok $? "a claim that the examiner refutes is silently wrong, whoever wrote it"

grep -q "<td>other</td>" "$out/index.html" && grep -q 'class="wrong"' "$out/index.html"
ok $? "the page has it"

# One file, examined: valid with claims that hold, or with one that does not, or not valid.
check() { "$program" submit-check "$@" >"$dir/out" 2>"$dir/err"; }
plain=$(grep -l '"file": ".*plain-1.json"' "$out"/answers/lemke/*.json)
check "$plain" && grep -q ' solved  *solved  *right' "$dir/out" && grep -q 'no claim is refuted' "$dir/out"
ok $? "an answer that holds"
check "$out/answers/other/$(basename "$plain")"
[ $? -eq 1 ] && grep -q 'silently-wrong' "$dir/out"
ok $? "an answer that does not"
cp "$plain" "$dir/alone.json"
refuses "an answer whose problem is not beside it" "problems/$(basename "$plain" .json).problem" submit-check "$dir/alone.json"
check "$dir/alone.json" --problem "$dir/plain-1.json"
ok $? "with its problem"
refuses "with another problem" "problem: .* which it is examined with" submit-check "$dir/alone.json" --problem "$dir/redundant-1.json"
cp "$(grep -l '"file": "copies-1/1"' "$dir"/named/o/answers/cone-newton/*.json)" "$dir/collected.json"
check "$dir/collected.json"
ok $? "and of the collection, by its name"

# A contact whose terms of b cancel up to rounding, where 0 is the solution: an impulse of a rounding error is none, one that is
# small beside the data is not certified, and no false claim either.
name=$("$program" collection list spheres-box | sed -n 's/^spheres-box-1\/12 .*sha256 //p')
claim() { # IMPULSE of row 12
    printf '{"format": "delassus answers 1", "problem": "%s", "family": "f", "file": "spheres-box-1/12", "rows": 18, "solver": "s", "direct": true, "version": "v", "machine": "m",
        "settings": "", "limit": 1, "most_iterations": 1, "attempts": [{"tolerance": 1e-9, "claim": "solved", "iterations": 1, "row_visits": null, "seconds": 0.1,
        "lambda": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, %s, 0, 0, 0, 0, 0], "farkas": null, "message": ""}]}' "$name" "$1" >"$dir/claim.json"
    check "$dir/claim.json"
}
claim 0 && grep -q ' right ' "$dir/out"
ok $? "an impulse of 0 is right"
claim 2.7e-17 && grep -q ' right ' "$dir/out" && ! grep -q 'unproved' "$dir/out"
ok $? "one of a rounding error is right, too"
claim 1e-12 && grep -q ' unproved ' "$dir/out" && ! grep -q 'silently-wrong' "$dir/out"
ok $? "one that is small beside the data is not proved"
claim 1e-8
[ $? -eq 1 ] && [ "$(grep -c 'silently-wrong' "$dir/out")" -eq 1 ] && grep -q '^1e-09 .*silently-wrong' "$dir/out"
ok $? "one beyond a tolerance is silently wrong for it"

# A claim that there is no solution: false is silently wrong, whatever impulses and vector come with it; true is right without a proof of its own where the search has one.
denial() { # FILE LAMBDA FARKAS
    problem=$(grep -l "\"file\": \".*/$1.json\"" "$out"/answers/lemke/*.json)
    sed "s/\"claim\": \"[a-z-]*\"/\"claim\": \"no-solution\"/; s/\"lambda\": [^a-z]*\"/\"lambda\": $2, \"/; s/\"farkas\": [^a-z]*\"/\"farkas\": $3, \"/; s/null, \"farkas\"/$2, \"farkas\"/; s/\"farkas\": null/\"farkas\": $3/" "$problem" >"$dir/denial.json"
    check "$dir/denial.json" --problem "$dir/$1.json"
}
right=$(sed 's/.*"lambda": \(\[[^]]*\]\).*/\1/' "$plain")
denial plain-1 "$right" null
[ $? -eq 1 ] && [ "$(grep -c 'no-solution .* silently-wrong' "$dir/out")" -eq 3 ]
ok $? "no solution, beside the solution"
denial plain-1 "$right" "[1.0, 1.0]"
[ $? -eq 1 ] && [ "$(grep -c 'no-solution .* silently-wrong' "$dir/out")" -eq 3 ]
ok $? "and with a vector that proves nothing"
denial none-1 "[0.0, 0.0]" "[0.0, 1.0]" && [ "$(grep -c 'no-solution .* right' "$dir/out")" -eq 3 ]
ok $? "true, with a vector that proves nothing"

# The schema and the program accept the same files.
python=
for candidate in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$candidate" -c 'import jsonschema' 2>/dev/null || python=$candidate
done
cat >"$dir/mutants.py" <<'END'
"""Writes faulty copies of an answer file that the schema refuses, one for each member and kind of fault."""
import copy, json, sys
import jsonschema
schema, source, folder = json.load(open(sys.argv[1])), sys.argv[2], sys.argv[3]
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for name in sys.argv[4:]:
    validator.validate(json.load(open(name)))
whole = json.load(open(source))
count = 0
def mutant(place, member, value, gone=False):
    global count
    faulty = copy.deepcopy(whole)
    at = faulty if place is None else faulty["attempts"][place]
    at[member] = value
    if gone:
        del at[member]
    if not validator.is_valid(faulty):
        count += 1
        json.dump(faulty, open("%s/%d.json" % (folder, count), "w"))
for place in (None, 0):
    members = list(whole if place is None else whole["attempts"][0])
    for member in members + ["new"]:
        for value in ("", "x" * 3000, -1, 1.5, None, [1.0, "a"]):
            mutant(place, member, value)
        if member != "new":
            mutant(place, member, None, gone=True)
assert count > 80
END
if [ -n "$python" ]; then
    mkdir "$dir/faulty"
    "$python" "$dir/mutants.py" "$DLS_TEST_SOURCE/doc/answer-file.schema.json" "$plain" "$dir/faulty" "$out"/answers/*/*.json "$dir"/named/*/answers/*/*.json 2>"$dir/err"
    ok $? "answer files are of the schema"
    for file in "$dir"/faulty/*.json; do
        "$program" submit-check "$file" --problem "$dir/plain-1.json" >"$dir/out" 2>"$dir/err"
        [ $? -eq 2 ] && grep -q "$(basename "$file")" "$dir/err" || { basename "$file"; cat "$file"; }
    done >"$dir/told"
    nothing_told "files that the schema refuses are refused by name"
else
    skip "answer files are of the schema" "no jsonschema"
fi

# An answer file with a fault, and a problem that is not the one of its name.
file=$(find "$out/answers/other" -name '*.json' | sort | head -n 1)
cp "$file" "$dir/kept"
sed 's/"claim": "[a-z-]*"/"claim": "surely"/' "$dir/kept" >"$file"
refuses "an answer with an unknown claim is refused by file and member" "claim" leaderboard "$out"
cp "$dir/kept" "$file"
problem=$(find "$out/problems" -name '*.problem' | sort | head -n 1)
printf '{"A": [[2.0]], "b": [-5.0]}' >"$problem"
refuses "a problem that is not the one of its name is refused" "another problem than its name says" leaderboard "$out"
echo "1..$number"
