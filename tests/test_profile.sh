#!/bin/sh
# Profiles and leaderboards: what the tables say about each other, and answers of others.
. "$DLS_TEST_SOURCE/tests/script.sh"

echo 1..9
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

# Every solver and problem has a verdict at every tolerance, and the scores count them.
[ "$(answers | wc -l)" -eq 37 ] && sed '/^#/d' "$out/profile.scores.tsv" | awk -F '\t' '
    NR > 1 && ($3 != 4 || $4 + $5 + $6 + $7 + $8 + $9 != 4 || $10 != $4 - 16 * $8) { bad = 1 } END { exit bad || NR != 10 }'
ok $? "scores count every verdict once"

# A direct method is right about a problem without a solution only by its proof.
answers | awk -F '\t' '$2 == "none" && $4 == "lemke" { n += $7 == "no-solution" && $8 == "right" } END { exit n != 3 }'
ok $? "a proof that there is no solution is right"

# At the end each curve has the share of right answers; at ratio 1 the shares add up to those that anybody has right.
sed '/^#/d' "$out/profile.curves.tsv" | awk -F '\t' '
    NR > 1 { last[$1 $2 $3] = $5; if ($4 == 1 && $1 == "seconds") first[$2] += $5; if ($5 < before[$1 $2 $3]) bad = 1; before[$1 $2 $3] = $5 }
    END { for (t in first) if (first[t] < 1) bad = 1; for (k in last) n++; exit bad || n == 0 }'
ok $? "curves rise, and every problem that was solved has a fastest solver"

# What has been answered is not answered again.
cp -r "$out/answers" "$dir/before"
profile && diff -r "$out/answers" "$dir/before" >"$dir/told"
ok $? "a second run keeps the answers"

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

# An answer file with a fault, and a problem that is not the one of its name.
file=$(find "$out/answers/other" -name '*.json' | sort | head -n 1)
cp "$file" "$dir/kept"
sed 's/"claim": "[a-z-]*"/"claim": "surely"/' "$dir/kept" >"$file"
refuses "an answer with an unknown claim is refused by file and member" "claim" leaderboard "$out"
cp "$dir/kept" "$file"
problem=$(find "$out/problems" -name '*.problem' | sort | head -n 1)
printf '{"A": [[2.0]], "b": [-5.0]}' >"$problem"
refuses "a problem that is not the one of its name is refused" "another problem than its name says" leaderboard "$out"
