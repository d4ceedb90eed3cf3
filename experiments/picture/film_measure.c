/* The measures of a frame: energies, errors of the state, and residuals of the answer of the last step. */
#include "picture.h"

#include "base/memory.h"
#include "study/rig.h"

const dls_film_measure_facts dls_film_measures[DLS_FILM_MEASURES] = {
    [DLS_FILM_KINETIC] = {"kinetic", "J", "energy", false, false},
    [DLS_FILM_POTENTIAL] = {"potential", "J", "energy", false, false},
    [DLS_FILM_ENERGY] = {"total", "J", "energy", false, false},
    [DLS_FILM_JOINTS_LINEAR] = {"joints", "m", "largest error", true, false},
    [DLS_FILM_JOINTS_ANGULAR] = {"joints", "rad", "largest error", true, false},
    [DLS_FILM_DEPTH] = {"contacts", "m", "largest error", true, false},
    [DLS_FILM_RESIDUAL] = {"answer of the step", "1", "scaled residual", true, true},
    [DLS_FILM_FORCE] = {"of a contact", "N", "largest force", false, true},
};

/* The residuals of the rows, and of their owners the worst. A problem that the examiner refuses has none. */
static dls_status examine_owners(dls_film *film, dls_simulation *s, dls_examiner *examiner, size_t owners,
                                 double *scaled, dls_error *error)
{
    const dls_problem *problem = dls_simulation_problem(s);
    const size_t n = problem->n;
    dls_certificate certificate;
    dls_row_force row;
    if (n == 0)
        return DLS_OK;
    if (!DLS_GROW(film->rows, film->cap_rows, n))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the residuals of %zu rows", n);
    if (!examiner) {
        const dls_status status = film->examiner ? dls_examiner_reload(film->examiner, problem, error)
                                                 : dls_examiner_create(problem, &film->examiner, error);
        if (status != DLS_OK)
            return status == DLS_NO_MEMORY ? status : DLS_OK;
        examiner = film->examiner;
    }
    dls_examine_rows(examiner, dls_simulation_impulses(s), film->rows, &certificate);
    *scaled = certificate.scaled_residual;
    for (size_t i = 0; i < n; i++) {
        DLS_TRY(dls_simulation_row(s, i, &row, error));
        if (row.owner < owners)
            film->owners[row.owner] = dls_worse(film->owners[row.owner], film->rows[i]);
    }
    return DLS_OK;
}

dls_status dls_film_measure_take(dls_film *film, dls_simulation *s, bool stepped, dls_examiner *examiner,
                                 dls_film_frame *frame, dls_error *error)
{
    const dls_configuration *at = dls_simulation_configuration(s);
    const size_t owners = dls_model_count(at->model).joints + dls_simulation_contacts(s)->count;
    double *m = frame->measure;
    if (!DLS_GROW(film->owners, film->cap_owners, owners + 1))
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the residuals of %zu joints and contacts", owners);
    for (size_t k = 0; k < owners; k++)
        film->owners[k] = dls_film_none;
    m[DLS_FILM_KINETIC] = dls_kinetic_energy(at);
    m[DLS_FILM_POTENTIAL] = dls_potential_energy(at);
    m[DLS_FILM_ENERGY] = m[DLS_FILM_KINETIC] + m[DLS_FILM_POTENTIAL];
    dls_joint_errors(at, &m[DLS_FILM_JOINTS_LINEAR], &m[DLS_FILM_JOINTS_ANGULAR]);
    m[DLS_FILM_DEPTH] = dls_penetration(dls_simulation_contacts(s));
    m[DLS_FILM_RESIDUAL] = dls_film_none;
    m[DLS_FILM_FORCE] = stepped ? 0.0 : dls_film_none;
    return stepped ? examine_owners(film, s, examiner, owners, &m[DLS_FILM_RESIDUAL], error) : DLS_OK;
}
