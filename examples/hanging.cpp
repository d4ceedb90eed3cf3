// The chain of hanging.c from C++: the library's objects in smart pointers, its statuses as exceptions.
//
//     c++ -std=c++17 hanging.cpp $(pkg-config --cflags --libs delassus) -o hanging && ./hanging
#include <delassus/delassus.h>
#include <delassus/experiments.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

namespace
{

// Calls function(arguments..., &error) and throws what the error says.
template <typename Function, typename... Arguments> void call(Function function, Arguments... arguments)
{
    dls_error error;
    if (function(arguments..., &error) == DLS_OK)
        return;
    char text[DLS_PATH_MAX + DLS_MESSAGE_MAX];
    dls_error_format(&error, text, sizeof text);
    throw std::runtime_error(text);
}

struct Destroy {
    void operator()(dls_scene *scene) const { dls_scene_destroy(scene); }
    void operator()(dls_model *model) const { dls_model_destroy(model); }
    void operator()(dls_simulation *simulation) const { dls_simulation_close(simulation); }
};
template <typename T> using Owned = std::unique_ptr<T, Destroy>;

void add_weight(dls_scene *scene, const char *name, double mass, double height, double speed)
{
    dls_body_def body;
    dls_body_default(&body);
    std::strcpy(body.name, name);
    body.shape = DLS_SHAPE_SPHERE;
    body.radius = 0.1;
    body.mass = mass;
    body.position = dls_v3(0.0, 0.0, height);
    body.velocity = dls_v3(speed, 0.0, 0.0);
    call(dls_scene_add_body, scene, &body);
}

class Joint
{
  public:
    explicit Joint(const char *type) { call(dls_joint_default, &joint, type); }
    ~Joint() { dls_joint_def_release(&joint); }
    Joint(const Joint &) = delete;
    Joint &operator=(const Joint &) = delete;
    Joint &set(const char *key, const std::string &value)
    {
        call(dls_joint_set, &joint, key, value.c_str());
        return *this;
    }
    void add_to(dls_scene *scene) { call(dls_scene_add_joint, scene, &joint); }

  private:
    dls_joint_def joint = {};
};

Owned<dls_model> build()
{
    dls_scene *made;
    call(dls_scene_create, &made);
    Owned<dls_scene> scene(made);
    add_weight(made, "upper", 2.0, -1.0, 0.0);
    add_weight(made, "lower", 3.0, -2.0, 1.5);
    Joint("ball").set("name", "hook").set("body1", "upper").set("anchor", "[0, 0, 0]").add_to(made);
    Joint("ball")
        .set("name", "link")
        .set("body1", "lower")
        .set("body2", "upper")
        .set("anchor", "[0, 0, -1]")
        .add_to(made);
    dls_model *model;
    call(dls_model_create, made, &model);
    return Owned<dls_model>(model);
}

// The largest error of Newton's law of the lower weight over a second.
double swing(dls_simulation *simulation)
{
    const double h = 0.001;
    const dls_model *model = dls_simulation_model(simulation);
    const dls_body &lower = dls_model_bodies(model)[1];
    double worst = 0.0;
    const auto speed = [&] {
        const double *v = dls_simulation_state(simulation)->v + lower.offset;
        return dls_v3(v[0], v[1], v[2]);
    };
    for (int k = 0; k < 1000; k++) {
        const dls_vec3 before = speed();
        dls_constraint_force link;
        call(dls_simulation_step, simulation, h);
        call(dls_simulation_forces_of, simulation, std::size_t{1}, &link);
        const dls_vec3 change = dls_scale(lower.mass, dls_sub(speed(), before));
        const dls_vec3 force = dls_add(dls_scale(lower.mass, dls_model_world(model)->gravity), link.end[0].lin);
        worst = std::max(worst, dls_norm(dls_sub(change, dls_scale(h, force))));
    }
    return worst;
}

} // namespace

int main()
try {
    const Owned<dls_model> model = build();
    dls_simulation_options options = dls_simulation_default();
    options.solver = dls_solver_find("block-pivoting");
    dls_simulation *simulation;
    call(dls_simulation_open, static_cast<const dls_model *>(model.get()),
         static_cast<const dls_simulation_options *>(&options), &simulation);
    const Owned<dls_simulation> owned(simulation);
    const double worst = swing(simulation);
    std::printf("m (v1 - v0) - h (m g + f) is %.1e N s at most\n", worst);
    return worst < 1e-12 ? 0 : 1;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
