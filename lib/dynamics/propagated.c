/* The Delassus matrix of a whole mechanism from the forces of its rows on bodies, links and degrees of freedom, without
 * J: each block of the mass operator adds its own,
 *
 *     A = sum over bodies J_b M_b^-1 J_b^T + sum over articulations J_a M_a^-1 J_a^T
 *
 * the latter by propagation (lib/articulation/propagation.c). O(links + the squares of the forces on each block).
 */
#include "delassus/rows.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

typedef struct gathered {
    const dls_configuration *c;
    dls_tree_force *force; /* count */
    size_t *block;         /* count: of the mass operator */
    size_t count, force_capacity, block_capacity;
    bool failed;
} gathered;

static void gather_force(gathered *g, size_t block, dls_tree_force force)
{
    if (g->failed || block == DLS_NONE)
        return;
    g->failed =
        !DLS_GROW(g->force, g->force_capacity, g->count + 1) || !DLS_GROW(g->block, g->block_capacity, g->count + 1);
    if (g->failed)
        return;
    g->block[g->count] = block;
    g->force[g->count++] = force;
}

static void gather_end(gathered *g, size_t row, size_t end, double s, const double *J6)
{
    const dls_model *model = g->c->model;
    dls_tree_force force = {.row = row, .dof = DLS_NONE, .wrench = dls_spatial_from(J6)};
    force.wrench = (dls_spatial){dls_scale(s, force.wrench.lin), dls_scale(s, force.wrench.ang)};
    const dls_model_articulation *articulation = dls_model_articulation_of(model, end, &force.link);
    if (articulation)
        gather_force(g, articulation->block, force);
    else if (end != DLS_WORLD && model->bodies[end].offset != DLS_NONE)
        gather_force(g, model->bodies[end].block, force);
}

static void gather_dof(gathered *g, size_t row, size_t dof, double force)
{
    const dls_model *model = g->c->model;
    for (size_t a = 0; a < model->n_articulations; a++) {
        const dls_model_articulation *articulation = &model->articulations[a];
        if (dof >= articulation->offset && dof - articulation->offset < articulation->tree->nv)
            gather_force(g, articulation->block,
                         (dls_tree_force){.row = row, .dof = dof - articulation->offset, .force = force});
    }
}

static void gather_term(gathered *g, size_t row, const dls_term *term, double Jy)
{
    static const double one[] = {1.0};
    const double s = Jy * g->c->slopes[term->number];
    if (term->dof == DLS_NONE) {
        const dls_joint *joint = &g->c->model->joints[term->joint];
        dls_end end[2];
        dls_row coordinate = {0};
        dls_configuration_ends(g->c, joint, end);
        joint->type->coordinate(joint, end, &coordinate);
        gather_end(g, row, joint->body[0], s, coordinate.J1);
        gather_end(g, row, joint->body[1], s, coordinate.J2);
        return;
    }
    const double *gradient = term->motion ? g->c->gradients[term->number] : one;
    for (size_t k = 0; k < (term->motion ? term->motion->n_dofs : 1); k++)
        gather_dof(g, row, term->dof + k, s * gradient[k]);
}

/* The forces of all rows; returns the number of rows. */
static size_t gather_rows(gathered *g, const dls_contacts *contacts)
{
    const dls_model *model = g->c->model;
    dls_row rows[DLS_JOINT_ROWS_MAX];
    size_t n = 0;
    for (size_t j = 0; j < model->n_joints; j++) {
        const dls_joint *joint = &model->joints[j];
        const size_t count = dls_rows_of_joint(g->c, joint, 1.0, rows);
        for (size_t r = 0; r < count; r++, n++) {
            gather_end(g, n, joint->body[0], 1.0, rows[r].J1);
            gather_end(g, n, joint->body[1], 1.0, rows[r].J2);
            for (size_t t = 0; t < joint->n_terms; t++)
                gather_term(g, n, &joint->terms[t], rows[r].Jy);
        }
    }
    for (size_t k = 0; contacts && k < contacts->count; k++) {
        const size_t count = dls_rows_of_contact(g->c, &contacts->at[k], 1.0, rows);
        for (size_t r = 0; r < count; r++, n++) {
            gather_end(g, n, contacts->at[k].body[0], 1.0, rows[r].J1);
            gather_end(g, n, contacts->at[k].body[1], 1.0, rows[r].J2);
        }
    }
    return n;
}

static void add_body(const dls_mass_block *body, size_t count, const dls_tree_force *force, double *A, size_t n)
{
    for (size_t i = 0; i < count; i++) {
        double J6[6], response[6];
        dls_spatial_put(force[i].wrench, J6);
        body->kind->solve(body->data, J6, response);
        const dls_spatial motion = dls_spatial_from(response);
        for (size_t j = i; j < count; j++) {
            const double entry = dls_spatial_dot(motion, force[j].wrench);
            A[force[i].row + n * force[j].row] += entry;
            if (i != j)
                A[force[j].row + n * force[i].row] += entry;
        }
    }
}

/* Sorts the forces by their blocks, and adds the matrix of each. */
static dls_status add_blocks(const gathered *g, double *A, size_t n, dls_arena *scratch, dls_error *error)
{
    const dls_model *model = g->c->model;
    dls_mass mass = {.blocks = DLS_TAKE(scratch, dls_mass_block, model->n_blocks)};
    size_t *first = DLS_TAKE_ZEROS(scratch, size_t, model->n_blocks + 1);
    dls_tree_force *sorted = DLS_TAKE(scratch, dls_tree_force, g->count);
    if (scratch->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for the forces of %zu rows", n);
    for (size_t f = 0; f < g->count; f++)
        first[g->block[f]]++;
    for (size_t b = 1; b <= model->n_blocks; b++)
        first[b] += first[b - 1];
    for (size_t f = g->count; f-- > 0;)
        sorted[--first[g->block[f]]] = g->force[f];
    dls_mass_at(g->c, &mass);
    for (size_t b = 0; b < mass.n_blocks; b++) {
        const size_t count = first[b + 1] - first[b];
        if (mass.blocks[b].kind == &dls_mass_body_kind)
            add_body(&mass.blocks[b], count, sorted + first[b], A, n);
        else
            DLS_TRY(dls_articulation_delassus(*(dls_articulation_work *const *)mass.blocks[b].data, count,
                                              sorted + first[b], A, n, error));
    }
    return DLS_OK;
}

dls_status dls_configuration_delassus(const dls_configuration *c, const dls_contacts *contacts, size_t n, double *A,
                                      dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    gathered g = {.c = c};
    dls_arena scratch = {0};
    const size_t rows = gather_rows(&g, contacts);
    dls_status status = DLS_OK;
    memset(A, 0, n * n * sizeof *A);
    if (g.failed)
        status = dls_fail(error, DLS_NO_MEMORY, "no memory for the forces of %zu rows", rows);
    else if (rows != n)
        status = dls_fail(error, DLS_BAD_ARGUMENT, "the mechanism has %zu rows, and the matrix %zu", rows, n);
    if (status == DLS_OK)
        status = add_blocks(&g, A, n, &scratch, error);
    dls_arena_release(&scratch);
    free(g.force), free(g.block);
    return status;
}
