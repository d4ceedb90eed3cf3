/* Formats that are written: what each says comes back, what it cannot say is refused, and what it leaves out is told.
 * And global problems, of contacts in space and in the plane, against their closed forms. */
#include "delassus/delassus.h"

#include "check.h"
#include "laws.h"
#include "problems.h"
#include "published.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static dls_problem *parse(const char *text, const char *format)
{
    dls_content content;
    dls_error error;
    assert_status(dls_file_parse(text, strlen(text), "text", format, &content, &error), &error);
    return content.problem;
}

/* --- samples: one for each kind of problem --- */

static const double A4[16] = {4, 1, 0, .5, 1, 3, -1, 0, 0, -1, 5, .25, .5, 0, .25, 2}, b4[4] = {-1, 1. / 3, -2, 1e-7};

static dls_problem *sample(const double *lo, const double *hi) { return problem_from_matrix(4, A4, b4, lo, hi); }

static dls_problem *complementary(void) { return sample(NULL, NULL); }

static dls_problem *mixed(void)
{
    static const double lo[] = {-HUGE_VAL, 0, 0, -HUGE_VAL};
    static const double hi[] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    return sample(lo, hi);
}

static dls_problem *bounded(void)
{
    static const double lo[] = {-1, 0, -HUGE_VAL, -.5}, hi[] = {2, HUGE_VAL, 3, .5};
    return sample(lo, hi);
}

static void make_box(dls_problem *p, size_t i, size_t parent, double mu)
{
    p->parent[i] = parent, p->law[i] = DLS_LAW_BOX, p->mu[i] = mu, p->lo[i] = p->hi[i] = 0.0;
    p->n_coupled++;
}

static dls_problem *plane(void)
{
    dls_problem *p = complementary();
    make_box(p, 1, 0, 0.7);
    make_box(p, 3, 2, 0.0);
    return p;
}

static dls_problem *box(void)
{
    dls_problem *p = complementary();
    make_box(p, 1, 0, 0.7);
    make_box(p, 2, 0, 0.7);
    return p;
}

static dls_problem *cones(void)
{
    double lambda[6], w[6];
    return cone_manufacture(2, 3, lambda, w);
}

static dls_problem *cone_and_equality(void)
{
    dls_problem *p = complementary();
    p->lo[0] = -HUGE_VAL;
    dls_problem_make_cone(p, 1, 0.3);
    return p;
}

static dls_problem *bounded_cone(void)
{
    dls_problem *p = cone_and_equality();
    p->hi[1] = 5.0;
    return p;
}

static dls_problem *of_law(const char *name)
{
    static const regime regimes[] = {SLIDE};
    double lambda[LAW_ROWS], w[LAW_ROWS];
    size_t k = 0;
    while (strcmp(law_cases[k].name, name) != 0)
        k++;
    return law_manufacture(&law_cases[k], 1, regimes, 3, lambda, w);
}

static dls_problem *all_laws(void) { return of_law("all"); }
static dls_problem *associated(void) { return of_law("associated"); }

static dls_problem *rolling(void)
{
    dls_problem *p = of_law("rolling");
    p->mu[3] = p->mu[4] = 0.125;
    return p;
}

/* A body of 2 kg with one contact of rolling friction, as a mechanical problem. */
static const char global_rolling_text[] =
    "5 1 0 6 6 6 6  2 0 0 0 0 0  0 2 0 0 0 0  0 0 2 0 0 0  0 0 0 .5 .125 0  0 0 0 .125 .25 0  0 0 0 0 0 1  0 6 5 6 5  "
    "1 0 0 0 .5 0  0 1 0 0 0 1  0 0 1 -1 0 0  0 0 0 1 0 0  0 0 0 0 1 .25  -4 1 .5 .25 0 0  .1 0 0 .2 0  .5  .25";
static dls_problem *mechanical_rolling(void) { return parse(global_rolling_text, "siconos-grfc3d"); }

/* A body of 2 kg with two contacts, as a mechanical problem. */
static const char global_text[] =
    "3 2 0 6 6 6 6  2 0 0 0 0 0  0 2 0 0 0 0  0 0 2 0 0 0  0 0 0 .5 .125 0  0 0 0 .125 .25 0  "
    "0 0 0 0 0 1  0 6 6 6 6  1 0 0 0 .5 0  0 1 0 0 0 1  0 0 1 -1 0 0  1 0 0 0 -.5 0  "
    "0 1 0 0 0 1  0 0 1 1 0 0  -4 1 0 .25 0 0  .1 0 0 .2 0 0  .5 .25";
static dls_problem *mechanical(void) { return parse(global_text, "siconos-gfc3d"); }

static const char global_plane_text[] =
    "2 1 0 3 3 3 3  2 0 0  0 2 0  0 0 .5  0 3 2 3 2  1 0 .25  0 1 -1  -4 1 .5  .1 -.2  .5";
static dls_problem *mechanical_plane(void) { return parse(global_plane_text, "siconos-gfc2d"); }

static const struct {
    const char *name;
    dls_problem *(*make)(void);
    const char *formats; /* those that can say it, beside those that can say all matrix forms */
} samples[] = {
    {"complementary", complementary, "dart siconos-lcp siconos-mlcp siconos-relay siconos-gmp"},
    {"mixed", mixed, "dart siconos-mlcp siconos-relay siconos-gmp"},
    {"bounded", bounded, "dart siconos-relay"},
    {"plane", plane, "dart fclib siconos-fc2d"},
    {"box", box, "dart"},
    {"cones", cones, "fclib siconos-gmp siconos-fc3d contactbench contactbench-npz"},
    {"cone and equality", cone_and_equality, "siconos-gmp"},
    {"bounded cone", bounded_cone, ""},
    {"mechanical", mechanical,
     "fclib fclib-global siconos-gmp siconos-fc3d siconos-gfc3d contactbench contactbench-npz"},
    {"all laws", all_laws, ""},
    {"associated", associated, ""},
    {"rolling", rolling, "siconos-rfc3d"},
    {"mechanical, rolling", mechanical_rolling, "fclib-global siconos-rfc3d siconos-grfc3d"},
    {"mechanical, plane", mechanical_plane, "dart fclib fclib-global siconos-fc2d siconos-gfc2d"},
};

static bool is_among(const char *name, const char *list)
{
    const size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* --- there and back --- */

/* Both in the matrix form, entry by entry; `tolerance` relative to the largest entry, for forms that eliminate v. */
static void check_same(const dls_problem *a, const dls_problem *b, double tolerance, const char *what)
{
    dls_problem *x, *y;
    dls_error error;
    double largest = 0.0;
    assert_status(dls_problem_matrix_form(a, &x, &error), &error);
    assert_status(dls_problem_matrix_form(b, &y, &error), &error);
    assert_int_equal(x->n, y->n);
    double e[8] = {0};
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < x->n; j++, e[j - 1] = 0.0) {
            e[j] = 1.0;
            largest = fmax(largest, fabs(dls_rows_dot(&x->J, i, e)));
        }
    for (size_t i = 0; i < x->n; i++) {
        for (size_t j = 0; j < x->n; j++, e[j - 1] = 0.0) {
            e[j] = 1.0;
            check_close(dls_rows_dot(&x->J, i, e), dls_rows_dot(&y->J, i, e), tolerance * largest, what, __FILE__,
                        __LINE__);
        }
        check_close(x->c[i], y->c[i], tolerance * largest, what, __FILE__, __LINE__);
        assert_true(x->lo[i] == y->lo[i] && x->hi[i] == y->hi[i]);
        assert_true(x->parent[i] == y->parent[i] && x->law[i] == y->law[i] && x->mu[i] == y->mu[i]);
    }
    assert_true(x->n_coupled == y->n_coupled && x->n_cone == y->n_cone);
    dls_problem_destroy(x);
    dls_problem_destroy(y);
}

static size_t lines_of(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t lines = 0;
    assert_non_null(file);
    for (int c = fgetc(file); c != EOF; c = fgetc(file))
        lines += c == '\n';
    fclose(file);
    return lines;
}

static void check_there_and_back(size_t k, const dls_format *format)
{
    static const char path[] = "test_convert.A.mtx";
    char message[128];
    dls_problem *p = samples[k].make();
    dls_content content;
    dls_error error;
    unsigned lost = 0;
    const bool hdf5 = strncmp(format->name, "fclib", 5) == 0,
               all = is_among(format->name, "problem matrix-market json"),
               said = all || is_among(format->name, samples[k].formats),
               global = is_among(format->name, "fclib-global siconos-gfc3d siconos-gfc2d siconos-grfc3d");
    snprintf(message, sizeof message, "%s as %s", samples[k].name, format->name);
    const dls_status status = dls_file_write(p, NULL, format->name, path, &lost, &error);
    if (hdf5 && !dls_hdf5_available()) {
        assert_true(status == DLS_UNAVAILABLE || status == DLS_REFUSED);
    } else if (!said) {
        if (status != DLS_REFUSED)
            print_error("%s: status %d\n", message, (int)status);
        assert_int_equal(status, DLS_REFUSED);
        assert_non_null(strstr(error.message, format->name));
    } else {
        assert_status(status, &error);
        const char *reader = hdf5 ? "fclib" : format->name;
        assert_status(dls_file_load(path, reader, &content, &error), &error);
        check_same(p, content.problem, global ? 4e-16 : 0.0, message);
        assert_int_equal(content.problem->form, global || strcmp(reader, "problem") == 0 ? p->form : DLS_FORM_MATRIX);
        const bool loses = p->form == DLS_FORM_MECHANICAL && !global && strcmp(reader, "problem") != 0;
        assert_true((lost & DLS_LOSS_MASSES) == (loses ? DLS_LOSS_MASSES : 0U));
        dls_content_release(&content);
        if (strcmp(format->name, "contactbench") == 0) /* the number of contacts, a line of each row, b, mu */
            assert_int_equal(lines_of(path), 1 + p->n + 2);
        /* and by what the file holds alone: but a relay problem without bounds might be an lcp with numbers behind it
         * */
        assert_status(dls_file_load(path, NULL, &content, &error), &error);
        assert_string_equal(content.format->name, reader);
        dls_content_release(&content);
    }
    static const char *const parts[] = {"A", "b", "lo", "hi", "coupling"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "test_convert.%s.mtx", parts[i]);
        unlink(name);
    }
    dls_problem_destroy(p);
}

TEST(test_there_and_back)
{
    size_t formats = 0;
    for (const dls_format *format = dls_written_formats; format->name; format++, formats++)
        for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++)
            check_there_and_back(k, format);
    assert_true(formats >= 16);
}

TEST(test_what_is_left_out)
{
    static const char path[] = "test_convert.json";
    dls_problem *p = complementary();
    const double solution[4] = {0};
    unsigned lost = 9;
    dls_error error;
    assert_status(dls_file_write(p, solution, "json", path, &lost, &error), &error);
    assert_int_equal(lost, DLS_LOSS_SOLUTION);
    assert_status(dls_file_write(p, NULL, "json", path, &lost, &error), &error);
    assert_int_equal(lost, 0);
    assert_int_equal(dls_file_write(p, NULL, "jsom", path, &lost, &error), DLS_BAD_INPUT);
    assert_non_null(strstr(error.message, "did you mean 'json'"));
    assert_int_equal(dls_file_write(p, NULL, "json", ".", &lost, &error), DLS_NOT_WRITTEN);
    unlink(path);
    p->hi[1] = 1e30; /* finite, and what a relay takes for infinite */
    assert_int_equal(dls_file_write(p, NULL, "siconos-relay", path, &lost, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "row 1"));
    p->hi[1] = 9e29;
    assert_status(dls_file_write(p, NULL, "siconos-relay", path, &lost, &error), &error);
    unlink(path);
    dls_problem_destroy(p);
    p = bounded_cone();
    assert_int_equal(dls_file_write(p, NULL, "siconos-gmp", path, &lost, &error), DLS_REFUSED);
    assert_non_null(strstr(error.message, "row 1"));
    assert_non_null(strstr(error.message, "bounded normal impulse"));
    dls_problem_destroy(p);
}

/* A set of files of a problem with friction, then one without under the same name: nothing of the first stays. */
TEST(test_sets_do_not_mix)
{
    static const char path[] = "test_sets.A.mtx";
    dls_content content;
    dls_error error;
    dls_problem *first = box(), *second = bounded();
    assert_status(dls_file_write(first, NULL, "matrix-market", path, NULL, &error), &error);
    assert_status(dls_file_write(second, NULL, "matrix-market", path, NULL, &error), &error);
    assert_status(dls_file_load(path, NULL, &content, &error), &error);
    check_same(second, content.problem, 0.0, "the second set");
    dls_content_release(&content);
    static const char *const parts[] = {"A", "b", "lo", "hi"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "test_sets.%s.mtx", parts[i]);
        assert_int_equal(unlink(name), 0);
    }
    dls_problem_destroy(first);
    dls_problem_destroy(second);
}

static char set_folder[] = "test_sets.XXXXXX";

static void write_part(const char *part, const char *size, const char *numbers)
{
    char name[64];
    snprintf(name, sizeof name, "%s/%s.mtx", set_folder, part);
    FILE *stream = fopen(name, "w");
    assert_non_null(stream);
    fprintf(stream, "%%%%MatrixMarket matrix array real general\n%s\n%s\n", size, numbers);
    fclose(stream);
}

static void assert_no_set(const char *path, dls_status status, const char *said)
{
    dls_content content;
    dls_error error;
    if (dls_file_load(path, NULL, &content, &error) != status || !strstr(error.message, said))
        fail_msg("'%s' instead of '%s'", error.message, said);
    assert_null(content.problem);
}

/* One file of a good set is another one; and names of sets, of which there may be several in a folder. */
TEST(test_wrong_sets)
{
    static const struct {
        const char *part, *size, *numbers, *said;
    } wrong[] = {
        {"A", "3 2", "1 0 0 0 1 0", "3 x 2; A is square"},
        {"b", "2 1", "1 1", "2 x 1; A has 3 rows, so 3 x 1 is needed"},
        {"b", "3 2", "1 1 1 1 1 1", "3 x 2; A has 3 rows, so 3 x 1 is needed"},
        {"lo", "4 1", "0 0 0 0", "4 x 1; A has 3 rows, so 3 x 1 is needed"},
        {"coupling", "3 2", "0 1 1 0 0 0", "3 x 2; A has 3 rows, so 3 x 3 is needed"},
        {"coupling", "3 3", "0 4 1 0 0.5 0.5 0 0 0", "row 2: 4, 0.5, 0; needed are a row from 1 to 3"},
        {"coupling", "3 3", "0 -1 1 0 0.5 0.5 0 0 0", "row 2: -1, 0.5, 0"},
        {"coupling", "3 3", "0 1.5 1 0 0.5 0.5 0 0 0", "row 2: 1.5, 0.5, 0"},
        {"coupling", "3 3", "0 1 1 0 0.5 0.5 0 0 3", "row 3: 1, 0.5, 3"},
        {"coupling", "3 3", "0 0 1 0 0.5 0.5 0 0 0", "row 2 has the friction 0.5, 0, and no parent"},
        {"coupling", "3 3", "0 0 1 0 0 0.5 0 1 0", "row 2 has the friction 0, 1, and no parent"},
        {"A", "0 0", "", "no rows"},
        {"coupling", "3 3", "0 1 1 0 -0.5 0.5 0 0 0", "negative compliance or friction coefficient"},
    };
    const char *folder = set_folder;
    static const char *const parts[] = {"A", "b", "lo", "coupling"};
    char name[64], many[DLS_PATH_MAX + 64];
    size_t too_long = 0;
    dls_content content;
    dls_error error;
    assert_non_null(mkdtemp(set_folder));
    assert_no_set(folder, DLS_IO, "holds no problem in Matrix Market");
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        write_part("A", "3 3", "2 0 0 0 1 0 0 0 1");
        write_part("b", "3 1", "-1 0 0");
        write_part("lo", "3 1", "0 0 0");
        write_part("coupling", "3 3", "0 1 1 0 0.5 0.5 0 0 0");
        assert_status(dls_file_load(folder, NULL, &content, &error), &error);
        assert_true(content.problem->n_coupled == 2 && content.problem->parent[2] == 0);
        dls_content_release(&content);
        write_part(wrong[k].part, wrong[k].size, wrong[k].numbers);
        assert_no_set(folder, DLS_BAD_INPUT, wrong[k].said);
    }
    write_part("other.A", "1 1", "1"); /* in any order of the folder, the first two by name */
    assert_no_set(folder, DLS_BAD_INPUT, "several problems; name one of them: A.mtx, other.A.mtx, ...");
    write_part("more-A", "1 1", "1"), write_part("less_A", "1 1", "1"), write_part("lessA", "1 1", "1");
    assert_no_set(folder, DLS_BAD_INPUT, "several problems; name one of them: A.mtx, less_A.mtx, ...");
    snprintf(name, sizeof name, "%s/lessA.mtx", folder);
    assert_no_set(name, DLS_REFUSED, "one matrix is no problem");
    dls_problem *p = bounded();
    static const char *const written[] = {"b", "lo", "hi", "A"};
    for (size_t length = DLS_PATH_MAX - 20; length < DLS_PATH_MAX; length++) { /* at last the name of no part fits */
        memset(many, '/', length);
        memcpy(many, folder, strlen(folder));
        strcpy(many + length - 1, "x");
        const dls_status status = dls_file_write(p, NULL, "matrix-market", many, NULL, &error);
        if (status != DLS_OK && !strstr(error.message, "long"))
            fail_msg("%s", error.message);
        too_long += status != DLS_OK;
        for (size_t k = 0; k < sizeof written / sizeof written[0]; k++) {
            snprintf(name, sizeof name, "%s/x.%s.mtx", folder, written[k]);
            const bool there = unlink(name) == 0;
            assert_true(status == DLS_OK ? there : !there || k < 3); /* A, which makes it a set, is written last */
        }
    }
    assert_true(too_long >= 7); /* ".b.mtx" and the zero byte */
    dls_problem_destroy(p);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        snprintf(name, sizeof name, "%s/%s.mtx", folder, parts[k]);
        assert_int_equal(unlink(name), 0);
    }
    static const char *const others[] = {"other.A", "more-A", "less_A", "lessA"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        snprintf(name, sizeof name, "%s/%s.mtx", folder, others[k]);
        assert_int_equal(unlink(name), 0);
    }
    assert_int_equal(rmdir(folder), 0); /* nothing else is left */
}

/* --- the global form --- */

/* A = H^T M^-1 H and b = H^T M^-1 f + b, with M^-1 by hand. */
TEST(test_elimination)
{
    /* M = diag(2, 2, [.5 .125; .125 .25]'s place is 3, 4, 1): det of the block 7/64 */
    static const double Mi[6][6] = {
        {.5}, {0, .5}, {0, 0, .5}, {0, 0, 0, 16. / 7, -8. / 7}, {0, 0, 0, -8. / 7, 32. / 7}, {0, 0, 0, 0, 0, 1}};
    static const double H[6][6] = {{1, 0, 0, 0, .5, 0},  {0, 1, 0, 0, 0, 1}, {0, 0, 1, -1, 0, 0},
                                   {1, 0, 0, 0, -.5, 0}, {0, 1, 0, 0, 0, 1}, {0, 0, 1, 1, 0, 0}}; /* columns */
    static const double f[6] = {-4, 1, 0, .25, 0, 0}, b[6] = {.1, 0, 0, .2, 0, 0};
    dls_problem *p = mechanical(), *a;
    dls_error error;
    assert_int_equal(p->form, DLS_FORM_MECHANICAL);
    assert_int_equal(p->mass.n_blocks, 5); /* 1, 1, 1, 2, 1 velocities */
    assert_status(dls_problem_matrix_form(p, &a, &error), &error);
    for (size_t i = 0; i < 6; i++) {
        double e[6] = {0}, right = b[i];
        for (size_t k = 0; k < 6; k++)
            for (size_t l = 0; l < 6; l++)
                right += H[i][k] * Mi[k][l] * f[l];
        assert_close(-a->c[i], right, 1e-15 * 4.0);
        for (size_t j = 0; j < 6; j++, e[j - 1] = 0.0) {
            double entry = 0.0;
            for (size_t k = 0; k < 6; k++)
                for (size_t l = 0; l < 6; l++)
                    entry += H[i][k] * Mi[k][l] * H[j][l];
            e[j] = 1.0;
            assert_close(dls_rows_dot(&a->J, i, e), entry, 1e-15 * 4.0);
        }
    }
    dls_problem_destroy(a);
    dls_problem_destroy(p);
}

/* M v = H r + q with M = H = 1, q = (-1, -1, -1), b = 0, mu = 0.1: v_n = 0 = r_n - 1, and r_t at 0.1 against v_t. */
TEST(test_known_global)
{
    char *json = slurp("siconos/known_answers.json");
    if (!json)
        skip();
    test_free(json);
    dls_problem *p = read_data("siconos/gfc3d/GFC3D_Example00.dat", NULL);
    const double r[3] = {1.0, 0.1 / sqrt(2.0), 0.1 / sqrt(2.0)};
    double v[3], scratch[3];
    assert_int_equal(p->n, 3);
    assert_close(p->mu[1], 0.1, 0.0);
    dls_problem_velocity(p, r, v, scratch);
    for (size_t i = 0; i < 3; i++)
        assert_close(dls_rows_dot(&p->J, i, v) - p->c[i], i ? 0.1 / sqrt(2.0) - 1.0 : 0.0, 1e-15);
    dls_problem_destroy(p);
    /* a triangle of M stands for all of it */
    static const char half[] = "3 1 0 3 3 3 3 2 0 0 .5 1 0 0 0 1  0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 -1 -1 0 0 0 .1",
                      whole[] = "3 1 0 3 3 3 3 2 .5 0 .5 1 0 0 0 1  0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 -1 -1 0 0 0 .1";
    dls_problem *other = parse(whole, NULL);
    p = parse(half, NULL);
    check_same(p, other, 0.0, "a triangle");
    dls_problem_destroy(other);
    dls_problem_destroy(p);
    p = read_data("fclib/CubeH8.hdf5", dls_hdf5_available() ? NULL : "problem");
    assert_true(p->form == DLS_FORM_MECHANICAL && p->n % 3 == 0 && p->n_cone == 2 * p->n / 3);
    dls_problem_destroy(p);
}

TEST(test_wrong_globals)
{
    static const struct {
        const char *text;
        dls_status status;
        const char *word;
    } cases[] = {
        {"3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 -1 -1 0 0 0", DLS_BAD_INPUT, "ends before"},
        {"3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 -1 -1 0 0 0 -.1", DLS_BAD_INPUT, "negative"},
        {"3 1 0 3 3 3 3 1 0 .5 .25 1 0 0 0 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 -1 -1 0 0 0 .1", DLS_REFUSED,
         "not symmetric"},
        {"3 1 0 3 3 3 3 1 2 0 2 1 0 0 0 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 -1 -1 0 0 0 .1", DLS_BAD_INPUT,
         "not positive definite"},
        {"3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 0 3 3 3 3 1 0", DLS_BAD_INPUT, "ends before 9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dls_content content;
        dls_error error = {.message = ""};
        const dls_status status = dls_file_parse(cases[i].text, strlen(cases[i].text), "text", NULL, &content, &error);
        if (status != cases[i].status || !strstr(error.message, cases[i].word))
            print_error("case %zu: %s\n", i, error.message);
        assert_int_equal(status, cases[i].status);
        assert_non_null(strstr(error.message, cases[i].word));
        assert_null(content.problem);
    }
}

/* --- matrices as CSparse prints them --- */

TEST(test_sparse)
{
    static const char *const texts[] = {
        "3 2 3 3 2\nCSparse Version 3, 2006\n3-by-3, nzmax: 9 nnz: 4, 1-norm: 2\n    col 0 : locations 0 to 1\n      0 "
        ": "
        "4\n      2 : -1.5\n    col 1 : locations 2 to 1\n    col 2 : locations 2 to 3\n      0 : 2\n      2 : 7\n"
        "1 2 3",
        "3 2 3 3 1\nCSparse Version 3, 2006\ntriplet: 3-by-3, nzmax: 9 nnz: 5\n    2 2 : 3\n    0 0 : 4\n    2 0 : "
        "-1.5\n"
        "    0 2 : 2\n    2 2 : 4\n1 2 3",
        "3 2 3 3 3\nCSparse Version 3, 2006\n3-by-3, nzmax: 9 nnz: 4, 1-norm: 2\n    row 0 : locations 0 to 1\n      0 "
        ": "
        "4\n      2 : 2\n    row 1 : locations 2 to 1\n    row 2 : locations 2 to 3\n      0 : -1.5\n      2 : 7\n"
        "1 2 3",
    };
    static const double A[9] = {4, 0, -1.5, 0, 0, 0, 2, 0, 7}, b[3] = {1, 2, 3};
    dls_problem *expected = problem_from_matrix(3, A, b, NULL, NULL);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        dls_problem *p = parse(texts[i], "siconos-lcp");
        check_same(expected, p, 0.0, "a sparse matrix");
        dls_problem_destroy(p);
    }
    dls_problem_destroy(expected);
    static const struct {
        const char *text, *word;
    } wrong[] = {
        {"1 2 1 1 2\nCSparse\n2-by-1, nzmax: 1 nnz: 1, 1-norm: 1\n col 0 : locations 0 to 0\n 0 : 1\n 1", "1-by-1"},
        {"1 2 1 1 2\nCSparse\n1-by-1, nzmax: 1 nnz: 2, 1-norm: 1\n col 0 : locations 0 to 0\n 0 : 1\n 1", ""},
        {"1 2 1 1 2\nCSparse\n1-by-1, nzmax: 1 nnz: x, 1-norm: 1\n col 0 : locations 0 to 0\n 0 : 1\n 1", "'x'"},
        {"1 2 1 1 2\nCSparse\n1-by-1, nzmax: 1 nnz: 999, 1-norm: 1\n col 0 : locations 0 to 0\n 0 : 1\n 1", "'999'"},
        {"2 2 2 2 1\nCSparse\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n 2 0 : 1\n 1 1", "more than the 1"},
        {"2 2 2 2 1\nCSparse\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n 0 2 : 1\n 1 1", "more than the 1"},
        {"1 2 1 1 2\nCSparse\n1-by-1, nzmax: 1 nnz: 1, 1-norm: 1\n col 0 : locations 0 to 0\n 1 : 1\n 1",
         "more than the 0"},
        {"1 2 1 1 2\nCSparse\n1-by-1, nzmax: 1 nnz: 1, 1-norm: 1\n col 1 : locations 0 to 0\n 0 : 1\n 1",
         "more than the 0"},
        {"1 2 1 1 2\nSparse\n", "CSparse"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        dls_content content;
        dls_error why = {.message = ""};
        assert_int_equal(dls_file_parse(wrong[i].text, strlen(wrong[i].text), "text", "siconos-lcp", &content, &why),
                         DLS_BAD_INPUT);
        if (!strstr(why.message, wrong[i].word))
            print_error("case %zu: %s\n", i, why.message);
        assert_non_null(strstr(why.message, wrong[i].word));
    }
}

/* --- JSON --- */

TEST(test_json)
{
    dls_problem *p = parse(" {\"A\": [[2, 1, 0], [1, 3, 0], [0, 0, 1]], \"b\": [1, 2, 3], \"lo\": [0, -1, null], "
                           "\"hi\": [null, 1, 5], \"findex\": [-1, 0, -1]}",
                           NULL); /* A x = b + w: b has the other sign */
    assert_true(p->c[0] == 1.0 && p->c[2] == 3.0);
    assert_true(p->parent[1] == 0 && p->mu[1] == 1.0 && p->law[1] == DLS_LAW_BOX && p->n_coupled == 1);
    assert_true(p->hi[0] == HUGE_VAL && p->lo[2] == -HUGE_VAL && p->hi[2] == 5.0);
    dls_problem_destroy(p);
    p = parse("{\"A\": [[2]], \"b\": [-1]}", NULL);
    assert_true(p->lo[0] == 0.0 && p->hi[0] == HUGE_VAL && p->c[0] == 1.0);
    dls_problem_destroy(p);
    static const struct {
        const char *text, *key, *word;
    } wrong[] = {
        {"{\"A\": [[2]]}", "b", "not there"},
        {"{\"b\": [2]}", "A", "not there"},
        {"{\"A\": 2, \"b\": [2]}", "A", "no array of rows"},
        {"{\"A\": [[2, 1]], \"b\": [2]}", "A", "row 0"},
        {"{\"A\": [[\"x\"]], \"b\": [2]}", "A", "entry 0 is no number"},
        {"{\"A\": [[null]], \"b\": [2]}", "A", "null"},
        {"{\"A\": [[2]], \"b\": [2, 3]}", "b", "has 2 entries"},
        {"{\"A\": [[2]], \"b\": 2}", "b", "no array"},
        {"{\"A\": [[2]], \"b\": [2], \"lo\": [3], \"hi\": [1]}", "lo", "above hi"},
        {"{\"A\": [[2]], \"b\": [2], \"low\": [3]}", "", "'low'"},
        {"{\"A\": [[1e-400]], \"b\": [2]}", "", "too small"},
        {"{\"A\": [[2]], \"b\": [2], \"parent\": [1], \"mu\": [1]}", "parent", "no row from 0 to 0"},
        {"{\"A\": [[2, 0], [0, 2]], \"b\": [2, 2], \"parent\": [null, 0]}", "mu", "not there"},
        {"{\"A\": [[2, 0], [0, 2]], \"b\": [2, 2], \"parent\": [null, 0], \"mu\": [0, 1], \"law\": [null, \"disc\"]}",
         "law", "neither"},
        {"{\"A\": [[2, 0], [0, 2]], \"b\": [2, 2], \"findex\": [-1, 0]}", "hi", "friction coefficient"},
        {"{\"A\": [[2, 0], [0, 2]], \"b\": [2, 2], \"hi\": [1, -1], \"lo\": [0, -2], \"findex\": [-1, 0]}", "hi",
         "entry 1 is the friction coefficient"},
#define OF_TWO "{\"A\": [[2, 0], [0, 2]], \"b\": [2, 2], "
        {OF_TWO "\"parent\": [null, 2], \"mu\": [0, 1]}", "parent", "no row from 0 to 1"},
        {OF_TWO "\"parent\": [null, -2], \"mu\": [0, 1]}", "parent", "no row from 0 to 1"},
        {OF_TWO "\"parent\": [null, 0.5], \"mu\": [0, 1]}", "parent", "no row from 0 to 1"},
        {OF_TWO "\"parent\": [null, \"0\"], \"mu\": [0, 1]}", "parent", "no row from 0 to 1"},
        {OF_TWO "\"parent\": [null], \"mu\": [0, 1]}", "parent", "has 1 entries; A has 2 rows"},
        {OF_TWO "\"parent\": [null, 0], \"mu\": [0]}", "mu", "has 1 entries; A has 2 rows"},
        {OF_TWO "\"parent\": [null, 0], \"mu\": [0, null]}", "mu", "entry 1 is no number"},
        {OF_TWO "\"parent\": [null, 0], \"mu\": [0, 1], \"law\": [null, null]}", "law", "entry 1 is neither"},
        {OF_TWO "\"parent\": 0, \"mu\": [0, 1]}", "parent", "no array"},
        {OF_TWO "\"findex\": [-1, 2]}", "findex", "no row from 0 to 1"},
        {OF_TWO "\"findex\": [-1, -2]}", "findex", "no row from 0 to 1"},
        {OF_TWO "\"findex\": [-1, true]}", "findex", "no row from 0 to 1"},
        {OF_TWO "\"findex\": [-1]}", "findex", "has 1 entries; A has 2 rows"},
        {OF_TWO "\"findex\": [-1, -1], \"mu\": [0, 0]}", "", "'mu' is no member of a problem"},
        {OF_TWO "\"x\": [0, 0]}", "", "'x' is no member of a problem"},
        {OF_TWO "\"lo\": [0]}", "lo", "has 1 entries; A has 2 rows"},
        {OF_TWO "\"hi\": [0, 1, 2]}", "hi", "has 3 entries; A has 2 rows"},
        {OF_TWO "\"hi\": [5, \"x\"]}", "hi", "entry 1 is no number"},
        {OF_TWO "\"lo\": [0, 1.5], \"hi\": [0, 1]}", "lo", "entry 1 is above hi: 1.5, 1"},
        {"{\"A\": [[2, 0], [0, 2]], \"b\": [2, null]}", "b", "entry 1 is null"},
        {"{\"A\": [[2, 0], [0]], \"b\": [2, 2]}", "A",
         "row 1 has 1 numbers; the matrix has 2 rows, and must be square"},
        {"{\"A\": [[2, 0], 0], \"b\": [2, 2]}", "A", "row 1 is no array of numbers"},
        {OF_TWO "\"mu\": [0, 0.5]}", "mu", "row 1 has a friction coefficient, and no parent"},
        {OF_TWO "\"parent\": [null, -1], \"mu\": [0, 0.5]}", "mu", "row 1 has a friction coefficient, and no parent"},
        {OF_TWO "\"law\": [null, \"box\"]}", "law", "row 1 has a friction law, and no parent"},
        {OF_TWO "\"parent\": [null, -1], \"mu\": [0, 0], \"law\": [null, \"cone\"]}", "law", "row 1 has"},
        {OF_TWO "\"b\": [1, 1]}", "", "\"b\" is given twice"},
        {OF_TWO "\"q\": [2, 2]}", "q", "two names"},
        {"{\"A\": [[2, 0], [0, 2]], \"b\": [[2], 2]}", "b", "entry 1 is not one number in brackets"},
        {"{\"A\": [[2, 0], [0, 2]], \"b\": [[2, 2]]}", "b", "has 1 entries"},
        {"{\"A\": [], \"b\": []}", "A", "no rows"},
        {"{\"A\": [[2]], \"b\": [Infinity]}", "b", "entry 0 is infinite"},
        {"{\"A\": [[-Infinity]], \"b\": [1]}", "A", "entry 0 is infinite"},
        {"{\"A\": [[2]], \"b\": [NaN]}", "", "NaN"},
        {"{\"A\": [[2]], \"b\": [1], \"lo\": [Infinity]}", "", "lo <= hi"},
        {"{\"A\": [[2]], \"b\": [1],}", "", "a comma before '}'"},
        {"{\"A\": [[2]], \"b\": [2]} 3", "", "follows the end"},
        {"{\"A\": [[2]], \"b\": [2]", "", "no valid JSON"},
        {"{\"A\\\n", "", "near '\"A\\?'"}, /* a message is one line */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        dls_content content;
        dls_error why = {.message = ""};
        const bool dart = strstr(wrong[i].text, "findex") != NULL;
        assert_true(dls_file_parse(wrong[i].text, strlen(wrong[i].text), "text", dart ? "dart" : "json", &content,
                                   &why) != DLS_OK);
        if (strcmp(why.key, wrong[i].key) != 0 || !strstr(why.message, wrong[i].word))
            print_error("case %zu: '%s' %s\n", i, why.key, why.message);
        assert_string_equal(why.key, wrong[i].key);
        assert_non_null(strstr(why.message, wrong[i].word));
        assert_null(content.problem);
    }
}

/* One problem, as Python's json, the literature on LCPs and numpy's columns write it. */
TEST(test_json_dialects)
{
    static const char *const texts[] = {
        "{\"A\": [[2, 1], [3, 4]], \"b\": [-1, -2], \"lo\": [-Infinity, 0], \"hi\": [Infinity, 5], \"name\": \"NaN\"}",
        "\n{\"M\": [[2, 1], [3, 4]], \"q\": [-1, -2], \"lo\": [null, 0], \"hi\": [null, 5]}",
        "{\"b\": [[-1], [-2]], \"lo\": [[-Infinity], [0]], \"A\": [[2, 1], [3, 4]], \"hi\": [[null], [5]]}",
    };
    static const double A[4] = {2, 3, 1, 4}, b[2] = {-1, -2}, lo[2] = {-HUGE_VAL, 0}, hi[2] = {HUGE_VAL, 5};
    dls_problem *expected = problem_from_matrix(2, A, b, lo, hi);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        dls_problem *p = parse(texts[i], NULL);
        check_same(expected, p, 0.0, "a dialect of JSON");
        dls_problem_destroy(p);
    }
    dls_problem_destroy(expected);
}

/* A file that begins with a bracket is JSON: cut anywhere, and without any one of its characters, it is a problem or
 * refused as JSON, not as a scene. A scene in braces, which has a section of a scene, is still one. */
TEST(test_json_is_no_scene)
{
    static const char text[] = "{\"A\": [[2, 1], [1, 2]], \"b\": [-1, -2], \"name\": \"x\"}";
    for (size_t i = 0; i < 2 * strlen(text); i++) {
        const size_t at = i / 2, more = i % 2 ? strlen(text) - at - 1 : 0;
        char damaged[sizeof text];
        dls_content content;
        dls_error error = {.message = ""};
        memcpy(damaged, text, at);
        memcpy(damaged + at, text + at + 1, more);
        if (at == 0)
            continue;
        const dls_status status = dls_file_parse(damaged, at + more, "text", NULL, &content, &error);
        if (status == DLS_OK ? strcmp(content.format->name, "json") != 0 : strstr(error.message, "scene") != NULL)
            fail_msg("'%.*s': %s", (int)(at + more), damaged, error.message);
        dls_content_release(&content);
    }
    static const char *const scenes[] = {"{bodies: [{name: a}]}", "# a\n {name: A, \"bodies\": [{name: 'b\"{'}]}",
                                         "{name: '\"', 'world': {gravity: [0, 0, -1]}}"};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        dls_content content;
        dls_error error;
        assert_status(dls_file_parse(scenes[i], strlen(scenes[i]), "text", NULL, &content, &error), &error);
        assert_non_null(content.scene);
        dls_content_release(&content);
    }
}

/* The laws, coefficients and parents of friction rows are those of the file, the bounds 0; equal bounds and a
 * coefficient of 0 are allowed. */
TEST(test_json_friction)
{
    static const char text[] =
        "\r\n\t {\"A\": [[4, 1, 2, 0], [1, 5, 3, 0], [2, 3, 6, 0], [0, 0, 7, 8]], \"b\": [1, 2, 3, 4], \"lo\": [0, -9, "
        "-9, 2], \"hi\": [null, 9, 9, 2], \"parent\": [null, 0, 0, -1], \"law\": [null, \"cone\", \"cone\", null], "
        "\"mu\": [null, 0.5, 0.5, null], \"n\": 4, \"name\": \"p\", \"lambda0\": [0, 0, 0, 0]}";
    dls_problem *p = parse(text, NULL);
    assert_true(p->n == 4 && p->n_coupled == 2 && p->n_cone == 2);
    assert_true(p->parent[0] == DLS_NONE && p->parent[1] == 0 && p->parent[2] == 0 && p->parent[3] == DLS_NONE);
    assert_true(p->law[1] == DLS_LAW_CONE && p->law[2] == DLS_LAW_CONE && p->law[3] == DLS_LAW_FIXED);
    assert_true(p->mu[1] == 0.5 && p->mu[2] == 0.5 && p->lo[1] == 0.0 && p->hi[2] == 0.0);
    assert_true(p->lo[3] == 2.0 && p->hi[3] == 2.0);
    for (size_t i = 0; i < 4; i++)
        assert_true(p->c[i] == -(double)(i + 1));
    double A[4][4] = {{0}};
    for (size_t i = 0; i < 4; i++) {
        dls_rows_axpy(&p->J, i, 1.0, A[i]);
        A[i][i] += p->gamma[i];
    }
    assert_true(A[2][3] == 0.0 && A[3][2] == 7.0 && A[3][3] == 8.0 && A[0][2] == 2.0 && A[2][1] == 3.0);
    dls_problem_destroy(p);
    p = parse(OF_TWO "\"lo\": [0, 0], \"hi\": [1, 0], \"findex\": [-1, 0], \"x\": [0, 0], \"w\": [0, 0]}", NULL);
    assert_true(p->parent[1] == 0 && p->mu[1] == 0.0 && p->n_coupled == 1 && p->n_cone == 0);
    dls_problem_destroy(p);
    p = parse(OF_TWO "\"parent\": [null, 0], \"mu\": [0, 0.25]}", NULL); /* without laws it is a box */
    assert_true(p->law[1] == DLS_LAW_BOX && p->mu[1] == 0.25 && p->n_coupled == 1 && p->n_cone == 0);
    dls_problem_destroy(p);
}

/* A text of so many bytes ends there, in the middle of a number too. Numbers are looked at outside of strings alone,
 * and one of a thousand digits is a number. */
TEST(test_json_ends)
{
    static const char text[] = "{\"A\": [[2]], \"b\": [1e-400]}", sign[] = "{\"A\": [[2]], \"b\": [-1e-400]}";
    dls_content content;
    dls_error why;
    for (size_t size = 1; size + 3 < sizeof text; size++) {
        assert_int_equal(dls_file_parse(text, size, "text", "json", &content, &why), DLS_BAD_INPUT);
        assert_null(strstr(why.message, "too small"));
        assert_int_equal(dls_file_parse(sign, size, "text", "json", &content, &why), DLS_BAD_INPUT);
        assert_null(strstr(why.message, "too small"));
    }
    static const char named[] = "{\"1e-400 \\\" 1e-400\": 1, \"A\": [[2]], \"b\": [2]}";
    assert_int_equal(dls_file_parse(named, strlen(named), "text", "json", &content, &why), DLS_BAD_INPUT);
    assert_non_null(strstr(why.message, "1e-400 "));
    assert_null(strstr(why.message, "too small"));
    char digits[1400] = "{\"A\": [[2]], \"b\": [-0.5";
    memset(digits + strlen(digits), '0', 1000);
    strcat(digits, "]}");
    dls_problem *p = parse(digits, "json");
    assert_true(p->c[0] == 0.5);
    dls_problem_destroy(p);
    digits[strlen(digits) - 2] = '\0';
    memset(digits + strlen(digits), '0', 300);
    strcat(digits, "]}");
    assert_int_equal(dls_file_parse(digits, strlen(digits), "text", "json", &content, &why), DLS_BAD_INPUT);
    assert_non_null(strstr(why.message, "a number of 1304 characters"));
}

/* Bounds that other programs take for infinite are. */
TEST(test_infinite_bounds)
{
    dls_problem *p = parse("3 0 3 3 3 3 1 0 0 0 1 0 0 0 1 1 1 1 -1e30 -inf -2e29 1e30 inf 1e31", "siconos-relay");
    assert_true(p->lo[0] == -HUGE_VAL && p->lo[1] == -HUGE_VAL && p->lo[2] == -2e29);
    for (size_t i = 0; i < 3; i++)
        assert_true(p->hi[i] == HUGE_VAL);
    dls_problem_destroy(p);
}
