/* model.h - the parts of a model, for the folders of the library. Not installed; all others use delassus/model.h. */
#ifndef DELASSUS_MODEL_MODEL_H
#define DELASSUS_MODEL_MODEL_H

#include "base/memory.h"
#include "base/names.h"
#include "delassus/configuration.h"
#include "delassus/model.h"
#include "delassus/state.h"

struct dls_model {
    char name[DLS_NAME_MAX];
    dls_world_def world;
    size_t n_bodies, n_joints, n_articulations, n_links, n_ends, nv, n_coordinates;
    size_t n_blocks;    /* of the mass operator: bodies that move, then articulations that do */
    size_t n_measured;  /* joints whose coordinate the state follows */
    size_t n_owners;    /* joints with a state of their own */
    size_t n_summed;    /* joints on coordinates */
    size_t n_breakable; /* joints with a threshold */
    size_t n_clamped;   /* articulations with a greatest speed of their centre of mass */
    struct {
        size_t n, blocks, coefs;
    } rows;               /* of all joints, with the blocks and coefficients of their Jacobians */
    size_t n_joint_state; /* numbers of all of them */
    size_t n_terms;       /* coordinates that joints act on, with repetition */
    size_t n_numbered;    /* those of them that have their number */
    size_t n_tracks;
    dls_track *tracks;
    dls_body *bodies;
    dls_joint *joints;
    dls_model_articulation *articulations;
    size_t n_prescribed; /* kinematic bodies */
    size_t n_solids, n_apart;
    dls_solid *solids;
    size_t n_hulls;
    struct dls_model_hull *hulls; /* of the meshes that collide: solids.c */
    size_t n_visuals;
    dls_visual *visuals;
    size_t n_immersed; /* 0: there is no medium */
    dls_immersed *immersed;
    size_t (*apart)[2]; /* n_apart pairs of ends that do not touch, the lower first, sorted */
    size_t *rigid;      /* n_ends: the first end that it is rigidly one with, or the root of an articulation without
                           self-collision; ends with the same do not collide */
    size_t *above;      /* n_ends: `rigid` of the parent of that one; DLS_NONE: it has none */
    dls_shape_surface *surfaces; /* with all values: first that of the world, then those of the scene */
    size_t n_pairs;
    struct dls_touching_pair *pairs; /* of surfaces, sorted: surfaces.c */
    size_t n_sensors;
    dls_sensor *sensors;
    dls_state *initial; /* as the scene has it */
    struct {
        dls_names ends;          /* bodies and "ARTICULATION.LINK": the end */
        dls_names articulations; /* articulations */
        dls_names dofs;          /* "ARTICULATION.JOINT" and "ARTICULATION.JOINT.AXIS": the degree of freedom in it */
        dls_names joints, tracks;
    } names;
    dls_arena memory; /* memory of the parts, and of the data of joints */
};

/* The end, or joint, of `to` that is the same as that of `from`, by name and kind; DLS_NONE: there is none. change.c */
size_t dls_change_end(const dls_model *from, size_t end, const dls_model *to);
size_t dls_change_joint(const dls_model *from, size_t joint, const dls_model *to);
/* Whether each of two ends is a body, or the world. */
static inline bool dls_model_has_bodies_at(const dls_model *model, const size_t ends[2])
{
    return (ends[0] == DLS_WORLD || ends[0] < model->n_bodies) && (ends[1] == DLS_WORLD || ends[1] < model->n_bodies);
}
/* q <- q (+) h v of body i alone. */
void dls_state_advance_body(dls_state *state, size_t i, const double v[6], double h);
/* The same, with its pose in a configuration that is otherwise that of the state; velocities stay. */
void dls_configuration_advance_body(dls_configuration *configuration, dls_state *state, size_t i, const double v[6],
                                    double h);

#endif
