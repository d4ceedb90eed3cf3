/* The required values of C, c, Gamma, bounds and friction of every row of the problem, from the settings of its joint
 * or the data of its contact, by conventions (3), (4), (5) and the definition of the row (joint.h).
 *
 * RIGID ROW.  c = -(ERP / h) C + u,  Gamma = CFM / h,  ERP = 1 where C > 0 of a unilateral row.
 *
 * SPRING.  The force f = lambda / h is f = -kp (C + h v) - kd (v - u) with v = J v+ for every v. Solved for v:
 *     v + lambda / (h (h kp + kd)) + (kp C - kd u) / (h kp + kd) = 0
 * which is the row w = v + Gamma lambda - c = 0 with Gamma = 1 / (h (h kp + kd)), c = -(kp C - kd u) / (h kp + kd). A
 * gap that closes is f = -(kp + kd / h) (C + h v): the same Gamma, c = -C / h. By frequency and damping ratio
 * kp = w^2 / a and kd = 2 z w / a with w = 2 pi frequency and a = J M^-1 J^T.
 *
 * REBOUND. u = -e s of the speed s = J v before the step by Newton's and Moreau's laws. By Poisson's and Stronge's u
 * is the outcome of the impact of all contacts that meet, no definition of a row: in a problem with such an impact the
 * u of stops and friction is taken as it is.
 *
 * Each value is a sum of a few products: the allowed error is 16 eps times the sum of its terms.
 */
#include "check_parts.h"

#include "delassus/track.h"

#include <float.h>
#include <string.h>

static const double unit = 16.0 * DBL_EPSILON;

/* Stiffness and damping, for a unit of effective mass where they are given by a frequency. */
typedef struct gains {
    double p, d;
} gains;

/* A row as it should be. */
typedef struct terms {
    dls_row_kind kind;
    bool released;      /* of a joint that acts no longer: all is 0 */
    bool gap;           /* of a unilateral row: C > 0 */
    double from;        /* C = 0 there; NaN: the row does not say */
    int sense;          /* and the sign of C beyond; 0: either */
    bool bounces;       /* a contact that restitution acts on */
    double erp, cfm;    /* of a row without spring */
    bool sprung;        /* held by a spring and damper */
    gains gains;        /* theirs */
    double speed;       /* of the setting */
    double u, u_terms;  /* and the sum of the sizes of its terms */
    double lo, hi;      /* forces */
    double bound_terms; /* the sum of the sizes of their terms, where there are several */
    double feed;        /* force that the spring has besides */
    bool per_mass;      /* its gains are for a unit of effective mass */
    dls_law law;
    double mu;
    size_t normal; /* the row that bounds it; DLS_NONE */
} terms;

/* --- settings by their keys --- */

static const void *setting(const dls_joint *joint, const char *key, dls_field_kind kind)
{
    const dls_field *field = key ? dls_field_find(&joint->type->fields, key) : NULL;
    return field && field->kind == kind ? (const char *)joint->settings + field->offset : NULL;
}

static double real_setting(const dls_joint *joint, const char *key, double fallback)
{
    const double *value = setting(joint, key, DLS_FIELD_REAL);
    return value ? *value : fallback;
}

static int choice_setting(const dls_joint *joint, const char *key)
{
    const int *value = setting(joint, key, DLS_FIELD_CHOICE);
    return value ? *value : -1;
}

static dls_row_definition definition_of(const dls_joint *joint, const char *label)
{
    const dls_row_definition *d = joint->type->definitions;
    for (; d && d->label; d++)
        if (strcmp(d->label, label) == 0 && (!d->choice || choice_setting(joint, d->choice) == d->chosen))
            return *d;
    return (dls_row_definition){.label = label, .kind = DLS_ROW_EQUALITY};
}

/* --- contacts --- */

/* The parameters of a given contact (a joint) or of a detected one on which its rows depend. */
typedef struct contact {
    double mu, across, rolling, torsion, mass, restitution, threshold;
    dls_law law;
    dls_impact_law impact;
} contact;

static contact given_contact(const dls_joint *joint)
{
    const double one = joint->mass[0], two = joint->mass[1],
                 lighter = one > 0.0 && two > 0.0 ? fmin(one, two) : one + two;
    const double mass = real_setting(joint, "friction_mass", NAN);
    const double mu = real_setting(joint, "mu", 0.0), across = real_setting(joint, "across", NAN);
    return (contact){mu,
                     isnan(across) ? mu : across,
                     real_setting(joint, "rolling", 0.0),
                     real_setting(joint, "torsion", 0.0),
                     isnan(mass) ? lighter : mass,
                     real_setting(joint, "restitution", 0.0),
                     real_setting(joint, "threshold", 0.0),
                     (dls_law)choice_setting(joint, "friction"),
                     (dls_impact_law)choice_setting(joint, "impact")};
}

static contact found_contact(const dls_contact *of)
{
    return (contact){of->mu,
                     of->anisotropic ? of->mu_across : of->mu,
                     of->rolling,
                     of->torsion,
                     of->friction_mass,
                     of->restitution,
                     of->threshold,
                     of->friction,
                     of->impact};
}

/* The friction of the row `place` rows after the normal one: two tangents if there is friction or rolling friction, two
 * rows of that if there is any, then torsion. */
typedef enum friction_part { ALONG, ACROSS, ROLLING, TORSION } friction_part;

static friction_part part_of(const contact *of, size_t place)
{
    const bool rolling = of->rolling > 0.0;
    const size_t tangents = of->mu > 0.0 || of->across > 0.0 || rolling ? 2 : 0;
    return place <= tangents ? (place == 1 ? ALONG : ACROSS) : rolling && place <= tangents + 2 ? ROLLING : TORSION;
}

/* The speed at which the contact approaches, and the sum of its terms. */
static double speed_of(const dls_row *row, const dls_end end[2], double *sum)
{
    double speed = *sum = 0.0;
    for (int i = 0; i < 2; i++) {
        const double *J = i == 0 ? row->J1 : row->J2;
        for (int k = 0; k < 6; k++) {
            const double term = J[k] * dls_get3(k < 3 ? end[i].v : end[i].omega, k % 3);
            speed += term;
            *sum += fabs(term);
        }
    }
    return speed;
}

/* Whether `number` <= 0; if this is a matter of rounding, the decision of the row. */
static bool not_above(double number, double allowed, bool decision)
{
    return fabs(number) <= allowed ? decision : number <= 0.0;
}

/* The rebound of a stop that has the speed `speed`, the sum of whose terms is `sum`. */
static void put_rebound(const dls_check *c, const contact *of, size_t i, double speed, double sum, double limit,
                        terms *t)
{
    const double around = unit * (sum + limit);
    const bool decision = c->list[i].impacts || (c->list[i].gap && c->list[i].hi == 0.0);
    t->bounces = of->restitution > 0.0 && not_above(speed + limit, around, decision);
    if (t->bounces && t->gap)
        t->hi = 0.0;
    if (of->impact == DLS_IMPACT_POISSON || of->impact == DLS_IMPACT_STRONGE)
        return;
    if (t->bounces || (of->impact == DLS_IMPACT_MOREAU && of->restitution > 0.0 && !t->gap))
        t->u = -of->restitution * speed, t->u_terms = of->restitution * sum;
}

/* Whether the problem has an impact with phases. */
static bool has_phases(const dls_check *c)
{
    for (size_t i = 0; i < c->problem->n; i++)
        if (c->list[i].impacts && (c->list[i].impact == DLS_IMPACT_POISSON || c->list[i].impact == DLS_IMPACT_STRONGE))
            return true;
    return false;
}

/* Restitution and friction, which look at the speed before the step. `i`: the row. */
static void put_contact(const dls_check *c, const contact *of, size_t normal, size_t i, const dls_end end[2], terms *t)
{
    const double g = dls_norm(c->model->world.gravity), h = c->problem->h, C = c->C[normal];
    double sum;
    const double speed = speed_of(&c->rows[normal], end, &sum);
    if (t->kind == DLS_ROW_NORMAL) {
        put_rebound(c, of, i, speed, sum, fmax(of->threshold, h * g), t);
        return;
    }
    t->law = of->law;
    t->erp = t->cfm = 0.0;
    if (of->law == DLS_LAW_FIXED) {
        const double left = C + h * (speed - h * g);
        const double force = of->mu * of->mass * g;
        const bool closed =
            not_above(left, c->rounding[normal] + unit * (fabs(C) + h * (sum + h * g)), c->list[i].hi > 0.0);
        t->hi = closed ? force : 0.0, t->lo = -t->hi;
    } else {
        const friction_part part = part_of(of, i - normal);
        const double mu[] = {[ALONG] = of->mu, [ACROSS] = of->across, [ROLLING] = of->rolling, [TORSION] = of->torsion};
        t->law = part == TORSION ? DLS_LAW_BOX : of->law;
        t->mu = mu[part];
        t->normal = normal;
        t->lo = t->hi = 0.0;
    }
}

/* --- springs --- */

static gains gains_of(const dls_joint_common *spring)
{
    const double w = 2.0 * DLS_PI * spring->frequency, z = isnan(spring->damping_ratio) ? 1.0 : spring->damping_ratio;
    if (spring->frequency > 0.0)
        return (gains){w * w, 2.0 * z * w};
    return (gains){spring->stiffness > 0.0 ? spring->stiffness : 0.0, spring->damping > 0.0 ? spring->damping : 0.0};
}

/* J M^-1 J^T, and the sum of the sizes of its terms. */
static double mobility(const dls_check *c, size_t i, double *sum)
{
    const dls_rows *J = &c->problem->J;
    double a = *sum = 0.0;
    for (size_t k = J->start[i], next; k < J->start[i + 1]; k = next) {
        const dls_mass_block *block = &c->problem->mass.blocks[J->mass[k]];
        memset(c->force + block->offset, 0, block->length * sizeof *c->force);
        for (next = k; next < J->start[i + 1] && J->mass[next] == J->mass[k]; next++)
            memcpy(c->force + J->offset[next], J->coef + J->coef_at[next],
                   (J->coef_at[next + 1] - J->coef_at[next]) * sizeof *J->coef);
        block->kind->solve(block->data, c->force + block->offset, c->response + block->offset);
        for (size_t m = block->offset; m < block->offset + block->length; m++) {
            a += c->force[m] * c->response[m];
            *sum += (double)block->length * fabs(c->force[m] * c->response[m]);
        }
    }
    return a;
}

/* The force of an explicit spring, within its bounds. */
static void put_force(const dls_check *c, size_t i, terms *t)
{
    const gains k = t->gains;
    double a_terms = 1.0, a = t->per_mass ? mobility(c, i, &a_terms) : 1.0, rate = 0.0, rate_terms = 0.0;
    const dls_rows *J = &c->problem->J;
    for (size_t b = J->start[i]; b < J->start[i + 1]; b++)
        for (size_t m = J->coef_at[b]; m < J->coef_at[b + 1]; m++) {
            const double term = J->coef[m] * c->state->v[J->offset[b] + m - J->coef_at[b]];
            rate += term, rate_terms += fabs(term);
        }
    const double share = a > 0.0 ? 1.0 / a : 0.0,
                 force = t->feed - share * (k.p * c->list[i].C + k.d * (rate - t->speed));
    const double size = fabs(t->feed) + share * (a_terms / fmax(a, DBL_MIN)) *
                                            (k.p * fabs(c->list[i].C) + k.d * (rate_terms + fabs(t->speed)));
    if (force > t->lo && force < t->hi)
        t->lo = t->hi = force, t->bound_terms = size;
    else
        t->lo = t->hi = force >= t->hi ? t->hi : t->lo;
}

/* J v of a row of the problem, with the part of its kinematic ends, and the sum of the sizes of its terms. */
static double rate_of(const dls_check *c, const dls_joint *joint, size_t i, double *sum)
{
    const dls_rows *J = &c->problem->J;
    double rate = dls_row_prescribed(c->here, joint, joint->body, &c->rows[i]);
    *sum = fabs(rate);
    for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
        for (size_t j = J->coef_at[k]; j < J->coef_at[k + 1]; j++) {
            const double term = J->coef[j] * c->state->v[J->offset[k] + j - J->coef_at[k]];
            rate += term;
            *sum += fabs(term);
        }
    return rate;
}

/* --- a row --- */

/* Whether a unilateral row has a gap. */
static bool has_gap(const dls_check *c, size_t i) { return !not_above(c->C[i], 2.0 * c->rounding[i], !c->list[i].gap); }

static terms terms_of_joint(const dls_check *c, size_t j, size_t i)
{
    const dls_joint *joint = &c->model->joints[j];
    const dls_joint_common *common = &joint->common;
    const dls_row_definition d = definition_of(joint, c->rows[i].label);
    dls_end end[2];
    dls_configuration_ends(c->here, joint, end);
    const double impulse = real_setting(joint, d.most_impulse, HUGE_VAL);
    const double *joint_state = c->state->joint_state + joint->joint_state;
    const double pressing =
        d.most_per_load ? joint_state[0] + (d.arm ? joint_state[1] / real_setting(joint, d.arm, HUGE_VAL) : 0.0) : 0.0;
    const double load = real_setting(joint, d.most_per_load, 0.0) * pressing;
    const double most = fmin(real_setting(joint, d.most, HUGE_VAL) + load, impulse / c->problem->h);
    const double set = real_setting(joint, d.least, NAN), least = isnan(set) ? -most : set;
    terms t = {.kind = d.kind,
               .from = (d.from ? real_setting(joint, d.from, NAN) : 0.0) -
                       (d.minus_from ? real_setting(joint, d.minus_from, NAN) : 0.0),
               .sense = d.sense,
               .erp = common->erp,
               .cfm = common->cfm,
               .gains = d.damping ? (gains){real_setting(joint, d.stiffness, 0.0), real_setting(joint, d.damping, 0.0)}
                                  : gains_of(common),
               .speed = real_setting(joint, d.speed, 0.0),
               .lo = fmax(common->force_lo, least),
               .hi = fmin(common->force_hi, most),
               .per_mass = common->frequency > 0.0 || choice_setting(joint, d.per_mass) == 1,
               .normal = DLS_NONE};
    if (d.setpoint)
        t.from = joint_state[0], t.speed = joint_state[1], t.feed = joint_state[2];
    t.gains.p *= joint->gain, t.gains.d *= joint->gain;
    t.sprung = t.gains.p + t.gains.d > 0.0;
    t.u = t.speed, t.u_terms = fabs(t.speed);
    if (d.kind == DLS_ROW_LIMIT || d.kind == DLS_ROW_NORMAL)
        t.lo = 0.0, t.gap = has_gap(c, i);
    if (d.kind == DLS_ROW_LIMIT && real_setting(joint, "restitution", 0.0) > 0.0) {
        const contact of = given_contact(joint);
        double sum, speed = rate_of(c, joint, i, &sum);
        put_rebound(c, &of, i, speed, sum, of.threshold, &t);
    }
    if (d.kind == DLS_ROW_NORMAL || d.kind == DLS_ROW_TANGENT) {
        const contact of = given_contact(joint);
        put_contact(c, &of, c->first[j], i, end, &t);
    }
    if (d.kind == DLS_ROW_FORCE)
        put_force(c, i, &t);
    if (d.kind == DLS_ROW_SPEED_LIMIT)
        t.lo = 0.0, t.u = -t.speed;
    if (d.kind == DLS_ROW_SPEED || d.kind == DLS_ROW_SPEED_LIMIT || d.kind == DLS_ROW_TANGENT ||
        d.kind == DLS_ROW_FORCE)
        t.erp = 0.0, t.sprung = false;
    if (d.kind == DLS_ROW_FORCE)
        t.cfm = 0.0;
    if (dls_track_of(joint) && dls_track_ride_of(joint, end).released) {
        t.released = true;
        t.erp = t.u = t.u_terms = t.lo = t.hi = 0.0;
        t.gap = false;
    }
    return t;
}

static terms terms_of_contact(const dls_check *c, size_t owner, size_t i)
{
    const dls_contact *of = &c->contacts->at[owner - c->model->n_joints];
    const contact data = found_contact(of);
    dls_end end[2];
    for (int k = 0; k < 2; k++)
        end[k] = dls_configuration_end(c->here, of->body[k]);
    terms t = {.kind = i == c->first[owner] ? DLS_ROW_NORMAL : DLS_ROW_TANGENT,
               .erp = of->erp,
               .cfm = of->cfm,
               .hi = HUGE_VAL,
               .from = NAN,
               .normal = DLS_NONE};
    t.gap = t.kind == DLS_ROW_NORMAL && has_gap(c, i);
    put_contact(c, &data, c->first[owner], i, end, &t);
    return t;
}

static void check_bias(const dls_check *c, size_t owner, size_t i, const terms *t)
{
    const dls_list_row *row = &c->list[i];
    const double h = c->problem->h, C = row->C;
    double erp = t->gap ? 1.0 : t->erp, cfm = t->cfm, cfm_terms = t->cfm;
    if (t->bounces)
        erp = 0.0;
    double error = -(erp / h) * C, c_expected = error + t->u, c_terms = fabs(error) + t->u_terms;
    if (t->sprung) {
        const gains k = t->gains;
        double a_terms = 1.0, a = t->per_mass ? mobility(c, i, &a_terms) : 1.0;
        cfm = a / (h * k.p + k.d), cfm_terms = a_terms / (h * k.p + k.d);
        error = t->gap ? -C / h : -k.p * C / (h * k.p + k.d);
        c_expected = error + k.d * t->u / (h * k.p + k.d) + cfm * t->feed;
        c_terms = fabs(error) + fabs(k.d * t->u / (h * k.p + k.d)) + cfm_terms * fabs(t->feed);
    }
    const dls_joint *joint = owner < c->model->n_joints ? &c->model->joints[owner] : NULL;
    const size_t *ends = joint ? joint->body : c->contacts->at[owner - c->model->n_joints].body;
    const double prescribed = dls_row_prescribed(c->here, joint, ends, &c->rows[i]); /* by kinematic ends */
    c_expected -= prescribed, c_terms += fabs(prescribed);
    dls_check_note(dls_check_of_row(c, i, DLS_CHECK_BIAS), c->problem->c[i], c_expected, unit * c_terms);
    dls_check_note(dls_check_of_row(c, i, DLS_CHECK_BIAS), row->bias, t->gap || cfm > 0.0 ? 0.0 : error,
                   unit * fabs(error));
    dls_check_note(dls_check_of_row(c, i, DLS_CHECK_COMPLIANCE), c->problem->gamma[i], cfm / h, unit * cfm_terms / h);
}

static bool constrains_position(dls_row_kind kind)
{
    return kind == DLS_ROW_EQUALITY || kind == DLS_ROW_LIMIT || kind == DLS_ROW_NORMAL || kind == DLS_ROW_FORCE;
}

static double coordinate(const dls_check *c, const dls_term *term)
{
    double gradient[DLS_DOFS_MAX];
    if (term->dof == DLS_NONE)
        return c->state->measured[term->joint];
    if (term->motion)
        return term->motion->coordinate(c->state->coordinates + term->position, c->state->wraps[term->position],
                                        term->axis, gradient);
    return c->state->coordinates[term->position] + 4.0 * DLS_PI * (double)c->state->wraps[term->position];
}

/* y of a joint on coordinates, or the distance of the anchors of its ends along J, from which C follows. NaN for
 * angles, and for rows whose type keeps numbers of its own. */
static double measure(const dls_check *c, const dls_joint *joint, const dls_row *row)
{
    dls_end end[2];
    double y = 0.0;
    dls_configuration_ends(c->here, joint, end);
    for (size_t k = 0; k < joint->n_terms; k++) /* without terms the pointer may be null, to which nothing is added */
        y += dls_term_at(&joint->terms[k], coordinate(c, &joint->terms[k])).value;
    if (joint->n_terms)
        return row->Jy * y;
    if (row->angular || joint->type->n_state)
        return NAN;
    const dls_vec3 d = dls_sub(dls_add(end[0].x, dls_mul3(end[0].R, joint->frame[0].p)),
                               dls_add(end[1].x, dls_mul3(end[1].R, joint->frame[1].p)));
    return dls_dot(dls_v3(row->J1[0], row->J1[1], row->J1[2]), d);
}

/* Checks C if it follows from the measure of the row: with a slope s = +-1, C = s (measure - from). A limit has the
 * slope of its side, since J and C of the other sign would constrain the motion in the free direction. */
static void check_measure(const dls_check *c, size_t owner, size_t i, const terms *t)
{
    const dls_row *row = &c->rows[i];
    if (owner >= c->model->n_joints || !constrains_position(t->kind) || isnan(t->from))
        return;
    const dls_joint *joint = &c->model->joints[owner];
    const double value = measure(c, joint, row), slope = joint->n_terms ? row->Jy
                                                         : t->sense     ? (double)t->sense
                                                                        : copysign(1.0, value);
    const double sign = t->sense * slope < 0.0 ? -1.0 : 1.0;
    if (!isnan(value))
        dls_check_note(dls_check_of_row(c, i, DLS_CHECK_ERROR), c->C[i], sign * (value - slope * t->from),
                       2.0 * c->rounding[i] + unit * fabs(t->from));
}

static void check_error(const dls_check *c, size_t i, const terms *t)
{
    const dls_list_row *row = &c->list[i];
    dls_check_found *to = dls_check_of_row(c, i, DLS_CHECK_ERROR);
    const bool holds = !t->released && constrains_position(t->kind);
    const double C = holds ? c->C[i] : 0.0, allowed = holds ? 2.0 * c->rounding[i] : 0.0;
    dls_check_note(to, row->C, C, allowed);
    dls_check_note(to, c->rows[i].C, C, allowed);
    if (!holds && !isfinite(c->C[i]))
        dls_check_note(to, c->C[i], 0.0, allowed);
    if (to->ratio <= 1.0)
        dls_check_note(to, row->gap, t->gap, 0.0);
}

static void check_bounds(const dls_check *c, size_t i, const terms *t)
{
    const dls_problem *p = c->problem;
    dls_check_found *to = dls_check_of_row(c, i, DLS_CHECK_BOUNDS);
    dls_check_note(to, p->lo[i], p->h * t->lo, isinf(t->lo) ? 0.0 : unit * p->h * fmax(fabs(t->lo), t->bound_terms));
    dls_check_note(to, p->hi[i], p->h * t->hi, isinf(t->hi) ? 0.0 : unit * p->h * fmax(fabs(t->hi), t->bound_terms));
    if (!(p->lo[i] <= p->hi[i]))
        dls_check_note(to, p->lo[i], p->hi[i], 0.0);
}

static void check_friction(const dls_check *c, size_t i, const terms *t)
{
    const dls_problem *p = c->problem;
    dls_check_found *to = dls_check_of_row(c, i, DLS_CHECK_FRICTION);
    dls_check_note(to, (double)p->law[i], (double)t->law, 0.0);
    dls_check_note(to, p->mu[i], t->mu, unit * t->mu);
    dls_check_note(to, p->parent[i] == DLS_NONE ? -1.0 : (double)p->parent[i],
                   t->normal == DLS_NONE ? -1.0 : (double)t->normal, 0.0);
}

/* n, u1 and u2 of a contact are unit, at right angles and right-handed. */
static void check_tangents(const dls_check *c, size_t first)
{
    dls_vec3 d[3];
    for (int k = 0; k < 3; k++) {
        const double *J = c->rows[first + (size_t)k].J1;
        d[k] = dls_v3(J[0], J[1], J[2]);
    }
    for (int k = 0; k < 3; k++) {
        dls_check_found *to = dls_check_of_row(c, first + (size_t)k, DLS_CHECK_FRICTION);
        const dls_vec3 cross = dls_cross(d[(k + 1) % 3], d[(k + 2) % 3]);
        for (int m = 0; m < 3; m++)
            dls_check_note(to, dls_dot(cross, d[m]), k == m, unit);
        dls_check_note(to, dls_norm(d[k]), 1.0, unit);
    }
}

/* The rows of rolling friction turn about the tangents, that of torsion about the normal. */
static void check_turning(const dls_check *c, const contact *of, size_t first, size_t count)
{
    for (size_t r = 1; r < count; r++) {
        const dls_row *row = &c->rows[first + r];
        const friction_part part = part_of(of, r);
        dls_check_found *to = dls_check_of_row(c, first + r, DLS_CHECK_FRICTION);
        const bool turns = part == ROLLING || part == TORSION;
        dls_check_note(to, row->angular, turns, 0.0);
        if (!turns)
            continue;
        const double *about = c->rows[part == TORSION ? first : first + r - 2].J1;
        for (int k = 0; k < 3; k++) {
            dls_check_note(to, row->J1[k], 0.0, 0.0);
            dls_check_note(to, row->J1[3 + k], about[k], unit);
            dls_check_note(to, row->J1[3 + k], -row->J2[3 + k], unit);
        }
    }
}

static void check_origin(const dls_check *c, size_t owner, size_t i, const terms *t)
{
    const dls_list_row *row = &c->list[i];
    const size_t slot = i - c->first[owner];
    const bool angular = c->rows[i].angular;
    const dls_row_role role = t->kind == DLS_ROW_EQUALITY      ? DLS_ROLE_JOINT
                              : t->kind == DLS_ROW_DAMPER      ? DLS_ROLE_JOINT
                              : t->kind == DLS_ROW_TANGENT     ? DLS_ROLE_FRICTION
                              : t->kind == DLS_ROW_SPEED_LIMIT ? DLS_ROLE_FRICTION
                              : t->kind == DLS_ROW_FORCE       ? DLS_ROLE_MOTOR
                              : t->kind != DLS_ROW_SPEED       ? DLS_ROLE_STOP
                              : t->speed == 0.0                ? DLS_ROLE_FRICTION
                                                               : DLS_ROLE_MOTOR;
    dls_check_found *to = dls_check_of_row(c, i, DLS_CHECK_PLACE);
    dls_check_note(to, (double)row->owner, (double)owner, 0.0);
    dls_check_note(to, row->slot, (double)slot, 0.0);
    dls_check_note(to, row->angular, angular, 0.0);
    dls_check_note(to, strcmp(row->label, c->rows[i].label) == 0, 1.0, 0.0);
    dls_check_note(to, row->role, role, 0.0);
}

void dls_check_terms(dls_check *c)
{
    const bool phases = has_phases(c);
    for (size_t owner = 0; owner < c->n_owners; owner++) {
        bool tangents = false;
        for (size_t i = c->first[owner]; i < c->first[owner + 1]; i++) {
            terms t = owner < c->model->n_joints ? terms_of_joint(c, owner, i) : terms_of_contact(c, owner, i);
            if (phases && (t.kind == DLS_ROW_NORMAL || t.kind == DLS_ROW_LIMIT || t.kind == DLS_ROW_TANGENT))
                t.u = c->list[i].u, t.u_terms = fabs(t.u);
            tangents = tangents || t.kind == DLS_ROW_TANGENT;
            check_origin(c, owner, i, &t);
            check_error(c, i, &t);
            check_measure(c, owner, i, &t);
            check_bias(c, owner, i, &t);
            check_bounds(c, i, &t);
            check_friction(c, i, &t);
        }
        const size_t first = c->first[owner], count = c->first[owner + 1] - first;
        if (tangents && count >= 3 && !c->rows[first + 1].angular)
            check_tangents(c, first);
        if (tangents) {
            const contact of = owner < c->model->n_joints ? given_contact(&c->model->joints[owner])
                                                          : found_contact(&c->contacts->at[owner - c->model->n_joints]);
            check_turning(c, &of, first, count);
        }
    }
}
