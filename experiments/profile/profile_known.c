/* Properties of problems that are known before they are solved, for the choice of a solver. */
#include "profile/profile.h"

#include <math.h>

const char *const dls_known_names[] = {
#define KNOWN_TEXT(name, text, help) text,
    DLS_KNOWN_LIST(KNOWN_TEXT)
#undef KNOWN_TEXT
};

/* Shares of the rows by their bounds. */
static void know_rows(const dls_problem *p, double *of)
{
    for (size_t i = 0; i < p->n; i++) {
        const bool friction = p->parent[i] != DLS_NONE, discs = dls_law_has_discs(p->law[i]);
        const int bounds = !isinf(p->lo[i]) + !isinf(p->hi[i]);
        of[DLS_KNOWN_FREE] += !friction && bounds == 0;
        of[DLS_KNOWN_UNILATERAL] += !friction && bounds == 1;
        of[DLS_KNOWN_BOUNDED] += !friction && bounds == 2;
        of[DLS_KNOWN_BOX] += friction && !discs;
        of[DLS_KNOWN_CONE] += friction && discs;
    }
    for (size_t k = DLS_KNOWN_FREE; k <= DLS_KNOWN_CONE; k++)
        of[k] /= (double)p->n;
}

dls_status dls_known_measure(const dls_problem *problem, dls_known *known, dls_error *error)
{
    dls_properties found;
    const unsigned laws = dls_problem_contact_laws(problem);
    double *of = known->of;
    *known = (dls_known){.of = {0.0}};
    DLS_TRY(dls_properties_measure(problem, NULL, &found, error));
    of[DLS_KNOWN_ROWS] = (double)found.rows;
    of[DLS_KNOWN_DENSITY] = found.density;
    of[DLS_KNOWN_RANK] = found.rank == DLS_NONE ? NAN : (double)found.rank / (double)found.rows;
    of[DLS_KNOWN_CONDITION] = found.condition;
    of[DLS_KNOWN_FILL] = found.fill;
    of[DLS_KNOWN_SYMMETRIC] = found.symmetric;
    of[DLS_KNOWN_ASSOCIATED] = (laws & DLS_CONTACTS_ASSOCIATED) != 0;
    of[DLS_KNOWN_ELLIPTIC] = (laws & DLS_CONTACTS_ELLIPTIC) != 0;
    of[DLS_KNOWN_ROLLING] = (laws & DLS_CONTACTS_ROLLING) != 0;
    know_rows(problem, of);
    return DLS_OK;
}

dls_status dls_known_write(const dls_job *job, const dls_verdict_list *list, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_job_table(job, "profile.problems", &table, error));
    dls_table_columns(table, "problem\tfamily"
#define KNOWN_COLUMN(name, text, help) "\t" text
                      DLS_KNOWN_LIST(KNOWN_COLUMN)
#undef KNOWN_COLUMN
    );
    for (size_t p = 0; p < list->n_problems; p++) {
        dls_table_cells(table, "%s %s", list->problems[p], list->families[list->family[p]]);
        dls_table_reals(table, list->known[p].of, DLS_KNOWN);
        dls_table_end_row(table);
    }
    return dls_table_commit(table, error);
}
