/* picture.h - the drawing of a world, common to all kinds of files: facets of shapes, the items of a film, its camera.
 * Not installed.
 *
 * THE ROOM. Whatever is drawn: pictures of mechanisms, still (SVG, PNG, PDF), as glTF and as a page, and figures of
 * tables by gnuplot (plot.c; of any table, plot_table.c), with their text for LaTeX (tex.c). A kind of picture is one
 * file, in the table of pictures.c, and gets a film; drawing.c decides for all kinds which parts of a model are drawn.
 * Nothing here steps or solves.
 *
 * A film has NODES, the world and every body and link; ITEMS, which are fixed to a node or stretched between two; and
 * FRAMES, which have at a time the pose of every node, the error and the residual of every joint with a mark, the
 * contact forces, and measures of the whole. A still picture shows the last frame.
 */
#ifndef DLS_EXPERIMENTS_PICTURE_H
#define DLS_EXPERIMENTS_PICTURE_H

#include "mesh/mesh_file.h"

#include "base/names.h"
#include "delassus/experiments.h"

#include <stdio.h>

/* --- facets (mesh.c) --- */

/* The surface of a convex solid, or of a mesh from a file, which may have any form and need not be closed. A face is a
 * triangle (its last two corners are the same) or a plane quadrangle, seen anticlockwise from outside. */
typedef struct dls_mesh {
    size_t n_points, cap_points;
    dls_vec3 *points, *normals; /* n_points */
    size_t n_faces, cap_faces;
    size_t (*faces)[4]; /* n_faces */
} dls_mesh;
void dls_mesh_release(dls_mesh *mesh);

/* The surface that a mesh shows: the solids of bodies, an arrow of length 1 along z, and triangles, which are from a
 * file, of a hull or of a terrain. */
typedef struct dls_surface {
    dls_shape shape; /* DLS_SHAPE_NONE: the triangles, or where there are none the arrow */
    dls_vec3 size;   /* of a plane: the sides of the square of it that is drawn */
    double radius, length;
    const dls_triangles *triangles; /* belong to the film */
} dls_surface;
/* Release it after a failure too. */
dls_status dls_mesh_create(const dls_surface *form, dls_mesh *mesh, dls_error *error);
/* Half of its extent along the axes of its frame. */
dls_vec3 dls_surface_half(const dls_surface *form);
/* Whether its faces meet at edges that are drawn. */
bool dls_surface_edges(const dls_surface *form);
/* Whether the surface of an item is convex, so that the faces that are seen hide none of each other. Triangles
 * may be neither convex nor closed. */
bool dls_surface_convex(const dls_surface *form);
bool dls_surface_equal(const dls_surface *a, const dls_surface *b);

/* --- films (film.c), their items (drawing.c) and frames (frame.c) --- */

typedef enum dls_item_kind {
    DLS_ITEM_SOLID,
    DLS_ITEM_PLANE,
    DLS_ITEM_STICK, /* from the centre of mass of a body to a joint that no shape of it reaches; or that centre as a
                       sphere, of a body without a shape */
    DLS_ITEM_TRACK,
    DLS_ITEM_GRID,
    DLS_ITEM_ROD,
    DLS_ITEM_STRING,
    DLS_ITEM_AXIS,
    DLS_ITEM_JOINT,
    DLS_ITEMS
} dls_item_kind;
/* In still pictures a later layer is drawn over the ones before. Planes and the grid, which are the floor, do not count
 * for the size of the picture. */
typedef enum dls_layer { DLS_LAYER_FLOOR, DLS_LAYER_BODIES, DLS_LAYER_OVER } dls_layer;
typedef struct dls_item_facts {
    const char *name;
    dls_layer layer;
    unsigned colour; /* 0xRRGGBB; 0: its own */
    bool lines;      /* it has points and no form */
    bool stretched;  /* between two nodes */
    bool dot;        /* drawn as a dot in still pictures, in the colour of its joint's error if it has one */
    bool clear;      /* one can see through it */
    double width;    /* of its line or dot in still pictures [pixels] */
} dls_item_facts;
extern const dls_item_facts dls_item_facts_of[DLS_ITEMS];

typedef struct dls_item {
    dls_item_kind kind;
    char owner[2 * DLS_NAME_MAX]; /* the body, link, joint or track that it shows */
    size_t node[2];               /* on which it is; the second of a stretched item */
    dls_frame frame;              /* of its form on the first node; of a stretched item, that end */
    dls_vec3 far_end;             /* on the second node */
    dls_surface form;
    size_t first, count; /* of a track or grid: pairs of points, the ends of pieces, in the film's list */
    unsigned colour;     /* 0xRRGGBB */
    size_t joint;        /* of the mark or axis of a joint: into the errors of a frame; else DLS_NONE */
    size_t from, until;  /* the frames that show it: from ... until - 1 */
} dls_item;

typedef struct dls_film_node {
    char name[2 * DLS_NAME_MAX];
    bool moves;
} dls_film_node;
typedef struct dls_film_pose {
    dls_vec3 x; /* centre of mass [m] */
    dls_quat q;
} dls_film_pose;
typedef struct dls_film_arrow {
    dls_vec3 point, force; /* [m], [N], on the body that a contact holds up */
    double residual;       /* of its contact in the last step, or dls_film_none [m/s, rad/s] */
} dls_film_arrow;

/* A number of a frame that is not there, of those that are not negative. NaN is a number that is there, but cannot be
 * computed since its terms overflow. */
static const double dls_film_none = -1.0;
/* The measures of a frame, and the residuals of its last step's answer (film_measure.c). */
typedef enum dls_film_measure {
    DLS_FILM_KINETIC,
    DLS_FILM_POTENTIAL,
    DLS_FILM_ENERGY, /* both */
    DLS_FILM_JOINTS_LINEAR,
    DLS_FILM_JOINTS_ANGULAR,
    DLS_FILM_DEPTH,
    DLS_FILM_RESIDUAL, /* the scaled one; none where there was no step, or no row */
    DLS_FILM_FORCE,    /* the largest of a contact, also of one that is too large for an arrow; none without a step */
    DLS_FILM_MEASURES
} dls_film_measure;
typedef struct dls_film_measure_facts {
    const char *name, *unit, *panel; /* in a player, measures of one panel have one axis */
    bool logarithmic;
    bool of_step; /* dls_film_none where there is no step; the others are always there */
} dls_film_measure_facts;
extern const dls_film_measure_facts dls_film_measures[DLS_FILM_MEASURES];
typedef struct dls_film_frame {
    double time;
    size_t pose, n_nodes;   /* into poses; nodes that came later are not there yet */
    size_t error, n_errors; /* into errors and residuals */
    size_t arrow, n_arrows; /* into arrows */
    double measure[DLS_FILM_MEASURES];
} dls_film_frame;

/* A file of triangles, and whether it could be read. */
typedef struct dls_film_mesh {
    char mesh[DLS_PATH_MAX], model[DLS_PATH_MAX]; /* as in dls_visual */
    dls_vec3 scale;
    dls_triangles triangles;
    bool read;
} dls_film_mesh;

struct dls_film {
    char name[DLS_NAME_MAX];
    char note[512]; /* how the run was made */
    size_t n_nodes, cap_nodes;
    dls_film_node *nodes; /* the first is the world */
    dls_names node_names, joint_names;
    size_t n_items, cap_items;
    dls_item *items;
    size_t n_points, cap_points;
    dls_vec3 *points;
    size_t n_frames, cap_frames;
    dls_film_frame *frames;
    size_t n_poses, cap_poses;
    dls_film_pose *poses;
    size_t n_joints, cap_joints;
    char (*joints)[DLS_NAME_MAX]; /* whose errors are marked */
    size_t n_errors, cap_errors, cap_residuals;
    double *errors;    /* the larger one, or dls_film_none: the joint is not there [m, rad] */
    double *residuals; /* of the joint's rows in the last step, the worst, or dls_film_none [m/s, rad/s] */
    dls_examiner *examiner;
    size_t cap_rows, cap_owners;
    double *rows, *owners; /* residuals of the rows of the last step; of each joint, then each detected contact */
    size_t n_arrows, cap_arrows;
    dls_film_arrow *arrows;
    size_t n_meshes, cap_meshes;
    dls_film_mesh **meshes;
    size_t n_problems, cap_problems;
    dls_error *problems;    /* of visuals that are not drawn, each once */
    const dls_model *model; /* that it was last taken of; never read after that */
    size_t n_ends, cap_node_of, cap_joint_of;
    size_t *node_of;    /* of the ends of that model */
    size_t *joint_of;   /* of its joints; DLS_NONE: not marked */
    dls_vec3 up;        /* against gravity */
    double weight;      /* of all that is in it at the start [N] */
    double size;        /* diagonal of everything at the start, without planes [m] */
    double mark;        /* radius of a joint's mark [m] */
    double grid;        /* side of a cell of the grid [m] */
    double arrow_scale; /* length of the arrow of a force [m/N]; set by dls_film_finish */
    bool over;          /* a pose was too large for a picture, and the film has ended */
};

/* The items of a model at a configuration, as they hold from the next frame on: those that the film has already stay,
 * and those that are no longer there end. */
dls_status dls_film_draw(dls_film *film, const dls_configuration *at, dls_error *error);
/* The pose of an item in a frame, and how much it is stretched along its z. */
dls_film_pose dls_item_pose(const dls_film *film, const dls_film_frame *frame, const dls_item *item, double *stretch);
bool dls_item_shown(const dls_item *item, size_t frame);
/* The pose and the length [m] of the arrow of a force. */
dls_film_pose dls_arrow_pose(const dls_film *film, const dls_film_arrow *arrow, double *length);
/* Calls `see` with corners of all that a frame shows but planes and grids: it lies between them. */
void dls_film_corners(const dls_film *film, size_t frame, void (*see)(void *context, dls_vec3 p), void *context);
/* Sets the grid and the lengths of arrows, by all frames. Once, before the film is written. */
dls_status dls_film_finish(dls_film *film, dls_error *error);

/* Measures a state, and with `stepped` the answer of its last step: its residual, and in film->owners that of each
 * joint and detected contact. DLS_FILM_FORCE is left 0, and without a step dls_film_none. `examiner` as for
 * dls_film_take. */
dls_status dls_film_measure_take(dls_film *film, dls_simulation *s, bool stepped, dls_examiner *examiner,
                                 dls_film_frame *frame, dls_error *error);

/* Colours of joint errors: the first whose `below` is above the error. */
typedef struct dls_error_colour {
    double below; /* [m, rad] */
    unsigned colour;
    const char *text;
} dls_error_colour;
enum { DLS_ERROR_COLOURS = 6, DLS_FORCE_COLOUR = 0xc81e1e };
extern const dls_error_colour dls_error_colours[DLS_ERROR_COLOURS];
size_t dls_error_class(double error);

/* --- camera (camera.c) --- */

/* Parallel rays; the picture's axes are `right` and `up`, and `back` points to the eye. */
typedef struct dls_camera {
    dls_vec3 target, right, up, back;
    double radius; /* of a sphere about the target that holds all that is visible [m] */
} dls_camera;
/* The side from which most is seen of the frames first ... end - 1. */
dls_camera dls_camera_of(const dls_film *film, size_t first, size_t end);

/* --- writers of films that are finished, side by side where a kind of file can have several --- */

dls_status dls_still_svg(const dls_film *const *films, size_t count, const char *path, dls_error *error);
dls_status dls_still_png(const dls_film *const *films, size_t count, const char *path, dls_error *error);
dls_status dls_still_pdf(const dls_film *const *films, size_t count, const char *path, dls_error *error);
dls_status dls_gltf_write(const dls_film *const *films, size_t count, const char *path, dls_error *error);
dls_status dls_page_write(const dls_film *const *films, size_t count, const char *path, dls_error *error);
/* The bytes of a glTF file, which the caller frees. */
dls_status dls_gltf_bytes(const dls_film *film, unsigned char **bytes, size_t *size, dls_error *error);

#endif
