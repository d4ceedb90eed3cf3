/* The check of a problem: its parts in turn, and their results. */
#include "check_parts.h"

#include <float.h>
#include <stdlib.h>

const char *const dls_check_subject_names[DLS_CHECK_SUBJECTS] = {
    "place", "C", "J at the ends", "J in columns", "c", "Gamma", "bounds", "friction", "velocity", "M", "M^-1", "v*"};

/* Compares J with a difference: they must agree, and the difference must be accurate enough to detect a wrong entry. */
static void note_rate(dls_check *c, size_t i, dls_check_subject subject, double J, dls_difference D, double size)
{
    dls_check_found *to = dls_check_of_row(c, i, subject);
    const double allowed = D.error + c->rounding[i] + 16.0 * DBL_EPSILON * size;
    dls_check_note(to, J, D.value, allowed);
    const double sight = size > 0.0 ? allowed / size : 0.0;
    if (!(sight <= DLS_CHECK_SIGHT) && !(to->ratio > 1.0))
        *to = (dls_check_found){J, D.value, allowed, HUGE_VAL};
    c->report->sight = fmax(c->report->sight, sight);
}

static void check_ends(dls_check *c)
{
    for (size_t j = 0; j < c->model->n_joints; j++) {
        const dls_joint *joint = &c->model->joints[j];
        dls_difference D[DLS_JOINT_ROWS_MAX][DLS_END_MOTIONS];
        dls_end end[2];
        if (c->first[j + 1] == c->first[j])
            continue;
        dls_configuration_ends(c->here, joint, end);
        dls_difference_ends(joint, end, c->rows + c->first[j], c->step, c->arm, D);
        for (size_t i = c->first[j]; i < c->first[j + 1]; i++)
            for (int k = 0; k < dls_difference_motions(joint); k++) {
                if (!joint->n_terms && !joint->moves[k / 6])
                    continue;
                const double J = dls_difference_entry(joint, &c->rows[i], k);
                const double size = joint->n_terms ? fabs(J) : k % 6 < 3 ? c->size[i] / c->arm : c->size[i];
                note_rate(c, i, DLS_CHECK_ENDS, J, D[i - c->first[j]][k], size);
            }
    }
}

/* The size of a row at its ends, times the speeds of the ends: rows on links may cancel in their columns, as those of a
 * straight chain do along it, and are then as accurate as the terms that cancel. */
static double size_in_columns(const dls_check *c, size_t owner, size_t i)
{
    const size_t *end =
        owner < c->model->n_joints ? c->model->joints[owner].body : c->contacts->at[owner - c->model->n_joints].body;
    double size = 0.0;
    for (int k = 0; k < 2; k++) {
        if (end[k] == DLS_WORLD)
            continue;
        const double *J = k == 0 ? c->rows[i].J1 : c->rows[i].J2;
        const dls_difference *v = c->velocities[0] + 6 * end[k];
        for (int half = 0; half < 2; half++, J += 3, v += 3)
            size += dls_norm(dls_v3(J[0], J[1], J[2])) * dls_norm(dls_v3(v[0].value, v[1].value, v[2].value));
    }
    return fmax(size, c->size[i]);
}

static void check_columns(dls_check *c)
{
    for (size_t owner = 0; owner < c->n_owners; owner++)
        for (size_t i = c->first[owner]; i < c->first[owner + 1]; i++) {
            const double size = size_in_columns(c, owner, i);
            for (int m = 0; m < DLS_CHECK_DRAWN; m++)
                note_rate(c, i, DLS_CHECK_COLUMNS, dls_check_rate(c, i, m), c->rates[m][i], size);
        }
}

static bool report_passes(const dls_check_report *report)
{
    for (size_t i = 0; i < report->n_rows; i++)
        for (int k = 0; k < DLS_CHECK_ROW_SUBJECTS; k++)
            if (!(report->rows[i].found[k].ratio <= 1.0))
                return false;
    for (size_t i = 0; i < report->n_blocks; i++)
        for (int k = 0; k < DLS_CHECK_SUBJECTS - DLS_CHECK_ROW_SUBJECTS; k++)
            if (!(report->blocks[i].found[k].ratio <= 1.0))
                return false;
    return true;
}

static dls_status report_on(const dls_problem *problem, dls_check_report **report, dls_error *error)
{
    dls_check_report *made = *report = calloc(1, sizeof *made);
    if (made) {
        made->rows = calloc(problem->n + 1, sizeof *made->rows);
        made->blocks = calloc(problem->mass.n_blocks + 1, sizeof *made->blocks);
        made->n_rows = problem->n;
        made->n_blocks = problem->mass.n_blocks;
    }
    if (made && made->rows && made->blocks)
        return DLS_OK;
    dls_check_report_destroy(made);
    *report = NULL;
    return dls_fail(error, DLS_NO_MEMORY, "no memory for a report on %zu rows", problem->n);
}

void dls_check_report_destroy(dls_check_report *report)
{
    if (!report)
        return;
    free(report->rows);
    free(report->blocks);
    free(report);
}

static const dls_contacts no_contacts = {0, 0, NULL};

dls_status dls_check_problem(const dls_model *model, const dls_state *state, const dls_contacts *contacts,
                             const dls_problem *problem, uint64_t seed, dls_check_report **report, dls_error *error)
{
    dls_check c = {.model = model,
                   .state = state,
                   .contacts = contacts ? contacts : &no_contacts,
                   .problem = problem,
                   .step = DLS_CHECK_STEP};
    *report = NULL;
    DLS_TRY(dls_state_check(model, state, error));
    dls_status status = dls_check_open(&c, error);
    if (status == DLS_OK)
        status = report_on(problem, report, error);
    if (status == DLS_OK) {
        c.report = *report;
        for (size_t owner = 0; owner < c.n_owners; owner++)
            for (size_t i = c.first[owner]; i < c.first[owner + 1]; i++)
                c.report->rows[i].owner = owner;
        dls_check_move(&c, seed, true);
        check_ends(&c);
        check_columns(&c);
        dls_check_terms(&c);
        dls_check_masses(&c);
        c.report->passed = report_passes(c.report);
    }
    dls_check_close(&c);
    return status;
}

static void worst_of_joint(const dls_check *c, size_t j, dls_jacobian_check *check)
{
    *check = (dls_jacobian_check){0.0, 0};
    for (size_t i = c->first[j]; i < c->first[j + 1]; i++)
        for (int m = 0; m < DLS_CHECK_DRAWN; m++) {
            const double difference = fabs(dls_check_rate(c, i, m) - c->rates[m][i].value);
            const double worst = difference == 0.0 ? 0.0 : difference / c->size[i];
            if (!(worst <= check->worst))
                *check = (dls_jacobian_check){isnan(worst) ? HUGE_VAL : worst, i - c->first[j]};
        }
}

dls_status dls_check_columns(const dls_model *model, const dls_state *state, double step, dls_jacobian_check *checks,
                             dls_error *error)
{
    dls_problem *problem;
    if (!(step > 0.0) || !isfinite(step))
        return dls_fail(error, DLS_BAD_ARGUMENT, "the step of finite differences must be positive and finite, not %g",
                        step);
    DLS_TRY(dls_problem_create(model, state, NULL, model->world.step, &problem, error));
    dls_check c = {.model = model, .state = state, .contacts = &no_contacts, .problem = problem, .step = step};
    dls_status status = dls_check_open(&c, error);
    if (status == DLS_OK) {
        dls_check_move(&c, 1, false);
        for (size_t j = 0; j < model->n_joints; j++)
            worst_of_joint(&c, j, &checks[j]);
    }
    dls_check_close(&c);
    dls_problem_destroy(problem);
    return status;
}
