/* change.h - a mechanism that changes between two steps: links, joints and bodies that are added or removed.
 *
 *     dls_model_create_changed(scene, model, dls_simulation_state(simulation), &changed, error);
 *     dls_simulation_change(&simulation, changed, &change, error);
 *     for (size_t k = 0; k < change.count; k++) ... change.parts[k].name ...
 *     dls_change_release(&change);
 *     dls_model_destroy(model);
 * Parts that both scenes have, by name, keep their state to the bit; lib/model/change.c says which parts count as the
 * same. A scene that was read from a file may have a schedule of changes: scene->changes[k].after is the scene from the
 * time changes[k].time on.
 */
#ifndef DELASSUS_CHANGE_H
#define DELASSUS_CHANGE_H

#include "delassus/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dls_fate { DLS_FATE_KEPT, DLS_FATE_NEW, DLS_FATE_GONE } dls_fate;
extern const char *const dls_fate_names[]; /* "kept", "new", "gone"; NULL at the end */

typedef struct dls_changed_part {
    dls_part part; /* a body, a link or a joint */
    dls_fate fate;
    char name[2 * DLS_NAME_MAX];
} dls_changed_part;

/* The fate of every part of both models. A part that changes its kind (a free body that becomes static, a joint between
 * other ends) has two entries: one as gone and one as new. */
typedef struct dls_change {
    size_t count, capacity;
    dls_changed_part *parts;
} dls_change;
void dls_change_release(dls_change *change);

/* Like dls_model_create, for a scene that replaces the scene of `model`, which is in `state`. New joints are placed
 * with the bodies and links where they are in that state: their anchors and axes are points and directions of the world
 * at this moment. Joints that `model` already has keep their placement: that of the scene, or, for a joint that a
 * change has added, that of the moment of the change. */
dls_status dls_model_create_changed(const dls_scene *scene, const dls_model *model, const dls_state *state,
                                    dls_model **changed, dls_error *error);
/* The state of a changed model: parts that both models have get their state of `from`, all others the initial state of
 * the changed scene. `change` gets the fate of each part; it may be NULL. */
dls_status dls_state_carry(const dls_model *model, const dls_state *from, const dls_model *changed, dls_state *to,
                           dls_change *change, dls_error *error);
/* Continues the simulation with a changed model, which must outlive it, and with the options that it was opened with.
 * It keeps the state and the warm starts of joints, and of contacts between bodies and links, that both models have. A
 * sleeping island wakes if it loses or gains a part, a joint, or a touching body (event `wake`, cause `change`).
 * *simulation is replaced by a new simulation that has made no step yet; after a failure it is unchanged, and *change
 * is empty. `change` may be NULL. */
dls_status dls_simulation_change(dls_simulation **simulation, const dls_model *changed, dls_change *change,
                                 dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
