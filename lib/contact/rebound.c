/* Laws of impact of one row: Newton's and Moreau's are complete here, Poisson's and Stronge's have their compression
 * here, and their expansion in lib/simulation/impact.c.
 *
 * With the speed s = J v at the start of the step, s < 0 where the bodies approach, and the coefficient of restitution
 * e, the target u of a closed stop (C <= 0; J v+ >= u, lambda >= 0, lambda (J v+ - u) = 0) is
 *     newton    u = -e s  where s < -least;  0 otherwise                          I. Newton, Principia, 1687
 *     moreau    u = -e s  for any s, also of a stop that separates: the velocity (J v+ + e s) / (1 + e) >= 0 is
 *               complementary to lambda                                           J. J. Moreau, 1988
 *     poisson   u = 0, the end of compression, until the phases of the impact set u to the speed after the expansion
 *     stronge   as poisson
 * Newton's and Moreau's laws therefore differ only where closed stops take part that do not approach, or not so fast
 * as `least`: a stop that separates at the speed s > 0 is hindered by Newton's law at 0, by Moreau's at -e s.
 *
 * Common to all laws: the row of a stop that rebounds has its target only. Its ERP is 0, since a body that approached
 * at the speed s may be up to s h deep after the step before, and correcting this depth would add ERP s to the rebound.
 * And it waits for the impact: closing a gap (C > 0) within the step would reduce the speed of approach, so the row is
 * inactive until then. Any other stop with a gap may close it in the step (ERP = 1).
 *
 * Newton's law has no notion of an impulse: with friction, or with several stops, it can give more energy back than
 * there was (T. R. Kane, D. A. Levinson, Dynamics: Theory and Applications, 1985); the ledger says where it does.
 */
#include "delassus/contact.h"

#include <math.h>

const char *const dls_impact_law_names[] = {"newton", "poisson", "stronge", "moreau", NULL};

void dls_list_row_rebound(dls_list_row *row, double speed, double least)
{
    const bool fast = row->restitution > 0.0 && speed < -least;
    const bool in_phases = row->impact == DLS_IMPACT_POISSON || row->impact == DLS_IMPACT_STRONGE;
    row->impacts = fast && !row->gap;
    if (fast) {
        row->erp = 0.0;
        row->u = in_phases ? 0.0 : -row->restitution * speed;
        row->hi = row->gap ? 0.0 : row->hi;
    } else if (row->impact == DLS_IMPACT_MOREAU && row->restitution > 0.0 && !row->gap) {
        row->u = -row->restitution * speed;
    }
}
