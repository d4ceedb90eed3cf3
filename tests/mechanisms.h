/* mechanisms.h - small mechanisms that several tests build by program. */
#ifndef DLS_TESTS_MECHANISMS_H
#define DLS_TESTS_MECHANISMS_H

#include "check.h"

#include "delassus/delassus.h"

#include <stdio.h>
#include <string.h>

static inline void add_ball_joint(dls_scene *scene, const char *name, const char *body1, const char *body2,
                                  dls_vec3 anchor)
{
    dls_error error;
    dls_joint_def joint;
    char text[128];
    assert_status(dls_joint_default(&joint, "ball", &error), &error);
    snprintf(joint.name, sizeof joint.name, "%s", name);
    snprintf(joint.body[0], sizeof joint.body[0], "%s", body1);
    snprintf(joint.body[1], sizeof joint.body[1], "%s", body2);
    snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", anchor.x, anchor.y, anchor.z);
    assert_status(dls_joint_set(&joint, "anchor", text, &error), &error);
    assert_status(dls_scene_add_joint(scene, &joint, &error), &error);
}

/* `count` spheres of 1 kg on a string of ball joints from the world, stretched along a slanted line; the last one has
 * `ratio` kg. */
static inline dls_model *make_chain(int count, double ratio)
{
    dls_scene *scene;
    dls_error error;
    dls_vec3 link = dls_v3(0.21, 0.03, -0.08);
    assert_status(dls_scene_create(&scene, &error), &error);
    for (int i = 0; i < count; i++) {
        dls_body_def body;
        char joint[32], before[32];
        dls_body_default(&body);
        snprintf(body.name, sizeof body.name, "ball%d", i);
        snprintf(before, sizeof before, "ball%d", i - 1);
        snprintf(joint, sizeof joint, "joint%d", i);
        body.shape = DLS_SHAPE_SPHERE;
        body.radius = 0.1;
        body.mass = i + 1 < count ? 1.0 : ratio;
        body.position = dls_scale((double)i + 0.5, link);
        assert_status(dls_scene_add_body(scene, &body, &error), &error);
        add_ball_joint(scene, joint, i ? before : "world", body.name, dls_scale((double)i, link));
    }
    dls_model *model;
    assert_status(dls_model_create(scene, &model, &error), &error);
    dls_scene_destroy(scene);
    return model;
}

#endif
