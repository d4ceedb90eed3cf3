/* law.h - the bounds of a row's impulse. */
#ifndef DELASSUS_LAW_H
#define DELASSUS_LAW_H

#ifdef __cplusplus
extern "C" {
#endif

/* How the impulse of a row is bounded. For friction: how the two tangent rows depend on the current impulse lambda_n >=
 * 0 of their normal row:
 * FIXED: lo, hi as given: equality, unilateral, motor; friction with the fixed bound mu m g;
 * BOX:   each tangent alone, -mu lambda_n <= lambda_t <= mu lambda_n, and w_t as in conventions (5) with these bounds;
 * CONE: Coulomb's law for the two tangents together, |lambda_t| <= mu lambda_n, and w_t = 0, or |lambda_t| = mu
 *        lambda_n and lambda_t = -mu lambda_n w_t / |w_t|. The tangents are the two rows after their normal row, with
 *        one mu; lo_n = 0. */
typedef enum dls_law { DLS_LAW_FIXED, DLS_LAW_BOX, DLS_LAW_CONE } dls_law;
extern const char *const dls_law_names[]; /* friction laws, as written in a scene; NULL at the end */

#ifdef __cplusplus
}
#endif

#endif
