/* A physics engine in a hundred lines that dumps its steps: balls that fall onto a floor, one above the other, with
 * friction, solved by projected Gauss-Seidel.
 *
 *     cc -std=c99 stack_engine.c -lm -o stack_engine && mkdir steps
 *     DELASSUS_DUMP=steps ./stack_engine [SWEEPS] && delassus ci steps --tolerance 1e-6
 *     delassus determinism --permuted --reset -- ./stack_engine
 *
 * SPDX-License-Identifier: CC0-1.0 */
#include "delassus_dump.h"

enum { BALLS = 3, STEPS = 60, ROWS = 2 * BALLS };

typedef struct ball {
    double x[3], v[6]; /* position of the centre [m]; linear [m/s] and angular [rad/s] velocity */
} ball;

static const double radius = 0.1, mass = 1.3, h = 0.01, mu = 0.4, gravity = 9.81, slope = 1.2, erp = 0.2;

/* A row acts on ball `upper`, and in the other sense on `lower`, or on the floor (-1). */
typedef struct constraint {
    int upper, lower, normal; /* normal: the row that bounds this one, or -1 */
    double upper_J[6], lower_J[6], c, lambda;
    char label[32];
} constraint;

static double spin_inertia(void) { return 0.4 * mass * radius * radius; }

/* J M^-1 J^T of one ball, or J v. */
static double ball_response(const double J[6])
{
    double sum = 0.0;
    for (int k = 0; k < 6; k++)
        sum += J[k] * J[k] / (k < 3 ? mass : spin_inertia());
    return sum;
}

static double ball_speed(const double J[6], const double v[6])
{
    double sum = 0.0;
    for (int k = 0; k < 6; k++)
        sum += J[k] * v[k];
    return sum;
}

static void ball_push(const double J[6], double impulse, double v[6])
{
    for (int k = 0; k < 6; k++)
        v[k] += J[k] * impulse / (k < 3 ? mass : spin_inertia());
}

/* The contact of ball `upper` with the one below it, or with the floor: along z, and friction along x at the point of
 * contact, which is radius below the upper centre and radius above the lower one. */
static int add_contact(const ball *balls, int upper, int lower, const char *name, constraint *rows, int n)
{
    const double below = lower < 0 ? 0.0 : balls[lower].x[2] + radius, gap = balls[upper].x[2] - radius - below;
    if (gap > 0.01)
        return n;
    constraint normal = {upper, lower, -1, {0, 0, 1, 0, 0, 0}, {0, 0, -1, 0, 0, 0}, 0.0, 0.0, ""};
    constraint tangent = {upper, lower, n, {1, 0, 0, 0, -radius, 0}, {-1, 0, 0, 0, -radius, 0}, 0.0, 0.0, ""};
    normal.c = gap > 0.0 ? -gap / h : -erp * gap / h;
    snprintf(normal.label, sizeof normal.label, "%s.normal", name);
    snprintf(tangent.label, sizeof tangent.label, "%s.friction", name);
    rows[n] = normal;
    rows[n + 1] = tangent;
    return n + 2;
}

/* `place[k]`: the index of the k-th ball from below. */
static int find_contacts(const ball *balls, const int place[BALLS], constraint *rows)
{
    int n = 0;
    for (int i = 0; i < BALLS; i++)
        for (int k = 0; k < BALLS; k++)
            if (place[k] == i) {
                char name[16];
                snprintf(name, sizeof name, "ball%d", k);
                n = add_contact(balls, i, k > 0 ? place[k - 1] : -1, name, rows, n);
            }
    return n;
}

static void sweep(ball *balls, constraint *rows, int n)
{
    for (int i = 0; i < n; i++) {
        constraint *r = &rows[i];
        double *lower = r->lower < 0 ? NULL : balls[r->lower].v;
        const double D = ball_response(r->upper_J) + (lower ? ball_response(r->lower_J) : 0.0);
        const double w =
            ball_speed(r->upper_J, balls[r->upper].v) + (lower ? ball_speed(r->lower_J, lower) : 0.0) - r->c;
        const double hi = r->normal < 0 ? HUGE_VAL : mu * rows[r->normal].lambda, lo = r->normal < 0 ? 0.0 : -hi;
        const double next = fmin(fmax(r->lambda - w / D, lo), hi);
        ball_push(r->upper_J, next - r->lambda, balls[r->upper].v);
        if (lower)
            ball_push(r->lower_J, next - r->lambda, lower);
        r->lambda = next;
    }
}

static void dump_step(dls_dump *dump, const double v_star[BALLS][6], const constraint *rows, int n)
{
    const double s = spin_inertia(), inertia[9] = {s, 0, 0, 0, s, 0, 0, 0, s};
    dls_dump_begin(dump, h);
    for (int i = 0; i < BALLS; i++)
        dls_dump_body(dump, mass, inertia, v_star[i]);
    for (int i = 0; i < n; i++) {
        dls_dump_row(dump, rows[i].label, rows[i].c, 0.0, 0.0, HUGE_VAL, rows[i].lambda);
        dls_dump_block(dump, rows[i].upper, rows[i].upper_J);
        dls_dump_block(dump, rows[i].lower, rows[i].lower_J);
        if (rows[i].normal >= 0)
            dls_dump_friction(dump, rows[i].normal, mu, DLS_DUMP_BOX);
    }
    dls_dump_end(dump);
}

static void step(ball *balls, const int place[BALLS], int sweeps, dls_dump *dump)
{
    constraint rows[ROWS];
    double v_star[BALLS][6];
    const int n = find_contacts(balls, place, rows);
    for (int i = 0; i < BALLS; i++) {
        balls[i].v[0] += h * slope;
        balls[i].v[2] -= h * gravity;
        memcpy(v_star[i], balls[i].v, sizeof v_star[i]);
    }
    for (int k = 0; k < sweeps; k++)
        sweep(balls, rows, n);
    dump_step(dump, (const double(*)[6])v_star, rows, n);
    for (int i = 0; i < BALLS; i++)
        for (int k = 0; k < 3; k++)
            balls[i].x[k] += h * balls[i].v[k];
}

static void run(int sweeps, dls_dump *dump)
{
    ball balls[BALLS];
    int place[BALLS];
    memset(balls, 0, sizeof balls);
    for (int k = 0; k < BALLS; k++) {
        place[k] = dls_dump_reversed() ? BALLS - 1 - k : k;
        balls[place[k]].x[2] = 0.13 + 0.23 * k;
        balls[place[k]].v[0] = 0.37 * (k + 1);
    }
    for (int k = 0; k < STEPS; k++)
        step(balls, place, sweeps, dump);
}

int main(int argc, char **argv)
{
    dls_dump dump;
    const int sweeps = argc > 1 ? atoi(argv[1]) : 50;
    dls_dump_open(&dump, NULL, "stack");
    run(sweeps, &dump);
    if (dls_dump_reset_asked()) {
        dls_dump_restart(&dump);
        run(sweeps, &dump);
    }
    const int error = dls_dump_close(&dump);
    if (error)
        fprintf(stderr, "the steps cannot be written: %s\n", strerror(error));
    return error ? 1 : 0;
}
