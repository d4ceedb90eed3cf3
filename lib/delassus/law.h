/* law.h - the bounds of a row's impulse. */
#ifndef DELASSUS_LAW_H
#define DELASSUS_LAW_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the impulse of a row is bounded. For friction: how rows depend on the current impulse lambda_n >= 0 of their
 * normal row:
 * FIXED: lo, hi as given: equality, unilateral, motor; friction with the fixed bound mu m g;
 * BOX:   each row alone, -mu lambda_n <= lambda_t <= mu lambda_n, and w_t as in conventions (5) with these bounds; also
 *        the torsional friction of a contact under CONE, mu then a length;
 * CONE:  Coulomb's law. After the normal row, with lo_n = 0, stand one or two DISCS of two rows each: the tangents, and
 *        the two rows of rolling friction. A disc has coefficients mu_1, mu_2 (equal: isotropic friction; rolling
 *        friction: lengths), the bound (lambda_1 / mu_1)^2 + (lambda_2 / mu_2)^2 <= lambda_n^2, and the support
 *        function h(w) = sqrt((mu_1 w_1)^2 + (mu_2 w_2)^2). Its law is that of greatest dissipation,
 *        lambda . w = -lambda_n h(w): w = 0, or lambda at the bound and w along its inner normal.
 *        0 <= lambda_n, w_n >= 0, lambda_n w_n = 0.
 * ASSOCIATED: the convex relaxation with the same discs: lambda in the cone K of these bounds, w in its dual K*, and
 *        lambda . w = 0: the law of the discs is the same, but a contact that slides opens with w_n = sum h(w) over the
 *        discs. With G. De Saxce and Z.-Q. Feng (1998), CONE is this law for w_n + sum h(w) in the place of w_n. */
typedef enum dls_law { DLS_LAW_FIXED, DLS_LAW_BOX, DLS_LAW_CONE, DLS_LAW_ASSOCIATED } dls_law;
extern const char *const dls_law_names[]; /* friction laws, as written in a scene; NULL at the end */
/* Whether it bounds two rows together, in a disc. */
static inline bool dls_law_has_discs(dls_law law) { return law == DLS_LAW_CONE || law == DLS_LAW_ASSOCIATED; }

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
