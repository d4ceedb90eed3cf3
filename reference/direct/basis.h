/* basis.h - the basis of a complementary pivoting method. Not installed.
 *
 *     A lambda - w + cover t = r:   n equations, 2n + 1 variables, n of them basic
 *
 * Variable i < n is lambda_i (column A_i), n + i is w_i (column -e_i), 2n is t (column cover). Basic w are solved for
 * by substitution, so what is factorised is the core K alone: the columns of the basic lambda and t in the rows whose
 * w is not basic. Between factorisations the basis is kept in product form: each exchange adds one column eta. */
#ifndef DELASSUS_BASIS_H
#define DELASSUS_BASIS_H

#include "base/memory.h"

#include <lapacke.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dls_basis {
    size_t n, core_size, n_slack, n_eta, eta_limit, factorizations;
    const double *A, *cover;
    size_t *head;  /* n: the variable at each position */
    size_t *where; /* 2n + 1: the position of a variable, DLS_NOT_BASIC if it has none */
    size_t *core_row, *core_at, *slack_row, *slack_at; /* of the last factorisation; `at`: positions */
    double *K, *A_slack; /* core_size x core_size; n_slack x core_size; leading dimension n + 8 */
    lapack_int *pivot;
    size_t *eta_at;
    double *eta;     /* eta_limit x n */
    double *scratch; /* n */
} dls_basis;

#define DLS_NOT_BASIC ((size_t)-1)

/* All w basic, w_i at position i. `A` (n x n) and `cover` stay the caller's. */
void dls_basis_take(dls_basis *basis, dls_arena *memory, size_t n, const double *A, const double *cover,
                    size_t eta_limit);
/* All w basic again. */
void dls_basis_start(dls_basis *basis);
/* Variable `entering` takes position p; only the lists change. */
void dls_basis_exchange(dls_basis *basis, size_t p, size_t entering);
/* The same, and the product form with it: `column` is the entering column in the basis. False where the next exchange
 * needs a factorisation first. */
bool dls_basis_update(dls_basis *basis, size_t p, size_t entering, const double *column);
/* LU of the core, row exchanges; false if an exact zero stands on its diagonal. */
bool dls_basis_factorise(dls_basis *basis);
/* x, by positions, from r, by rows; r is kept. */
void dls_basis_solve(dls_basis *basis, const double *r, double *x);
/* The column of a variable, n entries. */
void dls_basis_column(const dls_basis *basis, size_t variable, double *column);

#endif
