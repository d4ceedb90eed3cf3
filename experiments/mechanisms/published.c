/* Mechanisms that others have published.
 *
 * Andrews' squeezer of the Test Set for Initial Value Problem Solvers (F. Mazzia and C. Magherini, University of Bari,
 * 2008, II-7), whose values at 0.03 s are printed with 16 digits, and problems A01, A02, A04 and A05 of the IFToMM
 * library (M. Gonzalez, D. Dopico, U. Lugris and J. Cuadrado, Multibody System Dynamics 16 (2006) 179).
 *
 * A02 TWICE. Up to 0.7 s its rods are not yet horizontal. Over 2 s they pass through that singular position, in which
 * the loops lose two of their independent rows and their motion has several branches: the reference is then that of
 * the parallelograms, by couplings (scenes/iftomm-a02-branch.yaml), and a scheme that goes on along another branch has
 * an error of the mechanism's size.
 */
#include "mechanisms/parts.h"

#include <math.h>
#include <string.h>

#define NO NAN
const dls_published dls_published_mechanisms[DLS_PUBLISHED] = {
    {"andrews-squeezer",
     "andrews-squeezer",
     "andrews-squeezer",
     "Andrews' squeezing mechanism",
     0.03,
     500,
     {{"beta", NULL, {0, 0, 0}, 0, 0.1581077119629904e+2},
      {"theta", NULL, {0, 0, 0}, 1, -0.1575637105984298e+2},
      {"gamma", NULL, {0, 0, 0}, 2, 0.4082224013073101e-1},
      {"phi", NULL, {0, 0, 0}, 4, -0.5347301163226948e+0},
      {"delta", NULL, {0, 0, 0}, 3, 0.5244099658805304e+0},
      {"Omega", NULL, {0, 0, 0}, 6, 0.5347301163226948e+0},
      {"epsilon", NULL, {0, 0, 0}, 5, 0.1048080741042263e+1},
      {NULL, NULL, {0, 0, 0}, 0, NO}}},
    {"iftomm-a01",
     "iftomm-a01",
     "iftomm-a01",
     "A01, a pendulum",
     2.0,
     200,
     {{"x", "mass", {-1, 0, 0}, 0, NO}, {"y", "mass", {-1, 0, 0}, 1, NO}, {NULL, NULL, {0, 0, 0}, 0, NO}}},
    {"iftomm-a02",
     "iftomm-a02",
     "iftomm-a02",
     "A02, two four-bar windows, before they are flat",
     0.7,
     70,
     {{"B0 x", "crank0", {0, 1, 0}, 0, NO}, {"B0 y", "crank0", {0, 1, 0}, 1, NO}, {NULL, NULL, {0, 0, 0}, 0, NO}}},
    {"iftomm-a02-through",
     "iftomm-a02",
     "iftomm-a02-branch",
     "A02, through its singular position",
     2.0,
     200,
     {{"B0 x", "windows.crank0", {0, 1, 0}, 0, NO},
      {"B0 y", "windows.crank0", {0, 1, 0}, 1, NO},
      {NULL, NULL, {0, 0, 0}, 0, NO}}},
    {"iftomm-a04",
     "iftomm-a04",
     "iftomm-a04",
     "A04, Bricard's mechanism",
     2.0,
     200,
     {{"P3 x", "rod2", {1, -1, 0}, 0, NO},
      {"P3 y", "rod2", {1, -1, 0}, 1, NO},
      {"P3 z", "rod2", {1, -1, 0}, 2, NO},
      {NULL, NULL, {0, 0, 0}, 0, NO}}},
    {"iftomm-a05",
     "iftomm-a05",
     "iftomm-a05",
     "A05, a stiff flyball governor",
     0.2,
     100,
     {{"s", "governor.slider", {0, 0, 0.5}, 2, NO}, {NULL, NULL, {0, 0, 0}, 0, NO}}},
};

bool dls_mechanisms_wanted(const dls_study *study, size_t mechanism)
{
    const dls_mechanisms_settings *set = study->settings;
    for (size_t k = 0; k < set->mechanisms.count; k++)
        if (strcmp(set->mechanisms.names[k], dls_published_mechanisms[mechanism].name) == 0)
            return true;
    return set->mechanisms.count == 0;
}
