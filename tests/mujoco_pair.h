/* mujoco_pair.h - one MJCF file in MuJoCo and here, and the same state in both, for tests.
 *
 * MuJoCo's velocities u are not ours: of a free joint (velocity of the origin of the body frame, world axes; angular
 * velocity in body axes), of a ball joint in the axes of the child. Ours are v = T u with
 *
 *     v_com = u_lin + (R u_ang) x (R c),   omega = R u_ang;   of a ball joint v = R(q) u;   of others v = u
 *
 * doc/conventions.md, MJCF. */
#ifndef DLS_TESTS_MUJOCO_PAIR_H
#define DLS_TESTS_MUJOCO_PAIR_H

#include "delassus/contact.h"
#include "delassus/io.h"
#include "delassus/model.h"
#include "delassus/rows.h"
#include "delassus/simulation.h"
#include "delassus/solvers.h"

#include "check.h"
#include "draws.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NV_MAX = 128 };

typedef struct pair {
    mjModel *theirs;
    mjData *data;
    dls_scene *scene;
    dls_model *model;
    dls_state *state;
    dls_configuration *configuration;
    dls_row_list *rows;
    size_t nv;
    double T[NV_MAX][NV_MAX]; /* row by row */
    double drift[NV_MAX];     /* T' u */
} pair;

static inline void open_path(pair *p, const char *path)
{
    char why[1024] = "";
    dls_error error;
    dls_content content;
    memset(p, 0, sizeof *p);
    p->theirs = mj_loadXML(path, NULL, why, sizeof why);
    if (!p->theirs)
        print_error("%s: MuJoCo: %s\n", path, why);
    assert_non_null(p->theirs);
    assert_non_null(p->data = mj_makeData(p->theirs));
    assert_status(dls_file_load(path, NULL, &content, &error), &error);
    assert_string_equal(content.format->name, "mjcf");
    p->scene = content.scene;
    assert_status(dls_model_create(p->scene, &p->model, &error), &error);
    assert_status(dls_state_create(p->model, &p->state, &error), &error);
    assert_status(dls_configuration_create(p->model, &p->configuration, &error), &error);
    assert_status(dls_row_list_create(&p->rows, &error), &error);
    p->nv = dls_model_count(p->model).nv;
    assert_int_equal(p->nv, p->theirs->nv);
    assert_true(p->nv <= NV_MAX);
}

/* The name of an object of MuJoCo's, or the one that ours has for want of a name. */
static inline const char *name_of(const pair *p, int kind, int id, const char *what)
{
    static char text[DLS_NAME_MAX];
    const char *name = mj_id2name(p->theirs, kind, id);
    size_t unnamed = 0;
    if (name && name[0])
        return name;
    for (int i = kind == mjOBJ_BODY; i <= id; i++) {
        const char *other = mj_id2name(p->theirs, kind, i);
        unnamed += !other || !other[0];
    }
    snprintf(text, sizeof text, "%s %zu", what, unnamed);
    return text;
}

static inline void open_pair(pair *p, const char *file)
{
    char path[DLS_PATH_MAX];
    snprintf(path, sizeof path, "%s/models/%s", getenv("DLS_TEST_SOURCE") ? getenv("DLS_TEST_SOURCE") : ".", file);
    open_path(p, path);
}

/* A model given as text, and beside it the file that it may include. */
static inline void open_text(pair *p, const char *model, const char *included)
{
    char folder[] = "mujoco.XXXXXX", path[2][DLS_PATH_MAX];
    const char *const texts[2] = {model, included}, *const names[2] = {"model.xml", "included.xml"};
    assert_non_null(mkdtemp(folder));
    for (int k = 0; k < 2; k++) {
        snprintf(path[k], sizeof path[k], "%s/%s", folder, names[k]);
        FILE *stream = fopen(path[k], "w");
        assert_non_null(stream);
        fputs(texts[k], stream);
        assert_int_equal(fclose(stream), 0);
    }
    open_path(p, path[0]);
    for (int k = 0; k < 2; k++)
        assert_int_equal(remove(path[k]), 0);
    assert_int_equal(rmdir(folder), 0);
}

static inline void close_pair(pair *p)
{
    dls_row_list_destroy(p->rows);
    dls_configuration_destroy(p->configuration);
    dls_state_destroy(p->state);
    dls_model_destroy(p->model);
    dls_scene_destroy(p->scene);
    mj_deleteData(p->data);
    mj_deleteModel(p->theirs);
}

/* --- the same state in both --- */

/* The member and link that a joint of MuJoCo moves. A free joint is its body's. */
static inline const dls_model_articulation *find_joint(const pair *p, int j, size_t *link, size_t *a)
{
    const dls_model_articulation *articulations = dls_model_articulations(p->model);
    const bool free = p->theirs->jnt_type[j] == mjJNT_FREE;
    char joint[DLS_NAME_MAX], body[DLS_NAME_MAX];
    snprintf(joint, sizeof joint, "%s", name_of(p, mjOBJ_JOINT, j, "joint"));
    snprintf(body, sizeof body, "%s", name_of(p, mjOBJ_BODY, p->theirs->jnt_bodyid[j], "body"));
    for (*a = 0; *a < dls_model_count(p->model).articulations; ++*a) {
        *link = free ? dls_articulation_find_link(articulations[*a].tree, body)
                     : dls_articulation_find_joint(articulations[*a].tree, joint);
        if (*link != DLS_NONE)
            return &articulations[*a];
    }
    print_error("joint '%s' is not there\n", joint);
    fail();
    return NULL;
}

static inline dls_quat draw_rotation(void)
{
    return dls_quat_exp(dls_v3(uniform(-1.7, 1.7), uniform(-1.7, 1.7), uniform(-1.7, 1.7)));
}

static inline void put_quat(double *to, dls_quat q) { to[0] = q.w, to[1] = q.x, to[2] = q.y, to[3] = q.z; }

static inline void put_block(pair *p, size_t row, size_t column, dls_mat3 A)
{
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++)
            p->T[row + i][column + k] = A.m[3 * i + k];
}

static inline void place_base(pair *p, const dls_model_articulation *articulation, size_t a, double *qpos,
                              const double *u, size_t theirs)
{
    const dls_quat q = draw_rotation();
    const dls_vec3 x = dls_v3(uniform(-1, 1), uniform(-1, 1), uniform(1, 2));
    const dls_vec3 arm = dls_quat_rotate(q, articulation->tree->defs[0].centre);
    const dls_vec3 omega = dls_quat_rotate(q, dls_v3(u[3], u[4], u[5])), pull = dls_cross(omega, dls_cross(omega, arm));
    const dls_mat3 R = dls_quat_matrix(q), one = {{1, 0, 0, 0, 1, 0, 0, 0, 1}}, lever = dls_hat(dls_neg(arm));
    memcpy(qpos, &(double[]){x.x, x.y, x.z}, 3 * sizeof *qpos);
    put_quat(qpos + 3, q);
    p->state->roots[a] = (dls_frame){dls_add(x, arm), q};
    put_block(p, articulation->offset, theirs, one);
    put_block(p, articulation->offset, theirs + 3, dls_matmul3(lever, R));
    put_block(p, articulation->offset + 3, theirs + 3, R);
    p->drift[articulation->offset] = pull.x, p->drift[articulation->offset + 1] = pull.y,
    p->drift[articulation->offset + 2] = pull.z;
}

static inline void place_joint(pair *p, int j, double *qpos, const double *u)
{
    size_t link, a;
    const dls_model_articulation *articulation = find_joint(p, j, &link, &a);
    const size_t theirs = (size_t)p->theirs->jnt_dofadr[j],
                 ours = articulation->offset + articulation->tree->links[link].dof;
    qpos += p->theirs->jnt_qposadr[j], u += theirs;
    double *q = p->state->coordinates + articulation->position + articulation->tree->links[link].position;
    if (p->theirs->jnt_type[j] == mjJNT_FREE) {
        place_base(p, articulation, a, qpos, u, theirs);
    } else if (p->theirs->jnt_type[j] == mjJNT_BALL) {
        const dls_quat turn = draw_rotation();
        put_quat(qpos, turn);
        put_quat(q, turn);
        put_block(p, ours, theirs, dls_quat_matrix(turn));
    } else {
        qpos[0] = uniform(-1.0, 1.0) * (p->theirs->jnt_type[j] == mjJNT_SLIDE ? 0.2 : 1.5);
        q[0] = qpos[0];
        p->T[ours][theirs] = 1.0;
    }
}

/* y = T x + drift, and y = T^T x. */
static inline void ours_of(const pair *p, const double *x, const double *drift, double *y)
{
    for (size_t i = 0; i < p->nv; i++) {
        y[i] = drift ? drift[i] : 0.0;
        for (size_t k = 0; k < p->nv; k++)
            y[i] += p->T[i][k] * x[k];
    }
}

static inline void theirs_of(const pair *p, const double *x, double *y)
{
    for (size_t k = 0; k < p->nv; k++) {
        y[k] = 0.0;
        for (size_t i = 0; i < p->nv; i++)
            y[k] += p->T[i][k] * x[i];
    }
}

/* A random state, or with `seed` 0 the one of the file, at rest. */
static inline void draw_state_of_both(pair *p, uint64_t seed)
{
    dls_error error;
    draw_seed(seed);
    memset(p->T, 0, sizeof p->T);
    memset(p->drift, 0, sizeof p->drift);
    for (size_t k = 0; k < p->nv; k++)
        p->data->qvel[k] = uniform(-2.0, 2.0);
    for (int j = 0; j < p->theirs->njnt; j++)
        place_joint(p, j, p->data->qpos, p->data->qvel);
    ours_of(p, p->data->qvel, NULL, p->state->v);
    mj_forward(p->theirs, p->data);
    mj_rnePostConstraint(p->theirs, p->data);
    dls_configuration_evaluate(p->configuration, p->state);
    dls_configuration_measure(p->configuration, p->state, 0.0); /* lengths of segments */
    dls_configuration_evaluate(p->configuration, p->state);
    dls_configuration_immerse(p->configuration);
    assert_status(dls_configuration_factor(p->configuration, &error), &error);
    assert_status(dls_row_list_fill(p->rows, p->configuration, NULL, 1e-3, &error), &error);
}

#endif
