#include "parts.h"

#include <string.h>

typedef struct owned {
    dls_articulation_state state; /* first: the caller has its address */
    dls_arena memory;
} owned;

static void fill_state(const dls_articulation *art, dls_articulation_state *state)
{
    const dls_link_def *root = &art->defs[0];
    state->root_q = dls_quat_unit(root->orientation);
    state->root_x = dls_add(root->position, dls_quat_rotate(state->root_q, root->centre));
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        const dls_link_def *def = &art->defs[i];
        const double *q = isnan(def->q[0]) ? link->motion->identity : def->q;
        memcpy(state->q + link->position, q, link->motion->n_positions * sizeof *q);
        memcpy(state->v + link->dof, def->speed, link->n_dofs * sizeof *def->speed);
        if (i && link->n_dofs == 1)
            dls_articulation_set_position(art, state, i, q[0]);
    }
}

dls_status dls_articulation_state_create(const dls_articulation *art, dls_articulation_state **state, dls_error *error)
{
    dls_arena m = {0};
    owned *made = DLS_TAKE_ZEROS(&m, owned, 1);
    double *q = DLS_TAKE_ZEROS(&m, double, art->nq), *v = DLS_TAKE_ZEROS(&m, double, art->nv);
    long *wraps = DLS_TAKE_ZEROS(&m, long, art->nq);
    *state = NULL;
    if (m.failed) {
        dls_arena_release(&m);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for a state of %zu degrees of freedom", art->nv);
    }
    made->memory = m;
    made->state = (dls_articulation_state){.nq = art->nq, .nv = art->nv, .q = q, .wraps = wraps, .v = v};
    fill_state(art, &made->state);
    *state = &made->state;
    return DLS_OK;
}

void dls_articulation_state_destroy(dls_articulation_state *state)
{
    if (!state)
        return;
    dls_arena memory = ((owned *)state)->memory;
    dls_arena_release(&memory);
}

void dls_articulation_state_copy(dls_articulation_state *to, const dls_articulation_state *from)
{
    to->root_x = from->root_x;
    to->root_q = from->root_q;
    memcpy(to->q, from->q, from->nq * sizeof *from->q);
    memcpy(to->wraps, from->wraps, from->nq * sizeof *from->wraps);
    memcpy(to->v, from->v, from->nv * sizeof *from->v);
}

dls_status dls_articulation_state_check(const dls_articulation *art, const dls_articulation_state *state,
                                        dls_error *error)
{
    dls_quat r = state->root_q;
    if (!dls_finite3(state->root_x) || !isfinite(r.w + r.x + r.y + r.z))
        return dls_fail(error, DLS_NOT_FINITE, "root '%s' left the finite numbers", art->defs[0].name);
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        double sum = 0.0; /* |x| 0 is 0, or NaN where x is not finite */
        for (size_t k = 0; k < link->motion->n_positions; k++)
            sum += state->q[link->position + k] * 0.0;
        for (size_t k = 0; k < link->n_dofs; k++)
            sum += state->v[link->dof + k] * 0.0;
        if (isnan(sum))
            return dls_fail(error, DLS_NOT_FINITE, "joint '%s' left the finite numbers", art->defs[i].joint);
    }
    return DLS_OK;
}

bool dls_tree_count(long *turns, double more)
{
    const bool counts = fabs((double)*turns + more) <= 0x1p53;
    if (counts)
        *turns += (long)more;
    return counts;
}

/* An interval of length 4 pi, so a turn is 4 pi: the position is unique, and its rotation does not change. Where turns
 * can no longer be counted no position is left: NaN, which the check of the state names. */
void dls_tree_wrap(double *q, long *wraps)
{
    if (*q > -2.0 * DLS_PI && *q <= 2.0 * DLS_PI)
        return;
    double turns = ceil((*q - 2.0 * DLS_PI) / (4.0 * DLS_PI));
    *q = dls_tree_count(wraps, turns) ? *q - 4.0 * DLS_PI * turns : NAN;
}

void dls_articulation_advance(const dls_articulation *art, dls_articulation_state *state, const double *v, double h)
{
    if (art->n_base) {
        state->root_x = dls_add(state->root_x, dls_scale(h, dls_v3(v[0], v[1], v[2])));
        dls_quat turn = dls_quat_exp(dls_scale(h, dls_v3(v[3], v[4], v[5])));
        state->root_q = dls_quat_unit(dls_quat_mul(turn, state->root_q));
    }
    for (size_t i = 1; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        double *q = state->q + link->position;
        if (link->motion->advance)
            link->motion->advance(q, state->wraps + link->position, v + link->dof, h);
        else
            for (size_t k = 0; k < link->n_dofs; k++)
                q[k] += h * v[link->dof + k];
        if (link->motion->wraps)
            dls_tree_wrap(q, state->wraps + link->position);
    }
}

void dls_articulation_displacement(const dls_articulation *art, const dls_articulation_state *from,
                                   const dls_articulation_state *to, double *d)
{
    if (art->n_base)
        dls_spatial_put((dls_spatial){dls_sub(to->root_x, from->root_x),
                                      dls_quat_log(dls_quat_mul(to->root_q, dls_quat_conj(from->root_q)))},
                        d);
    for (size_t i = 1; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        const double *q0 = from->q + link->position, *q1 = to->q + link->position;
        const long *turns0 = from->wraps + link->position, *turns1 = to->wraps + link->position;
        if (link->motion->advance) {
            const dls_vec3 turn = dls_quat_log(
                dls_quat_mul((dls_quat){q1[0], q1[1], q1[2], q1[3]}, (dls_quat){q0[0], -q0[1], -q0[2], -q0[3]}));
            d[link->dof] = turn.x, d[link->dof + 1] = turn.y, d[link->dof + 2] = turn.z;
            continue;
        }
        for (size_t k = 0; k < link->n_dofs; k++)
            d[link->dof + k] = q1[k] - q0[k] + 4.0 * DLS_PI * (double)(turns1[k] - turns0[k]);
    }
}

double dls_articulation_unwrapped(const dls_articulation *art, const dls_articulation_state *state, size_t link)
{
    size_t k = art->links[link].position;
    return state->q[k] + 4.0 * DLS_PI * (double)state->wraps[k];
}

void dls_articulation_set_position(const dls_articulation *art, dls_articulation_state *state, size_t link, double q)
{
    size_t k = art->links[link].position;
    state->q[k] = q;
    state->wraps[k] = 0;
    if (art->links[link].motion->wraps)
        dls_tree_wrap(&state->q[k], &state->wraps[k]);
}
