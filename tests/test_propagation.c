/* The Delassus matrix of rows on trees by propagation: it is J M^-1 J^T, and depends neither on the numbers of the
 * links nor on units. */
#include "published.h"
#include "tree_rows.h"

#include "delassus/io.h"

#include <unistd.h>

static double half_of(dls_articulation_work *work, const double *y, double *z, const double *y2, double *z2)
{
    double sum = 0.0;
    dls_articulation_half(work, y, z);
    dls_articulation_half(work, y2, z2);
    for (size_t k = 0; k < work->articulation->nv; k++)
        sum += z[k] * z2[k];
    return sum;
}

/* The largest motion that one of the row's forces alone makes, as a bound of what may cancel. */
static void force_scales(const articulated *a, const forces *f, double *scale)
{
    const size_t nv = a->art->nv;
    double *z = calloc(nv + 1, sizeof *z), *again = calloc(nv + 1, sizeof *z);
    memset(scale, 0, f->rows * sizeof *scale);
    for (size_t i = 0; i < f->n; i++) {
        dls_tree_force alone = f->at[i];
        alone.row = 0;
        const forces one = {1, 1, &alone};
        double *y = transposed(a, &one);
        scale[f->at[i].row] += sqrt(half_of(a->work, y, z, y, again));
        free(y);
    }
    free(z), free(again);
}

static double *propagate(const articulated *a, const forces *f)
{
    dls_error error;
    double *A = calloc(f->rows * f->rows + 1, sizeof *A);
    assert_status(dls_articulation_delassus(a->work, f->n, f->at, A, f->rows, &error), &error);
    return A;
}

static void matrix_is_its_definition(articulated *a, uint64_t *seed)
{
    const size_t nv = a->art->nv, rows = 4 + a->art->n_links / 2;
    dls_error error;
    assert_status(dls_articulation_factor(a->work, &error), &error);
    forces f = draw_forces(seed, a->art, rows);
    double *y = transposed(a, &f), *A = propagate(a, &f), *scale = calloc(rows, sizeof *scale),
           *x = calloc(nv + 1, sizeof *x), *z = calloc(nv + 1, sizeof *z), *z2 = calloc(nv + 1, sizeof *z);
    force_scales(a, &f, scale);
    for (size_t j = 0; j < rows; j++) {
        dls_articulation_solve(a->work, y + nv * j, x);
        for (size_t i = 0; i < rows; i++) {
            double expected = 0.0;
            for (size_t k = 0; k < nv; k++)
                expected += y[nv * i + k] * x[k];
            assert_close(A[i + rows * j], expected, 1e-12 * scale[i] * scale[j]);
            assert_close(A[i + rows * j], A[j + rows * i], 0.0);
            assert_close(half_of(a->work, y + nv * i, z, y + nv * j, z2), expected, 1e-12 * scale[i] * scale[j]);
        }
    }
    free(y), free(A), free(scale), free(x), free(z), free(z2), free(f.at);
}

TEST(test_the_matrix_is_its_definition) { on_all_trees(matrix_is_its_definition); }

TEST(test_the_matrix_of_robots)
{
    static const char *const files[] = {"models/humanoid.urdf", "models/gripper.urdf", "models/lamp.urdf", NULL};
    uint64_t seed = 35;
    for (size_t k = 0; k < 4; k++) {
        char path[DLS_PATH_MAX];
        dls_articulation_def *def;
        dls_error error;
        if (files[k])
            snprintf(path, sizeof path, "%s/%s", getenv("DLS_TEST_SOURCE"), files[k]);
        else
            data_path(path, "urdf/baxter_simple.urdf");
        if (access(path, R_OK) != 0)
            continue;
        assert_status(dls_urdf_read(path, &def, NULL, &error), &error);
        articulated a = compile_articulated(def);
        for (size_t i = 1; i < a.art->n_links; i++)
            if (a.art->links[i].n_dofs == 1)
                dls_articulation_set_position(a.art, a.state, i, draw(&seed));
        update(&a);
        matrix_is_its_definition(&a, &seed);
        destroy_articulated(&a);
    }
}

/* The same tree with its links given in another order: the forces follow their links by name. */
TEST(test_numbers_of_links_do_not_matter)
{
    uint64_t seed = 7;
    for (int fixed = 0; fixed < 2; fixed++) {
        dls_articulation_def *def = draw_tree(&seed, 40, 6, fixed), *turned = new_articulation(fixed);
        for (size_t i = def->n_links; i-- > 0;)
            add_link(turned, &def->links[i]);
        articulated a = compile_articulated(def), b = compile_articulated(turned);
        dls_error error;
        assert_status(dls_articulation_factor(a.work, &error), &error);
        assert_status(dls_articulation_factor(b.work, &error), &error);
        forces f = draw_forces(&seed, a.art, 20);
        double *scale = calloc(f.rows, sizeof *scale), *A = propagate(&a, &f);
        force_scales(&a, &f, scale);
        for (size_t i = 0; i < f.n; i++) {
            dls_tree_force *force = &f.at[i];
            const bool on_link = force->dof == DLS_NONE;
            const size_t link = on_link ? force->link : a.art->dof_link[force->dof];
            const size_t there = dls_articulation_find_link(b.art, a.art->defs[link].name);
            force->link = there;
            if (!on_link)
                force->dof = b.art->links[there].dof + (force->dof - a.art->links[link].dof);
        }
        double *B = propagate(&b, &f);
        for (size_t i = 0; i < f.rows * f.rows; i++)
            assert_close(B[i], A[i], 1e-12 * scale[i % f.rows] * scale[i / f.rows]);
        free(A), free(B), free(scale), free(f.at);
        destroy_articulated(&a), destroy_articulated(&b);
    }
}

/* Rows times 2^20, and masses times 2^20: powers of 2 scale without rounding, so nothing depends on the units. */
TEST(test_units_do_not_matter)
{
    uint64_t seed = 11;
    const double unit = 0x1p20;
    for (int heavy = 0; heavy < 2; heavy++) {
        uint64_t same = seed, again = seed;
        dls_articulation_def *def = draw_tree(&same, 30, 3, true), *scaled = draw_tree(&again, 30, 3, true);
        for (size_t i = 0; i < 30 && heavy; i++) {
            dls_link_def *link = &scaled->links[i];
            link->mass *= unit;
            for (int k = 0; k < 9; k++)
                link->inertia.m[k] *= unit;
            for (int k = 0; k < 3; k++)
                link->armature[k] *= unit;
        }
        articulated a = compile_articulated(def), b = compile_articulated(scaled);
        dls_error error;
        assert_status(dls_articulation_factor(a.work, &error), &error);
        assert_status(dls_articulation_factor(b.work, &error), &error);
        forces f = draw_forces(&seed, a.art, 12);
        double *A = propagate(&a, &f);
        for (size_t i = 0; i < f.n && !heavy; i++) {
            f.at[i].force *= unit;
            f.at[i].wrench = (dls_spatial){dls_scale(unit, f.at[i].wrench.lin), dls_scale(unit, f.at[i].wrench.ang)};
        }
        double *B = propagate(&b, &f);
        for (size_t i = 0; i < f.rows * f.rows; i++)
            assert_close(B[i], heavy ? A[i] / unit : A[i] * unit * unit, 0.0);
        free(A), free(B), free(f.at);
        destroy_articulated(&a), destroy_articulated(&b);
    }
}

/* Links that no force moves have no response: rows on a root that is fixed, and between branches that meet only there.
 */
TEST(test_a_fixed_root_does_not_move)
{
    dls_articulation_def *def = new_articulation(true);
    uint64_t seed = 3;
    for (int i = 0; i < 3; i++) {
        dls_link_def link = new_link(i == 0 ? "root" : i == 1 ? "left" : "right", i ? "root" : "", "fix");
        link.mass = 1.3, link.inertia = draw_inertia(&seed, 1.3);
        if (i)
            draw_joint(&seed, &link, 1);
        add_link(def, &link);
    }
    articulated a = compile_articulated(def);
    dls_error error;
    assert_status(dls_articulation_factor(a.work, &error), &error);
    dls_tree_force at[3];
    for (size_t i = 0; i < 3; i++)
        at[i] = (dls_tree_force){.row = i, .dof = DLS_NONE, .link = i, .wrench = {draw3(&seed), draw3(&seed)}};
    const forces f = {3, 3, at};
    double *A = propagate(&a, &f);
    for (size_t i = 0; i < 9; i++)
        assert_true(i == 4 || i == 8 ? A[i] > 0.0 : A[i] == 0.0);
    free(A);
    destroy_articulated(&a);
}
