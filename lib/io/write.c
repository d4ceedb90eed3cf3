/* Any format that is written: whether it can represent a problem, and which parts it leaves out. */
#include "formats.h"
#include "writers.h"

#include "base/arithmetic.h"
#include "delassus/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows and data that a format can express. SAYS_BOUNDS includes free rows and complementarity, SAYS_BOX contacts in the
 * plane. */
enum {
    SAYS_COMPLEMENTARITY = 1, /* 0 <= lambda */
    SAYS_FREE = 2,
    SAYS_BOUNDS = 4 | SAYS_FREE | SAYS_COMPLEMENTARITY,
    SAYS_PLANE = 8,             /* a normal row, then one tangent between -mu and mu times its impulse */
    SAYS_BOX = 16 | SAYS_PLANE, /* such tangents anywhere */
    SAYS_CONE = 32,             /* Coulomb's isotropic cone */
    CONTACTS_ALONE = 64,        /* no row beside contacts */
    MASSES_ALONE = 128,         /* M and J, and no compliance */
    SAYS_MASSES = 256,
    SAYS_LABELS = 512, /* names of rows, owners and C may be left out by all others */
    SAYS_SOLUTION = 1024,
    SAYS_ROLLING = 2048, /* the same with rolling friction, which is isotropic too */
    SAYS_LAWS = 4096,    /* all laws of law.h */
    SAYS_CONES = SAYS_CONE | SAYS_ROLLING | SAYS_LAWS,
    SAYS_ALL = SAYS_BOUNDS | SAYS_BOX | SAYS_CONES | SAYS_MASSES | SAYS_LABELS
};

#define WRITER(id, name, says, help) {name, help},
const dls_format dls_written_formats[] = {
#include "writers.def"
    {NULL, NULL}};
#undef WRITER

#define WRITER(id, name, says, help) {says, dls_write_##id},
static const struct {
    int says;
    dls_writer_of_format *write;
} functions[] = {
#include "writers.def"
};
#undef WRITER

enum { WRITERS = sizeof functions / sizeof functions[0] };

const char *const dls_loss_texts[] = {
    "the masses, the Jacobian and v*: A = J M^-1 J^T + Gamma and b = J v* - c are written",
    "names of rows, their joints, and position errors C",
    "the stored impulses",
    "named starts",
    "limits of force and speed of joints, which nothing in the scene enforces",
    "visuals that cannot be drawn",
    NULL};

/* --- needs of a problem --- */

/* Need of the contact under a cone whose normal row is i. */
static int need_of_contact(const dls_problem *p, size_t i, size_t discs)
{
    bool isotropic = p->law[i + 1] == DLS_LAW_CONE;
    for (size_t k = i + 1; k < i + 2 * discs; k += 2)
        isotropic = isotropic && p->mu[k] == p->mu[k + 1];
    const bool bounded = p->hi[i] != HUGE_VAL; /* its lo is 0 */
    return !isotropic || (bounded && discs == 2) ? SAYS_LAWS
           : bounded                             ? SAYS_CONE | SAYS_BOUNDS
           : discs == 2                          ? SAYS_ROLLING
                                                 : SAYS_CONE;
}

/* Need of row i, and the number of rows that it is about. */
static int need_of(const dls_problem *p, size_t i, size_t *rows)
{
    const size_t discs = dls_problem_discs(p, i);
    *rows = 1 + 2 * discs;
    if (discs > 0)
        return need_of_contact(p, i, discs);
    if (p->law[i] == DLS_LAW_BOX && dls_problem_is_cone(p, p->parent[i]))
        return SAYS_LAWS;
    if (i + 1 < p->n && p->parent[i + 1] == i && p->law[i + 1] == DLS_LAW_BOX && p->lo[i] == 0.0 &&
        p->hi[i] == HUGE_VAL && (i + 2 == p->n || p->parent[i + 2] != i))
        return *rows = 2, SAYS_PLANE;
    if (p->parent[i] != DLS_NONE)
        return SAYS_BOX;
    if (p->lo[i] == -HUGE_VAL && p->hi[i] == HUGE_VAL)
        return SAYS_FREE;
    return p->lo[i] == 0.0 && p->hi[i] == HUGE_VAL ? SAYS_COMPLEMENTARITY : SAYS_BOUNDS;
}

static const char *need_text(int need)
{
    if (need == SAYS_CONE)
        return "a contact under Coulomb's cone";
    if (need == (SAYS_CONE | SAYS_BOUNDS))
        return "a contact under Coulomb's cone with a bounded normal impulse";
    if (need == SAYS_PLANE)
        return "a contact in the plane";
    if (need == SAYS_ROLLING)
        return "a contact with rolling friction";
    if (need == SAYS_LAWS)
        return "a contact under the associated law, with two friction coefficients, torsional friction or a bounded "
               "normal impulse";
    if (need == SAYS_BOX)
        return "friction between bounds that follow a normal impulse";
    return need == SAYS_FREE ? "free" : need == SAYS_BOUNDS ? "bounded on both sides" : "complementary";
}

static dls_status check_rows(const dls_problem *p, size_t format, dls_error *error)
{
    const int says = functions[format].says;
    int dimension = 0; /* of contacts: formats of contacts alone have one for all */
    for (size_t i = 0, rows; i < p->n; i += rows) {
        int need = need_of(p, i, &rows);
        const bool contact = need == SAYS_CONE || need == SAYS_PLANE || need == SAYS_ROLLING;
        const bool mixed = (says & CONTACTS_ALONE) && (!contact || (dimension && dimension != need));
        if (mixed || (need & says) != need)
            return dls_fail(error, DLS_REFUSED,
                            "%s cannot hold row %zu '%s', which is %s; 'problem' and 'json' hold every problem%s",
                            dls_written_formats[format].name, i, dls_problem_label(p, i), need_text(need),
                            mixed && (need & says) == need ? " (it holds contacts of one dimension alone)" : "");
        dimension = need;
    }
    for (size_t i = 0; (says & MASSES_ALONE) && i < p->n; i++)
        if (p->gamma[i] != 0.0)
            return dls_fail(error, DLS_REFUSED, "%s cannot hold the compliance of row %zu '%s'; the local form can",
                            dls_written_formats[format].name, i, dls_problem_label(p, i));
    if ((says & MASSES_ALONE) && p->form != DLS_FORM_MECHANICAL)
        return dls_fail(error, DLS_REFUSED, "%s needs masses, and this problem is a matrix; the local form takes it",
                        dls_written_formats[format].name);
    return DLS_OK;
}

static bool has_names(const dls_problem *p)
{
    const dls_row_list *rows = dls_problem_rows(p);
    for (size_t i = 0; rows && i < p->n; i++)
        if (rows->row[i].owner != DLS_NONE || rows->row[i].C != 0.0)
            return true;
    return false;
}

static unsigned losses_of(const dls_problem *p, const double *solution, int says)
{
    return (p->form == DLS_FORM_MECHANICAL && !(says & (SAYS_MASSES | MASSES_ALONE)) ? DLS_LOSS_MASSES : 0U) |
           (has_names(p) && !(says & SAYS_LABELS) ? DLS_LOSS_NAMES : 0U) |
           (solution && !(says & SAYS_SOLUTION) ? DLS_LOSS_SOLUTION : 0U);
}

/* --- writing --- */

static const char *written_name_at(const void *unused, size_t i)
{
    (void)unused;
    return dls_written_formats[i].name;
}

static dls_status no_format(const char *format, dls_error *error)
{
    char names[3 * DLS_MESSAGE_MAX / 4];
    dls_format_names(dls_written_formats, names, sizeof names);
    return dls_fail(error, DLS_BAD_INPUT, "no format '%.60s' is written%s; these are: %s", format,
                    dls_hint_of(dls_nearest_word(format, written_name_at, NULL), NULL).text, names);
}

dls_status dls_file_write(const dls_problem *p, const double *solution, const char *format, const char *path,
                          unsigned *lost, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    size_t i = 0;
    dls_problem *matrix = NULL;
    while (i < WRITERS && strcmp(dls_written_formats[i].name, format) != 0)
        i++;
    if (i == WRITERS)
        return no_format(format, error);
    const int says = functions[i].says;
    DLS_TRY(dls_problem_check(p, error));
    DLS_TRY(check_rows(p, i, error));
    if (!(says & (SAYS_MASSES | MASSES_ALONE)))
        DLS_TRY(dls_problem_matrix_form(p, &matrix, error));
    dls_status status = functions[i].write(matrix ? matrix : p, solution, path, error);
    dls_problem_destroy(matrix);
    if (status == DLS_OK && lost)
        *lost = losses_of(p, solution, says);
    return status;
}

dls_status dls_write_problem(const dls_problem *p, const double *solution, const char *path, dls_error *error)
{
    (void)solution;
    return dls_problem_write(p, path, error);
}
