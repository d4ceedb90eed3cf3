/* Few contacts with friction, in which the problem is hard.
 *
 *     grasp     a cube between two fingers that slide along x and are pressed against it by forces; four contacts at
 *               each side. If friction is too small for the weight, the cube falls
 *     painleve  a rod of length 1 that slides on one end. With the lever arms r_x and r_z of the end about the centre
 *               and the central moment of inertia I = m / 12, A_nn - mu A_nt < 0, and sliding alone has no acceleration
 *               that is consistent, for mu > (I / m + r_x^2) / (r_x r_z) (P. Painleve, 1895) */
#include "collection/parts.h"

static void make_finger(dls_maker *m, size_t side, double force, uint64_t *draws)
{
    const double sign = side == 0 ? -1.0 : 1.0;
    const char *const names[] = {"push0", "push1"}, *const sliders[] = {"joint0", "joint1"};
    dls_collect_body(m, 1 + side, 0.5, dls_v3(0.5 * sign, 0.0, 0.0), draws);
    dls_collect_joint(m, "slider", side, 1 + side, DLS_NONE);
    dls_make_vector(m, "axis", dls_v3(1.0, 0.0, 0.0));
    dls_make_joint(m, "motor", names[side], NULL, NULL);
    dls_make_term(m, sliders[side], 1.0);
    dls_make_real(m, "speed", -sign);
    dls_make_real(m, "force", force);
    for (size_t c = 0; c < 4; c++) {
        dls_collect_joint(m, "contact", 2 + 4 * side + c, 0, 1 + side);
        dls_make_vector(m, "point", dls_v3(0.25 * sign, c & 1 ? 0.25 : -0.25, c & 2 ? 0.25 : -0.25));
        dls_make_vector(m, "normal", dls_v3(-sign, 0.0, 0.0));
        dls_make_real(m, "mu", 0.5);
        dls_make_set(m, "friction", "cone");
    }
}

static dls_status make_grasp(dls_collection_member of, dls_collected *made, dls_error *error)
{
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, -9.75), error);
    const double force = (double)(1 + of.k % 8) * 4.0; /* holds 1 kg from 9.75 N on */
    dls_collect_body(&maker, 0, 1.0, dls_v3(0.0, 0.0, 0.0), &of.draws);
    make_finger(&maker, 0, force, &of.draws);
    make_finger(&maker, 1, force, &of.draws);
    return dls_collect_made(&maker, made, error);
}

static dls_status make_painleve(dls_collection_member of, dls_collected *made, dls_error *error)
{
    static const double arm[][2] = {{0.3, 0.4}, {0.4, 0.3}, {0.14, 0.48}}; /* sides of right triangles, over 2 */
    const double *r = arm[of.k / 12 % 3], mu = 0.25 * (double)(1 + of.k % 12);
    dls_maker maker = dls_make_scene(dls_v3(0.0, 0.0, -9.75), error);
    dls_collect_body(&maker, 0, 1.0, dls_v3(r[0], 0.0, r[1]), &of.draws);
    if (maker.status == DLS_OK) {
        dls_body_def *rod = &maker.scene->bodies[0];
        rod->inertia = dls_v3(1.0 / 12.0, 1.0 / 12.0, 0.0625);
        rod->velocity = dls_v3(-1.0, 0.0, 0.0625);
        rod->omega = dls_v3(0.0, 0.0, 0.0);
    }
    dls_collect_joint(&maker, "contact", 0, 0, DLS_NONE);
    dls_make_vector(&maker, "point", dls_v3(0.0, 0.0, 0.0));
    dls_make_vector(&maker, "normal", dls_v3(0.0, 0.0, 1.0));
    dls_make_real(&maker, "mu", mu);
    dls_make_set(&maker, "friction", "cone");
    return dls_collect_made(&maker, made, error);
}

dls_status dls_collect_contacts(dls_collection_member of, dls_collected *made, dls_error *error)
{
    return of.variant == DLS_CONTACTS_GRASP ? make_grasp(of, made, error) : make_painleve(of, made, error);
}
