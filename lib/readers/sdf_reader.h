/* sdf_reader.h - between the library and the shared object that reads SDF. All poses, points and directions are in the
 * world, as the file places its models; strings live during the call. Not installed. */
#ifndef DELASSUS_READERS_SDF_READER_H
#define DELASSUS_READERS_SDF_READER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dls_sdf_pose {
    double p[3], q[4]; /* [m]; w, x, y, z */
} dls_sdf_pose;

typedef struct dls_sdf_model {
    const char *name;
    bool is_static, self_collide;
} dls_sdf_model;

typedef struct dls_sdf_link {
    const char *name;      /* "NESTED::LINK" of a nested model, as in joints and shapes */
    double mass;           /* [kg] */
    dls_sdf_pose inertial; /* at the centre of mass */
    double moments[6];     /* xx, xy, xz, yy, yz, zz in its axes [kg m^2] */
} dls_sdf_link;

typedef struct dls_sdf_shape {
    const char *link;
    const char *kind; /* "box", "sphere", "cylinder", "capsule", "plane", "mesh", "ellipsoid", or another word */
    double size[3], radius, length, scale[3]; /* size: of an ellipsoid, lengths of its axes */
    double normal[3];                         /* of a plane, in the axes of the shape */
    const char *uri;                          /* of a mesh */
    dls_sdf_pose pose;
    bool looks;       /* a visual; else it collides */
    double colour[3]; /* of a visual; negative: none */
} dls_sdf_shape;

typedef struct dls_sdf_axis {
    double xyz[3];
    double lower, upper, effort, speed; /* infinite: none */
    double damping, friction, stiffness, reference;
} dls_sdf_axis;

typedef struct dls_sdf_joint {
    const char *name, *type;    /* "revolute", "prismatic", ..., as in SDF */
    const char *parent, *child; /* links; the parent may be "world" */
    double point[3];
    size_t n_axes;
    dls_sdf_axis axis[2];
} dls_sdf_joint;

/* Where the parts of a file go, in this order: the world, then each model with its words, links, shapes and joints, and
 * its end. Each returns false to end the reading. */
typedef struct dls_sdf_taker {
    void *context;
    bool (*world)(void *context, const double gravity[3], double step);
    bool (*model)(void *context, const dls_sdf_model *model);
    bool (*link)(void *context, const dls_sdf_link *link);
    bool (*shape)(void *context, const dls_sdf_shape *shape);
    bool (*joint)(void *context, const dls_sdf_joint *joint);
    bool (*model_end)(void *context);
    /* An element of the file, with the element that it is in, its text and its line (0: not known). Returns 0 to end
     * the reading, 1 to go on with what is in it, 2 without. */
    int (*word)(void *context, const char *parent, const char *name, const char *text, long line);
    /* The file of a URI such as model://NAME; false: there is none. */
    bool (*find)(void *context, const char *uri, char *path, size_t room);
} dls_sdf_taker;

typedef struct dls_sdf_reader {
    /* False where the text is wrong, with the reason in message[room]; true where all was handed over, or a function of
     * the taker ended the reading. */
    bool (*read)(const char *text, size_t size, const dls_sdf_taker *to, char *message, size_t room);
} dls_sdf_reader;

#endif
