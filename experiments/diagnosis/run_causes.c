/* Causes that a run has shown: its end, its ledger, its answers, and the errors of its joints. */
#include "parts.h"

#include "base/arithmetic.h"

#include <stdio.h>
#include <string.h>

const double diagnosis_residual_most = 1e-3;
const double diagnosis_drift_most = 0.05;
/* Semi-implicit Euler's energy of an oscillation of frequency w is wrong by up to w h / 2 of itself, which does not
 * grow: this is w h = 0.2, thirty steps per period. */
static const double gain_fault = 0.1;
/* A pair that is open and closed for two steps each changes in every second step. */
static const double chatter_most = 0.25, idle_most = 0.5; /* of the steps */
static const double steps_least = 10.0;

static dls_status judge_end(dls_diagnosis *d, const dls_run_result *r, dls_error *error)
{
    DLS_TRY(dls_diagnosis_add(d, DLS_FAULT_DIVERGED, DLS_SEVERITY_FAULT, NULL, r->end == DLS_RUN_DIVERGED, 0.0, error,
                              "step %zu has no finite result: %.300s", r->steps + 1, r->reason));
    return dls_diagnosis_add(d, DLS_FAULT_UNSOLVED, DLS_SEVERITY_FAULT, r->unsolved.solver, (double)r->steps_unsolved,
                             0.0, error, "%zu of %zu steps are not solved, first step %zu at %.6g s: %.300s",
                             r->steps_unsolved, r->steps, r->unsolved.step, r->unsolved.time, r->unsolved.reason);
}

dls_severity diagnosis_gain_severity(double share)
{
    return share > gain_fault ? DLS_SEVERITY_FAULT : DLS_SEVERITY_RISK;
}

const char *diagnosis_gain_mend(const char *column)
{
    return strcmp(column, "integrator") == 0   ? "shorten the step, or take a scheme of higher order"
           : strcmp(column, "bias") == 0       ? "errors are large; lower erp, or correct them by split impulses"
           : strcmp(column, "compliance") == 0 ? "springs beyond their limit of stability"
                                               : "the solver has not converged; more iterations, or a direct method";
}

static dls_status judge_energy(dls_diagnosis *d, const dls_run_result *r, dls_error *error)
{
    const char *column = r->gain.column ? r->gain.column : "";
    DLS_TRY(dls_diagnosis_add(
        d, DLS_FAULT_ENERGY, diagnosis_gain_severity(r->gain.share), NULL, r->gain.share, dls_run_gain_told, error,
        "gains %.3g J that nothing gives it between %.4g and %.4g s, %.3g of all its energy; %.3g "
        "J of it are in the column '%s' of the ledger (--ledger): %s",
        r->gain.gain, r->gain.since, r->gain.time, r->gain.share, r->gain.column_gain, column,
        diagnosis_gain_mend(column)));
    return dls_diagnosis_add(d, DLS_FAULT_IMPACT_ENERGY, DLS_SEVERITY_RISK, NULL, r->impacts.share,
                             dls_run_impacts_told, error,
                             "impacts create %.3g J in %zu steps, first at %.4g s: more iterations, or Poisson's law "
                             "of restitution",
                             r->impacts.gain, r->impacts.steps, r->impacts.time);
}

static dls_status judge_answers(dls_diagnosis *d, const dls_run *run, const dls_run_result *r, dls_error *error)
{
    const bool grows = run->warm.on && dls_run_warm_grows(&r->warm);
    DLS_TRY(dls_diagnosis_add(d, DLS_FAULT_WARM, DLS_SEVERITY_RISK, NULL, grows ? (double)r->warm.needed : 0.0,
                              (double)r->warm.iterations, error,
                              "%zu iterations at the rate %.4g do not damp what a warm start feeds back (%.3g): take "
                              "at least %zu, or lower erp",
                              r->warm.iterations, r->warm.rate, r->warm.feedback, r->warm.needed));
    const double residual = isnan(r->worst_residual) ? HUGE_VAL : r->worst_residual;
    return dls_diagnosis_add(d, DLS_FAULT_NOT_CONVERGED, DLS_SEVERITY_RISK, run->choice.solver->name, residual,
                             diagnosis_residual_most, error,
                             "the worst of %zu examined steps has a scaled residual of %.2g: more iterations, or a "
                             "direct method, and compare the motions",
                             r->examined, r->worst_residual);
}

/* Contacts and drives that the run has watched. */
static dls_status judge_chatter(dls_diagnosis *d, double step, const dls_run_unresolved *c, dls_error *error)
{
    char pair[sizeof c->name + sizeof c->other + 4];
    snprintf(pair, sizeof pair, "%s on %s", c->name, c->other);
    return dls_diagnosis_add(
        d, DLS_FAULT_CHATTER, DLS_SEVERITY_RISK, pair, c->share, chatter_most, error,
        "their contact opens or closes %.0f times, in %.3g of the steps: set `contact_margin` of the "
        "world if they rest or roll on each other; if they are shaken, take steps below %.2g s",
        c->count, c->share, step * chatter_most / c->share);
}

static dls_status judge_drives(dls_diagnosis *d, const dls_run_unresolved *s, const dls_run_unresolved *p,
                               dls_error *error)
{
    DLS_TRY(dls_diagnosis_add(
        d, DLS_FAULT_SATURATED, DLS_SEVERITY_RISK, s->name, s->count >= steps_least ? s->share : 0.0, idle_most, error,
        "its force is at its limit in %.0f steps, %.3g of all: it does not reach its target; raise "
        "`force`, lower the gains, or move the target slowly",
        s->count, s->share));
    return dls_diagnosis_add(d, DLS_FAULT_PRESSING, DLS_SEVERITY_RISK, p->name,
                             p->count >= steps_least ? p->share : 0.0, idle_most, error,
                             "it pushes against '%.80s' in %.0f steps, %.3g of all: keep its target within the limits, "
                             "or lower its gains",
                             p->other, p->count, p->share);
}

/* Figures that the run was not asked for, or that its mechanism does not have. */
static dls_status tell_unmeasured(dls_diagnosis *d, const dls_run *run, const dls_run_result *r, dls_error *error)
{
    char reason[80];
    if (!run->ledger && !(run->energy_limit > 0.0))
        DLS_TRY(diagnosis_unmeasured(d, "energy that nothing gives, or that impacts create, is",
                                     "the run keeps no account of it; give it an energy limit, or a ledger", error));
    if (r->examined == 0)
        DLS_TRY(diagnosis_unmeasured(d, "residuals are", "no step of the run was examined", error));
    if (!run->watch)
        DLS_TRY(diagnosis_unmeasured(d, "contacts that chatter, and drives at their limits, are",
                                     "the run was not watched", error));
    if (r->warm.largest > 0) {
        snprintf(reason, sizeof reason, "%zu rows are between their bounds, which are too many", r->warm.largest);
        DLS_TRY(diagnosis_unmeasured(d, "whether the iterations damp warm starts is", reason, error));
    }
    if (!(d->length > 0.0) && r->worst_linear > 0.0)
        DLS_TRY(diagnosis_unmeasured(d, "the drift of joints against the size of the mechanism is",
                                     "it has no known size", error));
    return DLS_OK;
}

dls_status dls_diagnose_run(dls_diagnosis *d, const dls_run *run, const dls_run_result *r, dls_error *error)
{
    DLS_STANDARD_ARITHMETIC;
    DLS_TRY(tell_unmeasured(d, run, r, error));
    DLS_TRY(judge_end(d, r, error));
    DLS_TRY(judge_energy(d, r, error));
    DLS_TRY(judge_answers(d, run, r, error));
    for (int k = 0; k < DLS_RUN_UNRESOLVED; k++) {
        DLS_TRY(judge_chatter(d, run->step, &r->chatter[k], error));
        DLS_TRY(judge_drives(d, &r->saturated[k], &r->pressing[k], error));
    }
    if (d->length > 0.0)
        DLS_TRY(dls_diagnosis_add(
            d, DLS_FAULT_DRIFT, DLS_SEVERITY_RISK, NULL, r->worst_linear / d->length, diagnosis_drift_most, error,
            "joints come apart by up to %.3g m: more iterations, a larger erp, or a shorter step", r->worst_linear));
    return dls_diagnosis_add(d, DLS_FAULT_DRIFT, DLS_SEVERITY_RISK, NULL, r->worst_angular, diagnosis_drift_most, error,
                             "joints twist apart by up to %.3g rad: more iterations, a larger erp, or a shorter step",
                             r->worst_angular);
}
