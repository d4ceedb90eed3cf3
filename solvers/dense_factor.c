/* Cholesky's factorisation in tiles of 4 x 4. Rows stand in panels of four, column after column, so that every loop
 * reads memory in its order; panel I has the columns 0 to 4 I + 3. Diagonal entries of L are stored inverted. The order
 * of all sums is fixed. */
#include "dense_factor.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));

static const double flops_per_visit = 48.0; /* dls_report.row_visits */
static const double pivot_margin = 16.0;    /* pivots also have the rounding of those before them */

static size_t panels_of(size_t m) { return (m + 3) / 4; }
static size_t panel_at(size_t I) { return 8 * I * (I + 1); }

size_t dls_factor_size(size_t m) { return panel_at(panels_of(m)); }
size_t dls_factor_padded(size_t m) { return 4 * panels_of(m); }

void dls_dense_matrix(dls_kit *kit, double *x, double *y, double *A)
{
    const size_t n = kit->problem->n;
    memset(x, 0, kit->size * sizeof *x);
    for (size_t j = 0; j < n; j++) {
        const size_t place = dls_kit_place(kit, j);
        if (place < kit->size - kit->dead)
            x[place] = 1.0;
        dls_kit_multiply(kit, x, y);
        x[place] = 0.0;
        for (size_t i = 0; i < n; i++)
            A[i + n * j] = y[dls_kit_place(kit, i)];
    }
}

static void gather_block(size_t n, const double *A, const double *shift, size_t m, const size_t *rows, double *L)
{
    for (size_t I = 0; I < panels_of(m); I++)
        for (size_t k = 0; k < 4 * I + 4; k++)
            for (size_t r = 0; r < 4; r++) {
                const size_t i = 4 * I + r;
                double entry = 0.0;
                if (i < m && k <= i)
                    entry = A[rows[i] + n * rows[k]] + (i == k && shift ? shift[rows[i]] : 0.0);
                L[panel_at(I) + 4 * k + r] = entry;
            }
}

/* Subtracts the products of the columns before tile (I, J), then eliminates within the tile. */
static void factor_tile(size_t I, size_t J, size_t m, double *L)
{
    double *row = L + panel_at(I), *tile = row + 16 * J;
    const double *column = L + panel_at(J), *corner = column + 16 * J;
    quad t[4];
    double size[4];
    memcpy(t, tile, sizeof t);
    for (size_t c = 0; c < 4; c++)
        size[c] = t[c][c];
    for (size_t k = 0; k < 4 * J; k++) {
        const quad l = *(const quad *)(row + 4 * k);
        const double *with = column + 4 * k;
        t[0] -= l * with[0], t[1] -= l * with[1], t[2] -= l * with[2], t[3] -= l * with[3];
    }
    for (size_t c = 0; c < 4; c++) {
        for (size_t d = 0; d < c; d++)
            t[c] -= t[d] * corner[4 * d + c];
        if (I == J) {
            const double pivot = t[c][c];
            const bool lost = !(pivot > pivot_margin * (double)m * DBL_EPSILON * size[c]);
            const double inverse = lost ? 0.0 : 1.0 / sqrt(pivot);
            t[c] *= inverse;
            t[c][c] = inverse;
        } else {
            t[c] *= corner[5 * c];
        }
        *(quad *)(tile + 4 * c) = t[c];
    }
}

void dls_factor(dls_kit *kit, const double *A, const double *shift, size_t m, const size_t *rows, double *L)
{
    const double order = (double)m;
    gather_block(kit->problem->n, A, shift, m, rows, L);
    for (size_t I = 0; I < panels_of(m); I++)
        for (size_t J = 0; J <= I; J++)
            factor_tile(I, J, m, L);
    kit->visits += order * order * order / 3.0 / flops_per_visit;
}

void dls_factor_solve(dls_kit *kit, size_t m, const double *L, double *x)
{
    const size_t panels = panels_of(m);
    for (size_t I = 0; I < panels; I++) { /* L y = x */
        const double *row = L + panel_at(I);
        quad even = *(const quad *)(x + 4 * I), odd = {0.0};
        for (size_t k = 0; k < 4 * I; k += 2) {
            even -= *(const quad *)(row + 4 * k) * x[k];
            odd -= *(const quad *)(row + 4 * k + 4) * x[k + 1];
        }
        even += odd;
        for (size_t c = 0; c < 4; c++) {
            const double *column = row + 16 * I + 4 * c;
            x[4 * I + c] = even[c] * column[c];
            even -= *(const quad *)column * x[4 * I + c];
        }
    }
    for (size_t I = panels; I-- > 0;) { /* L^T x = y */
        const double *row = L + panel_at(I);
        for (size_t c = 4; c-- > 0;) {
            const double *column = row + 16 * I + 4 * c;
            double sum = x[4 * I + c];
            for (size_t r = c + 1; r < 4; r++)
                sum -= column[r] * x[4 * I + r];
            x[4 * I + c] = sum * column[c];
        }
        const quad of = *(const quad *)(x + 4 * I);
        for (size_t k = 0; k < 4 * I; k++) {
            const quad product = *(const quad *)(row + 4 * k) * of;
            x[k] -= (product[0] + product[1]) + (product[2] + product[3]);
        }
    }
    kit->visits += 2.0 * (double)m * (double)m / flops_per_visit;
}
