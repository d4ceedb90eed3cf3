/* From a definition to a work space: the n-th allocation fails, for every n, and the call that needed it says so and
 * leaks nothing. Then the algorithms: none of them allocates. */
#include "articulated.h"
#include "failing_memory.h"

static dls_status copy_definition(const dls_articulation_def *from, dls_articulation_def *to, dls_error *error)
{
    for (size_t i = 0; i < from->n_links; i++)
        DLS_TRY(dls_articulation_def_add(to, &from->links[i], error));
    return DLS_OK;
}

static dls_status build_load_and_cache(const dls_articulation *art, dls_error *error)
{
    dls_articulation_load *load;
    dls_articulation_cache *cache;
    DLS_TRY(dls_articulation_load_create(art, &load, error));
    dls_status status = dls_articulation_cache_create(art, &cache, error);
    dls_articulation_load_destroy(load);
    DLS_TRY(status);
    status = dls_articulation_cache_room(cache, 2, 3, error);
    dls_articulation_cache_destroy(cache);
    return status;
}

static dls_status build_all(const dls_articulation_def *from, articulated *a, dls_error *error)
{
    dls_articulation_def *def;
    DLS_TRY(dls_articulation_def_create(&def, error));
    dls_status status = copy_definition(from, def, error);
    if (status == DLS_OK)
        status = dls_articulation_create(def, &a->art, error);
    dls_articulation_def_destroy(def);
    DLS_TRY(status);
    DLS_TRY(dls_articulation_state_create(a->art, &a->state, error));
    DLS_TRY(dls_articulation_work_create(a->art, &a->work, error));
    return build_load_and_cache(a->art, error);
}

static dls_status build(const void *from, dls_error *error)
{
    articulated a = {0};
    const dls_status status = build_all(from, &a, error);
    destroy_articulated(&a);
    return status;
}

TEST(test_every_allocation_may_fail)
{
    uint64_t seed = 6;
    dls_articulation_def *from = draw_tree(&seed, 20, 3, false);
    fail_every_allocation(build, from, "a tree");
    dls_articulation_def_destroy(from);
}

TEST(test_algorithms_do_not_allocate)
{
    uint64_t seed = 7;
    articulated a = compile_articulated(draw_tree(&seed, 20, 3, false));
    size_t n = a.art->nv, rows = dls_articulation_jacobian_rows(a.art);
    double *M = calloc(n * n, sizeof *M), *J = calloc(rows * n, sizeof *J), *x = calloc(n, sizeof *x),
           *y = draw_vector(&seed, n, 1.0);
    dls_articulation_state *copy;
    dls_articulation_load *load;
    dls_articulation_cache *cache;
    dls_error error;
    assert_status(dls_articulation_load_create(a.art, &load, &error), &error);
    assert_status(dls_articulation_cache_create(a.art, &cache, &error), &error);
    assert_status(dls_articulation_state_create(a.art, &copy, &error), &error);
    allocations = 0;
    update(&a);
    assert_status(dls_articulation_factor(a.work, &error), &error);
    dls_articulation_forward(a.work, y, NULL, zero3, x);
    dls_articulation_inverse(a.work, x, NULL, zero3, y);
    dls_articulation_mass_matrix(a.work, M, n);
    dls_articulation_mass_matrix_eliminated(a.work, M, n);
    dls_articulation_jacobian(a.work, J, rows);
    dls_articulation_solve(a.work, y, x);
    dls_articulation_multiply(a.work, y, x);
    dls_articulation_response(a.work, n / 2, x);
    dls_articulation_response_entry(a.work, 0, n - 1);
    dls_articulation_centroidal_momentum(a.work, J);
    dls_articulation_advance(a.art, a.state, y, 1e-3);
    dls_articulation_state_copy(copy, a.state);
    assert_status(dls_articulation_cache_copy_out(cache, a.state, load, a.work, DLS_CACHE_ALL, &error), &error);
    assert_status(dls_articulation_cache_copy_in(cache, a.state, load, a.work, DLS_CACHE_SETTABLE, &error), &error);
    assert_int_equal(allocations, 0);
    dls_articulation_state_destroy(copy);
    dls_articulation_load_destroy(load);
    dls_articulation_cache_destroy(cache);
    free(M), free(J), free(x), free(y);
    destroy_articulated(&a);
}
