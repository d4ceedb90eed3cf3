/* sdf.h - shared by the parts of the reader of SDF. Not installed. */
#ifndef DELASSUS_IO_SDF_H
#define DELASSUS_IO_SDF_H

#include "delassus/articulation.h"
#include "delassus/io.h"
#include "readers/sdf_reader.h"

/* A model of the file, all in the world frame. */
typedef struct dls_sdf_part {
    char name[DLS_NAME_MAX];
    bool is_static, self_collide;
    size_t n_links, cap_links, n_shapes, cap_shapes, n_joints, cap_joints;
    struct dls_sdf_own_link {
        char name[DLS_NAME_MAX];
        dls_frame at; /* centre of mass, and the axes of the inertia */
        double mass;
        dls_mat3 inertia;
    } * links;
    struct dls_sdf_own_shape {
        char link[DLS_NAME_MAX], kind[16];
        dls_vec3 size, scale, normal;
        double radius, length;
        char mesh[DLS_PATH_MAX];
        dls_frame at;
        bool looks;
        long colour;
    } * shapes;
    struct dls_sdf_own_joint {
        char name[DLS_NAME_MAX], type[16], parent[DLS_NAME_MAX], child[DLS_NAME_MAX];
        dls_vec3 point;
        size_t n_axes;
        dls_sdf_axis axis[2];
    } * joints;
} dls_sdf_part;

/* Adds a model to the scene (sdf_model.c). */
dls_status dls_sdf_add_model(const dls_sdf_part *part, dls_scene *scene, dls_error *error);

#endif
