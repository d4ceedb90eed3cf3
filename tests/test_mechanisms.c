/* Mechanisms that others have published, with their printed numbers or closed forms. */
#include "world.h"

#include "delassus/reference.h"

#include <complex.h>
#include <gsl/gsl_sf_elljac.h>

typedef struct course {
    dls_model *model;
    dls_state *state;
    dls_trajectory *exact;
} course;

static course begin(const char *scene)
{
    course c;
    dls_error error;
    dls_scene *read = read_scene(scene);
    assert_status(dls_model_create(read, &c.model, &error), &error);
    dls_scene_destroy(read);
    c.state = new_state(c.model);
    assert_status(dls_trajectory_create(c.model, dls_model_initial(c.model), NULL, &c.exact, &error), &error);
    return c;
}

static void go(course *c, double time)
{
    dls_error error;
    assert_status(dls_trajectory_advance(c->exact, time, c->state, &error), &error);
}

static void end(course *c)
{
    dls_trajectory_destroy(c->exact);
    dls_state_destroy(c->state);
    dls_model_destroy(c->model);
}

static void say(const course *c, const char *what, double worst)
{
    const dls_trajectory_report r = dls_trajectory_reported(c->exact);
    print_message("# %s: error %.1e; %zu rows of rank %zu, %zu steps, %zu rejected, |C| %.1e, |J v| %.1e, projected "
                  "%.1e\n",
                  what, worst, r.rows, r.rank, r.steps, r.rejected, r.C, r.Jv, r.projected);
}

/* --- Andrews' squeezing mechanism --- */

/* An independent computation of the same motion, in the plane, with absolute angles and the numbers of the source (F.
 * Mazzia and C. Magherini, Test Set for Initial Value Problem Solvers, 2008, II-7). The centre of mass of each body is
 * p = p0 + A e(a_i) + B e(a_j), e(a) = exp(i a), with complex arms A, B, and the ends of the three loops are E - E' = 0
 * of the same form. Hence with p'' = sum over both arms of (i a'' - a'^2) A e(a)
 *     M_ij = m Re(conj(A e(a_i)) B e(a_j)),   the force along a_i of a'^2: m Re(conj(i A e(a_i)) B e(a_j)) a_j'^2.
 * Extrapolation of the explicit midpoint rule (W. Gragg, SIAM J. Numer. Anal. 2 (1965) 384) in long double. */
typedef long double real;
typedef long double complex plane;
enum { ANGLES = 7, LOOPS = 3, SIZE = ANGLES + 2 * LOOPS, STATE = 2 * ANGLES, COLUMNS = 8 };
enum { K1, K2, K3, K4, K5, K6, K7 };

typedef struct arm {
    size_t angle;
    plane arm;
} arm;
static const struct {
    real mass, inertia;
    size_t angle;
    arm of[2];
} bodies[ANGLES] = {
    {.04325L, 2.194e-6L, K1, {{K1, .00092L}, {K1, 0}}},
    {.00365L, 4.410e-7L, K2, {{K1, .007L}, {K2, -.0115L}}},
    {.02373L, 5.255e-6L, K3, {{K3, .01043L - .01874L * I}, {K3, 0}}},
    {.00706L, 5.667e-7L, K4, {{K5, .04L}, {K4, -.00579L * I}}},
    {.07050L, 1.169e-5L, K5, {{K5, .02308L + .00916L * I}, {K5, 0}}},
    {.00706L, 5.667e-7L, K6, {{K7, -.04L * I}, {K6, .00579L}}},
    {.05498L, 1.912e-5L, K7, {{K7, .00449L - .01228L * I}, {K7, 0}}},
};
static const arm loops[LOOPS][4] = {
    {{K1, .007L}, {K2, -.028L}, {K3, .035L * I}, {K3, 0}},
    {{K1, .007L}, {K2, -.028L}, {K5, -.04L}, {K4, .02L * I}},
    {{K1, .007L}, {K2, -.028L}, {K7, .04L * I}, {K6, -.02L}},
};

static plane turned(const arm *a, const real *y) { return a->arm * cexpl(I * y[a->angle]); }
static real along(plane a, plane b) { return creall(conjl(a) * b); }

static void solve_gauss(real A[SIZE][SIZE + 1], real x[SIZE])
{
    for (size_t c = 0; c < SIZE; c++) {
        size_t pivot = c;
        for (size_t i = c + 1; i < SIZE; i++)
            pivot = fabsl(A[i][c]) > fabsl(A[pivot][c]) ? i : pivot;
        for (size_t j = 0; j <= SIZE; j++) {
            const real other = A[c][j];
            A[c][j] = A[pivot][j], A[pivot][j] = other;
        }
        for (size_t i = c + 1; i < SIZE; i++) {
            const real factor = A[i][c] / A[c][c];
            for (size_t j = c; j <= SIZE; j++)
                A[i][j] -= factor * A[c][j];
        }
    }
    for (size_t i = SIZE; i-- > 0;) {
        x[i] = A[i][SIZE];
        for (size_t j = i + 1; j < SIZE; j++)
            x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
}

/* y: absolute angles and their rates. x: accelerations, then the forces that the loops take: M a'' + G^T x = F. */
static void accelerate(const real y[STATE], real x[SIZE])
{
    const real *rate = y + ANGLES;
    real A[SIZE][SIZE + 1] = {{0}};
    for (size_t b = 0; b < ANGLES; b++) {
        A[bodies[b].angle][bodies[b].angle] += bodies[b].inertia;
        for (size_t k = 0; k < 2; k++)
            for (size_t l = 0; l < 2; l++) {
                const arm *p = &bodies[b].of[k], *q = &bodies[b].of[l];
                const plane at = turned(q, y);
                A[p->angle][q->angle] += bodies[b].mass * along(turned(p, y), at);
                A[p->angle][SIZE] += bodies[b].mass * along(I * turned(p, y), at) * rate[q->angle] * rate[q->angle];
            }
    }
    A[K1][SIZE] += .033L;
    const plane lever = (.02L - .018L * I) * cexpl(I * y[K3]),
                spring = -.03635L + .03273L * I + lever - .014L - .072L * I;
    A[K3][SIZE] += -4530.0L * (cabsl(spring) - .07785L) / cabsl(spring) * along(I * lever, spring);
    for (size_t r = 0; r < LOOPS; r++)
        for (size_t k = 0; k < 4; k++) {
            const size_t a = loops[r][k].angle, row = ANGLES + 2 * r;
            const plane end = turned(&loops[r][k], y);
            A[row][a] += creall(I * end), A[row + 1][a] += cimagl(I * end);
            A[row][SIZE] += creall(end) * rate[a] * rate[a], A[row + 1][SIZE] += cimagl(end) * rate[a] * rate[a];
        }
    for (size_t r = ANGLES; r < SIZE; r++)
        for (size_t a = 0; a < ANGLES; a++)
            A[a][r] = A[r][a];
    solve_gauss(A, x);
}

static void midpoint_rule(const real y[STATE], real step, size_t count, real last[STATE])
{
    real x[SIZE], before[STATE], now[STATE];
    const real h = step / (real)count;
    memcpy(before, y, sizeof before);
    memcpy(now, y, sizeof now);
    for (size_t k = 0; k <= count; k++) {
        const real far = k == 0 || k == count ? h : 2.0L * h;
        accelerate(now, x);
        for (size_t i = 0; i < STATE; i++) {
            const real next = (k == count ? now[i] : before[i]) + far * (i < ANGLES ? now[ANGLES + i] : x[i - ANGLES]);
            last[i] = 0.5L * (before[i] + next); /* Gragg's smoothing, where k is count */
            before[i] = now[i], now[i] = next;
        }
    }
}

static void squeeze(real time, size_t steps, real y[STATE])
{
    for (size_t s = 0; s < steps; s++) {
        real T[COLUMNS][STATE];
        for (size_t k = 0; k < COLUMNS; k++) {
            real fresh[STATE];
            midpoint_rule(y, time / (real)steps, 2 * (k + 1), fresh);
            for (size_t i = 0; i < STATE; i++) {
                real value = fresh[i];
                for (size_t j = 1; j <= k; j++) {
                    const real ratio = (real)(k + 1) / (real)(k + 1 - j), old = T[j - 1][i];
                    T[j - 1][i] = value;
                    value += (value - old) / (ratio * ratio - 1.0L);
                }
                T[k][i] = value;
            }
        }
        memcpy(y, T[COLUMNS - 1], sizeof T[COLUMNS - 1]);
    }
}

/* beta, theta, gamma, phi, delta, Omega, epsilon of absolute angles: theta, phi and Omega are relative. */
static void relative_angles(const real *absolute, double *relative)
{
    const real of[] = {absolute[K1], absolute[K2] - absolute[K1], absolute[K3], absolute[K4] - absolute[K5],
                       absolute[K5], absolute[K6] - absolute[K7], absolute[K7]};
    for (size_t k = 0; k < ANGLES; k++)
        relative[k] = (double)of[k];
}

typedef struct values {
    double of[4][ANGLES];
} values;

/* The values at t = 0.03 s that the Test Set prints with 16 digits (computed by PSIDE with the tolerance 1e-14):
 * angles, rates, accelerations in the order above, and the multipliers of the three loops. */
static const values printed = {{
    {0.1581077119629904e+2, -0.1575637105984298e+2, 0.4082224013073101e-1, -0.5347301163226948e+0,
     0.5244099658805304e+0, 0.5347301163226948e+0, 0.1048080741042263e+1},
    {0.1139920302151208e+4, -0.1424379294994111e+4, 0.1103291221937134e+2, 0.1929337464421385e+2, 0.5735699284790808e+0,
     -0.1929337464421385e+2, 0.3231791658026955e+0},
    {-0.2463176316945196e+5, 0.5185037701610329e+5, 0.3241025686413781e+6, 0.5667493645176213e+6, 0.1674362929479361e+5,
     -0.5667493645176222e+6, 0.9826520791458422e+4},
    {0.1991753333731910e+3, -0.2975531228015052e+2, 0.2306654119098399e+2, 0.3145271365475927e+2, 0.2264249232082739e+2,
     0.1161740700019673e+2},
}};
static const char *const kinds[] = {"angles", "rates", "accelerations", "forces"};

/* Largest relative differences. */
static void compare_all(const values *a, const values *b, const char *what, double worst[4])
{
    for (size_t k = 0; k < 4; k++) {
        worst[k] = 0.0;
        for (size_t i = 0; i < (k == 3 ? 2 * LOOPS : ANGLES); i++)
            worst[k] = fmax(worst[k], fabs(a->of[k][i] / b->of[k][i] - 1.0));
        print_message("# %s, %s: %.1e\n", what, kinds[k], worst[k]);
    }
}

/* Accelerations of the motion that has been reached, by differences of order 12 of its rates (trajectory_rows.c). */
enum { SPAN = 6 };
static const double apart = 1e-5;
static void differ(double rate[2 * SPAN + 1][ANGLES], double *acceleration)
{
    static const double weight[SPAN] = {6.0 / 7.0, -15.0 / 56.0, 5.0 / 63.0, -1.0 / 56.0, 1.0 / 385.0, -1.0 / 5544.0};
    for (size_t i = 0; i < ANGLES; i++) {
        acceleration[i] = 0.0;
        for (size_t k = 1; k <= SPAN; k++)
            acceleration[i] += weight[k - 1] * (rate[SPAN + k][i] - rate[SPAN - k][i]) / apart;
    }
}

/* The links of the scene are K1, K2, K3, K5, K4, K7, K6; a ball has rows x, y, z, and its force on K2 is minus the
 * multiplier. */
static void motion_values(course *c, values *to)
{
    static const size_t place[ANGLES] = {0, 1, 2, 4, 3, 6, 5};
    double rate[2 * SPAN + 1][ANGLES];
    dls_trajectory_force row[3 * LOOPS + 1];
    assert_int_equal(dls_trajectory_forces(c->exact, NULL), 3 * LOOPS + 1);
    for (size_t k = 0; k <= 2 * SPAN; k++) {
        go(c, k == SPAN ? 0.03 : 0.03 + ((double)k - SPAN) * apart);
        for (size_t i = 0; i < ANGLES; i++)
            rate[k][i] = c->state->v[place[i]];
        if (k != SPAN)
            continue;
        dls_trajectory_forces(c->exact, row);
        for (size_t i = 0; i < ANGLES; i++)
            to->of[0][i] = c->state->coordinates[place[i]], to->of[1][i] = rate[k][i];
        for (size_t i = 0; i < 2 * LOOPS; i++)
            to->of[3][i] = -row[3 * (i / 2) + i % 2].force;
    }
    differ(rate, to->of[2]);
}

TEST(test_andrews_squeezer)
{
    const real beta = -0.0617138900142764496358948458001L, gamma = 0.455279819163070380255912382449L,
               phi = 0.222668390165885884674473185609L, delta = 0.487364979543842550225598953530L,
               epsilon = 1.23054744454982119249735015568L;
    real y[STATE] = {beta, beta, gamma, phi + delta, delta, epsilon - phi, epsilon}, x[SIZE];
    values witness, motion;
    double worst[4];
    squeeze(0.03L, 400, y);
    accelerate(y, x);
    relative_angles(y, witness.of[0]);
    relative_angles(y + ANGLES, witness.of[1]);
    relative_angles(x, witness.of[2]);
    for (size_t k = 0; k < 2 * LOOPS; k++)
        witness.of[3][k] = (double)x[ANGLES + k];

    course c = begin("andrews-squeezer");
    motion_values(&c, &motion);
    say(&c, "squeezer", 0.0);
    compare_all(&motion, &witness, "motion and the independent computation", worst);
    assert_below(worst[0], 1e-12);
    assert_below(worst[1], 1e-11);
    assert_below(worst[2], 1e-9); /* differences of rates: rounding by 1e-13 of 1400 rad/s over 1e-5 s */
    assert_below(worst[3], 1e-11);
    end(&c);

    compare_all(&witness, &printed, "independent computation and the printed values", worst);
    assert_below(worst[0], 1e-9);
    assert_below(worst[1], 1e-7);
    assert_below(worst[2], 3e-6);
    assert_below(worst[3], 3e-6);
    /* The printed angles are those of a time 1.0e-12 s later, all of them to 12 digits. */
    const double late = (printed.of[0][0] - witness.of[0][0]) / witness.of[1][0];
    print_message("# the printed angles are those of %.4g s later\n", late);
    assert_close(late, 1e-12, 0.1e-12);
    for (size_t i = 0; i < ANGLES; i++)
        assert_close((printed.of[0][i] - witness.of[0][i]) / witness.of[1][i] / late, 1.0, 0.02);
}

/* --- the IFToMM library --- */

static double energy(const course *c) { return energy_of(c->model, c->state); }

/* The angle of a pendulum released at rest at pi / 2: sin(theta / 2) = k cn(w t) / dn(w t), k = sin(pi / 4). */
TEST(test_iftomm_a01)
{
    course c = begin("iftomm-a01");
    const double w = sqrt(9.81), start = energy(&c);
    double worst = 0.0, change = 0.0;
    for (int k = 1; k <= 100; k++) {
        double sn, cn, dn;
        go(&c, 0.1 * k);
        assert_int_equal(gsl_sf_elljac_e(w * 0.1 * k, 0.5, &sn, &cn, &dn), 0);
        const double half = asin(sqrt(0.5) * cn / dn);
        worst = fmax(worst, hypot(c.state->x[0].x + sin(2.0 * half), c.state->x[0].y + cos(2.0 * half)));
        change = fmax(change, fabs(energy(&c) - start));
    }
    say(&c, "A01", worst);
    assert_below(worst, 1e-12);
    assert_below(change, 1e-12);
    end(&c);
}

/* The parallelogram is the pendulum 3 theta'' = -3.5 g sin(theta) (three cranks of 1/3 kg m^2, two couplers of 1 kg at
 * 1 m), which starts upright at 1 rad/s and goes round: with the speed r = sqrt(1 + 4 w^2) at the bottom, w^2 = 3.5 g /
 * 3, and m = 4 w^2 / r^2
 *     sin(theta / 2) = sn(K(m) + r t / 2) = cn / dn (r t / 2),   cos(theta / 2) = -sqrt(1 - m) sn / dn. */
static void branch(double t, double *x, double *y)
{
    const double w2 = 3.5 * 9.81 / 3.0, r = sqrt(1.0 + 4.0 * w2), m = 4.0 * w2 / (r * r);
    double sn, cn, dn;
    assert_int_equal(gsl_sf_elljac_e(0.5 * r * t, m, &sn, &cn, &dn), 0);
    const double s = cn / dn, c = -sqrt(1.0 - m) * sn / dn;
    *x = -2.0 * s * c, *y = s * s - c * c;
}

static double branch_error(const course *c, double t)
{
    double x, y;
    branch(t, &x, &y);
    return hypot(2.0 * c->state->x[0].x - x, 2.0 * c->state->x[0].y - y); /* crank0, with its centre half way to B0 */
}

/* The loops alone lose two of their 29 independent rows where all rods are horizontal, and the motion ends there by
 * name. */
TEST(test_iftomm_a02_is_singular)
{
    course c = begin("iftomm-a02");
    dls_error error;
    double worst = 0.0;
    for (int k = 1; k <= 14; k++) {
        go(&c, 0.05 * k);
        worst = fmax(worst, branch_error(&c, 0.05 * k));
    }
    say(&c, "A02", worst);
    assert_below(worst, 1e-12);
    assert_int_equal(dls_trajectory_advance(c.exact, 0.75, c.state, &error), DLS_REFUSED);
    print_message("# %s\n", error.message);
    assert_non_null(strstr(error.message, "the 29 independent rows become 27 there"));
    end(&c);
}

/* With couplings in the place of the loops it goes on. At 10 s Exudyn's double four-bar (J. Gerstmayr,
 * fourBarMechanismIftomm.py, 2021) prints B0 for steps of 0.5 and 0.25 ms; its order is 2. */
TEST(test_iftomm_a02_branch)
{
    static const double coarse[] = {0.3284465114, 0.9445225721}, fine[] = {0.3284552113, 0.9445195467};
    course c = begin("iftomm-a02-branch");
    double worst = 0.0, x, y;
    for (int k = 1; k <= 100; k++) {
        go(&c, 0.1 * k);
        branch(0.1 * k, &x, &y);
        const double q = c.state->coordinates[0]; /* from upright, against the clock negative */
        worst = fmax(worst, hypot(-sin(q) - x, cos(q) - y));
    }
    say(&c, "A02, its branch", worst);
    assert_below(worst, 1e-11);
    print_message("# Exudyn: %.2e, %.2e\n", (4.0 * fine[0] - coarse[0]) / 3.0 - x,
                  (4.0 * fine[1] - coarse[1]) / 3.0 - y);
    assert_close((4.0 * fine[0] - coarse[0]) / 3.0, x, 1e-9);
    assert_close((4.0 * fine[1] - coarse[1]) / 3.0, y, 1e-9);
    end(&c);
}

/* One degree of freedom without friction: the rows and the energy say everything about the motion but its sense. */
TEST(test_iftomm_a04)
{
    course c = begin("iftomm-a04");
    const double start = energy(&c);
    double worst = 0.0, away = 0.0;
    for (int k = 1; k <= 100; k++) {
        go(&c, 0.1 * k);
        worst = fmax(worst, fabs(energy(&c) - start));
        away = fmax(away, fabs(c.state->x[1].x - 1.0));
    }
    const dls_trajectory_report r = dls_trajectory_reported(c.exact);
    say(&c, "A04", worst);
    assert_int_equal(r.rows, 30);
    assert_int_equal(r.rank, 29);
    assert_below(worst, 1e-11);
    assert_below(r.C, 1e-13);
    assert_true(away > 0.5); /* rod 2 */
    end(&c);
}

/* No torque about the shaft: its angular momentum stays. The dampers take energy; both rods move alike. */
TEST(test_iftomm_a05)
{
    course c = begin("iftomm-a05");
    dls_configuration *at;
    dls_error error;
    dls_vec3 p, L;
    double turn = 0.0, worst = 0.0;
    assert_status(dls_configuration_create(c.model, &at, &error), &error);
    for (int k = 0; k <= 10; k++) {
        go(&c, 0.01 * k);
        dls_configuration_evaluate(at, c.state);
        dls_momentum(at, &p, &L);
        turn = k == 0 ? L.z : turn;
        worst = fmax(worst, fabs(L.z / turn - 1.0));
        worst = fmax(worst, fabs(c.state->coordinates[2] + c.state->coordinates[3]));
    }
    say(&c, "A05", worst);
    print_message("# s = %.15g\n", c.state->coordinates[1]);
    assert_below(worst, 1e-12);
    dls_configuration_destroy(at);
    end(&c);
}
