/* Piles and chains under PGS, cold and warm. */
#include "coherence/parts.h"

const char *const dls_coherence_starts[2] = {"cold", "warm"};

/* Courses of ten bricks, every other one shifted by a quarter of a brick. */
static const char wall[] =
    "name: wall of 100\n"
    "world: {gravity: [0, 0, -9.81], collide: true, friction: box, mu: 0.6}\n"
    "bodies:\n"
    "  - {name: ground, static: true, shape: plane}\n"
    "  - {repeat: {i: 5, k: 10}, name: 'even{i}-{k}', shape: box, size: [0.24, 0.115, 0.1], density: 1800,\n"
    "     position: {start: [0, 0, 0.05], i: [0, 0, 0.2], k: [0.25, 0, 0]}}\n"
    "  - {repeat: {i: 5, k: 10}, name: 'odd{i}-{k}', shape: box, size: [0.24, 0.115, 0.1], density: 1800,\n"
    "     position: {start: [0.06, 0, 0.15], i: [0, 0, 0.2], k: [0.25, 0, 0]}}\n";

static const char plumb[] = "name: plumb line of 10\n"
                            "world: {gravity: [0, 0, -9.81]}\n"
                            "bodies:\n"
                            "  - {repeat: 10, name: 'ball{i}', shape: sphere, radius: 0.04, mass: 1.7, position: "
                            "{start: [0, 0, -0.1], i: [0, 0, -0.1]}}\n"
                            "joints:\n"
                            "  - {name: pivot, type: ball, body1: ball0, anchor: [0, 0, 0]}\n"
                            "  - {repeat: 9, name: 'link{i}', type: ball, body1: 'ball{i+1}', body2: 'ball{i}', "
                            "anchor: {start: [0, 0, -0.15], i: [0, 0, -0.1]}}\n";

/* The scene is the caller's after a failure too. */
static dls_status make_coherence_scene(const dls_coherence_run *run, dls_scene **scene, dls_error *error)
{
    const bool written = run->scene == DLS_COHERENCE_WALL || run->scene == DLS_COHERENCE_PLUMB;
    DLS_TRY(written ? dls_scene_text(scene, error, "%s", run->scene == DLS_COHERENCE_WALL ? wall : plumb)
                    : dls_scene_named(run->scene == DLS_COHERENCE_STACK ? "stack-10-found" : "chain-10", scene, error));
    dls_scene *s = *scene;
    if (run->scene == DLS_COHERENCE_CHAIN)
        s->bodies[s->n_bodies - 1].mass = run->number * s->bodies[0].mass;
    else if (run->scene == DLS_COHERENCE_PLUMB)
        for (size_t j = 0; j < s->n_joints; j++)
            s->joints[j].common.erp = run->number;
    else
        s->world.contact_margin = run->number;
    return run->seed ? dls_scene_displace(s, dls_v3(DLS_COHERENCE_OFFSET, DLS_COHERENCE_OFFSET, 0.0), run->seed, error)
                     : DLS_OK;
}

dls_status dls_coherence_open(const dls_coherence_run *run, dls_rig *rig, dls_error *error)
{
    const dls_rig_plan plan = {
        .method = run->method, .iterations = run->iterations, .warm = run->warm, .diverges = true};
    dls_scene *scene = NULL;
    *rig = (dls_rig){.model = NULL};
    const dls_status status = make_coherence_scene(run, &scene, error);
    if (status != DLS_OK) {
        dls_scene_destroy(scene);
        return status;
    }
    return dls_rig_open(rig, scene, &plan, error);
}

double dls_coherence_height(const dls_rig *rig)
{
    const size_t last = dls_model_count(rig->model).bodies - 1;
    return dls_rig_state(rig)->x[last].z - dls_model_initial(rig->model)->x[last].z;
}
