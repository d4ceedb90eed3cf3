/* peer.h - the common parts of peers: the dense problem, the impulses, and the members of a descriptor that do not
 * depend on the peer. Not installed.
 *
 * A peer gets A, b, lo, hi as the reference path assembles them (dls_dense), writes w = A lambda + b in its own signs,
 * and returns lambda. Its claim is that of its library; the examiner measures the answer. */
#ifndef DLS_SOLVERS_PEER_H
#define DLS_SOLVERS_PEER_H

#include "delassus/reference.h"
#include "delassus/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PEER_ROWS_MAX = 5000 }; /* a dense matrix of 200 MB, of which a library makes some copies */

typedef struct peer_work {
    const dls_problem *problem;
    const void *settings;        /* the peer's own */
    dls_dense *dense;            /* A (n x n, column-major), b, lo, hi */
    double *lambda;              /* n: where to start, then the current impulses */
    double *origin;              /* n: the impulse between the bounds that is nearest to 0 */
    double *shifted;             /* n: A origin + b, which is b for lambda - origin */
    void *data;                  /* the peer's own, from one iteration to the next; NULL: none */
    void (*release)(void *data); /* frees data */
} peer_work;

/* open, read and close of a descriptor. DLS_REFUSED above PEER_ROWS_MAX rows. */
dls_status peer_open(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                     dls_error *error);
void peer_read(const void *work, double *lambda);
void peer_close(void *work);

/* peer_open for peers that take friction by a bound that follows another row, and need lo <= 0 <= hi: DLS_REFUSED where
 * such a row follows one whose bounds exclude 0. */
dls_status peer_open_following(const dls_problem *problem, const void *settings, const double *lambda0, void **work,
                               dls_error *error);

/* A descriptor, in the order of its members, with the members that peers share. Without settings: PEER_NO_FIELDS. */
#define PEER_SOLVER(name, summary, source, kind, accepts, fields, opens, iterates)                                    \
    {                                                                                                                 \
        name, summary, source, kind, accepts, fields, opens, NULL, iterates, peer_read, peer_close, NULL, NULL, NULL, \
            NULL, NULL, NULL                                                                                          \
    }
#define PEER_NO_FIELDS \
    {                  \
        NULL, 0, 1     \
    }

/* The end of a peer that answers at once: solved if it claims so. Else it claims nothing and gives its reason
 * (DLS_OUTCOME_ITERATION_LIMIT), and the examiner decides whether its impulses are a solution nevertheless: a library
 * may miss a tolerance of its own measure by little. */
dls_status peer_end(bool claims, const char *reason, dls_report *report);

#ifdef __cplusplus
}
#endif

#endif
