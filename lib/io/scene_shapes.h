/* scene_shapes.h - what the reader and the writer of scenes share: the settings of articulations, the list `shapes` of
 * a body or link, and the lists `visuals` and `ellipsoids` of a link. Not installed. */
#ifndef DELASSUS_IO_SCENE_SHAPES_H
#define DELASSUS_IO_SCENE_SHAPES_H

#include "scene_reader.h"

#include "delassus/articulation.h"

/* Settings of an articulation. Position, orientation, floating, velocity, omega and speed_limits are a robot's. */
typedef struct dls_scene_articulation_setting {
    char name[DLS_NAME_MAX];
    dls_vec3 position;
    dls_quat orientation;
    bool limits_speeds;
    bool floating;
    bool self_collision;
    dls_vec3 velocity, omega;
    size_t position_iterations, velocity_iterations;
    double com_speed, com_angular_speed;
} dls_scene_articulation_setting;
extern const dls_field_table dls_scene_articulation_fields;
/* Those of links that are drawn. */
dls_scene_articulation_setting dls_scene_setting_of(const dls_articulation_def *def);

/* An item of these lists, in the axes of the link from its centre of mass. The key `mesh` is apart, for its length. */
typedef struct dls_scene_shape {
    int shape; /* dls_shape */
    dls_vec3 size;
    double radius, length;
    dls_vec3 scale;
    dls_vec3 position;
    dls_quat orientation;
} dls_scene_shape;
extern const dls_field_table dls_scene_shape_fields;
/* `shape`: as in dls_link_shape. */
dls_scene_shape dls_scene_shape_of(int shape, dls_vec3 size, double radius, double length, dls_vec3 scale,
                                   dls_vec3 position, dls_quat orientation);

/* Further properties of a shape that collides. */
typedef struct dls_scene_touch {
    char surface[DLS_NAME_MAX];
} dls_scene_touch;
extern const dls_field_table dls_scene_touch_fields;

/* Further properties of a visual. */
typedef struct dls_scene_look {
    dls_vec3 colour; /* red, green, blue from 0 to 1; NaN: none of its own */
} dls_scene_look;
extern const dls_field_table dls_scene_look_fields;
dls_scene_look dls_scene_look_of(long colour);

/* The lists of a link that has been added to `def` from this body; its shapes pass if it does not collide. */
dls_status dls_reader_link_shapes(dls_reader *r, const dls_yaml_node *link, const dls_body_def *body,
                                  dls_articulation_def *def);
/* The list `shapes` of a body that has been added to the scene, likewise. */
dls_status dls_reader_body_shapes(dls_reader *r, const dls_yaml_node *map, const dls_body_def *body);

#endif
