/* change.h - a mechanism that changes between two steps: links, joints and bodies that are added or removed.
 *
 *     dls_model_create_changed(scene, model, dls_simulation_state(simulation), &changed, error);
 *     dls_simulation_change(&simulation, changed, &change, error);
 *     for (size_t k = 0; k < change.count; k++) ... change.parts[k].name ...
 *     dls_change_release(&change);
 *     dls_model_destroy(model);
 *
 * What both scenes have by name keeps its state to the bit; lib/model/change.c says what counts as the same. A scene
 * that a reader made may have the schedule of its own changes: scene->changes[k].after is the scene from changes[k].time
 * on.
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

/* What became of every part of both models. A part that changed its kind (a free body that is static now, a joint
 * between other ends) is gone, and new. */
typedef struct dls_change {
    size_t count, capacity;
    dls_changed_part *parts;
} dls_change;
void dls_change_release(dls_change *change);

/* dls_model_create of a scene that follows on `model` in `state`: joints that the model does not have are placed where
 * the bodies and links are in that state (their anchors and axes are points and directions of the world now); those that
 * it has are placed, as they were, by the scene, or, where one of its changes has added them, where they were then. */
dls_status dls_model_create_changed(const dls_scene *scene, const dls_model *model, const dls_state *state,
                                    dls_model **changed, dls_error *error);
/* The state of a changed model: `to` becomes the state of its scene, and where both models have the same parts that of
 * `from`. `change` gets what became of each, or is NULL. */
dls_status dls_state_carry(const dls_model *model, const dls_state *from, const dls_model *changed, dls_state *to,
                           dls_change *change, dls_error *error);
/* The simulation goes on with a changed model, which must outlive it, with the options that it was opened with: the
 * state, and what warm starts keep of joints, and of contacts between bodies and links that both models have. Sleeping
 * islands wake that lose or gain a part, a joint, or something that touches them (event `wake`, cause `change`).
 * *simulation is another one afterwards, which has made no step yet; after a failure it is what it was, and *change is
 * empty. `change` may be NULL. */
dls_status dls_simulation_change(dls_simulation **simulation, const dls_model *changed, dls_change *change,
                                 dls_error *error);

#ifdef __cplusplus
}
#endif

#endif
