/* The table of PhysX 5.6.1 on mimic joints in competition, and which order of rows and ERP has its numbers.
 *
 * Measured on its CPU path, commit b53b957, in single precision: two thin rods of 1 m and 1 kg hang at rest from
 * hinges, side by side or the second from the end of the first, under C = q_A - 2 q_B, and drives and limits act on A
 * and B for 5 s at 1/60 s. Its solver has mimic joints before drives, and drives before limits, the mimic joints with
 * an ERP of 0.8, or of 2 / sqrt(N) in each of the N substeps of TGS. It takes one iteration over velocities after the
 * step, which PGS here does not. */
#include "mimic/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double range = 0.3; /* of the limit [rad] */
#define NOT_PUBLISHED                                \
    {                                                \
        {NAN, NAN, NAN, NAN}, { NAN, NAN, NAN, NAN } \
    }
const size_t dls_mimic_columns[DLS_MIMIC_COLUMNS] = {1, 4, 16, 64};
const dls_mimic_load dls_mimic_loads[DLS_MIMIC_LOADS] = {
    {"b1",
     1e4,
     1e2,
     {1.0, NAN},
     false,
     {{{0.58, 3.7e-3, 0.0, 0.0}, {3.3, 1.3, 3.6e-2, 2.4e-7}},
      {{0.58, 5.2e-2, 1.0e-2, 1.4e-3}, {3.3, 0.80, 9.4e-2, 1.1e-2}}}},
    {"b3",
     1e4,
     1e2,
     {1.0, NAN},
     true,
     {{{0.58, 0.37, 0.30, 0.13}, {1.6, 1.0, 0.54, 0.44}}, {{0.58, 0.29, 0.12, 1.6e-2}, {1.2, 1.0, 0.72, 0.27}}}},
    {"b4",
     1e4,
     1e2,
     {1.0, -0.2},
     false,
     {{{1.3, 0.98, 0.37, 1.1e-2}, {1.9, 1.6, 1.2, 0.45}}, {{1.1, 0.48, 8.6e-2, 1.1e-2}, {2.6, 1.7, 0.42, 5.9e-2}}}},
    {"b5", 1e6, 1e4, {1.0, NAN}, true, {NOT_PUBLISHED, NOT_PUBLISHED}},
};

double dls_mimic_tgs_erp(size_t iterations) { return 2.0 / sqrt((double)iterations); }

/* Coordinates between 1 and 2 rad have 24 bits, so that C has a few 2^-23. */
bool dls_mimic_agrees(double measured, double published)
{
    const double rounding = 0x3p-23;
    char text[2][32];
    snprintf(text[0], sizeof text[0], "%.1e", measured);
    snprintf(text[1], sizeof text[1], "%.1e", published);
    return strcmp(text[0], text[1]) == 0 || (measured < rounding && published < rounding);
}

/* --- the mechanisms --- */

const char *const dls_mimic_order_names[] = {"mimic-drive-limit",
                                             "mimic-limit-drive",
                                             "drive-mimic-limit",
                                             "drive-limit-mimic",
                                             "limit-mimic-drive",
                                             "limit-drive-mimic",
                                             NULL};

static void add_drives(const dls_mimic_load *load, dls_maker *m)
{
    static const char *const names[2][2] = {{"drive A", "rods.A"}, {"drive B", "rods.B"}};
    for (int k = 0; k < 2; k++) {
        if (isnan(load->target[k]))
            continue;
        dls_make_joint(m, "drive", names[k][0], NULL, NULL);
        dls_make_term(m, names[k][1], 1.0);
        dls_make_real(m, "stiffness", load->stiffness);
        dls_make_real(m, "damping", load->damping);
        dls_make_real(m, "target", load->target[k]);
    }
}

static void add_limit(const dls_mimic_load *load, dls_maker *m)
{
    if (!load->limit)
        return;
    dls_make_joint(m, "limit", "limit B", NULL, NULL);
    dls_make_term(m, "rods.B", 1.0);
    dls_make_real(m, "lower", -range);
    dls_make_real(m, "upper", range);
}

static void add_mimic(dls_maker *m)
{
    dls_mimic_couple(m, "mimic", 0.0, (const dls_mimic_term[]){{"A", 1.0}, {"B", -2.0}}, 2);
}

dls_status dls_mimic_loaded_model(const dls_mimic_load *load, bool in_series, const char *order, double erp,
                                  dls_model **model, dls_error *error)
{
    static const char *const names[] = {"A", "B"};
    dls_maker m = dls_make_scene(dls_v3(0.0, 0.0, -9.81), error);
    dls_scene *scene;
    *model = NULL;
    dls_mimic_hang(&m, names, (const int[]){-1, in_series ? 0 : -1}, (const double[]){0.0, 0.0}, 2);
    for (const char *kind = order; kind; kind = strchr(kind, '-')) {
        kind += *kind == '-';
        if (*kind == 'm')
            add_mimic(&m);
        else if (*kind == 'd')
            add_drives(load, &m);
        else
            add_limit(load, &m);
    }
    DLS_TRY(dls_make_end(&m, &scene));
    /* m L^2 / 12 about the centre of a thin rod; about its length, where it never turns, a number that is not 0. */
    for (size_t i = 1; i <= 2; i++)
        scene->articulations[0]->links[i].inertia = (dls_mat3){{1.0 / 12.0, 0, 0, 0, 1.0 / 12.0, 0, 0, 0, 1e-3}};
    for (size_t j = 0; j < scene->n_joints; j++) /* not through its field, whose greatest value is 1 */
        if (strcmp(scene->joints[j].name, "mimic") == 0)
            scene->joints[j].common.erp = erp;
    return dls_scene_model(scene, model, error);
}

/* --- the tables --- */

/* A number of the table: the load, in series or not, the column. */
typedef struct entry {
    size_t load, in_series, column;
    dls_mimic_way way;
    const char *order;
    double erp;
    double C, published, difference; /* [rad]; relative; NaN: not published, or published as 0 */
    bool agrees;
} entry;

static dls_status measure_entry(const dls_mimic_settings *set, entry *e, dls_error *error)
{
    const dls_mimic_load *load = &dls_mimic_loads[e->load];
    const dls_mimic_run run = {e->way, dls_mimic_columns[e->column], set->coarse, set->duration};
    dls_mimic_result result;
    dls_model *model;
    DLS_TRY(dls_mimic_loaded_model(load, e->in_series, e->order, e->erp, &model, error));
    dls_status status = dls_mimic_measure(model, &run, NULL, NULL, &result, error);
    dls_model_destroy(model);
    e->C = result.worst_error;
    e->published = load->physx[dls_mimic_tgs(e->way)][e->in_series][e->column];
    e->difference = e->published > 0.0 ? e->C / e->published - 1.0 : NAN;
    e->agrees = dls_mimic_agrees(e->C, e->published);
    return status;
}

static bool has_rods(const dls_mimic_findings *f)
{
    return f->wanted[DLS_MIMIC_PARALLEL_2] && f->wanted[DLS_MIMIC_SERIES_2];
}

dls_status dls_mimic_physx(dls_study *study, dls_error *error)
{
    static const dls_mimic_way ways[] = {DLS_MIMIC_PGS, DLS_MIMIC_TGS_SUBSTEP};
    const dls_mimic_settings *set = study->settings;
    dls_mimic_findings *f = study->found;
    for (dls_grid g = DLS_GRID(2, DLS_MIMIC_LOADS, 2, DLS_MIMIC_COLUMNS); dls_study_next(study, &g);) {
        entry e = {.way = ways[g.at[0]], .load = g.at[1], .in_series = g.at[2], .column = g.at[3]};
        const size_t N = dls_mimic_columns[e.column];
        e.order = dls_mimic_order_names[set->physx_orders.choices[0]];
        e.erp = e.way == DLS_MIMIC_PGS ? set->physx_erps.reals[0] : dls_mimic_tgs_erp(N);
        if (!has_rods(f))
            continue;
        DLS_TRY(measure_entry(set, &e, error));
        dls_table_row(study->tables[DLS_MIMIC_PHYSX], "%s %s %s %zu %s %g %g %g %g %s", dls_mimic_loads[e.load].name,
                      dls_mimic_group_names[e.in_series ? DLS_MIMIC_SERIES : DLS_MIMIC_PARALLEL],
                      dls_mimic_way_names[e.way], N, e.order, e.erp, e.published, e.C, e.difference,
                      isnan(e.published) ? "not-published"
                      : e.agrees         ? "yes"
                                         : "no");
        if (e.way != DLS_MIMIC_PGS || isnan(e.published))
            continue;
        f->physx_numbers++;
        f->physx_agree += e.agrees;
    }
    return DLS_OK;
}

/* How many numbers of PGS another order of rows and another ERP have. */
dls_status dls_mimic_fits(dls_study *study, dls_error *error)
{
    const dls_mimic_settings *set = study->settings;
    const dls_mimic_findings *f = study->found;
    for (dls_grid g = DLS_GRID(set->physx_orders.count, set->physx_erps.count); dls_study_next(study, &g);) {
        entry e = {.way = DLS_MIMIC_PGS, .erp = set->physx_erps.reals[g.at[1]]};
        size_t numbers = 0, agree = 0;
        double worst = 0.0;
        e.order = dls_mimic_order_names[set->physx_orders.choices[g.at[0]]];
        if (!has_rods(f))
            continue;
        for (size_t k = 0; k < DLS_MIMIC_LOADS * 2 * DLS_MIMIC_COLUMNS; k++) {
            e.load = k / (2 * DLS_MIMIC_COLUMNS), e.in_series = k / DLS_MIMIC_COLUMNS % 2;
            e.column = k % DLS_MIMIC_COLUMNS;
            DLS_TRY(measure_entry(set, &e, error));
            numbers += isnan(e.published) ? 0 : 1, agree += e.agrees;
            if (e.published > 0.0 && !(e.agrees && e.published < 1e-6))
                worst = fmax(worst, fabs(e.difference));
        }
        dls_table_row(study->tables[DLS_MIMIC_FITS], "%s %g %zu %zu %g", e.order, e.erp, numbers, agree, worst);
    }
    return DLS_OK;
}
