/* certified.h - a problem out of a certificate, as exact numbers. Part of check_certificate, which shares nothing with
 * the library.
 *
 * Every certificate is checked in a process of its own, which ends with its verdict: nothing is ever freed but what is
 * made in loops. */
#ifndef CHECK_CERTIFICATE_CERTIFIED_H
#define CHECK_CERTIFICATE_CERTIFIED_H

#include <flint/fmpq.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpq_vec.h>
#include <jansson.h>
#ifdef DLS_FLINT_HAS_ARB
#include <flint/arb_mat.h>
#else
#include <arb_mat.h>
#endif

#include <stdbool.h>

/* A disc of two rows, or one row under a box, whose bounds are mu times the impulse of a normal row. */
typedef enum friction_law { LAW_BOX, LAW_CONE, LAW_ASSOCIATED } friction_law;
typedef struct friction {
    friction_law law;
    slong normal, first, count; /* its rows: first, .., first + count - 1 */
    fmpq mu[2];
} friction;

/* Velocities first, .., first + m - 1. */
typedef struct mass_block {
    slong first, m;
    fmpq_mat_t M, inverse;
} mass_block;

/* w = A x + b. In the matrix form A = rows + Gamma and b = -c. In the mechanical form J has the rows, A = J M^-1 J^T +
 * Gamma, b = J v* - c. */
typedef struct problem {
    bool matrix;
    slong n, columns;
    slong *start, *column; /* of entries of row i: start[i], .., start[i + 1] - 1 */
    fmpq *entry;
    fmpq *gamma, *c, *lo, *hi; /* n */
    bool *no_lo, *no_hi;       /* n: the bound is infinite */
    fmpq *v_star;              /* columns; NULL in the matrix form */
    slong n_blocks, n_friction;
    mass_block *blocks;
    friction *friction;
    bool *tangent, *normal; /* n: a row of a friction law, a normal row of one */
} problem;

/* The file that a verdict of this process is about; the verdict, which ends the process; and that the file is rejected
 * where the condition is false. */
void begin_verdict(const char *file);
_Noreturn void end_with(bool accepted, const char *text);
void insist(bool condition, const char *reason);
/* A text of at most 160 bytes with two numbers. */
const char *words(const char *form, double x, double y);
void *room(slong count, size_t size); /* zeros */

/* JSON. A number is a double, or a fraction such as "-385/2" in a text. */
json_t *member(const json_t *object, const char *name);
void insist_members(const json_t *object, const char *names); /* these, separated by spaces, and no others */
void exact_number(const json_t *x, fmpq_t to);
fmpq *exact_list(const json_t *list, slong n);
slong whole_number(const json_t *x);
const char *text_of(const json_t *x);
bool is_text(const char *text, const char *other); /* both are the same */
/* An exact number of a witness: two doubles [high, low], or a fraction. */
void read_witness(const json_t *x, fmpq_t to);

/* The SHA-256 of a stored problem, 64 hexadecimal digits; every number in it is a double. */
void name_problem(const json_t *stored, char name[65]);
/* The problem without some rows; left_out NULL: with all. */
problem *read_problem(const json_t *stored, const bool *left_out);

bool same_vector(const fmpq *x, const fmpq *y, slong n);
void root_above(const fmpq_t x, fmpq_t to); /* at least the square root of x >= 0, 0 where x is 0 */
void set_disc_size(const friction *f, const fmpq *g, fmpq_t to);  /* at least |mu g_t| */
void times_transposed(const problem *p, const fmpq *y, fmpq *to); /* the transpose of the rows, times y */
void respond(const problem *p, const fmpq *force, fmpq *to);      /* M^-1 force */
void times_rows(const problem *p, const fmpq *v, fmpq *to);
void dot_product(slong n, const fmpq *x, const fmpq *y, fmpq_t to);
/* |force|^2 in the norm of M^-1. */
void square_of_force(const problem *p, const fmpq *force, fmpq_t to);
void evaluate_w(const problem *p, const fmpq *x, fmpq *w);
/* How far w must change for row i to hold; false where x is outside its bounds. */
bool row_fault(const problem *p, slong i, const fmpq_t x, const fmpq_t w, fmpq_t to);
bool is_solution(const problem *p, const fmpq *x);
void matrix_of(const problem *p, fmpq_mat_t A); /* A, n x n */

/* Whether the exact x is above the ball r >= 0; equal: or both are 0. */
bool is_beyond(const fmpq_t x, const arb_t r, bool equal);

/* Different solutions of a claim. */
fmpq **read_solutions(const problem *p, const json_t *claim, slong *count);
/* Which rows a claim leaves out, if their dependence is proved. */
bool *read_left_out(const json_t *stored, const json_t *claim, const json_t *witness);

/* The words that a claim of each kind is proved to say, or the end of the process. */
typedef const char *kind_check(const problem *p, const json_t *claim, const json_t *witness);
kind_check check_solution, check_several, check_all, check_velocity, check_backward, check_states;

#endif
