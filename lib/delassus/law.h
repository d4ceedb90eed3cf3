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

/* How a contact or a limit with the coefficient of restitution e rebounds; lib/contact/rebound.c has the laws, and
 * lib/simulation/impact.c the phases of Poisson's and Stronge's. Without friction, for one contact alone, all four say
 * the same: the speed after the impact is e times that before. */
typedef enum dls_impact_law {
    DLS_IMPACT_NEWTON,  /* the normal speed after is e times that before */
    DLS_IMPACT_POISSON, /* the normal impulse of the expansion is e times that of the compression */
    DLS_IMPACT_STRONGE, /* the normal impulse of the expansion gives back e^2 of the work that compression has taken */
    DLS_IMPACT_MOREAU   /* at the mean velocity (v+ + e v-) / (1 + e) a contact rests or separates */
} dls_impact_law;
extern const char *const dls_impact_law_names[]; /* as written in a scene; NULL at the end */

#ifdef __cplusplus
}
#endif

#endif
