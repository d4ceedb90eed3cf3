/* Updating a Cholesky factor: Gill, Golub, Murray, Saunders, "Methods for modifying matrix factorizations", Math.
 * Comp. 28 (1974).
 *
 * Without its row k, L has one entry above the diagonal in each row from k on, the former L_k+1,k+1, L_k+2,k+2, ...
 * For c = k, ..., m - 2 a plane rotation of the columns c and c + 1 moves this entry into the diagonal of column c and
 * leaves L L^T as it is. Then the entry of the pending row in the last column belongs to no row of L any more: its
 * square is added to s. So s grows by a square when an index leaves, and no difference is formed. */
#include "updated_cholesky.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

void dls_cholesky_take(dls_cholesky *f, dls_arena *memory, size_t capacity)
{
    const size_t stride = (capacity / 8 + 2) * 8;
    *f = (dls_cholesky){.capacity = capacity, .stride = stride % 512 == 0 ? stride + 8 : stride};
    f->L = dls_arena_take(memory, capacity, f->stride * sizeof *f->L);
    f->row = DLS_TAKE(memory, double, capacity);
}

void dls_cholesky_forward(const dls_cholesky *f, double *x)
{
    if (f->m > 0)
        cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)f->m, f->L, (int)f->stride, x, 1);
}

void dls_cholesky_backward(const dls_cholesky *f, double *x)
{
    if (f->m > 0)
        cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, (int)f->m, f->L, (int)f->stride, x, 1);
}

void dls_cholesky_try(dls_cholesky *f, double diagonal)
{
    dls_cholesky_forward(f, f->row);
    f->s = diagonal - cblas_ddot((int)f->m, f->row, 1, f->row, 1);
}

void dls_cholesky_append(dls_cholesky *f)
{
    cblas_dcopy((int)f->m, f->row, 1, f->L + f->m, (int)f->stride);
    f->L[f->m + f->stride * f->m] = sqrt(f->s);
    f->m++;
}

/* The old column c, rows from c + 1 on, moves up by one row. */
static void move_up(dls_cholesky *f, size_t c, size_t from)
{
    double *column = f->L + f->stride * c;
    memmove(column + from, column + from + 1, (f->m - from - 1) * sizeof *column);
}

void dls_cholesky_remove(dls_cholesky *f, size_t k)
{
    size_t last = f->m - 1;
    for (size_t c = 0; c < k; c++)
        move_up(f, c, k);
    for (size_t c = k; c < last; c++) {
        double *left = f->L + f->stride * c + c + 1, *right = f->L + f->stride * (c + 1) + c + 1;
        double a = *left, b = *right, r = hypot(a, b), cosine = a / r, sine = b / r;
        cblas_drot((int)(last - c), left, 1, right, 1, cosine, sine);
        cblas_drot(1, f->row + c, 1, f->row + c + 1, 1, cosine, sine);
        move_up(f, c, c);
    }
    f->s += f->row[last] * f->row[last];
    f->m = last;
}
