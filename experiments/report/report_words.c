/* The words of a report beside its parts: title, abstract, method, conclusion, references; and captions without the
 * sentences that an earlier figure of their section has. */
#include "report.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char dls_report_title[] = "Experiments on constraint solvers for rigid bodies";

const char *const dls_report_method[] = {
    "A step of a mechanism is a problem in the impulses λ of its rows: w = A λ + b with Delassus' operator A = J M^-1 "
    "J^T "
    "+ diag(γ) [1], and lo ≤ λ ≤ hi; w ≥ 0 where λ = lo, w ≤ 0 where λ = hi, and w = 0 in between [2]. Friction rows "
    "have bounds, or contacts cones, that follow the impulse of their normal row [3, 4]. In b are the velocity before "
    "the step, forces, and the feedback of position errors [5]. Articulations have joint coordinates [6].",
    "Sweeps, projected Gauss-Seidel and its relatives [7, 8], visit rows one after another; direct methods pivot, or "
    "solve linear systems. Work is counted in row visits, which depend on no machine; times are named as measured.",
    "An answer is judged from the problem alone, by an examiner that shares no code with any solver. Residuals are "
    "those "
    "of the natural map, scaled by the diagonal of A to a velocity, or without a unit by the terms of each row. "
    "Distances are of velocities, in the mass norm sqrt(Δv^T M Δv), to a reference solution whose error is bounded by "
    "verification methods [9] where there is such a bound. Errors of joints and depths of contacts are measured in the "
    "states, and the change of energy is divided among its causes.",
    NULL};

const char *const dls_report_references[] = {
    "E. Delassus, Mémoire sur la théorie des liaisons finies unilatérales, Annales scientifiques de l'École Normale "
    "Supérieure 34 (1917) 95-179.",
    "R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, Academic Press, 1992.",
    "D. E. Stewart, J. C. Trinkle, An implicit time-stepping scheme for rigid body dynamics with inelastic collisions "
    "and Coulomb friction, International Journal for Numerical Methods in Engineering 39 (1996) 2673-2691.",
    "V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical Systems, Springer, 2008.",
    "J. Baumgarte, Stabilization of constraints and integrals of motion in dynamical systems, Computer Methods in "
    "Applied Mechanics and Engineering 1 (1972) 1-16.",
    "R. Featherstone, Rigid Body Dynamics Algorithms, Springer, 2008.",
    "M. Jean, The non-smooth contact dynamics method, Computer Methods in Applied Mechanics and Engineering 177 (1999) "
    "235-257.",
    "F. Jourdan, P. Alart, M. Jean, A Gauss-Seidel like algorithm to solve frictional contact problems, Computer "
    "Methods "
    "in Applied Mechanics and Engineering 155 (1998) 31-47.",
    "S. M. Rump, Verification methods: rigorous results using floating-point arithmetic, Acta Numerica 19 (2010) "
    "287-449.",
    NULL};

void dls_report_abstract(const dls_report_part *parts, size_t count, char *text, size_t size)
{
    size_t experiments = 0, runs = 0;
    for (size_t k = 0; k < count; k++)
        *(parts[k].experiment ? &experiments : &runs) += parts[k].done;
    snprintf(
        text, size,
        "Solvers and time-stepping schemes of rigid-body simulation are compared in %zu experiment%s and %zu run%s "
        "of scenes. Every answer is judged from its problem alone, distances are to reference solutions with "
        "proved bounds of their error where there are such bounds, and rates are predicted before they are "
        "fitted. Each figure has its table, and the command that makes both again.",
        experiments, experiments == 1 ? "" : "s", runs, runs == 1 ? "" : "s");
}

void dls_report_conclusion(const dls_report_part *parts, size_t count, char *text, size_t size)
{
    const dls_report_part *worst = NULL;
    double most = -1.0;
    char residual[DLS_REPORT_RESIDUAL];
    size_t done = 0, runs = 0, whole = 0;
    for (size_t k = 0; k < count; k++) {
        const dls_report_outcome *o = parts[k].outcome;
        done += parts[k].done && o->status == DLS_OK;
        runs += !parts[k].experiment && parts[k].done;
        if (parts[k].experiment || !parts[k].done || o->status != DLS_OK)
            continue;
        whole++;
        if (o->run.examined > 0 && !isnan(most) && !(o->run.worst_residual <= most))
            worst = &parts[k], most = o->run.worst_residual;
    }
    size_t used = (size_t)snprintf(text, size, "%zu of %zu parts were computed. ", done, count);
    if (runs > 0 && used < size)
        used += (size_t)snprintf(text + used, size - used, "%zu of %zu scenes ran to their end", whole, runs);
    if (runs > 0 && worst && used < size)
        used += (size_t)snprintf(text + used, size - used, ", and their largest scaled residual is %s (%s)",
                                 dls_report_residual(most, residual), worst->name);
    if (used < size)
        snprintf(text + used, size - used,
                 "%sThe findings are computed from the tables of this report, and hold for the mechanisms, steps and "
                 "settings that their sections name; on others methods may rank otherwise.",
                 runs > 0 ? ". " : "");
}

/* --- captions --- */

/* The length of the sentence at *text, which is moved past it and the blank behind it; 0 at the end. */
static size_t next_sentence(const char **text)
{
    const char *stop = strstr(*text, ". ");
    const size_t length = stop ? (size_t)(stop + 1 - *text) : strlen(*text);
    *text += length + (stop != NULL);
    return length;
}

static bool has_sentence(const char *caption, const char *sentence, size_t length)
{
    for (const char *from = caption, *next = caption; next_sentence(&next) > 0; from = next)
        if (strncmp(from, sentence, length) == 0 && (from[length] == ' ' || !from[length]))
            return true;
    return false;
}

/* Whether a sentence of an earlier caption is left out: those with fewer letters are no repetition. */
static bool is_repeated(const char *earlier, const char *sentence, size_t length)
{
    enum { SHORT = 40 };
    return length >= SHORT && has_sentence(earlier, sentence, length);
}

static size_t repeated_letters(const char *earlier, const char *text)
{
    size_t letters = 0, length;
    for (const char *from = text, *next = text; (length = next_sentence(&next)) > 0; from = next)
        letters += is_repeated(earlier, from, length) ? length : 0;
    return letters;
}

static void leave_out(const char *earlier, char *text)
{
    char *to = text;
    size_t length;
    for (const char *from = text, *next = text; (length = next_sentence(&next)) > 0; from = next)
        if (!is_repeated(earlier, from, length)) {
            if (to > text)
                *to++ = ' ';
            memmove(to, from, length);
            to += length;
        }
    *to = '\0';
}

bool dls_report_caption_shorten(dls_report_captions *earlier, const char *stem, char *text, char *like, size_t size)
{
    const char *best = NULL;
    size_t most = 0;
    for (size_t at = 0; at < earlier->count; at += strlen(earlier->text + at) + 1) {
        const char *name = earlier->text + at;
        at += strlen(name) + 1;
        const size_t letters = repeated_letters(earlier->text + at, text);
        if (letters > most) {
            most = letters, best = earlier->text + at;
            snprintf(like, size, "%s", name);
        }
    }
    if (best)
        leave_out(best, text);
    const size_t own = strlen(stem) + strlen(text) + 2;
    if (DLS_GROW(earlier->text, earlier->capacity, earlier->count + own)) {
        strcpy(stpcpy(earlier->text + earlier->count, stem) + 1, text);
        earlier->count += own;
    }
    return best;
}
