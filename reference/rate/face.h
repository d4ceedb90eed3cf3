/* face.h - the equations that hold near a solution, once the free set and the kinds of contact no longer change. Not
 * installed. */
#ifndef DLS_REFERENCE_RATE_FACE_H
#define DLS_REFERENCE_RATE_FACE_H

#include "direct/dense.h"

typedef enum dls_face_kind {
    DLS_FACE_FREE,    /* w_i = 0 */
    DLS_FACE_FOLLOWS, /* lambda_i = share lambda_n, a friction row at its moving bound */
    DLS_FACE_ALONG,   /* d.lambda_t = -mu lambda_n, a contact that slides in the direction d under Coulomb's cone, */
    DLS_FACE_ACROSS   /* p.w_t + gamma p.lambda_t = 0, p across d */
} dls_face_kind;

/* An equation, in the units of w. */
typedef struct dls_face_equation {
    dls_face_kind kind;
    size_t row, normal; /* DLS_FACE_ALONG and DLS_FACE_ACROSS: `row` is the first tangent */
    size_t contact;     /* the normal row of a contact under the cone; DLS_NONE */
    double share;       /* FOLLOWS: +-mu; ALONG: -mu */
    double d[2];        /* ALONG: the direction; ACROSS: p */
    double gamma;       /* ACROSS: |w_t| / (mu lambda_n), by which the direction of friction turns */
    double scale;       /* its diagonal of A, the mean of three under the cone */
} dls_face_equation;

/* The equations at `lambda`, whose w and sides are given: at most d->n. Returns their number. */
size_t dls_face_find(const dls_problem *problem, const dls_dense *d, const dls_row_side *side, const double *lambda,
                     const double *w, dls_face_equation *equations);
/* The value of an equation at impulses x with velocities w = A x. */
double dls_face_value(const dls_face_equation *equation, const double *w, const double *x);

#endif
