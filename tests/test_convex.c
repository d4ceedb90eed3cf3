/* Gaps, normals and contact points of random solids, against what proves them. The functions here are of the solids'
 * definitions and share no code with the library: how far a solid reaches in a direction, and how far a point is
 * outside it.
 *
 * - A direction n with min n.a - max n.b = g proves that the gap is at least g, and points of both solids at the
 *   distance g that it is at most g: together they prove that the points solve the convex problem min |a - b|.
 * - For solids that overlap, the same direction proves that the depth is at most -g; that it is no less is tried by a
 *   search over directions that is refined from its best.
 */
#include "contact/manifold.h"

#include "mechanism.h"

static const dls_shape shapes[] = {DLS_SHAPE_SPHERE, DLS_SHAPE_CAPSULE, DLS_SHAPE_BOX,      DLS_SHAPE_CYLINDER,
                                   DLS_SHAPE_MESH,   DLS_SHAPE_PLANE,   DLS_SHAPE_ELLIPSOID};
enum { SHAPES = 7, DIRECTIONS = 600, STARTS = 5 };

typedef struct placed {
    dls_solid solid;
    dls_triangles mesh; /* any corners, of which the solid is the hull */
    dls_vec3 x, axis[3];
} placed;

static const char *name_of(const placed *s)
{
    switch (s->solid.shape) {
    case DLS_SHAPE_SPHERE:
        return "sphere";
    case DLS_SHAPE_CAPSULE:
        return "capsule";
    case DLS_SHAPE_BOX:
        return "box";
    case DLS_SHAPE_CYLINDER:
        return "cylinder";
    case DLS_SHAPE_MESH:
        return "mesh";
    case DLS_SHAPE_ELLIPSOID:
        return "ellipsoid";
    default:
        return "plane";
    }
}

/* max n.a */
static double reach(const placed *s, dls_vec3 n)
{
    const double x = dls_dot(n, s->axis[0]), y = dls_dot(n, s->axis[1]), z = dls_dot(n, s->axis[2]);
    const double centre = dls_dot(n, s->x), half = 0.5 * s->solid.length;
    switch (s->solid.shape) {
    case DLS_SHAPE_SPHERE:
        return centre + s->solid.radius;
    case DLS_SHAPE_CAPSULE:
        return centre + s->solid.radius + half * fabs(z);
    case DLS_SHAPE_CYLINDER:
        return centre + s->solid.radius * hypot(x, y) + half * fabs(z);
    case DLS_SHAPE_BOX:
        return centre + 0.5 * (s->solid.size.x * fabs(x) + s->solid.size.y * fabs(y) + s->solid.size.z * fabs(z));
    case DLS_SHAPE_ELLIPSOID:
        return centre + 0.5 * hypot(hypot(s->solid.size.x * x, s->solid.size.y * y), s->solid.size.z * z);
    case DLS_SHAPE_MESH: {
        double most = -HUGE_VAL;
        for (size_t i = 0; i < 3 * s->mesh.count; i++)
            most = fmax(most, dls_dot(dls_v3(x, y, z), dls_add(s->mesh.corners[i], s->mesh.middle)));
        return centre + most;
    }
    default:
        return hypot(x, y) < 1e-12 && z > 0.0 ? centre : HUGE_VAL;
    }
}

static double apart(const placed *s, dls_vec3 n) { return -reach(&s[0], dls_neg(n)) - reach(&s[1], n); }

/* How far a point is beyond the planes of three corners that have all others behind them; not positive inside. */
static double outside_mesh(const placed *s, dls_vec3 p)
{
    double most = -HUGE_VAL;
    for (size_t t = 0; t < s->solid.hull->n_triangles; t++)
        most = fmax(most, dls_dot(s->solid.hull->triangle[t].normal, p) - s->solid.hull->triangle[t].height);
    return most;
}

/* The distance from an ellipsoid of the half axes r of a point x, y, z >= 0 beyond it, by bisection: the nearest point
 * is r_k^2 x_k / (t + r_k^2), where t >= 0 is the root of sum (r_k x_k / (t + r_k^2))^2 = 1 (D. Eberly, "Distance from
 * a point to an ellipse, an ellipsoid, or a hyperellipsoid", 2013). */
static double outside_ellipsoid(const double r[3], const double x[3])
{
    double low = 0.0, high = 0.0, square = 0.0;
    for (int k = 0; k < 3; k++)
        square += x[k] / r[k] * (x[k] / r[k]), high += r[k] * x[k];
    if (square <= 1.0)
        return sqrt(square) - 1.0;
    for (int step = 0; step < 200; step++) {
        const double t = 0.5 * (low + high);
        double sum = 0.0;
        for (int k = 0; k < 3; k++)
            sum += pow(r[k] * x[k] / (t + r[k] * r[k]), 2);
        *(sum > 1.0 ? &low : &high) = t;
    }
    double distance = 0.0;
    for (int k = 0; k < 3; k++)
        distance = hypot(distance, x[k] - r[k] * r[k] * x[k] / (low + r[k] * r[k]));
    return distance;
}

/* The distance of a point that is outside; not positive inside. */
static double outside(const placed *s, dls_vec3 p)
{
    const dls_vec3 d = dls_sub(p, s->x);
    const double x = fabs(dls_dot(d, s->axis[0])), y = fabs(dls_dot(d, s->axis[1])), z = dls_dot(d, s->axis[2]);
    const double end = fmax(0.0, fabs(z) - 0.5 * s->solid.length);
    switch (s->solid.shape) {
    case DLS_SHAPE_SPHERE:
        return dls_norm(d) - s->solid.radius;
    case DLS_SHAPE_CAPSULE:
        return hypot(hypot(x, y), end) - s->solid.radius;
    case DLS_SHAPE_CYLINDER:
        return hypot(fmax(0.0, hypot(x, y) - s->solid.radius), end);
    case DLS_SHAPE_BOX:
        return hypot(hypot(fmax(0.0, x - 0.5 * s->solid.size.x), fmax(0.0, y - 0.5 * s->solid.size.y)),
                     fmax(0.0, fabs(z) - 0.5 * s->solid.size.z));
    case DLS_SHAPE_ELLIPSOID:
        return outside_ellipsoid((double[3]){0.5 * s->solid.size.x, 0.5 * s->solid.size.y, 0.5 * s->solid.size.z},
                                 (double[3]){x, y, fabs(z)});
    case DLS_SHAPE_MESH:
        return outside_mesh(s, dls_v3(dls_dot(d, s->axis[0]), dls_dot(d, s->axis[1]), z));
    default:
        return z;
    }
}

static double size_of(const placed *s)
{
    return s->solid.shape == DLS_SHAPE_PLANE         ? 0.0
           : dls_shape_is_sized((int)s->solid.shape) ? dls_norm(s->solid.size)
           : s->solid.shape == DLS_SHAPE_MESH        ? 2.0 * s->solid.hull->size
                                                     : s->solid.radius + s->solid.length;
}

static void place(placed *s, dls_vec3 x, dls_quat q)
{
    s->x = x;
    for (int k = 0; k < 3; k++)
        s->axis[k] = dls_quat_rotate(q, dls_axis3(k));
}

/* Points within an ellipsoid; or the corners of its box, to the precision of a file or exactly; or a prism of many
 * sides. Points of the corners of triangles. */
static void draw_mesh(placed *s, dls_vec3 half, uint64_t *seed)
{
    enum { MOST = 48 };
    static dls_vec3 kept[2][MOST];
    static int turn;
    static dls_arena memory[2];
    dls_error error;
    const int kind = (int)(2.0 * (draw(seed) + 1.0)), count = kind ? kind == 1 ? 8 : 32 : 12 + (int)(10.0 * draw(seed));
    const dls_quat q = draw_rotation(seed);
    s->mesh = (dls_triangles){.count = MOST / 3, .corners = kept[turn]};
    for (int i = 0; i < MOST; i++) {
        const int k = i % count;
        const double angle = 2.0 * DLS_PI * (k / 2) / 16.0;
        dls_vec3 p = kind > 1 ? dls_v3(cos(angle), sin(angle), k % 2 ? 1.0 : -1.0) : draw3(seed);
        if (kind == 1) {
            p = dls_quat_rotate(q,
                                dls_v3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z));
            p = dls_v3((double)(float)p.x, (double)(float)p.y, (double)(float)p.z);
        } else {
            p = dls_v3(half.x * p.x, half.y * p.y, half.z * p.z);
        }
        kept[turn][i] = p;
    }
    dls_arena_release(&memory[turn]);
    assert_status(dls_hull_create(&s->mesh, "drawn", &memory[turn], &s->solid.hull, &error), &error);
    turn = !turn;
}

/* Every fourth pose is within 1e-12 to 1 rad of the axes, every fourth one at right angles to them. */
static void draw_solid(placed *s, dls_shape shape, double scale, int kind, uint64_t *seed)
{
    const double a = 0.6 + 0.5 * draw(seed), b = 0.6 + 0.5 * draw(seed), c = 0.6 + 0.5 * draw(seed);
    const bool is_long = shape == DLS_SHAPE_CAPSULE || shape == DLS_SHAPE_CYLINDER;
    s->solid = (dls_solid){.shape = shape};
    if (dls_shape_is_sized((int)shape))
        s->solid.size = dls_scale(scale, dls_v3(a, b, c));
    else if (shape == DLS_SHAPE_MESH)
        draw_mesh(s, dls_scale(0.6 * scale, dls_v3(a, b, c)), seed);
    else if (shape != DLS_SHAPE_PLANE)
        s->solid.radius = 0.6 * scale * a, s->solid.length = is_long ? scale * b : 0.0;
    dls_quat q = draw_rotation(seed);
    if (kind == 1)
        q = dls_quat_exp(dls_scale(pow(10.0, -6.0 + 6.0 * draw(seed)), draw3(seed)));
    if (kind == 2)
        q = dls_quat_exp(dls_scale(0.5 * DLS_PI, dls_axis3((int)(1.5 * (draw(seed) + 1.0)))));
    place(s, dls_scale(scale, draw3(seed)), q);
}

static void convex_of(const placed *s, dls_convex *c)
{
    *c = dls_convex_of(&s->solid);
    c->centre = s->x;
    for (int k = 0; k < 3; k++)
        c->axis[k] = s->axis[k];
}

static size_t touches_of(const placed *s, double limit, dls_contact_point *touch)
{
    dls_convex solid[2];
    convex_of(&s[0], &solid[0]), convex_of(&s[1], &solid[1]);
    return dls_manifold((const dls_convex *const[2]){&solid[0], &solid[1]}, limit, touch);
}

/* How far the second point is from where the gap and the normal say. */
static double aside(const dls_contact_point *t)
{
    return dls_norm(dls_sub(dls_sub(t->point[0], t->point[1]), dls_scale(t->gap, t->normal)));
}

static const dls_contact_point *nearest_of(const dls_contact_point *touch, size_t count)
{
    size_t least = 0;
    for (size_t i = 1; i < count; i++)
        least = touch[i].gap + aside(&touch[i]) < touch[least].gap + aside(&touch[least]) ? i : least;
    return &touch[least];
}

/* Directions from which the other solid is seen, refined by steps that shrink where none of a dozen leads on. */
static double search(const placed *s, const dls_vec3 *direction, uint64_t *seed)
{
    double high[STARTS];
    dls_vec3 best[STARTS];
    for (int k = 0; k < STARTS; k++)
        high[k] = -HUGE_VAL;
    for (int i = 0; i < DIRECTIONS; i++) {
        double f = apart(s, direction[i]);
        dls_vec3 n = direction[i];
        for (int k = 0; k < STARTS; k++)
            if (f > high[k]) {
                const double lower = high[k];
                const dls_vec3 other = best[k];
                high[k] = f, best[k] = n, f = lower, n = other;
            }
    }
    for (int k = 0; k < STARTS; k++)
        for (double step = 0.1, failures = 0.0; step > 1e-8;) {
            const dls_vec3 n = dls_unit(dls_add(best[k], dls_scale(step, draw3(seed))));
            const double f = apart(s, n);
            failures = f > high[k] ? 0.0 : failures + 1.0;
            if (f > high[k])
                high[k] = f, best[k] = n;
            if (failures > 10.0)
                step *= 0.5, failures = 0.0;
        }
    for (int k = 1; k < STARTS; k++)
        high[0] = fmax(high[0], high[k]);
    return high[0];
}

static void check_points(const placed *s, const dls_contact_point *touch, size_t count, double size)
{
    for (size_t i = 0; i < count; i++) {
        const dls_contact_point *t = &touch[i];
        assert_close(dls_norm(t->normal), 1.0, 1e-14);
        assert_close(dls_dot(t->normal, dls_sub(t->point[0], t->point[1])), t->gap, 1e-14 * size);
        for (int k = 0; k < 2; k++)
            if (outside(&s[k], t->point[k]) > 1e-9 * size)
                fail_msg("%s and %s: a point of features %u and %u, gap %g, is %g outside; size %g", name_of(&s[0]),
                         name_of(&s[1]), t->name[0], t->name[1], t->gap, outside(&s[k], t->point[k]), size);
        for (size_t k = 0; k < i; k++)
            assert_true(touch[k].name[0] != t->name[0] || touch[k].name[1] != t->name[1]);
    }
}

/* The same where the two change places, and in a frame that is turned, moved and mirrored. */
static void check_frames(const placed *s, double gap, double size, uint64_t *seed)
{
    dls_contact_point touch[DLS_PAIR_CONTACTS];
    const placed other[2] = {s[1], s[0]};
    size_t count = touches_of(other, HUGE_VAL, touch);
    assert_close(nearest_of(touch, count)->gap, gap, 1e-10 * size);
    const dls_quat q = draw_rotation(seed);
    const dls_vec3 by = dls_scale(size, draw3(seed));
    placed seen[2] = {s[0], s[1]};
    for (int i = 0; i < 2; i++) {
        seen[i].x = dls_add(dls_quat_rotate(q, s[i].x), by), seen[i].x.y *= -1.0;
        for (int k = 0; k < 3; k++)
            seen[i].axis[k] = dls_quat_rotate(q, s[i].axis[k]), seen[i].axis[k].y *= -1.0;
        if (s[i].solid.shape == DLS_SHAPE_MESH) /* whose mirror image is no turned one */
            return;
        if (s[i].solid.shape != DLS_SHAPE_PLANE) /* a right-handed frame of the mirror image */
            seen[i].axis[2] = dls_neg(seen[i].axis[2]);
        else
            seen[i].axis[0] = dls_neg(seen[i].axis[0]);
    }
    count = touches_of(seen, HUGE_VAL, touch);
    if (!(fabs(nearest_of(touch, count)->gap - gap) <= 1e-10 * size)) {
        for (int i = 0; i < 2; i++)
            print_message("%s at %.17g %.17g %.17g, axis %.17g %.17g %.17g, radius %.17g, length %.17g\n",
                          name_of(&s[i]), s[i].x.x, s[i].x.y, s[i].x.z, s[i].axis[2].x, s[i].axis[2].y, s[i].axis[2].z,
                          s[i].solid.radius, s[i].solid.length);
        fail_msg("gap %.17g, in another frame %.17g; size %g", gap, nearest_of(touch, count)->gap, size);
    }
}

static void check_pair(int a, int b, size_t poses, const dls_vec3 *direction, uint64_t *seed)
{
    const char *names[2] = {"", ""};
    size_t n_apart = 0, n_over = 0;
    double worst = 0.0, missed = 0.0;
    for (size_t i = 0; i < poses; i++) {
        placed s[2];
        dls_contact_point touch[DLS_PAIR_CONTACTS];
        const double scale = pow(10.0, 2.0 * draw(seed));
        draw_solid(&s[0], shapes[a], scale, i % 4, seed), draw_solid(&s[1], shapes[b], scale, i % 4, seed);
        names[0] = name_of(&s[0]), names[1] = name_of(&s[1]);
        const double size = size_of(&s[0]) + size_of(&s[1]);
        size_t count = touches_of(s, HUGE_VAL, touch);
        assert_true(count > 0);
        if (i % 3) { /* to a gap of less than a tenth of the size */
            const dls_contact_point *t = nearest_of(touch, count);
            const double gap = pow(10.0, -4.0 + 3.0 * draw(seed)) * size * (i % 2 ? 1.0 : -1.0);
            s[0].x = dls_add(s[0].x, dls_scale(gap - t->gap, t->normal));
            count = touches_of(s, HUGE_VAL, touch);
        }
        check_points(s, touch, count, size);
        const dls_contact_point *t = nearest_of(touch, count);
        check_frames(s, t->gap, size, seed);
        const double proved = apart(s, t->normal);
        if (t->gap > 0.0) {
            worst = fmax(worst, fabs(proved - t->gap) / size);
            worst = fmax(worst, fabs(dls_norm(dls_sub(t->point[0], t->point[1])) - t->gap) / size);
            n_apart++;
            if (worst > 1e-10)
                fail_msg("%s and %s, pose %zu: gap %.17g, proved %.17g, size %g", name_of(&s[0]), name_of(&s[1]), i,
                         t->gap, proved, size);
        } else if (t->gap > -0.1 * size) {
            worst = fmax(worst, fabs(proved - t->gap) / size);
            if (shapes[a] != DLS_SHAPE_PLANE && shapes[b] != DLS_SHAPE_PLANE)
                missed = fmax(missed, (search(s, direction, seed) - t->gap) / size);
            n_over++;
            if (missed > 1e-8 || worst > 1e-10)
                fail_msg("%s and %s, pose %zu: gap %.17g, proved %.17g, missed %g, size %g", name_of(&s[0]),
                         name_of(&s[1]), i, t->gap, proved, missed * size, size);
        }
        assert_int_equal(touches_of(s, t->gap - 1e-9 * size, touch), 0);
    }
    print_message("# %-8s %-8s %zu apart, %zu overlap; gap off by %.1e, depth by %.1e of the size\n", names[0],
                  names[1], n_apart, n_over, worst, missed);
    assert_true(n_apart > poses / 8);
    assert_true(n_over > poses / 8);
}

/* The bounds along each axis are what the solid reaches there, in both directions, whatever its pose is. */
TEST(test_bounds_are_tight)
{
    uint64_t seed = 12;
    for (int i = 0; i < 7000; i++) {
        placed s;
        dls_convex c;
        double bounds[6];
        draw_solid(&s, shapes[i % SHAPES], pow(10.0, 3.0 * draw(&seed)), i / SHAPES % 4, &seed);
        convex_of(&s, &c);
        dls_convex_bounds(&c, bounds);
        for (int k = 0; k < 3; k++) {
            const double high = reach(&s, dls_axis3(k)), low = -reach(&s, dls_neg(dls_axis3(k))),
                         near = 1e-14 * (size_of(&s) + dls_norm(s.x));
            if (s.solid.shape == DLS_SHAPE_PLANE) /* to rounding it is tilted, and reaches everywhere */
                assert_true(bounds[2 * k] <= low && bounds[2 * k + 1] >= high);
            else if (!(fabs(bounds[2 * k] - low) <= near && fabs(bounds[2 * k + 1] - high) <= near))
                fail_msg("%s, axis %d: %g to %g in place of %g to %g", name_of(&s), k, bounds[2 * k], bounds[2 * k + 1],
                         low, high);
        }
    }
    for (int k = 0; k < 6; k++) { /* planes along the axes, exactly */
        placed s = {.solid = {.shape = DLS_SHAPE_PLANE}, .x = {0.5, 0.25, 0.125}};
        dls_convex c;
        double bounds[6];
        s.axis[2] = dls_scale(k % 2 ? 1.0 : -1.0, dls_axis3(k / 2));
        s.axis[0] = dls_axis3((k / 2 + 1) % 3), s.axis[1] = dls_cross(s.axis[2], s.axis[0]);
        convex_of(&s, &c);
        dls_convex_bounds(&c, bounds);
        for (int i = 0; i < 3; i++) {
            const double at = dls_get3(s.x, i);
            assert_true(bounds[2 * i] == (i == k / 2 && k % 2 == 0 ? at : -HUGE_VAL));
            assert_true(bounds[2 * i + 1] == (i == k / 2 && k % 2 ? at : HUGE_VAL));
        }
    }
}

TEST(test_gaps_are_proved)
{
    static dls_vec3 direction[DIRECTIONS];
    uint64_t seed = 9;
    const size_t poses = 100000 / check_one_of(100, "100,000 poses of each pair");
    for (int i = 0; i < DIRECTIONS; i++)
        direction[i] = dls_quat_rotate(draw_rotation(&seed), dls_axis3(2));
    for (int meshes = 0; meshes < 2; meshes++) /* a pose of a mesh takes ten times as long */
        for (int a = 0; a < SHAPES; a++)
            for (int b = 0; b < SHAPES; b++) {
                const bool plane = shapes[a] == DLS_SHAPE_PLANE && shapes[b] == DLS_SHAPE_PLANE;
                const bool mesh = shapes[a] == DLS_SHAPE_MESH || shapes[b] == DLS_SHAPE_MESH;
                if (!plane && mesh == (meshes == 1))
                    check_pair(a, b, mesh && !check_small() ? poses / 10 : poses, direction, &seed);
            }
}

static bool has_point(const dls_contact_point *touch, size_t count, const dls_contact_point *t, double tiny)
{
    for (size_t i = 0; i < count; i++)
        if (dls_norm(dls_sub(touch[i].point[0], t->point[0])) <= tiny &&
            dls_norm(dls_sub(touch[i].point[1], t->point[1])) <= tiny && fabs(touch[i].gap - t->gap) <= tiny &&
            dls_norm(dls_sub(touch[i].normal, t->normal)) <= 1e-6)
            return true;
    return false;
}

/* A box and the mesh of its corners, with edges cut in two and a point within, are one solid. */
TEST(test_box_as_mesh)
{
    uint64_t seed = 77;
    for (int i = 0; i < 4000; i++) {
        dls_vec3 corner[12];
        dls_arena memory = {0};
        dls_error error;
        dls_contact_point of_box[DLS_PAIR_CONTACTS], of_mesh[DLS_PAIR_CONTACTS];
        placed s[2], t[2];
        const dls_shape other = shapes[i % SHAPES];
        draw_solid(&s[0], DLS_SHAPE_BOX, 1.0, 0, &seed), draw_solid(&s[1], other, 1.0, 0, &seed);
        const dls_vec3 half = dls_scale(0.5, s[0].solid.size);
        for (int k = 0; k < 12; k++)
            corner[k] = dls_v3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
        corner[8].x = corner[9].y = corner[10].x = corner[11].z = 0.0;
        if (i % 2) { /* faces along each other within a degree */
            place(&s[0], s[1].x, dls_quat_exp(dls_scale(0.01, draw3(&seed))));
            place(&s[1], s[1].x, dls_quat_identity());
            s[0].x = dls_add(s[0].x, dls_add(dls_scale(0.3, draw3(&seed)), dls_v3(0, 0, 1.0 + 0.4 * draw(&seed))));
        }
        const double size = size_of(&s[0]) + size_of(&s[1]);
        t[0] = s[0], t[1] = s[1];
        t[0].mesh = (dls_triangles){.count = 4, .corners = corner};
        t[0].solid = (dls_solid){.shape = DLS_SHAPE_MESH};
        assert_status(dls_hull_create(&t[0].mesh, "box", &memory, &t[0].solid.hull, &error), &error);
        const dls_hull *hull = t[0].solid.hull;
        assert_true(hull->n_vertices == 8 && hull->n_faces == 6);
        for (size_t k = 0; k < 6; k++)
            assert_int_equal(hull->face[k].corners, 4);
        const size_t count = touches_of(s, 0.1, of_box);
        assert_int_equal(touches_of(t, 0.1, of_mesh), count);
        for (size_t k = 0; k < count; k++)
            if (!has_point(of_mesh, count, &of_box[k], 1e-9 * size))
                fail_msg("box and %s, pose %d: contact %zu of %zu, gap %.17g, is none of the mesh", name_of(&s[1]), i,
                         k, count, of_box[k].gap);
        dls_arena_release(&memory);
    }
}

/* --- closed forms of ellipsoids --- */

/* Gap and place of a plane with the normal m through p: gap = m.(c - p) - sqrt(m' R D^2 R' m), at
 * c - R D^2 R' m / that root. */
TEST(test_ellipsoid_and_plane)
{
    uint64_t seed = 5;
    double worst = 0.0;
    for (int i = 0; i < 10000; i++) {
        placed s[2];
        dls_contact_point touch[DLS_PAIR_CONTACTS];
        const double scale = pow(10.0, 2.0 * draw(&seed));
        draw_solid(&s[0], DLS_SHAPE_ELLIPSOID, scale, i % 4, &seed);
        draw_solid(&s[1], DLS_SHAPE_PLANE, scale, i % 4, &seed);
        const dls_vec3 m = s[1].axis[2];
        long double square = 0.0;
        dls_vec3 arm = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            const double half = 0.5 * dls_get3(s[0].solid.size, k), along = dls_dot(m, s[0].axis[k]);
            square += (long double)(half * along) * (long double)(half * along);
            arm = dls_add(arm, dls_scale(half * half * along, s[0].axis[k]));
        }
        const double root = (double)sqrtl(square), gap = dls_dot(m, dls_sub(s[0].x, s[1].x)) - root;
        assert_int_equal(touches_of(s, HUGE_VAL, touch), 1);
        const double size = size_of(&s[0]) + dls_norm(s[0].x) + dls_norm(s[1].x);
        worst = fmax(worst, fabs(touch[0].gap - gap) / size);
        worst = fmax(worst, dls_norm(dls_sub(touch[0].normal, m)));
        worst = fmax(worst, dls_norm(dls_sub(touch[0].point[0], dls_sub(s[0].x, dls_scale(1.0 / root, arm)))) / size);
    }
    print_message("# gap, normal and point off by %.1e\n", worst);
    assert_true(worst < 1e-13);
}

/* A ball beside it: the distance of its centre, by bisection in outside_ellipsoid, less its radius. Thin and long
 * ellipsoids, to 1 : 1000. */
TEST(test_ellipsoid_and_sphere)
{
    uint64_t seed = 6;
    double worst = 0.0;
    int apart_count = 0;
    for (int i = 0; i < 10000; i++) {
        placed s[2];
        dls_contact_point touch[DLS_PAIR_CONTACTS];
        draw_solid(&s[0], DLS_SHAPE_ELLIPSOID, 1.0, i % 4, &seed);
        draw_solid(&s[1], DLS_SHAPE_SPHERE, 0.3, i % 4, &seed);
        if (i % 2)
            s[0].solid.size = dls_v3(pow(10.0, -1.5 + 1.5 * draw(&seed)), pow(10.0, -1.5 + 1.5 * draw(&seed)),
                                     pow(10.0, -1.5 + 1.5 * draw(&seed)));
        s[1].x = dls_add(s[0].x, dls_scale(1.5, draw3(&seed)));
        const double distance = outside(&s[0], s[1].x);
        if (!(distance > 1e-6))
            continue;
        assert_int_equal(touches_of(s, HUGE_VAL, touch), 1);
        const double error = fabs(touch[0].gap - (distance - s[1].solid.radius));
        worst = fmax(worst, error);
        apart_count++;
    }
    print_message("# %d balls, gap off by %.1e\n", apart_count, worst);
    assert_true(apart_count > 3000);
    assert_true(worst < 1e-12);
}

/* With equal radii it is a sphere, to which every solid has the same gap and the same points. */
TEST(test_ellipsoid_as_sphere)
{
    uint64_t seed = 7;
    const int count = 4000 / (int)check_one_of(4, "4,000 poses of a round ellipsoid");
    double worst = 0.0;
    for (int i = 0; i < count; i++) {
        placed s[2], t[2];
        dls_contact_point of_ellipsoid[DLS_PAIR_CONTACTS], of_sphere[DLS_PAIR_CONTACTS];
        draw_solid(&s[0], DLS_SHAPE_SPHERE, 1.0, i % 4, &seed);
        draw_solid(&s[1], shapes[i % SHAPES], 1.0, i % 4, &seed);
        s[0].x = dls_add(s[1].x, dls_scale(2.0, draw3(&seed)));
        t[0] = s[0], t[1] = s[1];
        t[0].solid =
            (dls_solid){.shape = DLS_SHAPE_ELLIPSOID, .size = dls_scale(2.0 * s[0].solid.radius, dls_v3(1, 1, 1))};
        assert_int_equal(touches_of(s, HUGE_VAL, of_sphere), 1);
        assert_int_equal(touches_of(t, HUGE_VAL, of_ellipsoid), 1);
        const double gap = of_sphere[0].gap;
        worst = fmax(worst, fabs(of_ellipsoid[0].gap - gap));
        if (gap > -s[0].solid.radius && s[1].solid.shape != DLS_SHAPE_ELLIPSOID) /* the nearest points are unique */
            worst = fmax(worst, 1e-4 * dls_norm(dls_sub(of_ellipsoid[0].point[0], of_sphere[0].point[0])));
    }
    print_message("# %d poses, off by %.1e\n", count, worst);
    assert_true(worst < 1e-12);
}
