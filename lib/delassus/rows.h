/* rows.h - the rows of all joints and contacts of a mechanism at one configuration, as data: what each says, and where
 * it comes from.
 *
 * Assembly, position corrections, the ledger, warm starts, joint errors and forces read this list; nobody else calls a
 * joint type. A row's place in the list is its place in the problem that is assembled from it.
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
    uint32_t *mass;  /* n_blocks: which block of the mass operator; NULL in the matrix form */
    double *coef;
} dls_rows;

/* J_i x for a full vector x. */
double dls_rows_dot(const dls_rows *rows, size_t i, const double *x);
/* y += s J_i^T */
void dls_rows_axpy(const dls_rows *rows, size_t i, double s, double *y);
/* J_i M^-1 J_i^T, with M^-1 J_i^T into B where it is not 0 (the other entries are left as they are). `scratch` has as
 * many entries as B, one for each column. O(mass blocks of the row). */
double dls_rows_response(const dls_rows *rows, const dls_mass *mass, size_t i, double *B, double *scratch);

typedef struct dls_row_list {
    size_t n;
    dls_list_row *row; /* n */
    dls_rows J;        /* n x nv */
    bool finite;       /* whether all coefficients of J are */
    void *memory;
} dls_row_list;

/* For how long the velocity of c = -(ERP / T) C + u acts until C is evaluated again: h and h where that is once per
 * step. [s] */
typedef struct dls_time_base {
    double error; /* T of a row in error */
    double gap;   /* T of a unilateral row with a gap: J v >= -C / T lets it close by then, and no sooner */
} dls_time_base;

/* An empty list; released with dls_row_list_release. */
dls_status dls_row_list_create(dls_row_list **list, dls_error *error);
void dls_row_list_destroy(dls_row_list *list); /* NULL is allowed */
/* The rows of all joints, then of `contacts` (NULL: none), at a configuration whose factors are current, for a step h
 * [s]. The list's memory is used again and grows only where needed. */
dls_status dls_row_list_fill(dls_row_list *list, const dls_configuration *configuration, const dls_contacts *contacts,
                             double h, dls_error *error);
/* C, and what depends on it (gaps, bounds and target speeds that a closed gap decides), at another configuration; the
 * Jacobians stay. `contacts` as they are there. */
void dls_row_list_refresh(dls_row_list *list, const dls_configuration *configuration, const dls_contacts *contacts,
                          double h);
/* All rows again, in place: Jacobians and all. The mass operator of the list becomes that of the configuration where
 * its factors are current. */
void dls_row_list_renew_all(dls_row_list *list, const dls_configuration *configuration, const dls_contacts *contacts,
                            double h);
/* The rows of one owner again, in place: Jacobians and all. `contact` is NULL for a joint. */
void dls_row_list_renew(dls_row_list *list, const dls_configuration *configuration, const dls_contact *contact,
                        size_t first, double h);
/* J_i M^-1 J_i^T at the configuration of the list, and M^-1 J_i^T into B, as dls_rows_response. */
double dls_row_list_response(const dls_row_list *list, size_t i, double *B, double *scratch);
/* The rows of `from` for which keep[i] is not 0, without friction couplings, into `to`. */
dls_status dls_row_list_filter(dls_row_list *to, const dls_row_list *from, const bool *keep, dls_error *error);
/* n rows without Jacobians, owners and labels, for readers. */
dls_status dls_row_list_blank(dls_row_list *list, size_t n, dls_error *error);
/* Whether a row has neither CFM nor a spring under the time base T. */
bool dls_list_row_rigid(const dls_list_row *row, double T);
/* The row's bias under the time base T; row->bias becomes it. */
double dls_list_row_bias(dls_list_row *row, dls_time_base T);

/* What ends that are kinematic bodies add to the velocity of each row, J_k v_k: conventions (3) with them is
 * w = J v+ + Gamma lambda - c, and c has -J_k v_k beside its bias and u. NULL where the model has no such body. */
const double *dls_row_list_carried(const dls_row_list *list);
/* That of one row, which a type wrote for a joint, or for a contact (NULL), on these ends. */
double dls_row_carried(const dls_configuration *configuration, const dls_joint *joint, const size_t ends[2],
                       const dls_row *row);

/* One owner's rows as its type writes them, with the Jacobians of the two ends, in rows[DLS_JOINT_ROWS_MAX]; how many
 * there are, 0 of a joint that is idle (dls_configuration.idle). */
size_t dls_rows_of_joint(const dls_configuration *configuration, const dls_joint *joint, double h, dls_row *rows);
size_t dls_rows_of_contact(const dls_configuration *configuration, const dls_contact *contact, double h, dls_row *rows);
/* A detected contact as it is `now`: both points have moved with their bodies, the normal keeps its direction. */
dls_contact dls_contact_follow(const dls_configuration *now, const dls_contact *contact);

#ifdef __cplusplus
}
#endif

#endif
