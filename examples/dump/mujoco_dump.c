/* MuJoCo's steps, as it has solved them: mjData to the problem of delassus.
 *
 *     cc mujoco_dump.c -lmujoco -lm -o mujoco_dump && mkdir steps
 *     DELASSUS_DUMP=steps ./mujoco_dump boxes.xml [STEPS [newton|cg|pgs]] && delassus ci steps --tolerance 1e-6
 *
 * MuJoCo minimises 1/2 f^T (A + R) f + f^T (J a0 - aref) over forces f in their bounds and elliptic cones, with
 * A = J M^-1 J^T and the acceleration a0 without constraints (E. Todorov, "Convex and analytically-invertible dynamics
 * with contacts and constraints", ICRA 2014; the documentation's chapter "Computation"). With lambda = h f,
 * v* = v + h a0 and J v the speeds of the rows at the start, its optimality conditions are those of a step with
 * gamma = R and c = J v + h aref, since
 *
 *     J (v* + M^-1 J^T lambda) + R lambda - c = h (J a0 + A f + R f - aref).
 *
 * The cones are those of the convex relaxation: DLS_DUMP_ASSOCIATED. Pyramids are rows with lambda >= 0.
 *
 * SPDX-License-Identifier: CC0-1.0 */
#include "delassus_dump.h"

#include <mujoco/mujoco.h>

/* A name of the model's object, or its number. */
static void object_name(const mjModel *m, int type, int id, char *text, size_t size)
{
    const char *name = mj_id2name(m, type, id);
    if (name)
        snprintf(text, size, "%.18s", name);
    else
        snprintf(text, size, "%d", id);
}

/* How many rows of the same object precede row i. */
static int place_in_object(const mjData *d, int i)
{
    int k = 0;
    while (i - k > 0 && d->efc_type[i - k - 1] == d->efc_type[i] && d->efc_id[i - k - 1] == d->efc_id[i])
        k++;
    return k;
}

static int is_contact(int type)
{
    return type == mjCNSTR_CONTACT_FRICTIONLESS || type == mjCNSTR_CONTACT_PYRAMIDAL ||
           type == mjCNSTR_CONTACT_ELLIPTIC;
}

/* Both geoms in the order of their names, the number of the contact among those of the two, and that of the row. */
static void contact_label(const mjModel *m, const mjData *d, int i, char *label, size_t size)
{
    const mjContact *c = &d->contact[d->efc_id[i]];
    char one[19], two[19];
    int among = 0;
    for (const mjContact *other = d->contact; other < c; other++)
        among += other->geom1 == c->geom1 && other->geom2 == c->geom2;
    object_name(m, mjOBJ_GEOM, c->geom1, one, sizeof one);
    object_name(m, mjOBJ_GEOM, c->geom2, two, sizeof two);
    const int swapped = strcmp(one, two) > 0;
    snprintf(label, size, "%s-%s.%d.%d", swapped ? two : one, swapped ? one : two, among, place_in_object(d, i));
}

static void row_label(const mjModel *m, const mjData *d, int i, char *label, size_t size)
{
    const int type = d->efc_type[i];
    const int equality = type == mjCNSTR_EQUALITY,
              tendon = type == mjCNSTR_LIMIT_TENDON || type == mjCNSTR_FRICTION_TENDON;
    char name[32];
    if (is_contact(type)) {
        contact_label(m, d, i, label, size);
        return;
    }
    object_name(m, equality ? mjOBJ_EQUALITY : tendon ? mjOBJ_TENDON : mjOBJ_JOINT, d->efc_id[i], name, sizeof name);
    snprintf(label, size, "%s %s.%d", equality ? "equality" : tendon ? "tendon" : "joint", name, place_in_object(d, i));
}

/* Row i of J, whose storage depends on the size of the model. */
static void dense_row(const mjModel *m, const mjData *d, int i, mjtNum *J)
{
    memset(J, 0, (size_t)m->nv * sizeof *J);
    if (!mj_isSparse(m)) {
        memcpy(J, d->efc_J + i * m->nv, (size_t)m->nv * sizeof *J);
        return;
    }
    for (int k = d->efc_J_rowadr[i]; k < d->efc_J_rowadr[i] + d->efc_J_rownnz[i]; k++)
        J[d->efc_J_colind[k]] = d->efc_J[k];
}

static void dump_row(dls_dump *dump, const mjModel *m, const mjData *d, int i, int block, mjtNum *J)
{
    const double h = m->opt.timestep, dry = h * d->efc_frictionloss[i];
    const int type = d->efc_type[i], within = place_in_object(d, i);
    const int dry_friction = type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON;
    const double hi = dry_friction ? dry : HUGE_VAL, lo = dry_friction               ? -dry
                                                          : type == mjCNSTR_EQUALITY ? -HUGE_VAL
                                                                                     : 0.0;
    char label[DLS_DUMP_LABEL];
    row_label(m, d, i, label, sizeof label);
    dls_dump_row(dump, label, d->efc_vel[i] + h * d->efc_aref[i], d->efc_R[i], lo, hi, h * d->efc_force[i]);
    dense_row(m, d, i, J);
    dls_dump_block(dump, block, J);
    if (type == mjCNSTR_CONTACT_ELLIPTIC && within > 0)
        dls_dump_friction(dump, i - within, d->contact[d->efc_id[i]].friction[within - 1], DLS_DUMP_ASSOCIATED);
}

/* The step that mj_step has made from the velocities `v`; room: (nv + 2) nv numbers. */
static void dump_step(dls_dump *dump, const mjModel *m, const mjData *d, const mjtNum *v, mjtNum *room)
{
    const size_t nv = (size_t)m->nv;
    mjtNum *M = room, *J = room + nv * nv, *v_star = J + nv;
    mj_fullM(m, M, d->qM);
    for (size_t j = 0; j < nv; j++)
        v_star[j] = v[j] + m->opt.timestep * d->qacc_smooth[j];
    dls_dump_begin(dump, m->opt.timestep);
    const int block = dls_dump_articulation(dump, nv, M, v_star);
    for (int i = 0; i < d->nefc; i++)
        dump_row(dump, m, d, i, block, J);
    dls_dump_end(dump);
}

/* One cone over torsion or rolling, too, is not a law of delassus. */
static int has_other_cones(const mjModel *m)
{
    for (int g = 0; g < m->ngeom; g++)
        if (m->geom_condim[g] > 3 && m->opt.cone == mjCONE_ELLIPTIC)
            return 1;
    return 0;
}

static int run(const mjModel *m, mjData *d, int steps, const char *name)
{
    const size_t nv = (size_t)m->nv;
    mjtNum *v = (mjtNum *)calloc((nv + 3) * (nv + 1), sizeof *v);
    dls_dump dump;
    dls_dump_open(&dump, NULL, name);
    for (int pass = 0; v && pass <= dls_dump_reset_asked(); pass++) {
        if (pass > 0) {
            mj_resetData(m, d);
            dls_dump_restart(&dump);
        }
        for (int k = 0; k < steps; k++) {
            memcpy(v, d->qvel, nv * sizeof *v);
            mj_step(m, d);
            dump_step(&dump, m, d, v, v + nv);
        }
    }
    free(v);
    const int error = dls_dump_close(&dump);
    if (error || !v)
        fprintf(stderr, "the steps cannot be written: %s\n", strerror(v ? error : ENOMEM));
    return error || !v;
}

/* Sets the solver of that name; 0: there is none. */
static int choose_solver(mjModel *m, const char *name)
{
    static const struct {
        const char *name;
        int solver;
    } solvers[] = {{"newton", mjSOL_NEWTON}, {"cg", mjSOL_CG}, {"pgs", mjSOL_PGS}};
    for (size_t k = 0; k < sizeof solvers / sizeof solvers[0]; k++)
        if (strcmp(solvers[k].name, name) == 0) {
            m->opt.solver = solvers[k].solver;
            return 1;
        }
    return 0;
}

int main(int argc, char **argv)
{
    char why[512] = "";
    if (argc < 2) {
        fprintf(stderr, "usage: mujoco_dump MODEL.xml [STEPS [newton|cg|pgs]]\n");
        return 2;
    }
    mjModel *m = mj_loadXML(argv[1], NULL, why, sizeof why);
    mjData *d = m ? mj_makeData(m) : NULL;
    int status = 1;
    if (!d)
        fprintf(stderr, "%s: %s\n", argv[1], m ? "no memory" : why);
    else if (has_other_cones(m))
        fprintf(stderr, "%s: an elliptic cone with condim 4 or 6; use condim 3, or cone=\"pyramidal\"\n", argv[1]);
    else if (argc > 3 && !choose_solver(m, argv[3]))
        fprintf(stderr, "%s is none of newton, cg and pgs\n", argv[3]);
    else
        status = run(m, d, argc > 2 ? atoi(argv[2]) : 100, "mujoco");
    if (d)
        mj_deleteData(d);
    if (m)
        mj_deleteModel(m);
    return status;
}
