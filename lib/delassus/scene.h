/* scene.h - the definition of a mechanism: bodies, joints, world. dls_model_create checks and compiles it.
 * A scene is read from a file (io.h) or made by a program (examples/hanging.c). A body:
 *
 *     dls_body_def body;
 *     dls_body_default(&body);
 *     strcpy(body.name, name);
 *     body.shape = DLS_SHAPE_SPHERE;
 *     body.radius = 0.1;
 *     body.mass = mass;
 *     body.position = dls_v3(0.0, 0.0, height);
 *     body.velocity = dls_v3(speed, 0.0, 0.0);
 *     return dls_scene_add_body(scene, &body, error);
 * A joint; dls_scene_add_joint takes the definition:
 *
 *     dls_joint_def joint;
 *     DLS_TRY(dls_joint_default(&joint, "ball", error));
 *     dls_status status = dls_joint_set(&joint, "name", name, error);
 *     if (status == DLS_OK)
 *         status = dls_joint_set(&joint, "body1", body1, error);
 *     if (status == DLS_OK)
 *         status = dls_joint_set(&joint, "body2", body2, error);
 *     if (status == DLS_OK)
 *         status = dls_joint_set(&joint, "anchor", anchor, error);
 *     if (status == DLS_OK)
 *         status = dls_scene_add_joint(scene, &joint, error);
 *     dls_joint_def_release(&joint);
 *     return status;
 */
#ifndef DELASSUS_SCENE_H
#define DELASSUS_SCENE_H

#include "delassus/field.h"
#include "delassus/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DLS_NONE SIZE_MAX      /* no index: no velocity entries, no parent */
#define DLS_WORLD_NAME "world" /* name of the world as an end of a joint */

typedef enum dls_shape {
    DLS_SHAPE_NONE,
    DLS_SHAPE_BOX,
    DLS_SHAPE_SPHERE,
    DLS_SHAPE_CAPSULE,
    DLS_SHAPE_CYLINDER,
    DLS_SHAPE_PLANE,
    DLS_SHAPE_MESH,
    DLS_SHAPE_ELLIPSOID,
    DLS_SHAPE_TERRAIN
} dls_shape;
extern const char *const dls_shape_names[]; /* "none", "box", ...; NULL at the end */
/* Whether a shape has three lengths, the `size` of a definition. */
static inline bool dls_shape_is_sized(int shape) { return shape == DLS_SHAPE_BOX || shape == DLS_SHAPE_ELLIPSOID; }

/* How the gyroscopic torque omega x I omega is integrated. */
typedef enum dls_gyroscopic { DLS_GYROSCOPIC_EXPLICIT, DLS_GYROSCOPIC_IMPLICIT, DLS_GYROSCOPIC_NONE } dls_gyroscopic;
/* How Coriolis and centrifugal forces of articulations are integrated; see dls_articulation_coriolis_change. */
typedef enum dls_coriolis { DLS_CORIOLIS_EXPLICIT, DLS_CORIOLIS_SEMI_IMPLICIT, DLS_CORIOLIS_IMPLICIT } dls_coriolis;

/* How articulations move: by the coordinates of their joints, or as bodies and joints between them; unfold.h. */
typedef enum dls_coordinates { DLS_COORDINATES_REDUCED, DLS_COORDINATES_MAXIMAL } dls_coordinates;

/* The place of a definition in its file, for errors; line 0 if it was made by a program. */
typedef struct dls_place {
    long line, column;
} dls_place;

/* Coefficients of a contact: of sliding friction, of torsional [m] and of rolling friction [m]. */
enum { DLS_FRICTIONS = 3 };
/* Kinds of friction of a contact, by its dimensions: none, sliding, also torsional, also rolling. */
typedef enum dls_condim { DLS_CONDIM_LEAST, DLS_CONDIM_1, DLS_CONDIM_3, DLS_CONDIM_4, DLS_CONDIM_6 } dls_condim;
/* Friction of the shapes that name it, and what they touch: lib/model/surfaces.c. A shape that names none has the
 * friction of the world, and touches all shapes. */
typedef struct dls_shape_surface {
    unsigned stamp; /* set by dls_shape_surface_default */
    char name[DLS_NAME_MAX];
    double friction[DLS_FRICTIONS]; /* NaN: that of the world */
    int condim;                     /* dls_condim; LEAST: with all coefficients that are not 0 */
    double priority;
    size_t type, affinity; /* bits: two shapes touch if the type of one and the affinity of the other share one */
    dls_place place;
} dls_shape_surface;
extern const dls_field_table dls_shape_surface_fields;
/* Two surfaces whose shapes touch in any case, if they can move relative to each other. */
typedef struct dls_surface_pair {
    unsigned stamp;                 /* set by dls_surface_pair_default */
    char surface[2][DLS_NAME_MAX];  /* their names */
    double friction[DLS_FRICTIONS]; /* between them; NaN: as without the pair */
    dls_place place;
} dls_surface_pair;
extern const dls_field_table dls_surface_pair_fields;
/* The coefficients between two surfaces that have all of theirs, and a condim that is not LEAST. */
void dls_shape_surface_combine(const dls_shape_surface *a, const dls_shape_surface *b, double friction[DLS_FRICTIONS]);

typedef struct dls_body_def {
    unsigned stamp; /* set by dls_body_default: a definition that was never initialised is refused */
    char name[DLS_NAME_MAX];
    bool is_static;
    bool kinematic; /* it follows a given motion, whatever forces act on it, and has no mass */
    dls_vec3 swing; /* of a kinematic body: x0 + velocity t + swing sin(2 pi t / period + phase) - its value at 0 */
    double period, phase; /* [s]; NaN: no swing; [rad] */
    int shape;            /* dls_shape */
    dls_vec3 size;        /* box: edge lengths; ellipsoid: lengths of its axes [m] */
    double radius;        /* sphere, capsule, cylinder [m] */
    double length;        /* capsule (between the centres of its caps) and cylinder, along local z [m] */
    char mesh
        [DLS_NAME_MAX];   /* file of a triangle mesh, from the scene's folder, in body axes about the centre of mass */
    dls_vec3 scale;       /* of its coordinates; a unit of the file times it is a metre */
    double mass;          /* [kg]; NaN: from density */
    double density;       /* [kg/m^3]; NaN: from mass */
    dls_vec3 inertia;     /* Ixx, Iyy, Izz about the centre of mass, body frame [kg m^2]; NaN: from the shape */
    dls_vec3 inertia_off; /* Ixy, Ixz, Iyz [kg m^2] */
    dls_vec3 position;    /* centre of mass [m]; a plane: a point of it */
    dls_quat orientation;
    dls_vec3 velocity, omega;
    dls_vec3 force, torque;     /* constant external force at the centre of mass [N] and torque [N m], world frame */
    bool collide;               /* takes part in collision detection */
    char surface[DLS_NAME_MAX]; /* name of a dls_shape_surface of the scene; "": none */
    dls_place place;
} dls_body_def;
extern const dls_field_table dls_body_fields;

/* A joint coordinate by its name: "ARTICULATION.JOINT", "ARTICULATION.JOINT.AXIS" where the joint has several, or the
 * name of a hinge or slider between bodies. */
enum { DLS_COORDINATE_MAX = 2 * DLS_NAME_MAX + 16 };
typedef struct dls_term_def {
    char coordinate[DLS_COORDINATE_MAX];
    double gears[DLS_GEARS_MAX]; /* of the coordinate, its square, its cube and its fourth power: dls_term */
    dls_place place;
} dls_term_def;

typedef struct dls_joint_def {
    char name[DLS_NAME_MAX];
    size_t change;              /* number of the scene's change that added it, from 1; 0: none did */
    char body[2][DLS_NAME_MAX]; /* a body, "ARTICULATION.LINK", or "world"; empty on coordinates */
    size_t n_terms;             /* for a type on coordinates */
    dls_term_def *terms;
    const dls_joint_type *type;
    dls_joint_common common;
    const char *erp_or_cfm; /* "erp" or "cfm" if one was set, which excludes a spring; else NULL */
    dls_settings settings;  /* as type->fields describes them */
    bool may_touch;         /* its ends collide, if nothing else keeps them apart */
    dls_place place;
} dls_joint_def;
extern const dls_field_table dls_joint_def_fields; /* name, body1, body2 */

/* Axes in which a sensor gives its wrench. */
typedef enum dls_sensor_axes { DLS_SENSOR_OWN, DLS_SENSOR_WORLD } dls_sensor_axes;

/* A sensor of the forces on a body or link, fixed to it. Its wrench is the sum of the applied forces and of the kinds
 * of forces that are switched on below, about the sensor's origin. With all kinds on, it is the rate of the link's
 * momentum about its centre of mass, with the torque moved to the sensor's origin. */
typedef struct dls_sensor_def {
    unsigned stamp; /* set by dls_sensor_default */
    char name[DLS_NAME_MAX];
    char link[DLS_NAME_MAX]; /* "BODY" or "ARTICULATION.LINK" */
    dls_vec3 position;       /* in the link frame; for a body, from its centre of mass, body axes [m] */
    dls_quat orientation;    /* sensor to link frame */
    bool gravity;            /* the weight */
    bool constraints;        /* the rows of joints and contacts that act on the link */
    bool tree;               /* the joints of the link in its articulation: to its parent and to its children */
    bool incoming;           /* only the wrench that a link receives from its parent through its joint */
    int axes;                /* dls_sensor_axes */
    dls_place place;
} dls_sensor_def;
extern const dls_field_table dls_sensor_fields;

/* Two bodies or links between which there are no detected contacts. */
typedef struct dls_apart_def {
    unsigned stamp;             /* set by dls_apart_default */
    char body[2][DLS_NAME_MAX]; /* "BODY" or "ARTICULATION.LINK" */
    dls_place place;
} dls_apart_def;
extern const dls_field_table dls_apart_fields;

/* How to treat collision meshes: they collide as their convex hulls, are an error, or are ignored. */
typedef enum dls_meshes { DLS_MESHES_HULL, DLS_MESHES_REFUSE, DLS_MESHES_SKIP } dls_meshes;

/* How to treat an inertia that no body can have, although it is positive definite: its largest principal value is more
 * than the sum of the two others, or its link has no mass. An error; used as it is, with a note; or all three become
 * their mean. */
typedef enum dls_inertia_policy { DLS_INERTIA_REFUSE, DLS_INERTIA_WARN, DLS_INERTIA_BALANCE } dls_inertia_policy;

/* How to treat words of a model that are not read, although they may change the motion: an error that names them all,
 * or they are left out, with a note. */
typedef enum dls_import { DLS_IMPORT_STRICT, DLS_IMPORT_WARN } dls_import;

/* The coefficients of an ellipsoid in a medium, of drag and of lift; lib/model/medium.c. */
typedef struct dls_medium_coefficients {
    double blunt, slender, angular, kutta, magnus;
} dls_medium_coefficients;

/* Settings of the whole scene. */
typedef struct dls_world_def {
    dls_vec3 gravity;        /* [m/s^2] */
    double medium_density;   /* of the fluid that fills the world [kg/m^3]; lib/model/medium.c */
    double medium_viscosity; /* of the same [Pa s] */
    dls_vec3 wind;           /* its velocity [m/s] */
    double step;             /* default h [s] */
    double duration;         /* default length of a run [s] */
    int gyroscopic;          /* dls_gyroscopic, of bodies */
    int coriolis;            /* dls_coriolis, of articulations */
    int coordinates;         /* dls_coordinates, of articulations */
    bool keep_momentum;      /* bodies and floating articulations conserve momentum as they move; keep_momentum.c */
    bool collide;            /* detect contacts between the shapes */
    int friction;            /* dls_law, of detected contacts */
    double mu;               /* of detected contacts */
    double rolling, torsion; /* likewise, of rolling and torsional friction [m] */
    double restitution;
    int impact;                   /* dls_impact_law of detected contacts */
    double restitution_threshold; /* [m/s] contacts that approach more slowly do not bounce */
    double contact_erp, contact_cfm;
    double contact_margin;    /* [m] contacts are detected up to this gap, and are otherwise the same */
    int meshes;               /* dls_meshes */
    int inertia;              /* dls_inertia_policy */
    char start[DLS_NAME_MAX]; /* a start of the scene (start.h); "": as its parts are defined */
    size_t position_iterations, velocity_iterations; /* of an iterative solver per step; simulation.h */
    bool sleep;                                      /* islands at rest are put to sleep; lib/simulation/sleep.c */
    double sleep_energy;                             /* at rest below this kinetic energy per unit of mass [m^2/s^2] */
    double sleep_time;                               /* time at rest before sleep [s] */
    int import;                                      /* dls_import */
} dls_world_def;
extern const dls_field_table dls_world_fields;

typedef struct dls_articulation_def dls_articulation_def; /* articulation.h */
typedef struct dls_link_shape dls_link_shape;             /* articulation.h */
typedef struct dls_start dls_start;                       /* start.h */

/* Kinds of parts. */
typedef enum dls_part {
    DLS_PART_BODY,
    DLS_PART_LINK,
    DLS_PART_JOINT,
    DLS_PART_ARTICULATION,
    DLS_PART_SENSOR,
    DLS_PARTS
} dls_part;
extern const char *const dls_part_names[]; /* "body", "link", "joint", "articulation", "sensor"; NULL at the end */

/* From `time` on, the scene is replaced by another one, in which parts have been removed or added. */
typedef struct dls_scene_change {
    double time;             /* [s] */
    struct dls_scene *after; /* the complete scene, without further changes */
    dls_place place;
} dls_scene_change;

/* A note about information of a file that the scene does not contain, or that is doubtful: the key, the reason, how
 * often it occurs, and its first place. */
typedef struct dls_note {
    char key[DLS_NAME_MAX];
    const char *text; /* static */
    size_t count;
    dls_place place;
    char file[DLS_PATH_MAX]; /* that of the scene, or of a robot in it */
} dls_note;

/* Aspects of a mechanism, in the order in which later ones depend on earlier ones. */
typedef enum dls_aspect {
    DLS_ASPECT_BODIES,      /* bodies, their joints and masses */
    DLS_ASPECT_FORCES,      /* passive forces: springs, dampers, fluids */
    DLS_ASPECT_CONSTRAINTS, /* limits, friction of joints, equalities, tendons */
    DLS_ASPECT_CONTACTS,
    DLS_ASPECT_ACTUATORS,
    DLS_ASPECT_SENSORS,
    DLS_ASPECTS
} dls_aspect;
extern const char *const dls_aspect_names[]; /* "bodies", "forces", ...; NULL at the end */
enum { DLS_ALL_ASPECTS = (1 << DLS_ASPECTS) - 1 };

/* An element or attribute of a model that is not read, although it may change the motion: the aspect that it changes,
 * its key, the reason, how often it occurs, and its first place. */
typedef struct dls_dropped {
    dls_aspect aspect;
    char key[DLS_NAME_MAX];
    char text[DLS_MESSAGE_MAX];
    size_t count;
    dls_place place;
    char file[DLS_PATH_MAX];
} dls_dropped;

typedef struct dls_scene {
    char name[DLS_NAME_MAX];
    char file[DLS_PATH_MAX];
    dls_world_def world;
    size_t n_bodies, n_joints;
    size_t cap_bodies, cap_joints;
    dls_body_def *bodies;
    dls_joint_def *joints;
    size_t n_body_shapes, cap_body_shapes;
    dls_link_shape *body_shapes; /* of all bodies, in any order: dls_scene_add_body_shape */
    size_t n_notes, cap_notes;
    dls_note *notes; /* from its reader */
    size_t n_dropped, cap_dropped;
    dls_dropped *dropped;      /* by its reader, sorted by aspects */
    unsigned ignored;          /* aspects of which words may be dropped: dls_scene_ignore */
    size_t shapes_passed_over; /* <visual> and <collision> elements of its robots */
    size_t n_articulations, cap_articulations;
    dls_articulation_def **articulations;
    size_t n_tracks, cap_tracks;
    dls_track_def *tracks;
    size_t n_apart, cap_apart;
    dls_apart_def *apart;
    size_t n_surfaces, cap_surfaces;
    dls_shape_surface *surfaces;
    size_t n_pairs, cap_pairs;
    dls_surface_pair *pairs;
    size_t n_sensors, cap_sensors;
    dls_sensor_def *sensors;
    size_t n_starts, cap_starts;
    dls_start *starts;
    size_t n_changes, cap_changes;
    dls_scene_change *changes;     /* in the order of their times */
    struct dls_scene_names *names; /* hash table of all names */
} dls_scene;

dls_status dls_scene_create(dls_scene **scene, dls_error *error);
void dls_scene_destroy(dls_scene *scene); /* NULL is allowed */
void dls_body_default(dls_body_def *body);
/* Copies *body. A duplicate name is an error. */
dls_status dls_scene_add_body(dls_scene *scene, const dls_body_def *body, dls_error *error);
/* Copies *shape, a further solid that collides as part of the body that its member `link` names; its frame is from the
 * centre of mass, in the axes of the body. Mass and inertia of the body do not depend on it. DLS_BAD_INPUT if there is
 * no such body. */
dls_status dls_scene_add_body_shape(dls_scene *scene, const dls_link_shape *shape, dls_error *error);
/* dls_body_shape checks that exactly the dimensions of the shape are given. dls_body_mass computes the mass [kg] and
 * the inertia about the centre of mass in the body frame [kg m^2], as given or from the shape. Errors have `file` and
 * the definition's place. */
dls_status dls_body_shape(const dls_body_def *body, const char *file, dls_error *error);
/* The tensor of the inertia that is given, in body axes. */
dls_mat3 dls_body_given_inertia(const dls_body_def *body);
/* dls_inertia_allowance of the inertia that is given; 0 if it is that of the shape. */
double dls_body_inertia_allowance(const dls_body_def *body);
dls_status dls_body_mass(const dls_body_def *body, const char *file, double *mass, dls_mat3 *inertia, dls_error *error);
/* Sets "world.KEY", "bodies.NAME.KEY" or "joints.NAME.KEY" from text, written as in a scene file, in the scene and in
 * the scenes of its changes. NAME may be a pattern, in which * stands for any text: every match is set, and it is an
 * error if nothing matches. After a failure some matches may have been set. */
dls_status dls_scene_set(dls_scene *scene, const char *key, const char *text, dls_error *error);
/* Whether a key begins with "world.", "bodies." or "joints.". */
bool dls_scene_has_key(const char *key);
/* A definition with the type's defaults. It owns its settings until dls_scene_add_joint succeeds, or until
 * dls_joint_def_release frees them. */
dls_status dls_joint_default(dls_joint_def *joint, const char *type, dls_error *error);
/* The field with that key among the fields of the definition (name, body1, body2), the common fields and the fields of
 * the type; NULL if there is none. */
const dls_field *dls_joint_field(const dls_joint_def *joint, const char *key);
/* Set one of these fields, by text (dls_field_set) or by numbers in the field's own unit (dls_field_set_numbers). For
 * an unknown key, the error names the most similar one. */
dls_status dls_joint_set(dls_joint_def *joint, const char *key, const char *text, dls_error *error);
dls_status dls_joint_set_number(dls_joint_def *joint, const char *key, double number, dls_error *error);
dls_status dls_joint_set_numbers(dls_joint_def *joint, const char *key, const double *numbers, size_t count,
                                 dls_error *error);
dls_status dls_joint_set_vector(dls_joint_def *joint, const char *key, dls_vec3 vector, dls_error *error);
/* Adds a coordinate to a joint on coordinates. A gear of 0 and a coordinate that was added before are errors. */
dls_status dls_joint_couple(dls_joint_def *joint, const char *coordinate, double gear, dls_error *error);
/* The same with the polynomial gears[0] q + gears[1] q^2 + gears[2] q^3 + gears[3] q^4 of the coordinate, where not all
 * gears are 0. Its constant belongs to a setting of the joint, such as `offset` of a mimic. */
dls_status dls_joint_couple_polynomial(dls_joint_def *joint, const char *coordinate, const double gears[DLS_GEARS_MAX],
                                       dls_error *error);
/* Takes the definition on success. A duplicate name, or one with a dot in it, is an error. */
dls_status dls_scene_add_articulation(dls_scene *scene, dls_articulation_def *def, dls_error *error);
dls_status dls_scene_add_joint(dls_scene *scene, dls_joint_def *joint, dls_error *error);
/* Takes the definition on success. A duplicate name is an error. */
dls_status dls_scene_add_track(dls_scene *scene, dls_track_def *def, dls_error *error);
void dls_apart_default(dls_apart_def *apart);
/* Copies *apart. */
dls_status dls_scene_add_apart(dls_scene *scene, const dls_apart_def *apart, dls_error *error);
void dls_shape_surface_default(dls_shape_surface *surface);
/* Copies *surface. A duplicate name is an error. */
dls_status dls_scene_add_surface(dls_scene *scene, const dls_shape_surface *surface, dls_error *error);
void dls_surface_pair_default(dls_surface_pair *pair);
/* Copies *pair. dls_model_create refuses surfaces that are not there, and a pair that is given twice. */
dls_status dls_scene_add_pair(dls_scene *scene, const dls_surface_pair *pair, dls_error *error);
void dls_sensor_default(dls_sensor_def *sensor); /* at the origin of the link frame, with all kinds of forces */
/* Copies *sensor. A duplicate name is an error. */
dls_status dls_scene_add_sensor(dls_scene *scene, const dls_sensor_def *sensor, dls_error *error);
/* Takes the scene `after` on success. The time must be later than the times of all earlier changes. */
dls_status dls_scene_add_change(dls_scene *scene, double time, dls_place place, dls_scene *after, dls_error *error);
/* Removes the part of that name (for a link "ARTICULATION.LINK"), or all parts that match a pattern, in which * stands
 * for any text. Removing a link also removes its descendants. Joints, sensors and `apart` pairs that act on a removed
 * part, or refer to it, are removed too. DLS_BAD_INPUT if no part has that name, and for the root of an articulation.
 */
dls_status dls_scene_remove(dls_scene *scene, dls_part part, const char *name, dls_error *error);
/* The articulation of that name; NULL if there is none. The scene still owns it. */
dls_articulation_def *dls_scene_articulation(const dls_scene *scene, const char *name);
/* Counts one more occurrence of a note about a file, which is that of the scene in dls_scene_note; `text` must be a
 * string constant. */
dls_status dls_scene_note(dls_scene *scene, dls_place place, const char *key, const char *text, dls_error *error);
dls_status dls_scene_note_in(dls_scene *scene, const char *file, dls_place place, const char *key, const char *text,
                             dls_error *error);
/* Records that a reader has left out an element or attribute which may change that aspect of the mechanism. */
dls_status dls_scene_drop(dls_scene *scene, dls_aspect aspect, const char *file, dls_place place, const char *key,
                          const char *text, dls_error *error);
/* Allows words of these aspects to be left out, in the scene and in the scenes of its changes; `aspects` is a sum of
 * 1 << dls_aspect. dls_aspects_read sets it from names that commas separate, or "all". */
void dls_scene_ignore(dls_scene *scene, unsigned aspects);
dls_status dls_aspects_read(const char *names, unsigned *aspects, dls_error *error);
/* DLS_REFUSED if words of these aspects have been left out that neither the world (import: warn) nor dls_scene_ignore
 * allows to leave out. The error has the place of the first and names the others. dls_model_create checks all
 * aspects. */
dls_status dls_scene_check_dropped(const dls_scene *scene, unsigned aspects, dls_error *error);
/* Names the words that have been left out in the error of a reader that failed, too; returns `status`. */
dls_status dls_scene_also_dropped(const dls_scene *scene, dls_status status, dls_error *error);
/* Notes the inertias that no body can have, as readers of files do. */
dls_status dls_scene_note_inertias(dls_scene *scene, dls_error *error);
void dls_joint_def_release(dls_joint_def *joint);
/* Removes the articulations and joints that were added last, until the given numbers remain. The caller owns the
 * removed articulations again; the joints are released. */
void dls_scene_shorten(dls_scene *scene, size_t n_articulations, size_t n_joints);

#ifdef __cplusplus
}
#endif

#endif
