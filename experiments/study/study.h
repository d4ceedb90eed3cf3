/* study.h - the study kit: common parts of all experiments. Not installed.
 *
 * THE ROOM. The common tasks of experiments: lists of settings, loops over cases with progress, tables that commit or
 * vanish, rigs that step a scene by a method, measures, fits, captions. Nothing enters that one experiment alone uses.
 *
 * An experiment is a dls_experiment: its settings, its tables, the parts that fill them, one after another, and the
 * figures that are drawn from the tables. The kit opens the tables with their provenance, runs the parts, and commits
 * either all tables or none.
 *
 *     static dls_status falls(dls_study *s, dls_error *error)
 *     {
 *         for (dls_grid g = DLS_GRID(CASES, METHODS); dls_study_next(s, &g);) {
 *             ...a rig (rig.h), its steps, measures...
 *             dls_table_row(s->tables[FALLS], "%s %g", cases[g.at[0]].name, error_of_it);
 *         }
 *         return DLS_OK;
 *     }
 */
#ifndef DLS_EXPERIMENTS_STUDY_H
#define DLS_EXPERIMENTS_STUDY_H

#include "delassus/experiments.h"

/* --- settings --- */

/* A field of an experiment's settings, a struct of this type: its key is the name of its member. */
#define DLS_SETTING(type, member, of_unit, of_kind, by_default, least, most, text)                      \
    {                                                                                                   \
        .key = #member, .unit = of_unit, .kind = DLS_FIELD_##of_kind, .offset = offsetof(type, member), \
        .fallback = by_default, .min = least, .max = most, .help = text                                 \
    }

/* Numbers that a list of the settings may have; dls_study_open refuses more. */
enum { DLS_LIST_MAX = 32 };

/* --- a run of an experiment (study.c) --- */

struct dls_study {
    const dls_job *job;
    const dls_experiment *experiment;
    const void *settings;
    void *found;        /* the experiment's findings, for captions and tests, zeroed at the start */
    dls_table **tables; /* as the experiment lists them, open while its parts run; NULL where one is left out */
    size_t n_tables, n_parts;
    size_t part; /* the part that runs */
};
/* Checks the settings; no table is made yet. */
dls_status dls_study_open(const dls_experiment *experiment, const dls_job *job, const void *settings, dls_study **study,
                          dls_error *error);
/* Runs all parts and commits the tables; after a failure no table of the experiment is there. */
dls_status dls_study_measure(dls_study *study, dls_error *error);
void dls_study_close(dls_study *study); /* NULL is allowed */

/* --- cases x ways x repetitions --- */

enum { DLS_GRID_AXES = 5 };
/* All combinations of indices at[k] < count[k]; the last axis is the fastest. Trailing counts of 0 are axes of one. */
typedef struct dls_grid {
    size_t count[DLS_GRID_AXES], at[DLS_GRID_AXES];
    size_t done; /* combinations that were begun */
} dls_grid;
#define DLS_GRID(...)            \
    {                            \
        .count = { __VA_ARGS__ } \
    }
/* Goes on to the next combination, the first one included, and reports the progress of the study's part; false behind
 * the last one. */
bool dls_study_next(const dls_study *study, dls_grid *grid);

/* --- numbers (numbers.c) --- */

/* The slope of the least-squares line y(x), of 2 points at least. */
double dls_fit_slope(const double *x, const double *y, size_t count);
/* The exponent of error over step, from the least-squares line of their logarithms; NaN with fewer than 3 points, or
 * with an error that is not positive and finite. At most DLS_LIST_MAX points. */
double dls_fit_order(const double *step, const double *error, size_t count);
/* How many of low, factor low, factor^2 low, ... do not exceed high (to rounding), and number k of them, by repeated
 * multiplication. factor > 1. */
size_t dls_ladder_count(double low, double high, double factor);
double dls_ladder(double low, double factor, size_t k);
/* The least, the median (of an even number the lower one) and the largest of copies of a run; a run that was lost has
 * HUGE_VAL. Sorts them. */
typedef struct dls_spread {
    double least, median, most;
} dls_spread;
dls_spread dls_spread_of(double *x, size_t count);
/* Whole steps of h that make up at least `duration`, to rounding. */
size_t dls_step_count(double duration, double h);
/* Whether something happens at x. */
typedef dls_status (*dls_probe)(void *context, double x, bool *happens, dls_error *error);
/* Bisects low .. high down to `width`: it does not happen at *low, and does at *high. DLS_REFUSED where that is not so
 * at the start. */
dls_status dls_bisect(dls_probe probe, void *context, double *low, double *high, double width, dls_error *error);
/* Processor time of this thread [s]: for columns named `measured`. */
double dls_seconds(void);

/* --- figures (figure.c) --- */

/* A figure in the making; dls_figure_draw reports a lack of memory. It must not move. */
typedef struct dls_figure {
    const dls_study *study;
    const char *script, *table; /* plots/SCRIPT.gp; the stem of its table */
    char stem[2 * DLS_NAME_MAX];
    FILE *caption, *variables;
    char *text[2]; /* that was written to them */
    size_t size[2], n_variables;
} dls_figure;
/* From a table of the experiment, by its index. Its files are called SCRIPT, or SCRIPT-CASE where there is a case. */
void dls_figure_begin(dls_figure *figure, const dls_study *study, const char *script, size_t table,
                      const char *case_name);
/* A variable of the script, a string; one that is the path of another table of the experiment; numbers with blanks
 * between them. */
void dls_figure_set(dls_figure *figure, const char *name, const char *format, ...) DLS_PRINTF(3, 4);
void dls_figure_set_table(dls_figure *figure, const char *name, size_t table);
void dls_figure_set_list(dls_figure *figure, const char *name, const dls_list *counts);
/* Adds a word, with a blank before it unless it is the first: names for a variable. What has no room in words[size] is
 * cut off. */
void dls_words_add(char *words, size_t size, const char *word);
/* A piece of the caption. */
void dls_figure_say(dls_figure *figure, const char *format, ...) DLS_PRINTF(2, 3);
/* The rest of the caption; draws the figure, and frees its memory. */
dls_status dls_figure_draw(dls_figure *figure, dls_error *error, const char *format, ...) DLS_PRINTF(3, 4);

#endif
