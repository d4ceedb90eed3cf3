/* Contacts of MJCF files in MuJoCo and here, at keyframes: the pairs of geoms that touch, the least gap of each, its
 * normal and its friction.
 *
 * The gap of two convex solids A and B is the greatest of s(n) = min n.a - max n.b over unit vectors n, and the normal
 * is where it is greatest (contact.h). In MuJoCo's A and B, of any types:
 *     our gap is s of our normal, and no other direction that is tried, among them MuJoCo's normal, has a greater s.
 * MuJoCo's distance is that gap, to rounding, where it has a formula:
 *     a plane and any solid; spheres and capsules with each other;
 *     a sphere or a capsule and a box while the centre or the axis is outside the box. Inside, its depth is at most the
 *     radius, which does not part them;
 *     two boxes that overlap: the normals agree, and one of its contacts has our gap, or where an edge of each touches
 *     half of it, which does not part them. One in 500 such pairs has a further contact that is deeper than the depth
 *     along its normal. Of boxes that are apart, within a margin, it has no exact distance, and misses some.
 * Of all other types it has a portal refinement (MPR), along a direction near the one from centre to centre: its depth
 * is no less than the least one, less its tolerance of 1e-6.
 *
 * The pairs are the same, but for those that need a distance that MuJoCo has not exactly and a <pair> of geoms that do
 * not move against each other, whose contacts have no effect. Height fields are not compared: MuJoCo's are prisms with
 * sides and a bottom. */
#include "contact/manifold.h"

#include "mujoco_pair.h"

#include <stdarg.h>

enum { GEOMS_MAX = 200, PAIRS_MAX = 2000 };

/* --- geoms and solids --- */

static const dls_shape shapes[] = {[mjGEOM_PLANE] = DLS_SHAPE_PLANE,
                                   [mjGEOM_HFIELD] = DLS_SHAPE_TERRAIN,
                                   [mjGEOM_SPHERE] = DLS_SHAPE_SPHERE,
                                   [mjGEOM_CAPSULE] = DLS_SHAPE_CAPSULE,
                                   [mjGEOM_ELLIPSOID] = DLS_SHAPE_ELLIPSOID,
                                   [mjGEOM_CYLINDER] = DLS_SHAPE_CYLINDER,
                                   [mjGEOM_BOX] = DLS_SHAPE_BOX,
                                   [mjGEOM_MESH] = DLS_SHAPE_MESH};

/* The end that a geom is on: the body of its name where it cannot move, or the link of its body. */
static size_t end_of_geom(const pair *p, int geom)
{
    const int body = p->theirs->geom_bodyid[geom];
    char text[DLS_NAME_MAX];
    snprintf(text, sizeof text, "%s", name_of(p, mjOBJ_GEOM, geom, "geom"));
    if (p->theirs->body_weldid[body] == 0)
        return dls_model_find_end(p->model, text);
    snprintf(text, sizeof text, "%s", name_of(p, mjOBJ_BODY, body, "body"));
    for (size_t a = 0; a < dls_model_count(p->model).articulations; a++) {
        const dls_model_articulation *of = &dls_model_articulations(p->model)[a];
        const size_t link = dls_articulation_find_link(of->tree, text);
        if (link != DLS_NONE)
            return of->first_end + link;
    }
    return DLS_NONE;
}

/* The geom that each solid is: on its end, of its shape, and the first one there that no other solid is. */
static void find_geoms(const pair *p, int geom[GEOMS_MAX])
{
    bool taken[GEOMS_MAX] = {false};
    const dls_solid *solids = dls_model_solids(p->model);
    assert_true(p->theirs->ngeom <= GEOMS_MAX && dls_model_count(p->model).solids <= GEOMS_MAX);
    for (size_t s = 0; s < dls_model_count(p->model).solids; s++) {
        const dls_end end = dls_configuration_end(p->configuration, solids[s].end);
        const dls_vec3 place = dls_end_anchor(&end, &solids[s].frame);
        geom[s] = -1;
        for (int g = 0; g < p->theirs->ngeom && geom[s] < 0; g++) {
            const mjtNum *x = p->data->geom_xpos + 3 * g;
            const bool centred = solids[s].shape != DLS_SHAPE_MESH && solids[s].shape != DLS_SHAPE_PLANE;
            if (!taken[g] && end_of_geom(p, g) == solids[s].end && shapes[p->theirs->geom_type[g]] == solids[s].shape &&
                (!centred || dls_norm(dls_sub(place, dls_v3(x[0], x[1], x[2]))) < 1e-9))
                geom[s] = g;
        }
        assert_true(geom[s] >= 0);
        taken[geom[s]] = true;
    }
}

/* --- contacts of a pair --- */

/* The least gap of two geoms, the lower first. */
typedef struct touching {
    int geom[2], count; /* of contacts */
    double gap;
    dls_vec3 normal, place; /* from the second to the first; amid the two points */
    double friction[3];     /* of sliding, torsional, rolling */
} touching;

typedef struct touching_list {
    touching pair[PAIRS_MAX];
    size_t count;
} touching_list;

static touching *find_pair(touching_list *list, int one, int other)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->pair[k].geom[0] == one && list->pair[k].geom[1] == other)
            return &list->pair[k];
    return NULL;
}

static void add_touching(touching_list *list, touching t)
{
    if (t.geom[1] < t.geom[0]) {
        const int geom = t.geom[0];
        t.geom[0] = t.geom[1], t.geom[1] = geom;
        t.normal = dls_neg(t.normal);
    }
    touching *at = find_pair(list, t.geom[0], t.geom[1]);
    const size_t before = at ? (size_t)at->count : 0;
    if (!at) {
        assert_true(list->count < PAIRS_MAX);
        at = &list->pair[list->count++];
        *at = t;
    }
    if (t.gap < at->gap)
        *at = t;
    at->count = (int)before + 1;
}

/* Those within MuJoCo's `gap` of the margin have no force there, and are none. */
static void find_theirs(const pair *p, touching_list *list)
{
    list->count = 0;
    assert_int_equal(p->data->warning[mjWARN_CONTACTFULL].number, 0);
    for (int i = 0; i < p->data->ncon; i++) {
        const mjContact *c = &p->data->contact[i];
        if (!c->exclude)
            add_touching(list,
                         (touching){.geom = {c->geom1, c->geom2},
                                    .gap = c->dist,
                                    .normal = dls_v3(-c->frame[0], -c->frame[1], -c->frame[2]),
                                    .place = dls_v3(c->pos[0], c->pos[1], c->pos[2]),
                                    .friction = {c->dim >= 3 ? c->friction[0] : 0.0, c->dim >= 4 ? c->friction[2] : 0.0,
                                                 c->dim >= 6 ? c->friction[3] : 0.0}});
    }
}

/* The bits of a name in a contact's feature, which has the numbers of both solids above two of them. */
static unsigned name_bits(const pair *p)
{
    unsigned bits = 0;
    for (size_t s = 0; s < dls_model_count(p->model).solids; s++) {
        const dls_convex solid = dls_convex_of(&dls_model_solids(p->model)[s]);
        while (dls_manifold_names(&solid) > 1u << bits)
            bits++;
    }
    return bits;
}

static void find_ours(const pair *p, touching_list *list)
{
    const unsigned bits = name_bits(p);
    int geom[GEOMS_MAX];
    dls_contacts found = {0, 0, NULL};
    dls_collider *collider;
    dls_error error;
    list->count = 0;
    find_geoms(p, geom);
    assert_status(dls_collider_create(p->model, &collider, &error), &error);
    assert_status(dls_collider_find_at(collider, p->configuration, &found, &error), &error);
    for (size_t k = 0; k < found.count; k++) {
        const dls_contact *c = &found.at[k];
        const uint64_t both = c->feature >> (2 * bits), one = both >> (32 - bits);
        add_touching(list, (touching){.geom = {geom[one], geom[both - (one << (32 - bits))]},
                                      .gap = c->gap,
                                      .normal = c->normal,
                                      .place = dls_scale(0.5, dls_add(c->point[0], c->point[1])),
                                      .friction = {c->mu, c->torsion, c->rolling}});
    }
    dls_contacts_release(&found);
    dls_collider_destroy(collider);
}

/* --- the gap along a direction --- */

/* max n.x over the points of a geom. */
static double support_of(const pair *p, int geom, dls_vec3 n)
{
    const mjtNum *R = p->data->geom_xmat + 9 * geom, *x = p->data->geom_xpos + 3 * geom,
                 *s = p->theirs->geom_size + 3 * geom;
    const double m[3] = {R[0] * n.x + R[3] * n.y + R[6] * n.z, R[1] * n.x + R[4] * n.y + R[7] * n.z,
                         R[2] * n.x + R[5] * n.y + R[8] * n.z};
    const double at = x[0] * n.x + x[1] * n.y + x[2] * n.z;
    double most = -HUGE_VAL;
    switch (p->theirs->geom_type[geom]) {
    case mjGEOM_PLANE:
        return m[2] > 1.0 - 1e-12 ? at : HUGE_VAL;
    case mjGEOM_SPHERE:
        return at + s[0];
    case mjGEOM_CAPSULE:
        return at + s[0] + s[1] * fabs(m[2]);
    case mjGEOM_ELLIPSOID:
        return at + dls_norm(dls_v3(s[0] * m[0], s[1] * m[1], s[2] * m[2]));
    case mjGEOM_CYLINDER:
        return at + s[0] * hypot(m[0], m[1]) + s[1] * fabs(m[2]);
    case mjGEOM_BOX:
        return at + s[0] * fabs(m[0]) + s[1] * fabs(m[1]) + s[2] * fabs(m[2]);
    case mjGEOM_MESH:
        for (int v = 0; v < p->theirs->mesh_vertnum[p->theirs->geom_dataid[geom]]; v++) {
            const float *r = p->theirs->mesh_vert + 3 * (p->theirs->mesh_vertadr[p->theirs->geom_dataid[geom]] + v);
            most = fmax(most, m[0] * (double)r[0] + m[1] * (double)r[1] + m[2] * (double)r[2]);
        }
        return at + most;
    default:
        fail_msg("geom %d is of no convex type", geom);
        return NAN;
    }
}

static double gap_along(const pair *p, const touching *t, dls_vec3 n)
{
    return -support_of(p, t->geom[0], dls_neg(n)) - support_of(p, t->geom[1], n);
}

/* The gap from which on MuJoCo has a contact with a force: the margin less the gap of the geoms, or of their <pair>. */
static double limit_of(const pair *p, const touching *t)
{
    const mjModel *m = p->theirs;
    for (int k = 0; k < m->npair; k++)
        if ((m->pair_geom1[k] == t->geom[0] && m->pair_geom2[k] == t->geom[1]) ||
            (m->pair_geom1[k] == t->geom[1] && m->pair_geom2[k] == t->geom[0]))
            return m->pair_margin[k] - m->pair_gap[k];
    return fmax(m->geom_margin[t->geom[0]], m->geom_margin[t->geom[1]]) -
           fmax(m->geom_gap[t->geom[0]], m->geom_gap[t->geom[1]]);
}

/* --- both --- */

static bool is_type(const pair *p, const touching *t, int one, int other)
{
    const int a = p->theirs->geom_type[t->geom[0]], b = p->theirs->geom_type[t->geom[1]];
    return (a == one && b == other) || (a == other && b == one);
}

static bool has_type(const pair *p, const touching *t, int type)
{
    return p->theirs->geom_type[t->geom[0]] == type || p->theirs->geom_type[t->geom[1]] == type;
}

/* The radius of a sphere or capsule beside a box. */
static double radius_of(const pair *p, const touching *t)
{
    return p->theirs->geom_size[3 * t->geom[p->theirs->geom_type[t->geom[0]] == mjGEOM_BOX]];
}

typedef enum method { BY_FORMULA, OF_BOXES, UP_TO_THE_RADIUS, OF_BOXES_APART, BY_MPR, METHODS } method;

/* Method of MuJoCo for the pair, whose gap is ours. */
static method method_of(const pair *p, const touching *o)
{
    const bool smooth =
        !has_type(p, o, mjGEOM_ELLIPSOID) && !has_type(p, o, mjGEOM_CYLINDER) && !has_type(p, o, mjGEOM_MESH);
    if (has_type(p, o, mjGEOM_PLANE) || (smooth && !has_type(p, o, mjGEOM_BOX)))
        return BY_FORMULA;
    if (!smooth)
        return BY_MPR;
    if (is_type(p, o, mjGEOM_BOX, mjGEOM_BOX))
        return o->gap > 0.0 ? OF_BOXES_APART : OF_BOXES;
    return o->gap > -radius_of(p, o) ? BY_FORMULA : UP_TO_THE_RADIUS;
}

/* How far MuJoCo's contacts of the pair are from one at a gap. */
static double nearest_to(const pair *p, const touching *o, double gap)
{
    double least = HUGE_VAL;
    for (const mjContact *c = p->data->contact; c < p->data->contact + p->data->ncon; c++)
        if ((c->geom1 == o->geom[0] && c->geom2 == o->geom[1]) || (c->geom1 == o->geom[1] && c->geom2 == o->geom[0]))
            least = fmin(least, fabs(c->dist - gap));
    return least;
}

static struct {
    size_t count[METHODS], beyond, rigid;
    double gap, normal, place, excess; /* largest differences by formula; of MPR, least depth less its own */
} seen;

static void compare_pair(const pair *p, const touching *o, const touching *t)
{
    const double apart = dls_norm(dls_sub(o->normal, t->normal)), off = fabs(o->gap - t->gap);
    const double near = has_type(p, o, mjGEOM_MESH) ? 1e-6 : 1e-10; /* vertices are in single precision there */
    const method used = method_of(p, o);
    seen.count[used]++;
    for (int k = 0; k < 3; k++)
        assert_close(o->friction[k], t->friction[k], 0.0);
    switch (used) {
    case BY_FORMULA:
        assert_below(off, near);
        assert_below(apart, 1e-10);
        if (o->count == 1 && t->count == 1) {
            assert_below(dls_norm(dls_sub(o->place, t->place)), near);
            seen.place = fmax(seen.place, dls_norm(dls_sub(o->place, t->place)));
        }
        seen.gap = fmax(seen.gap, off), seen.normal = fmax(seen.normal, apart);
        break;
    case OF_BOXES:
        assert_below(fmin(nearest_to(p, o, o->gap), nearest_to(p, o, 0.5 * o->gap)), 1e-10);
        assert_below(apart, 1e-10);
        break;
    case UP_TO_THE_RADIUS:
        assert_true(t->gap >= -radius_of(p, o) - 1e-10);
        break;
    case BY_MPR:
        assert_true(t->gap <= o->gap + 1e-6);
        seen.excess = fmax(seen.excess, t->gap - o->gap);
        break;
    default:
        break;
    }
}

/* Our gap is s of our normal, and the greatest s of `also` and of random directions, half of them near the normal. The
 * vertices of MuJoCo's meshes are in single precision. */
static void prove_gap(const pair *p, const touching *o, dls_vec3 also)
{
    const double near = has_type(p, o, mjGEOM_MESH) ? 1e-6 : 1e-12;
    double most = gap_along(p, o, also);
    for (int k = 0; k < 40; k++) {
        const dls_vec3 any = dls_quat_rotate(draw_rotation(), dls_v3(1, 0, 0));
        most = fmax(most, gap_along(p, o, dls_unit(k % 2 ? any : dls_add(o->normal, dls_scale(0.01, any)))));
    }
    assert_close(gap_along(p, o, o->normal), o->gap, near);
    assert_true(most <= o->gap + near);
}

/* A pair that MuJoCo alone has: its geoms are one rigid body, or farther apart than the margin, by our gap. */
static void judge_their_own(const pair *p, const touching *t)
{
    const int *body = p->theirs->geom_bodyid, *weld = p->theirs->body_weldid;
    const dls_convex *solid[2];
    dls_convex convex[2];
    dls_separation found;
    int geom[GEOMS_MAX];
    if (weld[body[t->geom[0]]] == weld[body[t->geom[1]]]) {
        seen.rigid++;
        return;
    }
    find_geoms(p, geom);
    for (size_t s = 0; s < dls_model_count(p->model).solids; s++)
        for (int k = 0; k < 2; k++)
            if (geom[s] == t->geom[k]) {
                const dls_solid *of = &dls_model_solids(p->model)[s];
                const dls_end end = dls_configuration_end(p->configuration, of->end);
                convex[k] = dls_convex_of(of);
                dls_convex_place(&convex[k],
                                 (dls_frame){dls_end_anchor(&end, &of->frame), dls_end_rotation(&end, &of->frame)});
                solid[k] = &convex[k];
            }
    assert_true(dls_convex_separate(solid, HUGE_VAL, &found));
    const touching o = {.geom = {t->geom[0], t->geom[1]}, .gap = found.gap, .normal = found.normal};
    assert_true(found.gap > dls_model_world(p->model)->contact_margin);
    assert_true(method_of(p, &o) == BY_MPR || method_of(p, &o) == OF_BOXES_APART);
    prove_gap(p, &o, t->normal);
    seen.beyond++;
}

static void compare_contacts(const pair *p)
{
    static touching_list theirs, ours;
    find_theirs(p, &theirs);
    find_ours(p, &ours);
    for (size_t k = 0; k < theirs.count; k++) {
        const touching *t = &theirs.pair[k], *o = find_pair(&ours, t->geom[0], t->geom[1]);
        if (!o) {
            judge_their_own(p, t);
            continue;
        }
        compare_pair(p, o, t);
        if (!has_type(p, t, mjGEOM_PLANE))
            prove_gap(p, o, t->normal);
    }
    for (size_t k = 0; k < ours.count; k++) {
        const touching *o = &ours.pair[k];
        const bool found = find_pair(&theirs, o->geom[0], o->geom[1]) != NULL;
        if (!found && o->gap < limit_of(p, o) - 1e-6 && method_of(p, o) != OF_BOXES_APART)
            fail_msg("MuJoCo has no contact of geoms %d and %d, whose gap is %.17g", o->geom[0], o->geom[1], o->gap);
    }
}

static void say_seen(const char *what)
{
    print_message(
        "# %s: %zu pairs by formula, gaps differ by %.1e, normals by %.1e, places by %.1e; %zu of boxes, %zu of "
        "boxes apart, %zu up to the radius, %zu by MPR, up to %.1e less deep; %zu too far, %zu of one body\n",
        what, seen.count[BY_FORMULA], seen.gap, seen.normal, seen.place, seen.count[OF_BOXES],
        seen.count[OF_BOXES_APART], seen.count[UP_TO_THE_RADIUS], seen.count[BY_MPR], seen.excess, seen.beyond,
        seen.rigid);
    memset(&seen, 0, sizeof seen);
}

/* Finds MuJoCo's contacts, without their rows. */
static void detect_contacts(pair *p)
{
    mj_kinematics(p->theirs, p->data);
    mj_comPos(p->theirs, p->data);
    mj_collision(p->theirs, p->data);
}

/* Puts both at a keyframe. */
static void place_both(pair *p, int key)
{
    dls_error error;
    char number[16];
    mj_resetDataKeyframe(p->theirs, p->data, key);
    detect_contacts(p);
    dls_configuration_destroy(p->configuration);
    dls_model_destroy(p->model);
    snprintf(number, sizeof number, "%d", key);
    assert_status(dls_scene_set(p->scene, "world.start", number, &error), &error);
    assert_status(dls_model_create(p->scene, &p->model, &error), &error);
    assert_status(dls_configuration_create(p->model, &p->configuration, &error), &error);
    dls_configuration_evaluate(p->configuration, dls_model_initial(p->model));
}

/* In the reference configuration, and at all keyframes. */
static void compare_keyframes(pair *p)
{
    detect_contacts(p);
    dls_configuration_evaluate(p->configuration, dls_model_initial(p->model));
    compare_contacts(p);
    for (int key = 0; key < p->theirs->nkey; key++) {
        place_both(p, key);
        compare_contacts(p);
    }
}

/* --- files --- */

/* At random states, too. */
TEST(test_models)
{
    static const char *const files[] = {"mjcf-arm.xml", "mjcf-balls.xml", "mjcf-humanoid.xml", "mjcf-loops.xml",
                                        "mjcf-tendons.xml"};
    const uint64_t seeds = check_small() ? 5 : 50;
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        pair p;
        open_pair(&p, files[f]);
        compare_keyframes(&p);
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            draw_state_of_both(&p, seed);
            compare_contacts(&p);
        }
        say_seen(files[f]);
        close_pair(&p);
    }
}

/* DLS_MUJOCO_MODEL=FILE: any model. */
TEST(test_contacts_of_a_model_of_others)
{
    pair p;
    if (!getenv("DLS_MUJOCO_MODEL"))
        skip();
    open_path(&p, getenv("DLS_MUJOCO_MODEL"));
    compare_keyframes(&p);
    say_seen(getenv("DLS_MUJOCO_MODEL"));
    close_pair(&p);
}

/* --- models that are written here --- */

enum { ROOM = 40000 };

typedef struct writer {
    char text[ROOM];
    size_t used;
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *w, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    w->used += (size_t)vsnprintf(w->text + w->used, ROOM - w->used, format, values);
    va_end(values);
    assert_true(w->used < ROOM);
}

static dls_vec3 draw_vector(double size)
{
    const double x = uniform(-size, size), y = uniform(-size, size);
    return dls_v3(x, y, uniform(-size, size));
}

/* At x, turned at random. */
static void put_pose(writer *w, dls_vec3 x)
{
    const dls_quat q = draw_rotation();
    put(w, " pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'", x.x, x.y, x.z, q.w, q.x, q.y, q.z);
}

static size_t draw_below(size_t n) { return (size_t)uniform(0.0, (double)n); }

/* --- every two types --- */

/* Ten pairs in one model, far from each other; `one` NULL: ten planes, and what is below them. */
static void compare_types(const char *one, const char *other)
{
    static writer w;
    pair p;
    w.used = 0;
    put(&w, "<mujoco><size nconmax='1000'/><asset><mesh name='m' vertex='.3 0 0 -.2 .3 0 -.2 -.3 .1 0 0 .4 .1 .1 -.3 "
            ".2 .3 .2'/></asset>"
            "<worldbody>");
    for (int k = 0; k < 10; k++) {
        const double distance = uniform(0.1, 0.7);
        const dls_vec3 way = dls_scale(distance, dls_quat_rotate(draw_rotation(), dls_v3(1, 0, 0)));
        put(&w, "<%s name='a%d'", one ? "body" : "geom type='plane' size='1 1 1'", k);
        put_pose(&w, dls_v3(10 * k, 0, 0));
        if (one)
            put(&w, "><freejoint/><geom name='a%d' %s/></body>", k, one);
        else
            put(&w, "/>");
        put(&w, "<body name='b%d'", k);
        put_pose(&w, dls_add(dls_v3(10 * k, 0, 0), way));
        put(&w, "><freejoint/><geom name='b%d' %s/></body>", k, other);
    }
    put(&w, "</worldbody></mujoco>");
    open_text(&p, w.text, "");
    compare_keyframes(&p);
    close_pair(&p);
}

TEST(test_types)
{
    static const char *const geoms[] = {"size='.3'",
                                        "type='capsule' size='.2 .4'",
                                        "type='ellipsoid' size='.4 .25 .15'",
                                        "type='cylinder' size='.3 .2'",
                                        "type='box' size='.3 .2 .4'",
                                        "type='mesh' mesh='m'"};
    enum { GEOMS = sizeof geoms / sizeof geoms[0] };
    const int rounds = check_small() ? 1 : 10;
    draw_seed(3);
    for (int a = -1; a < GEOMS; a++)
        for (int b = a < 0 ? 0 : a; b < GEOMS; b++)
            for (int round = 0; round < rounds; round++)
                compare_types(a < 0 ? NULL : geoms[a], geoms[b]);
    say_seen("types");
}

/* --- trees of bodies, with filters --- */

static void put_geom(writer *w, size_t number)
{
    static const char *const masks[] = {"",
                                        "",
                                        "",
                                        "contype='2'",
                                        "conaffinity='2'",
                                        "contype='2' conaffinity='3'",
                                        "contype='0' conaffinity='0'",
                                        "contype='0'"};
    static const char *const margins[] = {"", "", "margin='.05'", "margin='.08' gap='.03'"};
    static const char *const frictions[] = {"", "condim='1'", "condim='4' friction='.5 .01 .002'",
                                            "condim='6' priority='1'"};
    static const char *const types[] = {"sphere", "capsule", "box", "cylinder", "ellipsoid"};
    const double a = uniform(0.05, 0.2), b = uniform(0.05, 0.2), c = uniform(0.05, 0.2);
    put(w, "<geom name='g%zu' type='%s' size='%.17g %.17g %.17g'", number, types[draw_below(5)], a, b, c);
    put_pose(w, draw_vector(0.15));
    put(w, " %s %s", masks[draw_below(8)], margins[draw_below(4)]);
    put(w, " %s/>", frictions[draw_below(4)]);
}

/* The joints of a body, and their coordinates at two keyframes. */
static void put_joints(writer *w, bool at_the_top, writer key[2])
{
    const double kind = uniform(0.0, 1.0);
    const bool free = at_the_top && kind < 0.4, hinge = !free && kind < 0.7, both = !free && !hinge && kind < 0.85;
    if (free)
        put(w, "<freejoint/>");
    if (hinge)
        put(w, "<joint axis='1 .3 .5'/>");
    if (both)
        put(w, "<joint type='slide' axis='1 .3 .5' ref='.1'/><joint type='ball'/>");
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < (free ? 7 : both ? 5 : hinge); i++)
            put(&key[k], "%s%.3f", key[k].used ? " " : "", hinge ? uniform(-2.0, 2.0) : uniform(-0.4, 0.4));
}

/* Bodies in trees, some of them welded to their parents or to the world, with masks, margins, frictions, an <exclude>
 * and a <pair>, in the reference configuration and at two keyframes. */
static void compare_trees(uint64_t seed)
{
    enum { BODIES = 7 };
    static writer w, key[2];
    pair p;
    size_t n_geoms = 0, depth = 0;
    draw_seed(seed);
    w.used = key[0].used = key[1].used = 0;
    put(&w, "<mujoco><compiler angle='radian'/><worldbody><geom name='floor' type='plane' size='5 5 1'");
    put_pose(&w, dls_v3(0.0, 0.0, -0.2));
    put(&w, "/>");
    put_geom(&w, n_geoms++);
    for (int b = 0; b < BODIES; b++) {
        for (; depth > 0 && uniform(0.0, 1.0) < 0.4; depth--)
            put(&w, "</body>");
        put(&w, "<body name='b%d'", b);
        put_pose(&w, draw_vector(0.4));
        put(&w, ">");
        put_joints(&w, depth++ == 0, key);
        for (size_t more = 1 + draw_below(2); more > 0; more--)
            put_geom(&w, n_geoms++);
    }
    for (; depth > 0; depth--)
        put(&w, "</body>");
    const size_t a = draw_below(BODIES), b = draw_below(BODIES - 1), g = draw_below(n_geoms),
                 h = draw_below(n_geoms - 1);
    put(&w, "</worldbody><contact><exclude body1='b%zu' body2='b%zu'/>", a, b + (b >= a));
    put(&w, "<pair geom1='g%zu' geom2='g%zu' margin='.1' condim='4' friction='.7 .7 .03'/></contact>", g, h + (h >= g));
    put(&w, "<keyframe><key name='one' qpos='%s'/><key name='two' qpos='%s'/></keyframe></mujoco>", key[0].text,
        key[1].text);
    open_text(&p, w.text, "");
    compare_keyframes(&p);
    close_pair(&p);
}

TEST(test_trees)
{
    const uint64_t seeds = check_small() ? 100 : 2000;
    for (uint64_t seed = 1; seed <= seeds; seed++)
        compare_trees(seed);
    say_seen("trees");
}
