/* Every allocation of a film and of its pictures fails once, those of the JSON library too: the status says so, nothing
 * leaks, and no file is left. */
#include "check.h"
#include "failing_memory.h"

#include "picture/picture.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"scenes/all-joints.yaml", "models/lamp.urdf"};
enum { MECHANISMS = sizeof names / sizeof names[0] };
static dls_model *model[MECHANISMS];
static dls_simulation *simulations[MECHANISMS], *simulation;

static const char *const files[] = {"test_pictures_memory.svg", "test_pictures_memory.glb",
                                    "test_pictures_memory.html"};

static char whole[1000000]; /* the file where nothing fails */
static size_t whole_size;

static dls_status try(const char *file, size_t which, dls_error *error)
{
    dls_film *film;
    allocations = 0, fail_at = which;
    dls_status status = dls_film_create("film", "note", &film, error);
    if (status == DLS_OK)
        status = dls_film_take(film, simulation, true, NULL, error);
    if (status == DLS_OK)
        status = dls_picture_write(&film, 1, file, error);
    dls_film_destroy(film);
    fail_at = 0;
    return status;
}

/* The bytes of a file, into text[size]; 0: there is none. */
static size_t read_file(const char *file, char *text, size_t size)
{
    FILE *in = fopen(file, "r");
    const size_t n = in ? fread(text, 1, size, in) : 0;
    if (in)
        fclose(in);
    return n;
}

/* A library may do without what it could not get: then the file is whole, and the same. */
static bool same_file(const char *file)
{
    static char now[sizeof whole];
    return read_file(file, now, sizeof now) == whole_size && memcmp(now, whole, whole_size) == 0;
}

static void try_all(const char *file)
{
    dls_error error;
    assert_status(try(file, 0, &error), &error); /* once for what libraries keep */
    const long before = live;
    assert_status(try(file, 0, &error), &error);
    assert_int_equal(live, before);
    whole_size = read_file(file, whole, sizeof whole);
    assert_true(whole_size > 1000 && whole_size < sizeof whole);
    const size_t needed = allocations, every = check_small() ? 7 : 1;
    assert_true(needed > 0);
    for (size_t k = 1; k <= needed; k += every) {
        remove(file);
        const dls_status status = try(file, k, &error);
        const bool fine = status == DLS_NO_MEMORY ? access(file, F_OK) != 0 : status == DLS_OK && same_file(file);
        if (!fine || live != before)
            fail_msg("%s, allocation %zu of %zu: %s, %ld leaked", file, k, needed, dls_status_text(status),
                     live - before);
    }
    remove(file);
}

TEST(test_every_allocation)
{
    for (size_t m = 0; m < MECHANISMS; m++)
        for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
            simulation = simulations[m];
            try_all(files[k]);
        }
}

static int open_simulation(size_t m)
{
    char path[DLS_PATH_MAX];
    dls_simulation_options options = dls_simulation_default();
    dls_content content;
    snprintf(path, sizeof path, "%s/%s", getenv("DLS_TEST_SOURCE"), names[m]);
    options.solver = dls_solver_find("pgs");
    if (dls_file_load(path, NULL, &content, NULL) != DLS_OK ||
        dls_model_create(content.scene, &model[m], NULL) != DLS_OK ||
        dls_simulation_open(model[m], &options, &simulations[m], NULL) != DLS_OK ||
        dls_simulation_step(simulations[m], 1e-3, NULL) != DLS_OK)
        return -1;
    dls_content_release(&content);
    return 0;
}

static void *json_malloc(size_t size) { return malloc(size); }
static void json_free(void *memory) { free(memory); }

static int open_simulations(void **unused)
{
    (void)unused;
    setenv("DELASSUS_DATADIR", getenv("DLS_TEST_SOURCE"), 1);
    json_set_alloc_funcs(json_malloc, json_free);
    for (size_t m = 0; m < MECHANISMS; m++)
        if (open_simulation(m) != 0)
            return -1;
    return 0;
}

static int close_simulations(void **unused)
{
    (void)unused;
    for (size_t m = 0; m < MECHANISMS; m++) {
        dls_simulation_close(simulations[m]);
        dls_model_destroy(model[m]);
    }
    return 0;
}

TESTS_WITH(open_simulations, close_simulations)
