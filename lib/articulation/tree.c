/* From definitions to a tree: link order, checks of every link, and constants in the frames that the algorithms use. */
#include "delassus/mass.h"
#include "parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct where {
    const dls_articulation_def *def;
    const dls_link_def *link;
    dls_error *error;
} where;

static dls_status bad(where w, const char *key, const char *message)
{
    return dls_fail_at(w.error, DLS_BAD_INPUT, w.def->file, w.link->place.line, w.link->place.column, key,
                       "link '%s': %s", w.link->name, message);
}

static dls_status bad_name(where w, const char *key, const char *message, const char *name)
{
    return dls_fail_at(w.error, DLS_BAD_INPUT, w.def->file, w.link->place.line, w.link->place.column, key,
                       "link '%s': %s '%s'", w.link->name, message, name);
}

/* --- checks of one link --- */

static bool zero_inertia(const dls_mat3 *I)
{
    for (int i = 0; i < 9; i++)
        if (I->m[i] != 0.0)
            return false;
    return true;
}

static dls_status check_mass(where w)
{
    const dls_link_def *link = w.link;
    if (!(link->mass >= 0.0) || !isfinite(link->mass))
        return bad(w, "mass", "the mass must be finite and not negative");
    if (!dls_finite3(link->centre))
        return bad(w, "centre", "must be finite");
    if (link->mass == 0.0)
        return zero_inertia(&link->inertia) ? DLS_OK : bad(w, "inertia", "a link without mass has no inertia");
    if (zero_inertia(&link->inertia))
        return DLS_OK; /* a point of mass: what it is fixed to has the inertia */
    const double *m = link->inertia.m;
    if (m[1] != m[3] || m[2] != m[6] || m[5] != m[7])
        return bad(w, "inertia", "the inertia tensor is not symmetric");
    const char *fault = dls_inertia_fault(link->inertia);
    return fault ? bad(w, "inertia", fault) : DLS_OK;
}

static dls_status check_frames(where w)
{
    const dls_link_def *link = w.link;
    if (!dls_finite3(link->position) || !dls_finite3(link->parent_frame.p) || !dls_finite3(link->child_frame.p))
        return bad(w, "position", "positions must be finite");
    if (!dls_finite3(link->force) || !dls_finite3(link->torque))
        return bad(w, "force", "forces must be finite");
    if (!dls_part_unit(link->orientation) || !dls_part_unit(link->parent_frame.q) ||
        !dls_part_unit(link->child_frame.q))
        return bad(w, "orientation", "orientations must be unit quaternions");
    return DLS_OK;
}

static dls_status check_motion(where w)
{
    const dls_link_def *link = w.link;
    const dls_motion *motion = link->motion;
    if (!motion)
        return bad(w, "motion", "no motion type");
    for (size_t k = 0; k < motion->n_dofs && motion->n_dofs < 3; k++)
        if (link->axis[k] < motion->first_axis || link->axis[k] > motion->first_axis + 2)
            return bad(w, "axis",
                       motion->slides ? "this motion goes along x, y or z"
                                      : "this motion turns about twist, swing1 or swing2");
    if (motion->n_dofs == 2 && link->axis[0] == link->axis[1])
        return bad(w, "axis", "the two axes must differ");
    for (size_t k = 0; k < motion->n_dofs; k++) {
        if (!(link->armature[k] >= 0.0) || !isfinite(link->armature[k]))
            return bad(w, "armature", "must be finite and not negative");
        if (!isfinite(link->speed[k]))
            return bad(w, "speed", "must be finite");
        if (!isfinite(link->effort[k]))
            return bad(w, "effort", "must be finite");
    }
    if (isnan(link->q[0]))
        return DLS_OK;
    for (size_t k = 0; k < motion->n_positions; k++)
        if (!isfinite(link->q[k]))
            return bad(w, "q", "must be finite");
    if (motion->n_positions == 4 && !dls_part_unit((dls_quat){link->q[0], link->q[1], link->q[2], link->q[3]}))
        return bad(w, "q", "must be a unit quaternion");
    return DLS_OK;
}

static size_t find_def(const dls_articulation_def *def, const char *name)
{
    for (size_t i = 0; i < def->n_links; i++)
        if (strcmp(def->links[i].name, name) == 0)
            return i;
    return DLS_NONE;
}

static dls_status check_name(where w)
{
    if (!w.link->name[0])
        return bad(w, "name", "a link needs a name");
    size_t i = (size_t)(w.link - w.def->links);
    if (find_def(w.def, w.link->name) != i)
        return bad(w, "name", "this name is taken by another link");
    for (size_t k = 0; k < i; k++)
        if (w.link->parent[0] && w.def->links[k].parent[0] && strcmp(w.def->links[k].joint, w.link->joint) == 0)
            return bad_name(w, "joint", "another joint has the name", w.link->joint);
    return DLS_OK;
}

static dls_status check_link(where w)
{
    DLS_TRY(check_name(w));
    DLS_TRY(check_mass(w));
    DLS_TRY(check_frames(w));
    if (w.link->parent[0])
        return check_motion(w);
    for (int k = 0; k < 6; k++)
        if (!isfinite(w.link->speed[k]))
            return bad(w, "speed", "must be finite");
    return DLS_OK;
}

/* --- link order --- */

/* Families by index into the definition; DLS_NONE ends a list. */
typedef struct family {
    size_t parent, first_child, next_sibling;
} family;

/* Links families together; *root is the link without parent. Later siblings are put in front, so it goes backwards. */
static dls_status find_families(const dls_articulation_def *def, family *families, size_t *root, dls_error *error)
{
    *root = DLS_NONE;
    for (size_t i = 0; i < def->n_links; i++)
        families[i] = (family){DLS_NONE, DLS_NONE, DLS_NONE};
    for (size_t i = def->n_links; i-- > 0;) {
        const dls_link_def *link = &def->links[i];
        where w = {def, link, error};
        if (!link->parent[0]) {
            if (*root != DLS_NONE)
                return bad_name(w, "parent", "an articulation has one root; another link without parent is",
                                def->links[*root].name);
            *root = i;
            continue;
        }
        size_t parent = families[i].parent = find_def(def, link->parent);
        if (parent == DLS_NONE)
            return bad_name(w, "parent", "there is no link", link->parent);
        families[i].next_sibling = families[parent].first_child;
        families[parent].first_child = i;
    }
    return *root == DLS_NONE ? dls_fail_at(error, DLS_BAD_INPUT, def->file, 0, 0, "parent",
                                           "no link is the root; leave out one link's parent")
                             : DLS_OK;
}

/* order[]: definitions in link order, depth first. Returns how many the root reaches. */
static size_t find_order(const family *families, size_t root, size_t *order)
{
    size_t count = 0;
    for (size_t i = root; i != DLS_NONE;) {
        order[count++] = i;
        if (families[i].first_child != DLS_NONE) {
            i = families[i].first_child;
            continue;
        }
        while (i != DLS_NONE && families[i].next_sibling == DLS_NONE)
            i = families[i].parent;
        i = i == DLS_NONE ? DLS_NONE : families[i].next_sibling;
    }
    return count;
}

static bool reached(const size_t *order, size_t count, size_t link)
{
    for (size_t k = 0; k < count; k++)
        if (order[k] == link)
            return true;
    return false;
}

/* From a link that the root does not reach, n steps towards a root end on a cycle. */
static dls_status cycle(const dls_articulation_def *def, const family *families, const size_t *order, size_t count,
                        dls_error *error)
{
    size_t lost = 0;
    while (reached(order, count, lost))
        lost++;
    for (size_t k = 0; k < def->n_links; k++)
        lost = families[lost].parent;
    return bad((where){def, &def->links[lost], error}, "parent",
               "is its own ancestor: the links are no tree; close loops with joints between links");
}

/* --- constants --- */

static dls_vec3 axis_of(dls_axis axis) { return dls_axis3((int)axis % 3); }

/* Turns the joint's first axis into z and its second into x. A single axis takes the next one, cyclically, as x. */
static dls_mat3 joint_turn(const dls_link_def *def)
{
    if (def->motion->n_dofs == 0 || def->motion->n_dofs == 3)
        return (dls_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    dls_vec3 z = axis_of(def->axis[0]), x = dls_axis3(((int)def->axis[0] + 1) % 3);
    if (def->motion->n_dofs == 2)
        x = axis_of(def->axis[1]);
    dls_vec3 y = dls_cross(z, x);
    return (dls_mat3){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

static dls_mat3 transpose(dls_mat3 A)
{
    return (dls_mat3){{A.m[0], A.m[3], A.m[6], A.m[1], A.m[4], A.m[7], A.m[2], A.m[5], A.m[8]}};
}

static void compile_link(dls_articulation *art, size_t i)
{
    dls_link *link = &art->links[i];
    const dls_link_def *def = &art->defs[i];
    dls_mat3 turn = i ? joint_turn(def) : joint_turn(&(dls_link_def){.motion = dls_motion_find("fix")});
    dls_mat3 child = dls_matmul3(dls_quat_matrix(dls_quat_unit(def->child_frame.q)), turn);
    dls_mat3 T = i ? transpose(child) : turn;
    link->to_joint = T;
    link->mass = def->mass;
    link->inertia = dls_sym3_rotate(&T, &(dls_sym3){def->inertia.m[0], def->inertia.m[1], def->inertia.m[2],
                                                    def->inertia.m[4], def->inertia.m[5], def->inertia.m[8]});
    if (i == 0)
        return;
    const dls_link *parent = &art->links[link->parent];
    dls_mat3 frame = dls_matmul3(dls_quat_matrix(dls_quat_unit(def->parent_frame.q)), turn);
    link->A = dls_matmul3(parent->to_joint, frame);
    link->l = dls_mul3(parent->to_joint, dls_sub(def->parent_frame.p, art->defs[link->parent].centre));
    link->d = dls_mul3(T, dls_sub(def->centre, def->child_frame.p));
}

static void compile_links(dls_articulation *art, const size_t *link_of, const family *families, const size_t *order)
{
    for (size_t i = 0; i < art->n_links; i++) {
        dls_link *link = &art->links[i];
        link->motion = i ? art->defs[i].motion : dls_motion_find("fix");
        link->parent = i ? link_of[families[order[i]].parent] : DLS_NONE;
        link->n_dofs = i ? link->motion->n_dofs : art->n_base;
        link->dof = art->nv;
        link->position = art->nq;
        art->nv += link->n_dofs;
        art->nq += link->motion->n_positions;
        art->mass += art->defs[i].mass;
        compile_link(art, i);
    }
    for (size_t i = art->n_links; i-- > 0;) {
        dls_link *link = &art->links[i];
        link->subtree_end = link->subtree_end > i + 1 ? link->subtree_end : i + 1;
        if (i && art->links[link->parent].subtree_end < link->subtree_end)
            art->links[link->parent].subtree_end = link->subtree_end;
    }
}

static dls_status compile_dofs(dls_articulation *art, dls_error *error)
{
    art->armature = calloc(art->nv + 1, sizeof *art->armature);
    art->dof_link = calloc(art->nv + 1, sizeof *art->dof_link);
    art->dof_before = calloc(art->nv + 1, sizeof *art->dof_before);
    art->dof_run = calloc(art->nv + 1, sizeof *art->dof_run);
    if (!art->armature || !art->dof_link || !art->dof_before || !art->dof_run)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu degrees of freedom", art->nv);
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++) {
            art->armature[k] = i ? art->defs[i].armature[k - link->dof] : 0.0;
            art->dof_link[k] = i;
            art->dof_before[k] = k > link->dof ? k - 1 : i ? dls_articulation_last_dof(art, link->parent) : DLS_NONE;
            art->dof_run[k] = k > 0 && art->dof_before[k] == k - 1 ? art->dof_run[k - 1] : k;
        }
    }
    return DLS_OK;
}

/* A joint called "NAME.AXIS" beside a joint NAME of several axes, or "base.AXIS" on a floating base: a coordinate could
 * be of either. */
static dls_status check_dof_names(const dls_articulation_def *def, const dls_articulation *art, dls_error *error)
{
    char name[2 * DLS_NAME_MAX];
    for (size_t i = 1; i < art->n_links; i++)
        for (size_t k = 0; k < art->nv && strchr(art->defs[i].joint, '.'); k++) {
            dls_articulation_dof_name(art, k, name, sizeof name);
            if (art->dof_link[k] != i && strcmp(name, art->defs[i].joint) == 0)
                return bad_name((where){def, &art->defs[i], error}, "joint", "an axis of another joint is called",
                                name);
        }
    return DLS_OK;
}

/* A joint that moves neither mass nor armature has no acceleration. */
static dls_status check_moved_mass(const dls_articulation_def *def, const dls_articulation *art, dls_error *error)
{
    for (size_t i = art->fixed_base ? 1 : 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        double mass = 0.0;
        bool armed = link->n_dofs > 0 && i > 0;
        for (size_t k = i; k < link->subtree_end; k++)
            mass += art->links[k].mass;
        for (size_t k = 0; k < link->n_dofs && i; k++)
            armed = armed && art->armature[link->dof + k] > 0.0;
        if (link->n_dofs && !armed && !(mass > 0.0))
            return bad((where){def, &art->defs[i], error}, "mass",
                       i ? "its joint moves no mass; give a mass or an armature" : "a floating base without any mass");
    }
    return DLS_OK;
}

/* --- create --- */

static dls_status order_links(const dls_articulation_def *def, dls_articulation *art, family *families, size_t *order,
                              size_t *link_of, dls_error *error)
{
    size_t root;
    DLS_TRY(find_families(def, families, &root, error));
    size_t count = find_order(families, root, order);
    if (count < def->n_links)
        return cycle(def, families, order, count, error);
    for (size_t i = 0; i < count; i++) {
        link_of[order[i]] = i;
        art->defs[i] = def->links[order[i]];
    }
    compile_links(art, link_of, families, order);
    return DLS_OK;
}

static dls_status compile(const dls_articulation_def *def, dls_articulation *art, dls_error *error)
{
    size_t n = def->n_links;
    memcpy(art->name, def->name, sizeof art->name);
    art->fixed_base = def->fixed_base;
    art->n_base = def->fixed_base ? 0 : 6;
    art->n_links = n;
    art->links = calloc(n, sizeof *art->links);
    art->defs = calloc(n, sizeof *art->defs);
    family *families = calloc(n, sizeof *families);
    size_t *order = calloc(2 * n, sizeof *order);
    dls_status status = !art->links || !art->defs || !families || !order
                            ? dls_fail(error, DLS_NO_MEMORY, "no memory for an articulation of %zu links", n)
                            : order_links(def, art, families, order, order + n, error);
    free(families);
    free(order);
    DLS_TRY(status);
    DLS_TRY(compile_dofs(art, error));
    DLS_TRY(check_dof_names(def, art, error));
    return check_moved_mass(def, art, error);
}

dls_status dls_articulation_create(const dls_articulation_def *def, dls_articulation **articulation, dls_error *error)
{
    *articulation = NULL;
    if (!def->n_links)
        return dls_fail_at(error, DLS_BAD_INPUT, def->file, 0, 0, "links", "the articulation has no links");
    for (size_t i = 0; i < def->n_links; i++)
        DLS_TRY(check_link((where){def, &def->links[i], error}));
    dls_articulation *art = calloc(1, sizeof *art);
    if (!art)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an articulation");
    dls_status status = dls_part_first_share(art, error);
    if (status == DLS_OK)
        status = compile(def, art, error);
    if (status == DLS_OK)
        *articulation = art;
    else
        dls_articulation_destroy(art);
    return status;
}
