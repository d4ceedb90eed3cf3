/* Simbody: articulated bodies whose joints are coordinates. simbody has its stepper for rigid contacts, semi-explicit
 * Euler with impulses; simbody-euler2 has SemiExplicitEuler2Integrator, two half steps of semi-explicit Euler, as
 * Gazebo does, and no contacts. M. Sherman, A. Seth, S. Delp and others.
 *
 * Mobilizer frames stand at the anchors, turned so that their axes are those of the joint; the coordinates of joints
 * are 0 at the start. Joints that close a loop are constraints: a ball, a weld, a rod, and a hinge as a ball and two
 * constant angles. Rigid contacts are of spheres with planes and spheres, and of the corners of boxes with planes; a
 * box is met at the face that is nearest at the start, as a plane without end. */
#include "engine_tree.h"

#include <Simbody.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

using namespace SimTK;

Vec3 vector(dls_vec3 v) { return {v.x, v.y, v.z}; }
dls_vec3 vector(const Vec3 &v) { return dls_v3(v[0], v[1], v[2]); }
Transform pose(dls_vec3 x, dls_quat q) { return {Rotation(Quaternion(q.w, q.x, q.y, q.z)), vector(x)}; }
// The rotation from the world into the frame of a body; of the world itself without one.
Rotation into(const dls_engine_body *b) { return b ? ~pose(b->x, b->q).R() : Rotation(); }
Vec3 within(const dls_engine_body &b, dls_vec3 p)
{
    return vector(dls_quat_rotate(dls_quat_conj(b.q), dls_sub(p, b.x)));
}

// A plane in the frame of a body that moves, or of the world.
struct surface {
    MobilizedBody body;
    dls_vec3 normal;
    double height, mu;
};

struct simbody_world {
    const dls_engine_mechanism *m;
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    Force::Gravity gravity;
    std::vector<MobilizedBodyIndex> bodies;
    std::unique_ptr<SemiExplicitEulerTimeStepper> rigid;
    std::unique_ptr<SemiExplicitEuler2Integrator> integrator;
    std::unique_ptr<TimeStepper> halved;
    double time = 0.0;

    simbody_world(const dls_engine_mechanism *mechanism, bool halves)
        : m(mechanism), gravity(forces, matter, vector(m->gravity)), bodies(m->n_bodies, MobilizedBodyIndex(0))
    {
        for (std::size_t k = 0; k < m->n_moving; k++)
            add_body(m->order[k]);
        for (std::size_t k = 0; k < m->n_moving; k++)
            add_force(m->order[k]);
        for (std::size_t k = 0; k < m->n_joints; k++)
            if (m->closes[k])
                close_loop(m->joints[k]);
        add_contacts();
        system.realizeTopology();
        State state = system.getDefaultState();
        for (std::size_t k = 0; k < m->n_moving; k++)
            set_motion(state, m->order[k]);
        if (halves)
            open_halves(state);
        else
            open_rigid(state);
    }

    void open_rigid(const State &state)
    {
        std::cout.setstate(std::ios::failbit); // Debian's library prints every step, which takes longer than the step
        rigid.reset(new SemiExplicitEulerTimeStepper(system));
        rigid->setRestitutionModel(m->restitution > 0.0 ? SemiExplicitEulerTimeStepper::Newton
                                                        : SemiExplicitEulerTimeStepper::NoRestitution);
        rigid->setDefaultImpactCaptureVelocity(m->threshold);
        rigid->setDefaultImpactMinCORVelocity(m->threshold);
        rigid->setImpulseSolverType(SemiExplicitEulerTimeStepper::PGS); // PLUS lets nothing slide that begins at rest
        rigid->initialize(state);
    }

    void open_halves(const State &state)
    {
        integrator.reset(new SemiExplicitEuler2Integrator(system));
        integrator->setFixedStepSize(m->h);
        halved.reset(new TimeStepper(system, *integrator));
        halved->initialize(state);
    }

    const State &state() const { return rigid ? rigid->getState() : halved->getState(); }
    MobilizedBody &body(std::size_t i)
    {
        return matter.updMobilizedBody(i == DLS_WORLD ? MobilizedBodyIndex(0) : bodies[i]);
    }

    // --- bodies and joints ---

    Body::Rigid substance(const dls_engine_body &b) const
    {
        const double *I = b.inertia.m;
        return Body::Rigid(MassProperties(b.mass, Vec3(0), Inertia(I[0], I[4], I[8], I[1], I[2], I[5])));
    }

    // The frame of a mobilizer: z along a hinge, x along a slider, x and y along the axes of a universal joint.
    static Rotation mobilizer_axes(const dls_engine_joint &j, std::size_t i)
    {
        const int mine = dls_engine_end(&j, i);
        const UnitVec3 a(vector(j.axis[mine])), first(vector(j.axis[1 - mine])),
            along(vector(dls_engine_direction(&j, i)));
        if (j.pair == DLS_PAIR_HINGE)
            return Rotation(along, ZAxis);
        if (j.pair == DLS_PAIR_SLIDER)
            return Rotation(along, XAxis);
        if (j.pair == DLS_PAIR_UNIVERSAL)
            return Rotation(first, XAxis, Vec3(a), YAxis);
        return Rotation();
    }

    void add_body(std::size_t i)
    {
        const dls_engine_joint *j = dls_engine_hanger(m, i);
        const dls_engine_body &b = m->bodies[i], *p = dls_engine_parent(m, i);
        if (!j) {
            bodies[i] = MobilizedBody::Free(matter.Ground(), substance(b)).getMobilizedBodyIndex();
            return;
        }
        const int mine = dls_engine_end(j, i);
        const Transform joint(mobilizer_axes(*j, i), vector(j->anchor[mine]));
        const Transform F = p ? ~pose(p->x, p->q) * joint : joint, M = ~pose(b.x, b.q) * joint;
        MobilizedBody &parent = p ? body(static_cast<std::size_t>(p - m->bodies)) : matter.updGround();
        bodies[i] = hang(*j, parent, F, substance(b), M).getMobilizedBodyIndex();
    }

    void add_force(std::size_t i)
    {
        const Vec3 force = vector(m->bodies[i].force), torque = vector(m->bodies[i].torque);
        if (force.norm() > 0.0)
            Force::ConstantForce(forces, body(i), Vec3(0), force);
        if (torque.norm() > 0.0)
            Force::ConstantTorque(forces, body(i), torque);
        if (dls_engine_hanger(m, i))
            add_action(dls_engine_hanger(m, i)->action, body(i));
    }

    void add_action(const dls_engine_action &a, MobilizedBody &on)
    {
        if (a.stiffness > 0.0)
            Force::MobilityLinearSpring(forces, on, MobilizerQIndex(0), a.stiffness, 0.0);
        if (a.damping > 0.0)
            Force::MobilityLinearDamper(forces, on, MobilizerUIndex(0), a.damping);
        if (a.effort != 0.0)
            Force::MobilityConstantForce(forces, on, MobilizerUIndex(0), a.effort);
        if (std::isfinite(a.lower))
            matter.adoptUnilateralContact(new HardStopLower(on, MobilizerQIndex(0), a.lower, 0.0));
        if (std::isfinite(a.upper))
            matter.adoptUnilateralContact(new HardStopUpper(on, MobilizerQIndex(0), a.upper, 0.0));
    }

    static MobilizedBody hang(const dls_engine_joint &j, MobilizedBody &parent, const Transform &F, const Body &with,
                              const Transform &M)
    {
        switch (j.pair) {
        case DLS_PAIR_BALL:
            return MobilizedBody::Ball(parent, F, with, M);
        case DLS_PAIR_HINGE:
            return MobilizedBody::Pin(parent, F, with, M);
        case DLS_PAIR_SLIDER:
            return MobilizedBody::Slider(parent, F, with, M);
        case DLS_PAIR_UNIVERSAL:
            return MobilizedBody::Universal(parent, F, with, M);
        default:
            return MobilizedBody::Weld(parent, F, with, M);
        }
    }

    void set_motion(State &state, std::size_t i)
    {
        const dls_engine_joint *j = dls_engine_hanger(m, i);
        const dls_engine_body &b = m->bodies[i];
        if (!j) {
            body(i).setQToFitTransform(state, pose(b.x, b.q));
            body(i).setUToFitVelocity(state, SpatialVec(vector(b.omega), vector(b.v)));
        } else if (j->pair != DLS_PAIR_FIXED) {
            const dls_engine_motion by = dls_engine_relative(m, i);
            const Rotation across = ~mobilizer_axes(*j, i);
            body(i).setUToFitVelocity(state, SpatialVec(across * vector(by.turn), across * vector(by.slip)));
        }
    }

    void close_loop(const dls_engine_joint &j)
    {
        const dls_engine_body *ends[2];
        Vec3 at[2];
        for (int k = 0; k < 2; k++) {
            ends[k] = j.body[k] == DLS_WORLD ? nullptr : &m->bodies[j.body[k]];
            at[k] = ends[k] ? within(*ends[k], j.anchor[k]) : vector(j.anchor[k]);
        }
        MobilizedBody &one = body(j.body[0]), &other = body(j.body[1]);
        if (j.pair == DLS_PAIR_ROD) {
            Constraint::Rod(one, at[0], other, at[1], j.length);
        } else if (j.pair == DLS_PAIR_FIXED) {
            Constraint::Weld(one, Transform(into(ends[0]), at[0]), other, Transform(into(ends[1]), at[1]));
        } else {
            Constraint::Ball(one, at[0], other, at[1]);
            if (j.pair == DLS_PAIR_HINGE)
                align(j, ends, one, other);
        }
    }

    // Keeps the axis of a hinge, on its first body, at right angles to two directions of the second one.
    void align(const dls_engine_joint &j, const dls_engine_body *const ends[2], MobilizedBody &one,
               MobilizedBody &other)
    {
        const Rotation axes(UnitVec3(vector(j.axis[0])), ZAxis);
        Constraint::ConstantAngle(one, into(ends[0]) * axes.z(), other, into(ends[1]) * axes.x(), 0.5 * Pi);
        Constraint::ConstantAngle(one, into(ends[0]) * axes.z(), other, into(ends[1]) * axes.y(), 0.5 * Pi);
    }

    // --- contacts ---

    void add_contacts()
    {
        const std::size_t n = m->n_bodies;
        for (std::size_t i = 0; i < n; i++) {
            if (!m->bodies[i].collides)
                continue;
            for (std::size_t k = 0; k < m->n_planes && m->bodies[i].moves; k++)
                for (std::size_t s = 0; s < m->bodies[i].n_shapes; s++)
                    touch({matter.updGround(), m->planes[k].normal, m->planes[k].distance, m->planes[k].mu},
                          part(i, s));
            for (std::size_t k = 0; k < i; k++)
                if (m->bodies[k].collides && m->touch[i * n + k] && (m->bodies[i].moves || m->bodies[k].moves))
                    meet_all(i, k);
        }
    }

    // A shape of a body. Bodies that do not move are the world, in whose frame their shapes are.
    struct solid {
        std::size_t body;
        bool moves;
        const dls_engine_shape *shape;
        Transform at;  // in the frame of the body, or of the world
        dls_vec3 x;    // its centre in the world at the start
        dls_quat turn; // and the rotation from its axes
    };

    solid part(std::size_t i, std::size_t s) const
    {
        const dls_engine_body &b = m->bodies[i];
        const dls_engine_shape &shape = b.shapes[s];
        const dls_vec3 x = dls_engine_centre(&b, &shape);
        const dls_quat turn = dls_engine_turn(&b, &shape);
        return {i, b.moves, &shape, b.moves ? pose(shape.x, shape.q) : pose(x, turn), x, turn};
    }

    void meet_all(std::size_t i, std::size_t k)
    {
        for (std::size_t s = 0; s < m->bodies[i].n_shapes; s++)
            for (std::size_t r = 0; r < m->bodies[k].n_shapes; r++)
                meet(part(i, s), part(k, r));
    }

    void meet(const solid &a, const solid &b)
    {
        const bool a_box = a.shape->shape == DLS_SHAPE_BOX, b_box = b.shape->shape == DLS_SHAPE_BOX;
        if (a_box && b_box && a.moves && b.moves)
            throw std::runtime_error("two boxes that move may touch, which are no rigid contact of Simbody");
        if (a_box && (!b_box || !a.moves))
            touch(face(a, b.x), b);
        else if (b_box)
            touch(face(b, a.x), a);
        else
            matter.adoptUnilateralContact(new SphereSphereContact(body(a.body), a.at.p(), a.shape->radius, body(b.body),
                                                                  b.at.p(), b.shape->radius, m->restitution, m->mu,
                                                                  m->mu, 0.0));
    }

    // The face of a box that is nearest to the point p.
    surface face(const solid &of, dls_vec3 p)
    {
        const Vec3 at = vector(dls_quat_rotate(dls_quat_conj(of.turn), dls_sub(p, of.x))),
                   half = 0.5 * vector(of.shape->size);
        int k = 0;
        for (int other = 1; other < 3; other++)
            if (std::abs(at[other]) - half[other] > std::abs(at[k]) - half[k])
                k = other;
        const Vec3 out = of.at.R() * vector(dls_scale(at[k] < 0.0 ? -1.0 : 1.0, dls_axis3(k)));
        return {of.moves ? body(of.body) : MobilizedBody(matter.updGround()), vector(out),
                dot(out, of.at.p()) + half[k], m->mu};
    }

    // A solid that moves on a plane. SpherePlaneContact makes no use of the plane's height: the plane is z = 0 of a
    // frame that is welded to its body.
    void touch(surface s, const solid &on)
    {
        const Rotation turned(UnitVec3(vector(s.normal)), ZAxis);
        MobilizedBody::Weld plane(s.body, Transform(turned, s.height * turned.z()), Body::Massless(), Transform());
        if (on.shape->shape == DLS_SHAPE_SPHERE) {
            matter.adoptUnilateralContact(new SpherePlaneContact(plane, UnitVec3(ZAxis), 0.0, body(on.body), on.at.p(),
                                                                 on.shape->radius, m->restitution, s.mu, s.mu, 0.0));
            return;
        }
        for (int corner = 0; corner < 8; corner++) {
            const Vec3 sign(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5);
            const Vec3 point = on.at * sign.elementwiseMultiply(vector(on.shape->size));
            matter.adoptUnilateralContact(new PointPlaneContact(plane, UnitVec3(ZAxis), 0.0, body(on.body), point,
                                                                m->restitution, s.mu, s.mu, 0.0));
        }
    }
};

void version(char *text, std::size_t size)
{
    int major = 0, minor = 0, build = 0;
    SimTK_version_simbody(&major, &minor, &build);
    std::snprintf(text, size, "Simbody %d.%d, %s precision", major, minor,
                  sizeof(Real) == sizeof(double) ? "double" : "single");
}

void *open(const dls_engine_mechanism *m, bool halves, char *why, std::size_t size)
{
    try {
        return new simbody_world(m, halves);
    } catch (const std::exception &problem) {
        std::snprintf(why, size, "%s", problem.what());
        return nullptr;
    }
}
void *open_rigid(const dls_engine_mechanism *m, char *why, std::size_t size) { return open(m, false, why, size); }
void *open_halves(const dls_engine_mechanism *m, char *why, std::size_t size) { return open(m, true, why, size); }

void step(void *world)
{
    simbody_world &w = *static_cast<simbody_world *>(world);
    w.time += w.m->h;
    if (w.rigid)
        w.rigid->stepTo(w.time);
    else
        w.halved->stepTo(w.time);
}

void read(void *world, dls_engine_state *states)
{
    const simbody_world &w = *static_cast<simbody_world *>(world);
    const State &state = w.state();
    w.system.realize(state, Stage::Velocity);
    for (std::size_t i = 0; i < w.m->n_bodies; i++) {
        const dls_engine_body &start = w.m->bodies[i];
        states[i] = {start.x, dls_v3(0, 0, 0), dls_v3(0, 0, 0), start.q};
        if (!start.moves)
            continue;
        const MobilizedBody &b = w.matter.getMobilizedBody(w.bodies[i]);
        const Quaternion q = b.getBodyRotation(state).convertRotationToQuaternion();
        states[i] = {vector(b.getBodyOriginLocation(state)),
                     vector(b.getBodyOriginVelocity(state)),
                     vector(b.getBodyAngularVelocity(state)),
                     {q[0], q[1], q[2], q[3]}};
    }
}

void close(void *world) { delete static_cast<simbody_world *>(world); }

const dls_engine_note rigid_notes[] = {
    {"joints",
     "coordinates, which have no error but rounding; its stepper makes no use of constraints that close a loop"},
    {"actions", "springs and dampers are explicit forces, where ours are implicit; limits are hard stops"},
    {"contacts",
     "unilateral constraints of spheres with planes and spheres, and of corners of boxes with planes; a box "
     "is met at the face that is nearest at the start, as a plane without end; no two boxes that move; closed from a "
     "distance of 1 mm on"},
    {"restitution", "Newton's law of its stepper"},
    {"friction", "its PGS solver; with its default, PLUS, a block that begins at rest does not slide on any slope"},
    {"integrator", "semi-explicit Euler in generalised coordinates, the gyroscopic term explicit"},
    {"iterations", "its PGS solver works to its own tolerance"},
    {nullptr, nullptr}};
const dls_engine_note halves_notes[] = {
    {"joints", "those of the trees are coordinates and have no error but rounding; those that close a loop are "
               "constraints, whose errors are projected to a tolerance in the place of ERP"},
    {"actions", "springs and dampers are explicit forces, where ours are implicit; no limits"},
    {"contacts", "none"},
    {"integrator", "SemiExplicitEuler2Integrator at a fixed step: two half steps of semi-explicit Euler"},
    {"iterations", "none"},
    {nullptr, nullptr}};

constexpr unsigned long loops = 1 << DLS_PAIR_BALL | 1 << DLS_PAIR_HINGE | 1 << DLS_PAIR_FIXED | 1 << DLS_PAIR_ROD;
constexpr unsigned long pairs = loops | 1 << DLS_PAIR_SLIDER | 1 << DLS_PAIR_UNIVERSAL;
constexpr unsigned long solids = 1 << DLS_SHAPE_BOX | 1 << DLS_SHAPE_SPHERE;

constexpr unsigned long acts = DLS_ENGINE_SPRING | DLS_ENGINE_DAMPER | DLS_ENGINE_EFFORT;

const dls_engine rigid = {"simbody",
                          pairs & ~(1UL << DLS_PAIR_ROD),
                          0,
                          solids,
                          acts | DLS_ENGINE_LIMIT,
                          0,
                          true,
                          false,
                          rigid_notes,
                          version,
                          open_rigid,
                          step,
                          read,
                          close};
const dls_engine halves = {"simbody-euler2", pairs,   loops,       0,    acts, 0,    false, false,
                           halves_notes,     version, open_halves, step, read, close};

} // namespace

DLS_ENGINES(&rigid, &halves);
