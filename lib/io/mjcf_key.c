/* Keyframes of MJCF as starts of the scene.
 *
 * qpos and qvel have the numbers of all joints in the order of the file, depth first. Those of a free joint are the
 * position of the origin of the body frame and a quaternion, the velocity of that origin in world axes and the angular
 * velocity in body axes; of a ball joint a quaternion and the angular velocity in the axes of the body. With R the
 * rotation of the quaternion and c the centre of mass in the body frame, ours are (doc/conventions.md, MJCF)
 *
 *     omega = R u_ang,  v = u_lin + omega x R c;   of a ball joint R u
 *
 * ctrl has a number for each actuator, which becomes the setpoint of its drive, or of a motor a force on its joints.
 * What a keyframe does not have is as in the reference configuration, at rest. A keyframe that is wrong is no error
 * unless a run begins with it.
 */
#include "mjcf.h"

#include "delassus/start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of an attribute, which are as many as the model needs; *list NULL: it is not there. The caller frees it.
 * */
static dls_status read_list(const mjcf *m, const xmlNode *key, const char *name, size_t needed, double **list)
{
    size_t count;
    DLS_TRY(dls_xml_list(&m->x, key, name, list, &count));
    if (!*list || count == needed)
        return DLS_OK;
    free(*list);
    *list = NULL;
    return dls_xml_fail(&m->x, DLS_BAD_INPUT, key, name, "has %zu numbers; the model needs %zu", count, needed);
}

static dls_status read_quat(const mjcf *m, const xmlNode *key, const double *from, dls_quat *q)
{
    const double norm = sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2] + from[3] * from[3]);
    *q = dls_quat_unit((dls_quat){from[0], from[1], from[2], from[3]});
    return norm > 0.0 && isfinite(norm) ? DLS_OK : dls_xml_bad(&m->x, key, "qpos", "a quaternion has no direction");
}

/* `qpos` and `qvel`: the numbers of this joint, or NULL. */
static dls_status start_joint(const mjcf *m, const xmlNode *key, const mjcf_joint *joint, const double *qpos,
                              const double *qvel, dls_start_joint *to)
{
    const char *dot = strchr(joint->coordinate, '.'); /* the names of articulations have none */
    const mjcf_body *body = &m->bodies[joint->body];
    dls_quat q = joint->floats ? body->pose.q : dls_quat_identity();
    snprintf(to->articulation, sizeof to->articulation, "%.*s", (int)(dot - joint->coordinate), joint->coordinate);
    to->q[0] = qpos ? qpos[0] : joint->ref;
    if (joint->n_speeds == 1) {
        snprintf(to->joint, sizeof to->joint, "%s", dot + 1);
        to->speed[0] = qvel ? qvel[0] : 0.0;
        return DLS_OK;
    }
    if (qpos)
        DLS_TRY(read_quat(m, key, qpos + (joint->floats ? 3 : 0), &q));
    const double *turning = qvel ? qvel + (joint->floats ? 3 : 0) : (double[]){0.0, 0.0, 0.0};
    const dls_vec3 omega = dls_quat_rotate(q, dls_v3(turning[0], turning[1], turning[2]));
    if (!joint->floats) {
        snprintf(to->joint, sizeof to->joint, "%s", dot + 1);
        memcpy(to->q, &(double[]){q.w, q.x, q.y, q.z}, sizeof to->q);
        memcpy(to->speed, &(double[]){omega.x, omega.y, omega.z}, 3 * sizeof *to->speed);
        return DLS_OK;
    }
    const dls_vec3 arm = dls_quat_rotate(q, dls_scene_articulation(m->scene, to->articulation)->links[0].centre);
    const dls_vec3 origin = qvel ? dls_v3(qvel[0], qvel[1], qvel[2]) : dls_v3(0, 0, 0),
                   v = dls_add(origin, dls_cross(omega, arm));
    to->pose = (dls_frame){qpos ? dls_v3(qpos[0], qpos[1], qpos[2]) : body->pose.p, q};
    memcpy(to->speed, &(double[]){v.x, v.y, v.z, omega.x, omega.y, omega.z}, sizeof to->speed);
    return DLS_OK;
}

static dls_status start_joints(const mjcf *m, const xmlNode *key, dls_start *start)
{
    size_t nq = 0, nv = 0, p = 0, u = 0;
    double *qpos, *qvel = NULL;
    for (size_t k = 0; k < m->n_joints; k++) {
        nq += m->joints[k].n_positions;
        nv += m->joints[k].n_speeds;
    }
    DLS_TRY(read_list(m, key, "qpos", nq, &qpos));
    dls_status status = read_list(m, key, "qvel", nv, &qvel);
    for (size_t k = 0; status == DLS_OK && k < m->n_joints; k++) {
        status = start_joint(m, key, &m->joints[k], qpos ? qpos + p : NULL, qvel ? qvel + u : NULL, &start->joints[k]);
        p += m->joints[k].n_positions, u += m->joints[k].n_speeds;
    }
    free(qpos);
    free(qvel);
    return status;
}

/* `act`: activations are 0, as at the start. */
static dls_status check_activations(const mjcf *m, const xmlNode *key)
{
    size_t count = 0;
    double *act;
    bool moved = false;
    for (size_t k = 0; k < m->n_actuators; k++)
        count += m->actuators[k].n_activations;
    DLS_TRY(read_list(m, key, "act", count, &act));
    for (size_t k = 0; act && k < count; k++)
        moved = moved || act[k] != 0.0;
    free(act);
    return moved ? dls_xml_fail(&m->x, DLS_REFUSED, key, "act", "activations other than 0 have no counterpart")
                 : DLS_OK;
}

/* `mpos`, `mquat`: poses of bodies that are fixed here. */
static dls_status check_mocap(const mjcf *m, const xmlNode *key)
{
    static const char *const keys[] = {"mpos", "mquat"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        size_t count;
        double *list;
        DLS_TRY(dls_xml_list(&m->x, key, keys[i], &list, &count));
        free(list);
        if (count > 0)
            return dls_xml_fail(&m->x, DLS_REFUSED, key, keys[i], "poses of mocap bodies have no counterpart");
    }
    return DLS_OK;
}

static dls_status start_actuators(const mjcf *m, const xmlNode *key, dls_start *start)
{
    double *ctrl;
    if (!m->on.actuation)
        return DLS_OK;
    DLS_TRY(read_list(m, key, "ctrl", m->n_actuators, &ctrl));
    dls_status status = ctrl && m->repeats_actuators
                            ? dls_xml_fail(&m->x, DLS_REFUSED, key, "ctrl",
                                           "the order of actuators that a <replicate> repeats is not known")
                            : DLS_OK;
    for (size_t k = 0; status == DLS_OK && ctrl && k < m->n_actuators; k++)
        status = mjcf_start_actuator(m, k, ctrl[k], start);
    free(ctrl);
    return status == DLS_OK ? check_activations(m, key) : status;
}

static dls_status read_key(mjcf *m, const xmlNode *key, dls_start *start)
{
    dls_error own = {.message = ""};
    bool there;
    mjcf silent = *m;
    silent.x.error = &own;
    silent.x.scene = NULL;
    start->place = dls_xml_place(key);
    start->n_joints = m->n_joints;
    start->joints = calloc(m->n_joints + 1, sizeof *start->joints);
    start->drives = calloc(m->n_actuators + 1, sizeof *start->drives);
    if (!start->joints || !start->drives)
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for a keyframe");
    DLS_TRY(dls_xml_attribute(&m->x, key, "name", start->name, sizeof start->name, &there));
    dls_status status = start_joints(&silent, key, start);
    if (status == DLS_OK)
        status = start_actuators(&silent, key, start);
    if (status == DLS_OK)
        status = check_mocap(&silent, key);
    if (status == DLS_NO_MEMORY)
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for a keyframe");
    if (status != DLS_OK)
        snprintf(start->wrong, sizeof start->wrong, "%.60s%s%.400s", own.key, own.key[0] ? ": " : "", own.message);
    return DLS_OK;
}

dls_status mjcf_read_keyframes(mjcf *m, const xmlNode *root)
{
    for (const xmlNode *at = dls_xml_child(root, "keyframe"); at; at = dls_xml_next(at->next, "keyframe"))
        for (const xmlNode *key = dls_xml_child(at, "key"); key; key = dls_xml_next(key->next, "key")) {
            dls_start start = {.name = ""};
            dls_status status = read_key(m, key, &start);
            if (status == DLS_OK)
                status = dls_scene_add_start(m->scene, &start, m->x.error);
            dls_start_release(&start);
            DLS_TRY(status);
        }
    return DLS_OK;
}
