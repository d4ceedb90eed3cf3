/* rows.h - the rows of all joints and contacts of a mechanism at one configuration, as data, with the owner of each.
 * Assembly, position corrections, the ledger, warm starts, joint errors and forces use this list; only this list calls
 * the functions of joint types. Row i of the list is row i of the problem that is assembled from it.
 */
#ifndef DELASSUS_ROWS_H
#define DELASSUS_ROWS_H

#include "delassus/contact.h"
#include "delassus/mass.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix of sparse rows; a row is a few blocks of adjacent columns, in the order of their columns. Row i has blocks
 * start[i] to start[i+1] - 1; block k covers the columns from offset[k] on, coef_at[k+1] - coef_at[k] of them. A block
 * of a Jacobian lies within one block of the mass operator. */
typedef struct dls_rows {
    size_t n, n_columns, n_blocks;
    size_t *start;   /* n + 1 */
    size_t *offset;  /* n_blocks */
    size_t *coef_at; /* n_blocks + 1 */
    uint32_t *mass;  /* n_blocks: number of the block of the mass operator; NULL in the matrix form */
    double *coef;
} dls_rows;

/* J_i x for a full vector x. */
double dls_rows_dot(const dls_rows *rows, size_t i, const double *x);
/* y += s J_i^T */
void dls_rows_axpy(const dls_rows *rows, size_t i, double s, double *y);
/* Returns J_i M^-1 J_i^T, and writes the entries of M^-1 J_i^T that are not 0 into B (the other entries are unchanged).
 * B and `scratch` have one entry per column. O(mass blocks of the row). */
double dls_rows_response(const dls_rows *rows, const dls_mass *mass, size_t i, double *B, double *scratch);
/* y += s B in the columns that dls_rows_response writes for row i. */
void dls_rows_add_response(const dls_rows *rows, const dls_mass *mass, size_t i, double s, const double *B, double *y);

/* The columns of J by blocks of the mass operator, as for a method that moves one body at a time: block k of J,
 * k = part[start[b]] to part[start[b+1] - 1] in ascending order, is a block of row[...] that acts on block b. */
typedef struct dls_rows_by_block {
    size_t n_blocks;    /* of the mass operator */
    size_t *start;      /* n_blocks + 1 */
    size_t *row, *part; /* one entry for each block of J */
} dls_rows_by_block;
/* `rows` has block numbers of the mass operator (`mass`), all less than n_blocks. Released with free. O(blocks). */
dls_status dls_rows_by_block_create(const dls_rows *rows, size_t n_blocks, dls_rows_by_block **by, dls_error *error);

typedef struct dls_row_list {
    size_t n;
    dls_list_row *row; /* n */
    dls_rows J;        /* n x nv */
    bool finite;       /* whether all coefficients of J are */
    void *memory;
} dls_row_list;

/* The time T [s] in c = -(ERP / T) C + u: the time until C is evaluated again. Both members are h if C is evaluated
 * once per step. */
typedef struct dls_time_base {
    double error; /* T of a row in error */
    double gap;   /* T of a unilateral row with a gap: J v >= -C / T lets it close within T, not sooner */
} dls_time_base;

/* An empty list; released with dls_row_list_release. */
dls_status dls_row_list_create(dls_row_list **list, dls_error *error);
void dls_row_list_destroy(dls_row_list *list); /* NULL is allowed */
/* Fills the list with the rows of all joints, then of `contacts` (NULL: none), at a configuration with current factors,
 * for a step h [s]. The list's memory is reused and grows only when needed. */
dls_status dls_row_list_fill(dls_row_list *list, const dls_configuration *configuration, const dls_contacts *contacts,
                             double h, dls_error *error);
/* Evaluates C again, at another configuration, with the gaps, bounds and target speeds that depend on C; the Jacobians
 * stay. `contacts` are those of that configuration. */
void dls_row_list_refresh(dls_row_list *list, const dls_configuration *configuration, const dls_contacts *contacts,
                          double h);
/* Evaluates all rows again, in place, with their Jacobians. The mass operator of the list becomes that of the
 * configuration if its factors are current. */
void dls_row_list_renew_all(dls_row_list *list, const dls_configuration *configuration, const dls_contacts *contacts,
                            double h);
/* Evaluates the rows of one owner again, in place, with their Jacobians. `first`: its first row. `contact` is NULL for
 * a joint. */
void dls_row_list_renew(dls_row_list *list, const dls_configuration *configuration, const dls_contact *contact,
                        size_t first, double h);
/* Like dls_rows_response, with the mass operator at the configuration of the list. */
double dls_row_list_response(const dls_row_list *list, size_t i, double *B, double *scratch);
/* Copies the rows i of `from` for which keep[i] is true into `to`, without friction couplings. */
dls_status dls_row_list_filter(dls_row_list *to, const dls_row_list *from, const bool *keep, dls_error *error);
/* Makes a list of n rows without Jacobians, owners and labels, for readers. */
dls_status dls_row_list_blank(dls_row_list *list, size_t n, dls_error *error);
/* Whether a row has neither CFM nor a spring under the time base T. */
bool dls_list_row_rigid(const dls_list_row *row, double T);
/* The row's bias under the time base T; row->bias becomes it. */
double dls_list_row_bias(dls_list_row *row, dls_time_base T);

/* For each row, the part J_k v_k of its velocity due to kinematic bodies. With kinematic bodies, conventions (3) is w =
 * J v+ + Gamma lambda - c, where c contains -J_k v_k in addition to the bias and u. NULL if the model has no such body.
 */
const double *dls_row_list_prescribed(const dls_row_list *list);
/* The same for one row that a type wrote for a joint on these ends, or for a contact (`joint` NULL). */
double dls_row_prescribed(const dls_configuration *configuration, const dls_joint *joint, const size_t ends[2],
                          const dls_row *row);

/* Writes the rows of one owner, with the Jacobians of the two ends, into rows[DLS_JOINT_ROWS_MAX], and returns their
 * number: 0 for a joint that is idle (dls_configuration.idle). */
size_t dls_rows_of_joint(const dls_configuration *configuration, const dls_joint *joint, double h, dls_row *rows);
size_t dls_rows_of_contact(const dls_configuration *configuration, const dls_contact *contact, double h, dls_row *rows);
/* A = J M^-1 J^T of the rows of all joints, then of `contacts` (NULL: none), as dls_row_list_fill numbers them, by
 * propagation of their forces: dls_articulation_delassus. n x n, column-major, symmetric to the last bit. Compliance is
 * not included. DLS_BAD_ARGUMENT if there are not n rows. After dls_configuration_factor. */
dls_status dls_configuration_delassus(const dls_configuration *configuration, const dls_contacts *contacts, size_t n,
                                      double *A, dls_error *error);
/* A detected contact at the configuration `now`: the normal keeps its direction, and both points move with their
 * bodies, but for balls and capsules, which turn under their point. */
dls_contact dls_contact_follow(const dls_configuration *now, const dls_contact *contact);

#ifdef __cplusplus
}
#endif

#endif
