/* mjcf.h - shared by the parts of the reader of MJCF. Not installed. doc/mjcf.md says what is read, and how.
 *
 * The file is read in this order: included files come in their places (mjcf_include.c); every element and attribute is
 * checked against the table of those that are known (xml_words.c); compiler and option (mjcf_option.c); the tree of
 * default classes (mjcf_default.c); the world body with all in it (mjcf_body.c, mjcf_geom.c); then the sections that
 * refer to it by name: pairs that do not collide (mjcf_contact.c), tendons, equalities, actuators, sensors, and
 * keyframes (mjcf_key.c). */
#ifndef DELASSUS_IO_MJCF_H
#define DELASSUS_IO_MJCF_H

#include "xml.h"

#include "base/names.h"
#include "delassus/articulation.h"
#include "delassus/scene.h"
#include "mesh/mesh_mass.h"

enum { MJCF_EULER_AXES = 3 };

/* <flag>: parts of MuJoCo's pipeline that can be disabled. */
typedef struct mjcf_flags {
    bool constraint, equality, frictionloss, limit, contact, spring, damper, gravity, actuation, filterparent,
        clampctrl;
} mjcf_flags;

typedef enum mjcf_inertia_source { MJCF_INERTIAL, MJCF_GEOMS, MJCF_AUTO } mjcf_inertia_source;

/* An element and the default class that fills in the attributes that it does not have. */
typedef struct mjcf_element {
    const xmlNode *node;
    size_t class;    /* of m->classes; DLS_NONE: the element has no defaults */
    const char *tag; /* names of the elements of the class that hold its defaults, separated by blanks */
} mjcf_element;

typedef struct mjcf_class {
    char name[DLS_NAME_MAX];
    const xmlNode *node;
    size_t parent; /* DLS_NONE: none */
} mjcf_class;

typedef struct mjcf_body {
    char name[DLS_NAME_MAX];
    char end[DLS_NAME_MAX]; /* as an end of joints: "ARTICULATION.LINK", "NAME mocap", or "world" */
    bool kinematic;         /* a mocap body, or fixed to one */
    const xmlNode *node;
    dls_frame pose;   /* of the body frame in the world, in the reference configuration */
    dls_frame spring; /* the same where hinges and slides are at their springref */
    size_t parent;    /* DLS_NONE of the world body, which is body 0 */
    size_t moved;     /* the body whose joints move this one: itself, or one above; 0 is fixed to the world */
    size_t n_joints;
} mjcf_body;

typedef struct mjcf_joint {
    char coordinate[DLS_COORDINATE_MAX];
    const xmlNode *node;
    size_t body;
    dls_vec3 anchor;                      /* in the body frame */
    double ref;                           /* coordinate in the reference configuration */
    double stiffness, springref, damping; /* springs, and of a ball joint its damper */
    double time_constant, damping_ratio;  /* of the spring, in their place; 0: not given */
    double inertia, mobility;             /* mjcf_weigh_joints; 0 until then */
    bool force_limited, driven; /* by `force_range`, in the sum of its actuators; whether one of them is a drive */
    double force_range[2];
    bool one_way;                 /* hinge or slide: it has one coordinate */
    bool floats;                  /* a free joint */
    size_t n_positions, n_speeds; /* numbers in qpos and qvel of keyframes */
} mjcf_joint;

typedef struct mjcf_site {
    size_t body;
    dls_frame frame; /* in the body frame */
} mjcf_site;

/* A geom that may touch another. */
typedef struct mjcf_geom {
    size_t body;
    size_t solid;              /* number of the scene's static body, DLS_NONE of a shape on a link */
    size_t shape;              /* number of the shape in its tree */
    size_t number;             /* of all geoms */
    dls_shape_surface surface; /* its name is empty until the scene has it */
    const xmlNode *node;
} mjcf_geom;

/* A length: offset + sum of terms. */
typedef struct mjcf_tendon {
    size_t first, count; /* of m->terms */
    double offset;
    double length;   /* in the reference configuration */
    double unsprung; /* where hinges and slides are at their springref */
    bool left_out;
} mjcf_tendon;

/* Solids that are fitted to a mesh, in a frame of its scaled coordinates: half sizes of a box or an ellipsoid, the
 * radius of a sphere, that of a capsule or cylinder, and half of their lengths. */
typedef struct mjcf_fit {
    dls_frame frame;
    dls_vec3 box;
    double ball, radius, capsule, cylinder;
} mjcf_fit;

/* A mesh or material in <asset>. */
typedef struct mjcf_asset {
    const xmlNode *node;
    bool weighed; /* whether `mass` and `fit` are known */
    dls_mesh_mass mass;
    mjcf_fit fit;
} mjcf_asset;

/* A mesh that a geom names. */
typedef struct mjcf_mesh {
    size_t asset;            /* of m->assets */
    char path[DLS_PATH_MAX]; /* from the model's folder, of its file or of that of its text: FILE#NAME */
    dls_vec3 scale;
    dls_frame frame; /* of its scaled coordinates, in the frame of the geom */
} mjcf_mesh;

typedef struct mjcf_actuator {
    char drive[DLS_NAME_MAX]; /* the joint of the scene, if it is a drive */
    bool left_out, has_dynamics;
    size_t n_activations;
    const xmlNode *node;
} mjcf_actuator;

typedef struct mjcf_table {
    dls_names names;
    size_t unnamed;
} mjcf_table;

typedef struct mjcf {
    dls_xml x;
    dls_scene *scene;
    double angle; /* [rad] that one unit of an angle in the file is */
    char euler[MJCF_EULER_AXES + 1];
    bool autolimits;
    mjcf_inertia_source inertia_source;
    double inertia_groups[2];
    double total_mass; /* that all masses are scaled to; 0: they stay as they are */
    double least_mass, least_inertia;
    double fixed_mass; /* of bodies that are fixed to the world; summed up where there is a total mass */
    mjcf_flags on;
    mjcf_table class_names, body_names, joint_names, site_names, geom_names, tendon_names, equality_names,
        actuator_names, sensor_names, mesh_names, material_names, hfield_names;
    mjcf_table paired;  /* names of geoms in pairs that touch in any case */
    double margin;      /* of contacts; the largest one */
    mjcf_table claimed; /* names of joints of the scene that are those of tendons, equalities and actuators */
    mjcf_class *classes;
    mjcf_body *bodies;
    mjcf_joint *joints;
    mjcf_site *sites;
    mjcf_geom *geoms;
    mjcf_tendon *tendons;
    mjcf_actuator *actuators;
    dls_term_def *terms;
    mjcf_asset *assets;        /* meshes, materials and height fields, which the tables of names count together */
    dls_link_visual *standing; /* visuals of bodies that are fixed to the world, until a tree stands on them */
    size_t n_classes, n_bodies, n_joints, n_sites, n_geoms, n_tendons, n_actuators, n_terms, n_assets, n_standing;
    size_t cap_classes, cap_bodies, cap_joints, cap_sites, cap_geoms, cap_tendons, cap_actuators, cap_terms, cap_assets,
        cap_standing;
    char **files; /* that are read, with the model's own */
    size_t n_files, cap_files;
    char asset_folder[DLS_PATH_MAX], mesh_folder[DLS_PATH_MAX]; /* of <compiler> */
    bool strips_folders;                                        /* from names of files */
    bool exact_meshes, fits_boxes;                              /* exactmeshinertia, fitaabb of <compiler> */
    size_t main_class;
    bool repeats_actuators; /* those of a <replicate>, whose order is not MuJoCo's */
} mjcf;

/* --- mjcf_include.c --- */

/* Puts the elements of included files in the place of each <include>. */
dls_status mjcf_include_files(mjcf *m, xmlNode *root);

/* Puts the copies of what is in each <replicate> in its place, after compiler has been read. */
dls_status mjcf_replicate(mjcf *m, xmlNode *root);

/* --- mjcf_default.c: attributes, with those of default classes --- */

dls_status mjcf_read_defaults(mjcf *m, const xmlNode *root);
/* The element with its class: its own attribute `class`, or else `childclass`. */
dls_status mjcf_open(const mjcf *m, const xmlNode *node, const char *tag, size_t childclass, mjcf_element *element);
/* The class that an attribute of an element names; `fallback` where there is no such attribute. */
dls_status mjcf_class_of(const mjcf *m, const xmlNode *node, const char *attribute, size_t fallback, size_t *class);
/* The element, or that of its classes, which has the attribute; NULL: none. */
const xmlNode *mjcf_holder(const mjcf *m, const mjcf_element *element, const char *attribute);
/* As dls_xml_numbers, dls_xml_vector, dls_xml_number and dls_xml_attribute. */
dls_status mjcf_numbers(const mjcf *m, const mjcf_element *element, const char *attribute, double *to, int least,
                        int most, int *count);
dls_status mjcf_vector(const mjcf *m, const mjcf_element *element, const char *attribute, double *to, int n,
                       int *count);
dls_status mjcf_number(const mjcf *m, const mjcf_element *element, const char *attribute, double *to);
dls_status mjcf_text(const mjcf *m, const mjcf_element *element, const char *attribute, char text[DLS_NAME_MAX],
                     bool *there);
/* The number of the attribute's word in a list that ends with NULL; left alone where the attribute is not there. */
dls_status mjcf_choice(const mjcf *m, const mjcf_element *element, const char *attribute, const char *const *words,
                       int *choice);
dls_status mjcf_bool(const mjcf *m, const mjcf_element *element, const char *attribute, bool *value);
/* True if a range applies: by `limited`, or with autolimits by the presence of the range. */
dls_status mjcf_limited(const mjcf *m, const mjcf_element *element, const char *limited, const char *range, bool *is);
/* The next element of a body, or of the world body, after one of them (NULL: the first), also within its <frame>s,
 * which are no elements of their own: they move and turn the elements in them. NULL: there is no other. */
const xmlNode *mjcf_next(const xmlNode *body, const xmlNode *after);
/* The same, with that name. */
const xmlNode *mjcf_next_named(const xmlNode *body, const xmlNode *after, const char *name);
bool mjcf_is_joint(const xmlNode *node);
/* The number of joints of the body itself. */
size_t mjcf_count_joints(const xmlNode *body);
/* Position and orientation of the element in its parent body, in any of MJCF's notations. */
dls_status mjcf_frame(const mjcf *m, const mjcf_element *element, dls_frame *frame);
/* Transforms a frame given within the <frame>s around an element to its parent body. */
dls_status mjcf_leave_frames(const mjcf *m, const xmlNode *node, dls_frame *frame);
/* The rotation by three Euler angles, in the units and the order of <compiler>. */
dls_status mjcf_turn_by_euler(const mjcf *m, const double *angles, dls_quat *q);
/* The rotation that turns z to that direction. */
dls_quat mjcf_turn_of_z(dls_vec3 z);

/* --- mjcf_scene.c: names, and joints of the scene --- */

/* The name of an element, or one made of `what` and a number, entered in the table with `value`. */
dls_status mjcf_name(const mjcf *m, mjcf_table *table, const xmlNode *node, const char *what, size_t value,
                     char name[DLS_NAME_MAX]);
/* The name of a tendon, equality or actuator as that of a joint of the scene, with `suffix` where another of them has
 * it. */
dls_status mjcf_claim(mjcf *m, const xmlNode *node, const char *suffix, char name[DLS_NAME_MAX]);
/* The value under the name that an attribute has, which must be there and known. */
dls_status mjcf_find(const mjcf *m, const mjcf_table *table, const xmlNode *node, const char *attribute,
                     const char *what, size_t *value);
/* Frame b of a, seen from where a is. */
dls_frame mjcf_compose(dls_frame a, dls_frame b);
dls_status mjcf_note(const mjcf *m, const xmlNode *node, const char *key, const char *text);
/* A joint of the scene, with its name and place; of mjcf_add_joint's fill(). */
typedef struct mjcf_new_joint {
    const mjcf *m;
    const xmlNode *node;
    const char *type;
    char name[DLS_NAME_MAX];
    char body[2][DLS_NAME_MAX]; /* ends, or "" */
    const dls_term_def *terms;  /* or coordinates */
    size_t n_terms;
    struct {
        const char *key;
        double value[4];
        size_t count;
    } settings[8];
    size_t n_settings;
    bool may_touch; /* dls_joint_def */
} mjcf_new_joint;
void mjcf_set(mjcf_new_joint *joint, const char *key, double value);
void mjcf_set_vector(mjcf_new_joint *joint, const char *key, dls_vec3 value);
void mjcf_set_quat(mjcf_new_joint *joint, const char *key, dls_quat value);
/* "NAME SUFFIX"; DLS_BAD_INPUT where there is no room for it. */
dls_status mjcf_join(const mjcf *m, const xmlNode *node, char to[DLS_NAME_MAX], const char *name, const char *suffix);
dls_status mjcf_add_joint(const mjcf_new_joint *joint);

/* --- the sections --- */

dls_status mjcf_read_compiler(mjcf *m, const xmlNode *root);
dls_status mjcf_read_option(mjcf *m, const xmlNode *root);
dls_status mjcf_read_world(mjcf *m, const xmlNode *root);

/* --- mjcf_mass.c --- */

dls_status mjcf_read_inertial(const mjcf *m, const xmlNode *node, dls_link_def *link);
/* Raises mass and inertia to the least ones. `is_empty`: the body has neither mass nor <inertial>; `place`: its own in
 * its parent. */
void mjcf_bound_mass(const mjcf *m, dls_link_def *link, bool is_empty, dls_vec3 place);
/* Adds the mass of a body that is fixed to the world, and has an <inertial>, to that of its geoms, before which the
 * mass of fixed bodies was `before`. */
dls_status mjcf_weigh_fixed_body(mjcf *m, const xmlNode *node, bool geoms_weigh, double before);
/* Scales all masses, as MuJoCo does, so that they and those of fixed bodies sum up to the total that is set. */
dls_status mjcf_scale_masses(mjcf *m, const xmlNode *root);
/* Mass matrices of all trees in the reference configuration: the entry of M of each joint (its mean if it has several),
 * and the mean of the entries of M^-1, for joints of which something is given by its time constant. */
dls_status mjcf_weigh_joints(mjcf *m);

/* --- mjcf_mocap.c --- */

/* Makes the body, which has its pose, kinematic if it is a mocap body. */
dls_status mjcf_read_mocap(mjcf *m, size_t body);

/* --- mjcf_spring.c: joints of the scene for the springs and dampers of all joints that have been read --- */

dls_status mjcf_add_springs(mjcf *m);

/* Masses and shapes of a body's geoms. `link` NULL: the body is fixed to the world. */
dls_status mjcf_read_geoms(mjcf *m, size_t body, size_t childclass, dls_articulation_def *tree, dls_link_def *link);
/* --- mjcf_asset.c --- */

/* Folders, meshes and materials. */
dls_status mjcf_read_assets(mjcf *m, const xmlNode *root);
/* The asset that an attribute of a geom names, with its class. *there: whether there is such an attribute. */
dls_status mjcf_find_asset(const mjcf *m, const mjcf_element *geom, const char *what, const mjcf_table *table,
                           mjcf_element *asset, bool *there);
/* The mesh, or the height field, that a geom names. */
dls_status mjcf_read_field(const mjcf *m, const mjcf_element *geom, mjcf_mesh *mesh);
dls_status mjcf_read_mesh(const mjcf *m, const mjcf_element *geom, mjcf_mesh *mesh);
/* Its mass properties by its attribute `inertia`, in its scaled coordinates, and the solids that are fitted to it; its
 * file is read once. */
dls_status mjcf_weigh_mesh(mjcf *m, const mjcf_mesh *mesh, const mjcf_asset **weighed);
/* mjcf_fit.c */
mjcf_fit mjcf_fit_mesh(const mjcf *m, const dls_mesh_mass *mass, const dls_triangles *triangles);

/* --- mjcf_visual.c: appearance of bodies --- */

/* Adds a geom of a link to the visuals of its tree; `solid` has its form, or no shape if it is a mesh. `tree` NULL: the
 * body is fixed to the world, and the geom waits until a tree stands on that body. */
dls_status mjcf_add_visual(mjcf *m, const mjcf_element *geom, const dls_body_def *solid, dls_frame frame,
                           const char *body, dls_articulation_def *tree);
/* Gives a tree the visuals of the body that is its fixed root. */
dls_status mjcf_draw_root(mjcf *m, const char *body, dls_articulation_def *tree);

/* --- sections that refer to bodies --- */

dls_status mjcf_read_contacts(mjcf *m, const xmlNode *root);
dls_status mjcf_condim(const mjcf *m, const mjcf_element *e, int *condim); /* dls_condim of a geom or pair */
dls_status mjcf_note_paired(mjcf *m, const xmlNode *root);                 /* before the world is read */
dls_status mjcf_read_tendons(mjcf *m, const xmlNode *root);
/* The tendon that an attribute names; DLS_REFUSED if it is left out. */
dls_status mjcf_find_tendon(const mjcf *m, const xmlNode *node, const char *attribute, const mjcf_tendon **tendon);
dls_status mjcf_read_equalities(mjcf *m, const xmlNode *root);
dls_status mjcf_read_actuators(mjcf *m, const xmlNode *root);
/* Sets the action of an actuator from the start on for the control `ctrl`. start->drives has room for all actuators,
 * and start->joints are those of m->joints. */
dls_status mjcf_start_actuator(const mjcf *m, size_t actuator, double ctrl, dls_start *start);
dls_status mjcf_read_keyframes(mjcf *m, const xmlNode *root); /* mjcf_key.c */
dls_status mjcf_read_sensors(mjcf *m, const xmlNode *root);

#endif
