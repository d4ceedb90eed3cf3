/* delassus run: steps of a scene, its trajectory, joint coordinates, energies and joint errors. */
#include "json.h"
#include "prepared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- meshes that do not collide --- */

/* "articulation solo: 12 of 12 meshes skipped ...", or "" where there are none. */
static const char *meshes_of(const dls_model_articulation *articulation, char *text, size_t size)
{
    const size_t skipped = articulation->meshes_skipped, count = articulation->n_shapes;
    *text = '\0';
    if (skipped == count && count > 0)
        snprintf(text, size, "articulation %s: %zu of %zu meshes skipped; it collides with nothing",
                 articulation->tree->name, skipped, count);
    else if (skipped > 0)
        snprintf(text, size, "articulation %s: %zu meshes of %zu collision shapes skipped; they collide with nothing",
                 articulation->tree->name, skipped, count);
    else if (articulation->meshes_hulled > 0)
        snprintf(text, size, "articulation %s: %zu of %zu collision shapes are meshes; they collide as convex hulls",
                 articulation->tree->name, articulation->meshes_hulled, count);
    return text;
}

/* The same of the bodies. */
static const char *meshes_of_bodies(const dls_model *model, char *text, size_t size)
{
    const dls_world_def *world = dls_model_world(model);
    size_t count = 0;
    for (size_t i = 0; i < dls_model_count(model).bodies; i++)
        count += dls_model_bodies(model)[i].shape == DLS_SHAPE_MESH && dls_model_bodies(model)[i].collide;
    *text = '\0';
    if (count > 0 && world->collide)
        snprintf(text, size, "meshes of bodies: %zu; they collide %s", count,
                 world->meshes == DLS_MESHES_SKIP ? "with nothing" : "as convex hulls");
    return text;
}

/* On standard error, as a note, or in a line of the summary. */
static void print_meshes(const dls_model *model, bool as_note)
{
    char text[DLS_NAME_MAX + 128];
    for (size_t a = 0; a <= dls_model_count(model).articulations; a++) {
        const char *line = a == 0 ? meshes_of_bodies(model, text, sizeof text)
                                  : meshes_of(&dls_model_articulations(model)[a - 1], text, sizeof text);
        if (*line && as_note)
            complain_text("%s", line);
        else if (*line)
            printf("  collisions     %s\n", line);
    }
}

/* Name the parts of the model that are not in the run, aspect by aspect. */
static void print_dropped(const dls_scene *scene)
{
    for (size_t i = 0, next; i < scene->n_dropped; i = next) {
        size_t words = 0;
        for (next = i; next < scene->n_dropped && scene->dropped[next].aspect == scene->dropped[i].aspect; next++)
            words += scene->dropped[next].count;
        printf("  left out       %zu words of %s:", words, dls_aspect_names[scene->dropped[i].aspect]);
        for (size_t k = i; k < next; k++)
            printf("%s %s (%zu)", k == i ? "" : ",", scene->dropped[k].key, scene->dropped[k].count);
        printf("\n");
    }
}

static json_t *json_dropped(const dls_scene *scene)
{
    json_t *list = json_array();
    for (size_t i = 0; i < scene->n_dropped; i++) {
        json_t *one = json_object();
        json_put(&one, "aspect", json_text(dls_aspect_names[scene->dropped[i].aspect]));
        json_put(&one, "word", json_text(scene->dropped[i].key));
        json_put(&one, "line", json_count((size_t)scene->dropped[i].place.line));
        json_put(&one, "count", json_count(scene->dropped[i].count));
        json_add(&list, one);
    }
    return list;
}

static json_t *json_meshes(const dls_model *model)
{
    json_t *list = json_array();
    for (size_t a = 0; a < dls_model_count(model).articulations; a++) {
        const dls_model_articulation *articulation = &dls_model_articulations(model)[a];
        if (articulation->meshes_skipped == 0)
            continue;
        json_t *one = json_object();
        json_put(&one, "articulation", json_text(articulation->tree->name));
        json_put(&one, "skipped", json_count(articulation->meshes_skipped));
        json_put(&one, "shapes", json_count(articulation->n_shapes));
        json_add(&list, one);
    }
    return list;
}

/* --- the result --- */

/* The step that ended the run since the solver did not solve it, else the first such step; null: none. */
static json_t *json_unsolved(const dls_run_result *r)
{
    if (r->steps_unsolved == 0)
        return json_null();
    json_t *o = json_object();
    json_put(&o, "step", json_count(r->unsolved.step));
    json_put(&o, "time", json_number(r->unsolved.time));
    json_put(&o, "outcome", json_text(dls_outcome_text(r->unsolved.outcome)));
    json_put(&o, "reason", json_text(r->unsolved.reason));
    return o;
}

static json_t *json_impacts(const dls_run_impacts *impacts)
{
    if (impacts->steps == 0)
        return json_null();
    json_t *o = json_object();
    json_put(&o, "gain", json_number(impacts->gain));
    json_put(&o, "share", json_number(impacts->share));
    json_put(&o, "steps", json_count(impacts->steps));
    json_put(&o, "time", json_number(impacts->time));
    return o;
}

/* Null: none, or no account is kept. */
static json_t *json_gain(const dls_run_gain *gain)
{
    if (!gain->column)
        return json_null();
    json_t *o = json_object();
    json_put(&o, "gain", json_number(gain->gain));
    json_put(&o, "share", json_number(gain->share));
    json_put(&o, "since", json_number(gain->since));
    json_put(&o, "time", json_number(gain->time));
    json_put(&o, "column", json_text(gain->column));
    json_put(&o, "column_gain", json_number(gain->column_gain));
    return o;
}

/* Null: the law of warm starts does not apply. */
static json_t *json_warm(const dls_run_warm *warm)
{
    if (warm->iterations == 0)
        return json_null();
    json_t *o = json_object();
    json_put(&o, "feedback", json_number(warm->feedback));
    json_put(&o, "rate", json_number(warm->rate));
    json_put(&o, "iterations", json_count(warm->iterations));
    json_put(&o, "needed", json_count(warm->needed));
    json_put(&o, "grows", json_boolean(dls_run_warm_grows(warm)));
    return o;
}

static bool print_json(const arguments *a, const dls_job *job, const dls_run *run, const dls_run_result *r)
{
    json_t *o = json_object(), *broken = json_array();
    for (size_t i = 0; i < r->n_broken && i < DLS_RUN_BROKEN; i++) {
        json_t *joint = json_object();
        json_put(&joint, "joint", json_text(r->broken[i].name));
        json_put(&joint, "time", json_number(r->broken[i].time));
        json_add(&broken, joint);
    }
    json_put(&o, "scene", json_text(dls_model_name(run->model)));
    json_put(&o, "solver", json_text(run->choice.solver->name));
    json_put(&o, "scheme", json_text(run->scheme->name));
    json_put(&o, "step", json_number(run->step));
    json_put(&o, "steps", json_count(r->steps));
    json_put(&o, "iterations", json_count(r->iterations));
    json_put(&o, "energy_start", json_number(r->energy_start));
    json_put(&o, "energy_end", json_number(r->energy_end));
    json_put(&o, "elastic_start", json_number(r->elastic_start));
    json_put(&o, "elastic_end", json_number(r->elastic_end));
    json_put(&o, "energy_gain", json_gain(&r->gain));
    json_put(&o, "impact_gain", json_impacts(&r->impacts));
    json_put(&o, "warm_starts", json_warm(&r->warm));
    json_put(&o, "joint_error_linear", json_number(r->worst_linear));
    json_put(&o, "joint_error_angular", json_number(r->worst_angular));
    json_put(&o, "examined", json_count(r->examined));
    json_put(&o, "confirmed", json_count(r->confirmed));
    json_put(&o, "refuted", json_count(r->refuted));
    json_put(&o, "undecided", json_count(r->examined - r->confirmed - r->refuted));
    json_put(&o, "not_converged", json_count(r->not_converged));
    json_put(&o, "scaled_residual", r->examined ? json_number(r->worst_residual) : json_null());
    json_put(&o, "inconsistent", json_number(r->worst_inconsistent));
    if (run->certify) {
        json_put(&o, "certified", json_count(r->certified));
        json_put(&o, "certified_bound", r->certified ? json_number(r->worst_bound) : json_null());
        json_put(&o, "certified_independent", json_count(r->certified_independent));
        json_put(&o, "certified_independent_bound",
                 r->certified_independent ? json_number(r->worst_independent) : json_null());
    }
    if (run->ledger)
        json_put(&o, "ledger_mismatch", json_number(r->worst_mismatch));
    if (run->scene->n_changes) {
        json_put(&o, "changes", json_count(r->changes));
        json_put(&o, "energy_changes", json_number(r->energy_changes));
    }
    json_put(&o, "steps_unsolved", json_count(r->steps_unsolved));
    json_put(&o, "unsolved", json_unsolved(r));
    json_put(&o, "ended", json_text(dls_run_end_names[r->end]));
    json_put(&o, "meshes_skipped", json_meshes(run->model));
    json_put(&o, "left_out", json_dropped(run->scene));
    json_put(&o, "slept", json_count(r->slept));
    json_put(&o, "woke", json_count(r->woke));
    json_put(&o, "broken", broken);
    json_put(&o, "n_broken", json_count(r->n_broken));
    json_put(&o, "diverged", json_boolean(r->end == DLS_RUN_DIVERGED));
    json_put(&o, "reason", r->end == DLS_RUN_DIVERGED ? json_text(r->reason) : json_null());
    json_put(&o, "animation", run->film ? json_text(argument(a, "animate", "")) : json_null());
    json_put(&o, "format", json_text(table_formats[run->hdf5]));
    json_put(&o, "output", json_text(job->output));
    json_put(&o, "stem", json_text(run->stem));
    return json_print(o);
}

/* "DIR/STEM.trajectory.tsv, .energy.tsv, ..", or "DIR/STEM.h5: trajectory, energy, ..". */
static void print_tables(const dls_job *job, const dls_run *run, const dls_run_result *r)
{
    const struct {
        const char *name;
        bool there;
    } tables[] = {{"trajectory", true},
                  {"energy", true},
                  {"forces", run->forces},
                  {"rows", run->rows},
                  {"joints", r->joints},
                  {"events", r->events},
                  {"changes", run->scene->n_changes > 0}};
    printf("  tables         %s/%s%s", job->output, run->stem, run->hdf5 ? ".h5: " : "");
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (tables[i].there)
            printf(run->hdf5 ? "%s%s" : "%s.%s.tsv", i ? ", " : "", tables[i].name);
}

static void print_text(const arguments *a, const dls_job *job, const dls_run *run, const dls_run_result *r)
{
    char figure[DLS_NAME_MAX + 8];
    printf("%s: %zu steps of %g s with %s, %s\n", dls_model_name(run->model), r->steps, run->step,
           run->choice.solver->name, run->scheme->name);
    printf("  energy         %.9g J to %.9g J, kinetic and potential\n", r->energy_start, r->energy_end);
    if (r->elastic_start > 0.0 || r->elastic_end > 0.0)
        printf("  springs        %.9g J to %.9g J, and with them %.9g J to %.9g J\n", r->elastic_start, r->elastic_end,
               r->energy_start + r->elastic_start, r->energy_end + r->elastic_end);
    printf("  joint errors   %.3e m, %.3e rad at worst\n", r->worst_linear, r->worst_angular);
    print_meshes(run->model, false);
    print_dropped(run->scene);
    if (r->examined)
        printf("  examined       %zu steps: %zu confirmed, %zu refuted, %zu undecided; scaled residual %.3e at worst\n",
               r->examined, r->confirmed, r->refuted, r->examined - r->confirmed - r->refuted,
               fabs(r->worst_residual)); /* NaN without a sign */
    if (r->not_converged)
        printf("                 undecided: %zu of %zu steps are above %g, since their solver had not converged\n",
               r->not_converged, r->examined, DLS_SOLVED_TOLERANCE);
    if (!(r->worst_inconsistent <= 0.0))
        printf("  redundant      rows, inconsistent by at most %s [m/s, rad/s]: %s [m, rad] per step\n",
               dls_digits_up(r->worst_inconsistent, 3).text, dls_digits_up(r->worst_inconsistent * run->step, 3).text);
    if (r->certified)
        printf("  certified      %zu steps: sqrt(dv^T M dv) to the solution at most %s sqrt(J)\n", r->certified,
               dls_digits_up(r->worst_bound, 4).text);
    if (r->certified_independent)
        printf("  certified      %zu steps: sqrt(dv^T M dv) to the solution for the independent rows alone at most %s "
               "sqrt(J);\n                 rows that depend on these may contradict them\n",
               r->certified_independent, dls_digits_up(r->worst_independent, 4).text);
    if (run->certify && !r->certified && !r->certified_independent)
        printf("  certified      no step\n");
    for (size_t i = 0; i < r->n_broken && i < DLS_RUN_BROKEN; i++)
        printf("  broke          '%s' in the step to %.9g s\n", r->broken[i].name, r->broken[i].time);
    if (r->n_broken > DLS_RUN_BROKEN)
        printf("  broke          %zu more joints; see the table of events\n", r->n_broken - DLS_RUN_BROKEN);
    if (run->scene->n_changes)
        printf("  changes        %zu of %zu were carried out; energy by them %.9g J\n", r->changes,
               run->scene->n_changes, r->energy_changes);
    if (dls_model_world(run->model)->sleep)
        printf("  sleep          bodies and articulations fell asleep %zu times, and woke %zu times\n", r->slept,
               r->woke);
    if (r->gain.share > dls_run_gain_told)
        printf("  energy gain    %.3g J that nothing gives, %.3g of the largest energy, from %.9g s to %.9g s; most in "
               "the ledger's column '%s', %.3g J\n",
               r->gain.gain, r->gain.share, r->gain.since, r->gain.time, r->gain.column, r->gain.column_gain);
    if (r->impacts.share > dls_run_impacts_told)
        printf(
            "  impacts        created %.3g J, %.3g of the largest energy, in %zu steps, the first to %.9g s: "
            "by the law newton\n                 or moreau with friction (poisson and stronge do not), or by a solver "
            "that has not converged\n",
            r->impacts.gain, r->impacts.share, r->impacts.steps, r->impacts.time);
    if (dls_run_warm_grows(&r->warm))
        printf(
            "  warm starts    may make errors grow: with a feedback of %.3g, and %.6g of the slowest error left by an "
            "iteration, they need %zu\n                 iterations per step, not %zu; a smaller ERP, or the scheme "
            "small-steps or split-impulse, need fewer\n",
            r->warm.feedback, r->warm.rate, r->warm.needed, r->warm.iterations);
    if (r->steps_unsolved)
        printf("  unsolved       %zu steps; see the outcome column\n", r->steps_unsolved);
    if (run->ledger)
        printf("  ledger         sums to the change of energy within %.3e; tables ledger and ledger-joints\n",
               r->worst_mismatch);
    print_tables(job, run, r);
    snprintf(figure, sizeof figure, "%s.energy", run->stem);
    printf("; ");
    print_figure_names(job, figure);
    if (run->film)
        printf("  animation      %s: %zu frames\n", argument(a, "animate", ""), dls_film_frames(run->film));
}

/* Where and why the run ended before its end, or what its solver left unsolved; false after a message. */
static bool solved(const dls_run_result *r)
{
    dls_error error;
    if (dls_run_check_end(r, &error) != DLS_OK)
        complain_text("%s%s", error.message,
                      r->end == DLS_RUN_UNSOLVED && r->unsolved.outcome != DLS_OUTCOME_REFUSED
                          ? "; --go-on goes on with the impulses that the solver left"
                      : r->end == DLS_RUN_GAINED
                          ? "; another step or scheme may avoid this, and --energy-limit none goes on"
                          : "");
    else if (r->steps_unsolved)
        complain_text("%zu of %zu steps are unsolved; the first is step %zu, from %g s: %s: %s: %s", r->steps_unsolved,
                      r->steps, r->unsolved.step, r->unsolved.time, r->unsolved.solver,
                      dls_outcome_text(r->unsolved.outcome), r->unsolved.reason);
    else
        return true;
    return false;
}

/* `tolerance`: of the examined steps' scaled residual; infinite: none was given. */
static int conclude(const dls_run_result *r, double tolerance)
{
    const bool proved = r->end == DLS_RUN_UNSOLVED && r->unsolved.outcome == DLS_OUTCOME_NO_SOLUTION;
    if (!solved(r))
        return r->end == DLS_RUN_INTERRUPTED ? EXIT_SIGNAL + stop_signal() : proved ? EXIT_NO_SOLUTION : EXIT_UNSOLVED;
    if (r->worst_residual <= tolerance || tolerance == HUGE_VAL)
        return EXIT_DONE;
    if (isnan(r->worst_residual))
        complain_text(
            "the scaled residual of a step is not a number, since its terms overflow; --tolerance %g is not met",
            tolerance);
    else
        complain_text("a step has a scaled residual of %.3g, above --tolerance %g", r->worst_residual, tolerance);
    return EXIT_NOT_CONVERGED;
}

static bool choose_examine(const arguments *a, dls_examine_steps *examine)
{
    const char *name = argument(a, "examine", dls_examine_names[0]);
    for (int i = 0; dls_examine_names[i]; i++)
        if (strcmp(dls_examine_names[i], name) == 0)
            return *examine = (dls_examine_steps)i, true;
    complain_text("--examine: '%s' is not samples, every or never", name);
    return false;
}

static const double energy_limit = 1.0; /* default of --energy-limit: as much as the run ever had */

static bool choose_energy_limit(const arguments *a, double *limit)
{
    *limit = energy_limit;
    if (strcmp(argument(a, "energy-limit", ""), "none") != 0)
        return argument_real(a, "energy-limit", "", limit);
    *limit = HUGE_VAL;
    return true;
}

const char *const table_formats[] = {"text", "hdf5", NULL};

static bool choose_format(const arguments *a, bool *hdf5)
{
    const char *name = argument(a, "format", table_formats[0]);
    *hdf5 = strcmp(name, table_formats[1]) == 0;
    if (!*hdf5 && strcmp(name, table_formats[0]) != 0)
        complain_text("--format: '%s' is not text or hdf5", name);
    else if (*hdf5 && !dls_hdf5_available())
        complain_text("--format: this build is without HDF5; install it (libhdf5-dev) and configure again");
    else
        return true;
    return false;
}

const char *const recorded_tables[] = {"forces", "rows", NULL};

/* The names of --record, separated by commas. */
static bool choose_record(const arguments *a, bool *forces, bool *rows)
{
    bool *const record[] = {forces, rows};
    const char *name = argument(a, "record", "");
    for (size_t length = strcspn(name, ","); *name;
         name += length + (name[length] == ','), length = strcspn(name, ",")) {
        size_t k = 0;
        while (recorded_tables[k] &&
               (strlen(recorded_tables[k]) != length || strncmp(name, recorded_tables[k], length)))
            k++;
        if (!recorded_tables[k]) {
            complain_text("--record: '%.*s' is not %s or %s", (int)length, name, recorded_tables[0],
                          recorded_tables[1]);
            return false;
        }
        *record[k] = true;
    }
    return true;
}

/* --- copies --- */

/* Options that only copies have, and those that copies do not have. */
static const char *const of_copies[] = {"spread", "seed", "threads", "copy", NULL};
static const char *const not_of_copies[] = {"examine",      "tolerance", "certify", "ledger",
                                            "energy-limit", "format",    "animate", "beside",
                                            "figures",      "record",    NULL};

static bool check_options(const arguments *a, bool copies)
{
    for (const char *const *name = copies ? not_of_copies : of_copies; *name; name++)
        if (argument(a, *name, NULL)) {
            complain_text(copies ? "run: --%s is not for copies; leave it out, or run the scene alone"
                                 : "run: --%s is for copies; give --copies N",
                          *name);
            return false;
        }
    return true;
}

static double microseconds(const dls_copies *copies, const dls_copies_result *r)
{
    const double steps = (double)r->steps * (double)copies->count;
    return steps > 0.0 ? 1e6 * r->seconds / steps : 0.0;
}

static bool print_copies_json(const dls_job *job, const dls_run *run, const dls_copies *copies,
                              const dls_copies_result *r)
{
    json_t *o = json_object();
    json_put(&o, "scene", json_text(dls_model_name(run->model)));
    json_put(&o, "solver", json_text(run->choice.solver->name));
    json_put(&o, "scheme", json_text(run->scheme->name));
    json_put(&o, "step", json_number(run->step));
    json_put(&o, "steps", json_count(r->steps));
    json_put(&o, "copies", json_count(copies->count));
    json_put(&o, "failed", json_count(r->failed));
    json_put(&o, "steps_unsolved", json_count(r->steps_unsolved));
    json_put(&o, "interrupted", json_boolean(r->interrupted));
    json_put(&o, "reason", r->failed ? json_text(r->reason) : json_null());
    json_put(&o, "microseconds", json_number(microseconds(copies, r)));
    json_put(&o, "threads", json_count(r->threads));
    json_put(&o, "bytes", json_count(r->bytes));
    json_put(&o, "output", json_text(job->output));
    json_put(&o, "stem", json_text(run->stem));
    return json_print(o);
}

static void print_copies(const dls_job *job, const dls_run *run, const dls_copies *copies, const dls_copies_result *r)
{
    printf("%s: %zu copies, %zu steps of %g s with %s, %s\n", dls_model_name(run->model), copies->count, r->steps,
           run->step, run->choice.solver->name, run->scheme->name);
    printf("  cost           %.3g us per step and copy on %zu threads; %.3g kB a copy\n", microseconds(copies, r),
           r->threads, 1e-3 * (double)r->bytes);
    printf("  tables         %s/%s.copies.tsv", job->output, run->stem);
    printf(r->joints ? ", .copies-joints.tsv\n" : "\n");
}

static int conclude_copies(const dls_copies *copies, const dls_copies_result *r)
{
    if (r->failed > 0)
        complain_text("%zu of %zu copies failed, and their lines end before that step; the first: %s", r->failed,
                      copies->count, r->reason);
    if (r->steps_unsolved > 0)
        complain_text("%zu of %zu steps of all copies are unsolved", r->steps_unsolved, r->steps * copies->count);
    if (r->interrupted)
        complain_text("the run was stopped after step %zu", r->steps);
    return r->interrupted ? EXIT_SIGNAL + stop_signal() : r->failed + r->steps_unsolved > 0 ? EXIT_UNSOLVED : EXIT_DONE;
}

static int run_copies(const arguments *a, const dls_run *run, const dls_job *job)
{
    dls_copies copies = {.written = argument(a, "copy", "all")};
    dls_copies_result result;
    dls_error error;
    if (!argument_count(a, "copies", 1, &copies.count) || !argument_real(a, "spread", "", &copies.spread) ||
        !argument_count(a, "seed", 0, &copies.seed) || !argument_count(a, "threads", 1, &copies.threads))
        return EXIT_BAD_INPUT;
    if (!(copies.spread >= 0.0) || !isfinite(copies.spread))
        return complain_text("run: --spread is an offset of 0 or more, not %g", copies.spread);
    if (dls_run_copies(job, run, &copies, &result, &error) != DLS_OK)
        return complain(&error);
    end_progress();
    if (!argument(a, "json", NULL))
        print_copies(job, run, &copies, &result);
    else if (!print_copies_json(job, run, &copies, &result))
        return EXIT_BAD_INPUT;
    return conclude_copies(&copies, &result);
}

/* --- animations --- */

/* Options of the run itself, which --beside sets by their names; other keys are those of --set. */
const char *const run_keys[] = {"solver", "scheme", "dt", "iterations", "time", "samples", NULL};

/* The options of a run beside another: the same, and after them those that --beside changes; the caller frees what is
 * at b->options and *texts. */
static bool options_beside(const arguments *a, arguments *b, char **texts)
{
    size_t room = 1;
    for (size_t i = 0; i < a->n_options; i++)
        room += strlen(a->options[i].value) + 1;
    *b = *a;
    b->options = calloc(2 * a->n_options + 1, sizeof *b->options);
    *texts = malloc(room);
    if (!b->options || !*texts) {
        complain_no_memory();
        return false;
    }
    memcpy(b->options, a->options, a->n_options * sizeof *b->options);
    char *text = *texts;
    for (size_t i = 0; i < a->n_options; i++) {
        option_value changed = {"set", a->options[i].value};
        if (strcmp(a->options[i].name, "beside") != 0)
            continue;
        if (!strchr(a->options[i].value, '=')) {
            complain_text("--beside: '%s' is not KEY=VALUE, as in scheme=tgs or dt=0.1ms", a->options[i].value);
            return false;
        }
        strcpy(text, a->options[i].value);
        *strchr(text, '=') = '\0';
        for (const char *const *name = run_keys; *name; name++)
            if (strcmp(*name, text) == 0)
                changed = (option_value){*name, text + strlen(text) + 1};
        b->options[b->n_options++] = changed;
        text += strlen(a->options[i].value) + 1;
    }
    return true;
}

/* The other run, which has no tables; EXIT_UNSOLVED where it ended early. */
static int run_beside(const arguments *a, const dls_job *job, prepared *p)
{
    arguments b;
    char *texts;
    dls_run_result result;
    dls_error error;
    int status = EXIT_BAD_INPUT;
    if (options_beside(a, &b, &texts) && prepared_open(&b, NULL, p) && prepared_film(p)) {
        p->run.silent = true, p->run.examine = DLS_EXAMINE_NEVER;
        if (dls_run_trajectory(job, &p->run, &result, &error) != DLS_OK)
            complain(&error);
        else if (dls_run_check_end(&result, &error) == DLS_OK)
            status = EXIT_DONE;
        else
            complain_text("--beside: %s", error.message), status = EXIT_UNSOLVED;
    }
    free(texts);
    free(b.options);
    return status;
}

/* Before the run: whether the animation can be written as wanted. */
static bool check_animation(const arguments *a)
{
    const char *file = argument(a, "animate", NULL);
    const bool beside = argument(a, "beside", NULL) != NULL;
    const dls_picture_kind *kind;
    dls_error error;
    if (beside && !file)
        complain_text("run: --beside is for animations; give --animate FILE.html");
    else if (beside && strcmp(a->words[0], STANDARD_INPUT) == 0)
        complain_text("run: --beside reads the scene again, which standard input cannot be; give its file");
    else if (file && dls_picture_kind_of(file, &kind, &error) != DLS_OK)
        complain(&error);
    else if (beside && kind->films < 2)
        complain_text("run: --animate %s: a file %s shows one run; with --beside it is FILE.html", file, kind->suffix);
    else
        return true;
    return false;
}

/* EXIT_UNSOLVED, with the animation, where the run beside ended early. */
static int write_animation(const arguments *a, const dls_job *job, prepared *p)
{
    prepared other = {.scene = NULL};
    dls_film *films[2] = {p->run.film, NULL};
    dls_error error;
    const bool beside = argument(a, "beside", NULL) != NULL;
    int status = beside ? run_beside(a, job, &other) : EXIT_DONE;
    films[1] = other.run.film;
    if (status != EXIT_BAD_INPUT &&
        dls_picture_write(films, beside ? 2 : 1, argument(a, "animate", NULL), &error) != DLS_OK)
        status = complain(&error);
    note_film(p->run.film);
    prepared_release(&other);
    return status;
}

static int run_prepared(const arguments *a, prepared *p)
{
    dls_run *run = &p->run;
    double tolerance = HUGE_VAL;
    dls_job job = make_job(a, argument(a, "output", "run"));
    dls_run_result result;
    dls_error error;
    const bool copies = argument(a, "copies", NULL) != NULL;
    run->go_on = argument(a, "go-on", NULL) != NULL;
    job.stop = stop_asked;
    if (!check_options(a, copies) || !argument_real(a, "tolerance", "", &tolerance) ||
        !choose_examine(a, &run->examine) || !choose_energy_limit(a, &run->energy_limit) ||
        !choose_format(a, &run->hdf5) || !choose_record(a, &run->forces, &run->rows) || !choose_figures(a, &job) ||
        !check_animation(a))
        return EXIT_BAD_INPUT;
    if (isfinite(tolerance) && run->examine == DLS_EXAMINE_NEVER)
        return complain_text("run: --tolerance needs steps that are examined; leave --examine never out");
    print_meshes(run->model, true);
    stop_at_signals();
    if (copies)
        return run_copies(a, run, &job);
    if (argument(a, "animate", NULL) && !prepared_film(p))
        return EXIT_BAD_INPUT;
    if (dls_run_trajectory(&job, run, &result, &error) != DLS_OK) {
        complain(&error);
        return stop_signal() ? EXIT_SIGNAL + stop_signal() : EXIT_BAD_INPUT;
    }
    const int animated = run->film ? write_animation(a, &job, p) : EXIT_DONE;
    if (animated == EXIT_BAD_INPUT)
        return EXIT_BAD_INPUT;
    end_progress();
    if (!argument(a, "json", NULL))
        print_text(a, &job, run, &result);
    else if (!print_json(a, &job, run, &result))
        return EXIT_BAD_INPUT;
    const int status = conclude(&result, tolerance);
    return status == EXIT_DONE ? animated : status;
}

static int run_scene(const arguments *a)
{
    prepared p;
    int status = EXIT_BAD_INPUT;
    if (prepared_open(a, NULL, &p)) {
        note_scene(a->words[0], p.scene, !p.scene->world.collide && !argument(a, "animate", NULL), false);
        status = run_prepared(a, &p);
    }
    prepared_release(&p);
    return status;
}

static const option_spec options[] = {
    {"solver", 's', "NAME", "solver of each step, or exec:COMMAND [pgs; nsgs for contacts with cones]"},
    {"scheme", 0, "NAME", "time-stepping scheme, or a shared object ./mine.so [euler]"},
    JOINT_TYPE_OPTION,
    IGNORE_OPTION,
    {"dt", 0, "S", "time step [the scene's]"},
    {"time", 0, "S", "length of the run [the scene's]"},
    {"iterations", 'k', "K", "iterations of an iterative solver per step [the scene's]"},
    {"samples", 0, "N", "at most N lines per body or joint in the tables; 0: every step [500]"},
    {"examine", 0, "WHICH",
     "steps with residuals measured by the examiner: samples (steps in the tables, and the last), every or never "
     "[samples]"},
    {"tolerance", 0, "R", "exit status 4 if the scaled residual of an examined step is larger [none]"},
    {"certify", 0, NULL, "prove error bounds for the answers of the examined steps"},
    {"ledger", 0, NULL, "also write the energy balance of each step"},
    {"energy-limit", 0, "SHARE",
     "end the run, with exit status 1, after a step up to which it has gained, from nothing, more than SHARE of its "
     "largest energy; none: go on [1]"},
    {"go-on", 0, NULL, "go on after a step that the solver did not solve, with the impulses that it left"},
    {"copies", 0, "N", "step N copies of the scene as a batch, and write only their states [none]"},
    {"spread", 0, "S",
     "largest random change of initial joint coordinates and body positions of all copies except copy 0 [rad, m] [0]"},
    {"seed", 0, "N", "seed of the random numbers of --spread [0]"},
    {"threads", 0, "N", "threads that step the copies [OpenMP's number]"},
    {"copy", 0, "LIST", "copies to write, as in 0,3,10-12 [all]"},
    {"set", 0, "KEY=VALUE",
     "a setting of the solver; scheme.KEY=VALUE: of the scheme; warm.KEY=VALUE: of warm starts; or of the scene: "
     "world.KEY=VALUE, joints.NAME.KEY=VALUE, bodies.NAME.KEY=VALUE, where * in NAME stands for any text"},
    {"record", 0, "LIST",
     "also write the forces of joints, contacts and sensors (forces), impulses of rows (rows) [none]"},
    {"format", 0, "NAME", "text: one file per table; hdf5: all tables in one file STEM.h5 [text]"},
    {"animate", 0, "FILE",
     "also write an animation: .glb, .html (a page with a player), or a picture of the end: .svg, .png, .pdf"},
    {"beside", 0, "KEY=VALUE",
     "a second run on the same page with another solver, scheme, dt, iterations or key of --set; may be "
     "repeated"},
    FIGURES_OPTION,
    {"output", 'o', "DIR", "folder of tables and figures [run]"},
    JSON_OPTION,
    {NULL, 0, NULL, NULL}};
const command command_run = {
    .name = "run",
    .usage = "SCENE|ROBOT [--solver NAME] [--dt S] [--time S] [--set KEY=VALUE]... [-o DIR]",
    .summary = "trajectory, joint coordinates, energies, forces and joint errors of a scene",
    .details =
        "A step that the solver did not solve (it failed, refused, or its time was over) ends the run, and the tables "
        "end\nbefore it: exit status 1, or 3 if it is proved that the step has no solution. With --go-on the run goes "
        "on, and the\nexit status is 1. It is 1 too if the run diverged, or if the examiner refuted an answer.\n"
        "A run that gains energy that neither forces, motors, drives, springs nor kinematic bodies give names the "
        "largest such\ngain above 1 % of its energy, with the column of the ledger; beyond --energy-limit it ends with "
        "exit status 1.\n"
        "An iterative solver does the same number of iterations in every step, converged or not: the line "
        "'examined' reports\nthe residuals, and --tolerance makes them decide the exit status.\n"
        "SIGINT (control C) and SIGTERM end the run after its present step, and the tables with it: exit status 130, "
        "or 143.\nA second one ends it at once, without tables.\n"
        "With --copies, each copy has the states of a single run to the last bit, at any number of threads;\n"
        "STEM.copies.tsv has a line for each body and link of each copy. Exit status 1 if a copy failed.",
    .min_words = 1,
    .max_words = 1,
    .files = 1,
    .options = options,
    .run = run_scene,
};
