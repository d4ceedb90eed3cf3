/* mesh_mass.h - volume, centre of mass and inertia of meshes. Not installed. */
#ifndef DELASSUS_MESH_MESH_MASS_H
#define DELASSUS_MESH_MESH_MASS_H

#include "mesh_file.h"

/* Where the mass is: within the surface; in its convex hull; in the pyramids of MuJoCo's `legacy`; in the surface. */
typedef enum dls_mesh_filling { DLS_MESH_EXACT, DLS_MESH_CONVEX, DLS_MESH_LEGACY, DLS_MESH_SHELL } dls_mesh_filling;

typedef struct dls_mesh_mass {
    double measure;   /* volume [m^3]; of a shell its area [m^2] */
    dls_vec3 centre;  /* of mass, in the coordinates of the mesh [m] */
    dls_mat3 inertia; /* about the centre, per unit of mass [m^2] */
} dls_mesh_mass;

/* DLS_REFUSED, about the file `path`, where a mesh has no volume, is not closed (exact), or has no convex hull. */
dls_status dls_mesh_weigh(const dls_triangles *triangles, dls_mesh_filling filling, const char *path,
                          dls_mesh_mass *mass, dls_error *error);

#endif
