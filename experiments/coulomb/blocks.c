/* Structures of blocks in the plane, and as scenes in space. */
#include "coulomb/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dls_status dls_blocks_create(size_t bodies, size_t joints, double depth, dls_blocks *b, dls_error *error)
{
    *b = (dls_blocks){.depth = depth, .room_bodies = bodies, .room_joints = joints};
    b->bodies = calloc(bodies, sizeof *b->bodies), b->corner = calloc(bodies, sizeof *b->corner);
    b->joints = calloc(joints, sizeof *b->joints);
    if (!b->bodies || !b->corner || !b->joints) {
        dls_blocks_release(b);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu blocks", bodies);
    }
    b->structure = (dls_structure){.bodies = b->bodies, .joints = b->joints, .most_work = HUGE_VAL};
    return DLS_OK;
}

void dls_blocks_release(dls_blocks *b)
{
    free(b->bodies), free(b->corner), free(b->joints);
    *b = (dls_blocks){.bodies = NULL};
}

size_t dls_blocks_add(dls_blocks *b, const double corner[8])
{
    const size_t i = b->structure.n_bodies++;
    if (corner)
        memcpy(b->corner[i], corner, sizeof b->corner[i]);
    b->bodies[i] = (dls_structure_body){corner ? 4 : 0, b->corner[i]};
    return i;
}

static dls_structure_joint *blocks_join(dls_blocks *b, size_t body0, size_t body1, const double p[2], const double q[2])
{
    dls_structure_joint *joint = &b->joints[b->structure.n_joints++];
    *joint = (dls_structure_joint){.body = {body0, body1}, .point = {{p[0], p[1]}, {q[0], q[1]}}};
    return joint;
}

void dls_blocks_face(dls_blocks *b, size_t body0, size_t body1, const double p[2], const double q[2])
{
    blocks_join(b, body0, body1, p, q);
}

void dls_blocks_point(dls_blocks *b, size_t body0, size_t body1, const double p[2], double nx, double nz)
{
    dls_structure_joint *joint = blocks_join(b, body0, body1, p, p);
    joint->normal[0] = nx, joint->normal[1] = nz;
}

void dls_blocks_set_mu(dls_blocks *b, double mu)
{
    for (size_t k = 0; k < b->structure.n_joints; k++)
        b->joints[k].mu = mu;
}

/* --- in space --- */

/* Area, centre and second moments about it of a quadrangle: with a_k = x_k z_{k+1} - x_{k+1} z_k
 *     A = sum a_k / 2,   A x = sum a_k (x_k + x_{k+1}) / 6,   int x^2 = sum a_k (x_k^2 + x_k x_{k+1} + x_{k+1}^2) / 12,
 *     int x z = sum a_k (x_k z_{k+1} + 2 x_k z_k + 2 x_{k+1} z_{k+1} + x_{k+1} z_k) / 24. */
typedef struct section {
    double area, x, z, xx, zz, xz;
} section;

static section measure_section(const double corner[8])
{
    section s = {0};
    for (size_t k = 0; k < 4; k++) {
        const double x = corner[2 * k] - corner[0], z = corner[2 * k + 1] - corner[1];
        const double next_x = corner[(2 * k + 2) % 8] - corner[0], next_z = corner[(2 * k + 3) % 8] - corner[1];
        const double a = x * next_z - next_x * z;
        s.area += a / 2.0, s.x += a * (x + next_x) / 6.0, s.z += a * (z + next_z) / 6.0;
        s.xx += a * (x * x + x * next_x + next_x * next_x) / 12.0;
        s.zz += a * (z * z + z * next_z + next_z * next_z) / 12.0;
        s.xz += a * (x * next_z + 2.0 * x * z + 2.0 * next_x * next_z + next_x * z) / 24.0;
    }
    s.x /= s.area, s.z /= s.area;
    s.xx -= s.area * s.x * s.x, s.zz -= s.area * s.z * s.z, s.xz -= s.area * s.x * s.z;
    s.x += corner[0], s.z += corner[1];
    return s;
}

static void blocks_name(char name[DLS_NAME_MAX], size_t body) { snprintf(name, DLS_NAME_MAX, "block%zu", body); }

static dls_status blocks_add_body(const dls_blocks *b, size_t i, double density, dls_scene *scene, dls_error *error)
{
    const section s = measure_section(b->corner[i]);
    const double per_area = density * b->depth, along = s.area * b->depth * b->depth / 12.0;
    dls_body_def body;
    dls_body_default(&body);
    blocks_name(body.name, i);
    body.mass = per_area * s.area;
    body.inertia = dls_v3(per_area * (s.zz + along), per_area * (s.xx + s.zz), per_area * (s.xx + along));
    body.inertia_off = dls_v3(0.0, -per_area * s.xz, 0.0);
    body.position = dls_v3(s.x, 0.0, s.z);
    return dls_scene_add_body(scene, &body, error);
}

dls_vec3 dls_blocks_normal(const dls_structure_joint *j)
{
    const double x = j->point[1][0] - j->point[0][0], z = j->point[1][1] - j->point[0][1];
    return x == 0.0 && z == 0.0 ? dls_v3(j->normal[0], 0.0, j->normal[1]) : dls_v3(-z, 0.0, x);
}

static void blocks_add_contacts(dls_maker *m, const dls_blocks *b, size_t k)
{
    const dls_structure_joint *j = &b->joints[k];
    const bool face = j->point[0][0] != j->point[1][0] || j->point[0][1] != j->point[1][1];
    const int first = b->bodies[j->body[0]].corners > 0 ? 0 : 1; /* that moves */
    const dls_vec3 normal = first == 0 ? dls_blocks_normal(j) : dls_scale(-1.0, dls_blocks_normal(j));
    const bool grounded = b->bodies[j->body[1 - first]].corners == 0;
    char name[2][DLS_NAME_MAX], contact[2 * DLS_NAME_MAX];
    for (int side = 0; side < 2; side++)
        blocks_name(name[side], j->body[side]);
    for (int c = 0; c < (face ? 4 : 2); c++) {
        const double *p = j->point[c / 2];
        snprintf(contact, sizeof contact, "joint%zu-%d", k, c);
        dls_make_joint(m, "contact", contact, name[first], grounded ? NULL : name[1 - first]);
        dls_make_vector(m, "point", dls_v3(p[0], c % 2 ? 0.5 * b->depth : -0.5 * b->depth, p[1]));
        dls_make_vector(m, "normal", normal);
        dls_make_real(m, "mu", j->mu);
        dls_make_set(m, "friction", "cone");
    }
}

dls_status dls_blocks_scene(const dls_blocks *b, double density, dls_scene **scene, dls_error *error)
{
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, -dls_coulomb_gravity), error);
    for (size_t i = 0; i < b->structure.n_bodies && maker.status == DLS_OK; i++)
        if (b->bodies[i].corners > 0)
            maker.status = blocks_add_body(b, i, density, maker.scene, error);
    for (size_t k = 0; k < b->structure.n_joints; k++)
        blocks_add_contacts(&maker, b, k);
    return dls_make_end(&maker, scene);
}
