/* Factors that serve sets of rows near their own: solutions beside the equations themselves, whatever rows are
 * exchanged; few rows need no new factor, and dependent rows are found. */
#include "check.h"
#include "draws.h"

#include "direct/exchanged.h"

#include <float.h>
#include <string.h>

enum { ROWS = 60 };

typedef struct drawn {
    double S[ROWS * ROWS], least[ROWS], factor[ROWS * ROWS];
    bool inside[ROWS];
    size_t F[ROWS], f;
    dls_arena memory;
    dls_exchanged e;
} drawn;

/* S = B B^T with B of `rank` columns, and its upper triangle nonsense, which nobody reads. */
static void draw_matrix(drawn *d, size_t rank)
{
    static double B[ROWS][ROWS];
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < rank; k++)
            B[i][k] = uniform(-1.0, 1.0) + (i == k ? 4.0 : 0.0);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < ROWS; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < rank; k++)
                sum += B[i][k] * B[j][k];
            d->S[i + ROWS * j] = i >= j ? sum : NAN;
        }
    for (size_t i = 0; i < ROWS; i++) {
        d->least[i] = 16.0 * d->S[i * (ROWS + 1)];
        d->inside[i] = draw(0, 1);
    }
    dls_exchanged_take(&d->e, ROWS, d->S, ROWS, d->least, d->factor, &d->memory);
    assert_false(d->memory.failed);
}

static void exchange(drawn *d, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const int i = draw(0, ROWS - 1);
        d->inside[i] = !d->inside[i];
    }
    d->f = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (d->inside[i])
            d->F[d->f++] = i;
}

static void check_solution(drawn *d)
{
    double y[ROWS], x[ROWS];
    for (size_t j = 0; j < d->f; j++)
        x[j] = y[j] = uniform(-1.0, 1.0);
    dls_exchanged_solve(&d->e, d->F, d->f, x);
    for (size_t i = 0; i < d->f; i++) {
        double sum = 0.0, terms = fabs(y[i]);
        for (size_t j = 0; j < d->f; j++) {
            const size_t high = d->F[i > j ? i : j], low = d->F[i > j ? j : i];
            sum += d->S[high + ROWS * low] * x[j];
            terms += fabs(d->S[high + ROWS * low] * x[j]);
        }
        assert_close(sum, y[i], 1e-12 * terms);
    }
}

TEST(test_solutions_after_exchanges)
{
    size_t kept = 0;
    for (int problem = 0; problem < 40; problem++) {
        drawn d = {.f = 0};
        draw_matrix(&d, ROWS);
        for (int round = 0; round < 30; round++) {
            bool renewed;
            exchange(&d, round == 0 ? 0 : (size_t)draw(0, 9));
            if (round % 10 == 9)
                dls_exchanged_forget(&d.e);
            assert_true(dls_exchanged_serve(&d.e, d.F, d.f, &renewed));
            assert_true(renewed || (round > 0 && round % 10 != 9));
            kept += !renewed;
            check_solution(&d);
        }
        dls_arena_release(&d.memory);
    }
    assert_true(kept > 100); /* the law is about them */
}

/* No set of r + 1 rows is served where S has the rank r, whether they come at once or one by one. */
TEST(test_dependent_rows_are_found)
{
    enum { RANK = 30 };
    for (int problem = 0; problem < 40; problem++) {
        drawn d = {.f = 0};
        bool renewed;
        draw_matrix(&d, RANK);
        for (size_t i = 0; i < ROWS; i++)
            d.inside[i] = i < RANK;
        exchange(&d, 0);
        assert_true(dls_exchanged_serve(&d.e, d.F, d.f, &renewed));
        check_solution(&d);
        d.inside[draw(RANK, ROWS - 1)] = true;
        exchange(&d, 0);
        assert_false(dls_exchanged_serve(&d.e, d.F, d.f, &renewed));
        assert_false(dls_exchanged_serve(&d.e, d.F, d.f, &renewed)); /* from no factor either */
        dls_arena_release(&d.memory);
    }
}
