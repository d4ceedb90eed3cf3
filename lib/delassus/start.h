/* start.h - named states of a scene from which a run may begin, such as the keyframes of a model in MJCF. The key
 * `start` of the world selects one of them, by its name or by its number from 0: dls_scene_set(scene, "world.start",
 * "home", error). The anchors of joints stay where they are with the coordinates of the definitions. */
#ifndef DELASSUS_START_H
#define DELASSUS_START_H

#include "delassus/articulation.h"
#include "delassus/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of a joint of an articulation, or of its floating root. */
typedef struct dls_start_joint {
    char articulation[DLS_NAME_MAX];
    char joint[DLS_NAME_MAX];    /* "": the floating root */
    dls_frame pose;              /* of the root's link frame in the world */
    double q[DLS_POSITIONS_MAX]; /* coordinates of the joint */
    double speed[DLS_DOFS_MAX];  /* speeds of the joint; (v, omega) of the root's centre of mass, world frame */
    double effort;               /* force added to that on the joint's first degree of freedom [N, N m] */
} dls_start_joint;

/* The setpoint of a drive. */
typedef struct dls_start_drive {
    char joint[DLS_NAME_MAX];
    dls_setpoint setpoint;
} dls_start_drive;

/* A start of a scene. Parts that it does not name start as defined. */
struct dls_start {               /* the type is named in scene.h */
    char name[DLS_NAME_MAX];     /* "": it has none, and is selected by its number */
    char wrong[DLS_MESSAGE_MAX]; /* why it cannot be used; "": nothing is known to be wrong */
    dls_place place;
    size_t n_joints, n_drives;
    dls_start_joint *joints; /* from malloc, as drives */
    dls_start_drive *drives;
};

/* Takes the start on success. */
dls_status dls_scene_add_start(dls_scene *scene, dls_start *start, dls_error *error);
void dls_start_release(dls_start *start);

#ifdef __cplusplus
}
#endif

#endif
