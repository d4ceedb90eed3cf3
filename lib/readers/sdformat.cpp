// SDF through libsdformat: it checks the file against the specification, includes other files, and resolves every pose.
extern "C" {
#include "sdf_reader.h"
}

#include <sdf/sdf.hh>

#include <cstdio>
#include <cstring>
#include <string>

namespace
{

using ignition::math::Pose3d;
using ignition::math::Vector3d;

struct Reading {
    const dls_sdf_taker *to;
    std::string wrong;
    bool ended = false;

    bool fail(const sdf::Errors &errors)
    {
        for (const auto &error : errors)
            if (wrong.empty())
                wrong = error.Message();
        return errors.empty();
    }
    bool go(bool on)
    {
        ended = ended || !on;
        return on;
    }
};

void put(const Vector3d &from, double to[3]) { to[0] = from.X(), to[1] = from.Y(), to[2] = from.Z(); }

dls_sdf_pose pose_of(const Pose3d &pose)
{
    dls_sdf_pose to{};
    put(pose.Pos(), to.p);
    to.q[0] = pose.Rot().W(), to.q[1] = pose.Rot().X(), to.q[2] = pose.Rot().Y(), to.q[3] = pose.Rot().Z();
    return to;
}

// SDF writes 1e16 for no limit, and -1 for no limit of effort or speed.
double bound(double x) { return x >= 1e16 ? HUGE_VAL : x <= -1e16 ? -HUGE_VAL : x; }
double most(double x) { return x < 0.0 ? HUGE_VAL : bound(x); }

const char *joint_type(sdf::JointType type)
{
    switch (type) {
    case sdf::JointType::BALL:
        return "ball";
    case sdf::JointType::CONTINUOUS:
        return "continuous";
    case sdf::JointType::FIXED:
        return "fixed";
    case sdf::JointType::GEARBOX:
        return "gearbox";
    case sdf::JointType::PRISMATIC:
        return "prismatic";
    case sdf::JointType::REVOLUTE:
        return "revolute";
    case sdf::JointType::REVOLUTE2:
        return "revolute2";
    case sdf::JointType::SCREW:
        return "screw";
    case sdf::JointType::UNIVERSAL:
        return "universal";
    default:
        return "unknown";
    }
}

void describe(const sdf::Geometry &geometry, dls_sdf_shape &shape)
{
    if (const auto *box = geometry.BoxShape()) {
        shape.kind = "box";
        put(box->Size(), shape.size);
    } else if (const auto *sphere = geometry.SphereShape()) {
        shape.kind = "sphere";
        shape.radius = sphere->Radius();
    } else if (const auto *cylinder = geometry.CylinderShape()) {
        shape.kind = "cylinder";
        shape.radius = cylinder->Radius(), shape.length = cylinder->Length();
    } else if (const auto *capsule = geometry.CapsuleShape()) {
        shape.kind = "capsule";
        shape.radius = capsule->Radius(), shape.length = capsule->Length();
    } else if (const auto *plane = geometry.PlaneShape()) {
        shape.kind = "plane";
        put(plane->Normal(), shape.normal);
    } else if (const auto *mesh = geometry.MeshShape()) {
        shape.kind = "mesh";
        put(mesh->Scale(), shape.scale);
    } else if (const auto *ellipsoid = geometry.EllipsoidShape()) {
        shape.kind = "ellipsoid";
        put(2.0 * ellipsoid->Radii(), shape.size);
    } else {
        shape.kind = "geometry";
    }
}

// The URI of a mesh; a path is from the folder of the file that has it.
std::string mesh_uri(const sdf::Geometry *geometry)
{
    const auto *mesh = geometry ? geometry->MeshShape() : nullptr;
    if (!mesh)
        return "";
    const auto slash = mesh->FilePath().rfind('/');
    const bool is_path = mesh->Uri().find("://") == std::string::npos && !mesh->Uri().empty() && mesh->Uri()[0] != '/';
    return is_path && slash != std::string::npos ? mesh->FilePath().substr(0, slash + 1) + mesh->Uri() : mesh->Uri();
}

template <class Part>
bool take_shape(Reading &r, const Part &part, const std::string &link, const Pose3d &at, bool looks)
{
    Pose3d own;
    if (!r.fail(part.SemanticPose().Resolve(own)))
        return false;
    dls_sdf_shape shape{};
    const std::string uri = mesh_uri(part.Geom());
    shape.link = link.c_str();
    shape.uri = uri.c_str();
    shape.looks = looks;
    shape.pose = pose_of(at * own);
    shape.colour[0] = -1.0;
    if (!part.Geom())
        return true;
    describe(*part.Geom(), shape);
    if constexpr (std::is_same_v<Part, sdf::Visual>)
        if (part.Material()) {
            const auto colour = part.Material()->Diffuse();
            shape.colour[0] = static_cast<double>(colour.R());
            shape.colour[1] = static_cast<double>(colour.G());
            shape.colour[2] = static_cast<double>(colour.B());
        }
    return r.go(r.to->shape(r.to->context, &shape));
}

bool take_link(Reading &r, const sdf::Link &link, const std::string &prefix, const Pose3d &model)
{
    Pose3d own;
    if (!r.fail(link.SemanticPose().Resolve(own)))
        return false;
    const Pose3d at = model * own;
    const auto &inertial = link.Inertial();
    const auto moments = inertial.MassMatrix().Moi();
    const std::string name = prefix + link.Name();
    dls_sdf_link to{};
    to.name = name.c_str();
    to.mass = inertial.MassMatrix().Mass();
    to.inertial = pose_of(at * inertial.Pose());
    const int entries[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    for (int i = 0; i < 6; i++)
        to.moments[i] = moments(static_cast<size_t>(entries[i][0]), static_cast<size_t>(entries[i][1]));
    if (!r.go(r.to->link(r.to->context, &to)))
        return false;
    for (uint64_t i = 0; i < link.CollisionCount(); i++)
        if (!take_shape(r, *link.CollisionByIndex(i), name, at, false))
            return false;
    for (uint64_t i = 0; i < link.VisualCount(); i++)
        if (!take_shape(r, *link.VisualByIndex(i), name, at, true))
            return false;
    return true;
}

bool describe_axis(Reading &r, const sdf::JointAxis &from, const Pose3d &model, dls_sdf_axis &to)
{
    Vector3d xyz;
    if (!r.fail(from.ResolveXyz(xyz, "__model__")))
        return false;
    put(model.Rot().RotateVector(xyz), to.xyz);
    to.lower = bound(from.Lower()), to.upper = bound(from.Upper());
    to.effort = most(from.Effort()), to.speed = most(from.MaxVelocity());
    to.damping = from.Damping(), to.friction = from.Friction();
    to.stiffness = from.SpringStiffness(), to.reference = from.SpringReference();
    return true;
}

std::string scoped(const std::string &prefix, const std::string &link)
{
    return link == "world" ? link : prefix + link;
}

bool take_joint(Reading &r, const sdf::Joint &joint, const std::string &prefix, const Pose3d &model)
{
    Pose3d own;
    std::string parent, child;
    if (!r.fail(joint.SemanticPose().Resolve(own, "__model__")) || !r.fail(joint.ResolveParentLink(parent)) ||
        !r.fail(joint.ResolveChildLink(child)))
        return false;
    const std::string name = prefix + joint.Name(), from = scoped(prefix, parent), to_link = scoped(prefix, child);
    dls_sdf_joint to{};
    to.name = name.c_str(), to.type = joint_type(joint.Type());
    to.parent = from.c_str(), to.child = to_link.c_str();
    put((model * own).Pos(), to.point);
    for (; to.n_axes < 2 && joint.Axis(static_cast<unsigned>(to.n_axes)); to.n_axes++)
        if (!describe_axis(r, *joint.Axis(static_cast<unsigned>(to.n_axes)), model, to.axis[to.n_axes]))
            return false;
    return r.go(r.to->joint(r.to->context, &to));
}

template <class Each>
bool for_models(const sdf::Model &model, const std::string &prefix, const Pose3d &at, Reading &r, Each each)
{
    if (!each(model, prefix, at))
        return false;
    for (uint64_t i = 0; i < model.ModelCount(); i++) {
        const auto *nested = model.ModelByIndex(i);
        Pose3d own;
        if (!r.fail(nested->SemanticPose().Resolve(own)) ||
            !for_models(*nested, prefix + nested->Name() + "::", at * own, r, each))
            return false;
    }
    return true;
}

bool take_words(Reading &r, const sdf::ElementPtr &element, bool models)
{
    for (auto at = element ? element->GetFirstElement() : nullptr; at; at = at->GetNextElement()) {
        const auto value = at->GetValue();
        const std::string text = value ? value->GetAsString() : "";
        if ((at->GetName() == "model" && !models) || !at->GetExplicitlySetInFile())
            continue;
        const int on = r.to->word(r.to->context, element->GetName().c_str(), at->GetName().c_str(), text.c_str(),
                                  at->LineNumber().value_or(0));
        if (!r.go(on != 0) || (on == 1 && !take_words(r, at, models)))
            return false;
    }
    return true;
}

bool take_model(Reading &r, const sdf::Model &model)
{
    Pose3d at;
    if (!model.SemanticPose().Resolve(at).empty())
        at = model.RawPose(); // a model in no world
    const dls_sdf_model to{model.Name().c_str(), model.Static(), model.SelfCollide()};
    const auto links = [&](const sdf::Model &one, const std::string &prefix, const Pose3d &pose) {
        for (uint64_t i = 0; i < one.LinkCount(); i++)
            if (!take_link(r, *one.LinkByIndex(i), prefix, pose))
                return false;
        return true;
    };
    const auto joints = [&](const sdf::Model &one, const std::string &prefix, const Pose3d &pose) {
        for (uint64_t i = 0; i < one.JointCount(); i++)
            if (!take_joint(r, *one.JointByIndex(i), prefix, pose))
                return false;
        return true;
    };
    return r.go(r.to->model(r.to->context, &to)) && take_words(r, model.Element(), true) &&
           for_models(model, "", at, r, links) && for_models(model, "", at, r, joints) &&
           r.go(r.to->model_end(r.to->context));
}

bool take_world(Reading &r, const sdf::World &world)
{
    double gravity[3];
    put(world.Gravity(), gravity);
    const auto *physics = world.PhysicsDefault();
    if (!r.go(r.to->world(r.to->context, gravity, physics ? physics->MaxStepSize() : 0.0)))
        return false;
    if (!take_words(r, world.Element(), false))
        return false;
    for (uint64_t i = 0; i < world.ModelCount(); i++)
        if (!take_model(r, *world.ModelByIndex(i)))
            return false;
    return true;
}

bool read_all(Reading &r, const std::string &text)
{
    sdf::ParserConfig config;
    sdf::Root root;
    config.SetWarningsPolicy(sdf::EnforcementPolicy::LOG);
    config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::LOG); // they are words, too
    config.SetFindCallback([&r](const std::string &uri) {
        char path[4096];
        return r.to->find(r.to->context, uri.c_str(), path, sizeof path) ? std::string(path) : std::string();
    });
    if (!r.fail(root.LoadSdfString(text, config)))
        return false;
    if (root.Model() && !take_model(r, *root.Model()))
        return false;
    for (uint64_t i = 0; i < root.WorldCount(); i++)
        if (!take_world(r, *root.WorldByIndex(i)))
            return false;
    return true;
}

bool read_sdf(const char *text, size_t size, const dls_sdf_taker *to, char *message, size_t room)
{
    Reading r{to, "", false};
    bool read = false;
    sdf::Console::Instance()->SetQuiet(true);
    try {
        read = read_all(r, std::string(text, size));
    } catch (const std::exception &error) {
        r.wrong = error.what();
    } catch (...) {
        r.wrong = "libsdformat gave up";
    }
    if (!read && !r.ended)
        std::snprintf(message, room, "%s", r.wrong.empty() ? "libsdformat cannot read it" : r.wrong.c_str());
    return read || r.ended;
}

} // namespace

extern "C" {
extern const dls_sdf_reader dls_sdf_reader_here;
const dls_sdf_reader dls_sdf_reader_here = {read_sdf};
}
