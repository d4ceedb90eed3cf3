/* Checks certificates of constraint problems: check_certificate FILE.cert.json ...
 *
 * The second program that does, after check_certificate.py, whose theorems it proves again by another arithmetic:
 * rational numbers of FLINT, and for matrices balls of Arb, whose operations enclose the exact result. It shares
 * nothing with the library, is fast where Python is slow, and knows more kinds: existence of a solution under friction
 * (check_states.c), and problems without rows that depend on others. certified.c reads the file. Exit status: 0 if all
 * files are accepted, 1 if one is rejected, 2 without a file. */
#include "certified.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct kind {
    const char *name, *members; /* of the claim, beside "kind" */
    kind_check *check;
} kind;
static const kind kinds[] = {
    {"solution", "kind given radius unique states", check_solution},
    {"several", "kind solutions", check_several},
    {"continuum", "kind solutions", check_several},
    {"all", "kind solutions", check_all},
    {"velocity", "kind given within", check_velocity},
    {"backward", "kind given off", check_backward},
    {"states", "kind given radius states", check_states},
};

static const char *check_claim(const json_t *stored, const bool *left_out, const json_t *claim, const json_t *witness)
{
    const char *name = text_of(member(claim, "kind"));
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (is_text(name, kinds[k].name)) {
            insist_members(claim, kinds[k].members);
            return kinds[k].check(read_problem(stored, left_out), claim, witness);
        }
    insist(false, "the kind of the claim is not known");
    return NULL;
}

static void check_certificate(const char *file)
{
    json_error_t why;
    char name[65], text[400];
    begin_verdict(file);
    const json_t *certificate = json_load_file(file, JSON_REJECT_DUPLICATES, &why);
    insist(certificate, why.text);
    insist_members(certificate, "format problem sha256 claim witness");
    const json_t *stored = member(certificate, "problem"), *claim = member(certificate, "claim");
    const json_t *witness = member(certificate, "witness");
    insist(is_text(text_of(member(certificate, "format")), "delassus certificate 1"), "the format is another one");
    name_problem(stored, name);
    insist(is_text(text_of(member(certificate, "sha256")), name), "the hash is not that of the problem");
    if (!is_text(text_of(member(claim, "kind")), "without"))
        end_with(true, check_claim(stored, NULL, claim, witness));
    insist_members(claim, "kind rows residual claim");
    const bool *left_out = read_left_out(stored, claim, witness);
    const double count = (double)json_array_size(member(claim, "rows"));
    snprintf(text, sizeof text, "without %.0f dependent row%s, %s", count, count > 1.0 ? "s" : "",
             check_claim(stored, left_out, member(claim, "claim"), member(witness, "witness")));
    end_with(true, text);
}

int main(int count, char **files)
{
    int all = count > 1 ? 0 : 2;
    for (int k = 1; k < count; k++) {
        int status = 1;
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0)
            check_certificate(files[k]);
        if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
            printf("%s: REJECTED: the check did not end\n", files[k]);
        all = status == 0 ? all : 1;
    }
    return all;
}
