/* The row of a measured case. */
#include "parts.h"

void dls_claims_row(const dls_study *study, const char *claim, const char *of, const char *way, const char *varied,
                    double value, const char *quantity, double measured)
{
    dls_table_row(study->tables[DLS_CLAIMS_CASES], "%s %s %s %s %g %s %g", claim, of, way, varied, value, quantity,
                  measured);
}
