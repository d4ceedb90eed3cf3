/* From definitions to a tree: link order, checks of every link, and constants in the frames that the algorithms use. */
#include "delassus/spatial.h"
#include "parts.h"

#include <stdio.h>
#include <string.h>

/* Up to this mean number of degrees of freedom on the way to the root (padding of response.c included) a solve by the
 * response factor costs less than one by propagation. */
enum { RESPONSE_DEPTH = 24 };

typedef struct where {
    const dls_articulation_def *def;
    const dls_link_def *link;
    dls_error *error;
} where;

static dls_status link_fail(where w, const char *key, const char *message)
{
    return dls_fail_at(w.error, DLS_BAD_INPUT, w.def->file, w.link->place.line, w.link->place.column, key,
                       "link '%s': %s", w.link->name, message);
}

static dls_status link_name_fail(where w, const char *key, const char *message, const char *name)
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
        return link_fail(w, "mass", "the mass must be finite and not negative");
    if (!dls_finite3(link->centre))
        return link_fail(w, "centre", "must be finite");
    if (zero_inertia(&link->inertia))
        return DLS_OK; /* a point mass, or a frame; another link of the same rigid body may have the inertia */
    const double *m = link->inertia.m;
    if (m[1] != m[3] || m[2] != m[6] || m[5] != m[7])
        return link_fail(w, "inertia", "the inertia tensor is not symmetric");
    return isfinite(m[0] + m[1] + m[2] + m[4] + m[5] + m[8]) ? DLS_OK : link_fail(w, "inertia", "must be finite");
}

static dls_status check_frames(where w)
{
    const dls_link_def *link = w.link;
    if (!dls_finite3(link->position) || !dls_finite3(link->parent_frame.p) || !dls_finite3(link->child_frame.p))
        return link_fail(w, "position", "positions must be finite");
    if (!dls_finite3(link->force) || !dls_finite3(link->torque))
        return link_fail(w, "force", "forces must be finite");
    if (!dls_tree_unit(link->orientation) || !dls_tree_unit(link->parent_frame.q) ||
        !dls_tree_unit(link->child_frame.q) || !(isnan(link->box_axes.w) || dls_tree_unit(link->box_axes)))
        return link_fail(w, "orientation", "orientations must be unit quaternions");
    return DLS_OK;
}

static dls_status check_motion(where w)
{
    const dls_link_def *link = w.link;
    const dls_motion *motion = link->motion;
    if (!motion)
        return link_fail(w, "motion", "no motion type");
    for (size_t k = 0; k < motion->n_dofs && motion->n_dofs < 3; k++)
        if (link->axis[k] < motion->first_axis || link->axis[k] > motion->first_axis + 2)
            return link_fail(w, "axis",
                             motion->slides ? "this motion goes along x, y or z"
                                            : "this motion turns about twist, swing1 or swing2");
    if (motion->n_dofs == 2 && link->axis[0] == link->axis[1])
        return link_fail(w, "axis", "the two axes must differ");
    for (size_t k = 0; k < motion->n_dofs; k++) {
        if (!(link->armature[k] >= 0.0) || !isfinite(link->armature[k]))
            return link_fail(w, "armature", "must be finite and not negative");
        if (!isfinite(link->speed[k]))
            return link_fail(w, "speed", "must be finite");
        if (!isfinite(link->effort[k]))
            return link_fail(w, "effort", "must be finite");
    }
    if (isnan(link->q[0]))
        return DLS_OK;
    for (size_t k = 0; k < motion->n_positions; k++)
        if (!isfinite(link->q[k]))
            return link_fail(w, "q", "must be finite");
    if (motion->n_positions == 4 && !dls_tree_unit((dls_quat){link->q[0], link->q[1], link->q[2], link->q[3]}))
        return link_fail(w, "q", "must be a unit quaternion");
    return DLS_OK;
}

/* Enters the names of a link and of its joint, with the link's index in the definition, and checks the rest. */
static dls_status check_link(where w, struct dls_articulation_inside *inside)
{
    size_t i = (size_t)(w.link - w.def->links);
    if (!w.link->name[0])
        return link_fail(w, "name", "a link needs a name");
    size_t link = dls_names_add(&inside->links, w.link->name, i);
    size_t joint = w.link->parent[0] ? dls_names_add(&inside->joints, w.link->joint, i) : i;
    if (link == SIZE_MAX || joint == SIZE_MAX)
        return dls_fail(w.error, DLS_NO_MEMORY, "no memory for the names of %zu links", w.def->n_links);
    if (link != i)
        return link_fail(w, "name", "this name is taken by another link");
    if (joint != i)
        return link_name_fail(w, "joint", "another joint has the name", w.link->joint);
    DLS_TRY(check_mass(w));
    DLS_TRY(check_frames(w));
    if (w.link->parent[0])
        return check_motion(w);
    for (int k = 0; k < 6; k++)
        if (!isfinite(w.link->speed[k]))
            return link_fail(w, "speed", "must be finite");
    return DLS_OK;
}

/* --- link order --- */

/* Indices into the definition; DLS_NONE: none. */
typedef struct family {
    size_t parent, first_child, next_sibling;
} family;

/* Finds the family of each link, and the root. The loop runs backwards, since it puts each link in front of its
 * siblings. */
static dls_status find_families(const dls_articulation_def *def, const dls_names *names, family *families, size_t *root,
                                dls_error *error)
{
    *root = DLS_NONE;
    for (size_t i = 0; i < def->n_links; i++)
        families[i] = (family){DLS_NONE, DLS_NONE, DLS_NONE};
    for (size_t i = def->n_links; i-- > 0;) {
        const dls_link_def *link = &def->links[i];
        where w = {def, link, error};
        if (!link->parent[0]) {
            if (*root != DLS_NONE)
                return link_name_fail(w, "parent", "an articulation has one root; another link without parent is",
                                      def->links[*root].name);
            *root = i;
            continue;
        }
        size_t parent = families[i].parent = dls_names_find(names, link->parent);
        if (parent == DLS_NONE)
            return link_name_fail(w, "parent", "there is no link", link->parent);
        families[i].next_sibling = families[parent].first_child;
        families[parent].first_child = i;
    }
    return *root == DLS_NONE ? dls_fail_about(error, DLS_BAD_INPUT, def->file, "parent",
                                              "no link is the root; leave out one link's parent")
                             : DLS_OK;
}

/* Names a link on a cycle: the root does not reach it, and n steps from such a link to parents end on a cycle. */
static dls_status name_cycle(const dls_articulation_def *def, const family *families, const size_t *link_of,
                             dls_error *error)
{
    size_t lost = 0;
    while (link_of[lost] != DLS_NONE)
        lost++;
    for (size_t k = 0; k < def->n_links; k++)
        lost = families[lost].parent;
    return link_fail((where){def, &def->links[lost], error}, "parent",
                     "is its own ancestor; close loops by joints of the scene between links");
}

/* Copies the definitions depth first; link_of[] is the new index of each. */
static dls_status order_links(const dls_articulation_def *def, dls_articulation *art, family *families,
                              dls_error *error)
{
    size_t root, count = 0, *link_of = art->inside->link_of;
    DLS_TRY(find_families(def, &art->inside->links, families, &root, error));
    for (size_t i = 0; i < def->n_links; i++)
        link_of[i] = DLS_NONE;
    for (size_t i = root; i != DLS_NONE;) {
        size_t up = families[i].parent;
        link_of[i] = count;
        art->links[count].parent = up == DLS_NONE ? DLS_NONE : link_of[up];
        art->defs[count++] = def->links[i];
        if (families[i].first_child != DLS_NONE) {
            i = families[i].first_child;
            continue;
        }
        while (i != DLS_NONE && families[i].next_sibling == DLS_NONE)
            i = families[i].parent;
        i = i == DLS_NONE ? DLS_NONE : families[i].next_sibling;
    }
    return count == def->n_links ? DLS_OK : name_cycle(def, families, link_of, error);
}

/* --- constants --- */

/* The rotation that makes the joint's first axis z and its second x; if it has one axis, the next one cyclically is x.
 */
static dls_mat3 joint_turn(const dls_link_def *def)
{
    if (def->motion->n_dofs == 0 || def->motion->n_dofs == 3)
        return (dls_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    int first = (int)def->axis[0], second = def->motion->n_dofs == 2 ? (int)def->axis[1] : first + 1;
    dls_vec3 z = dls_axis3(first % 3), x = dls_axis3(second % 3), y = dls_cross(z, x);
    return (dls_mat3){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

static void compile_link(dls_articulation *art, size_t i)
{
    dls_link *link = &art->links[i];
    const dls_link_def *def = &art->defs[i];
    dls_mat3 turn = i ? joint_turn(def) : (dls_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    dls_mat3 child = dls_matmul3(dls_quat_matrix(dls_quat_unit(def->child_frame.q)), turn);
    const double *m = child.m;
    dls_mat3 T = i ? (dls_mat3){{m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}} : turn;
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

static void compile_links(dls_articulation *art)
{
    for (size_t i = 0; i < art->n_links; i++) {
        dls_link *link = &art->links[i];
        link->motion = i ? art->defs[i].motion : &dls_motion_fix;
        link->n_dofs = i ? link->motion->n_dofs : art->n_base;
        link->dof = art->nv;
        link->last_dof = link->n_dofs ? link->dof + link->n_dofs - 1 : i ? art->links[link->parent].last_dof : DLS_NONE;
        link->position = art->nq;
        art->nv += link->n_dofs;
        art->nq += link->motion->n_positions;
        art->mass += art->defs[i].mass;
        compile_link(art, i);
    }
    for (size_t i = art->n_links; i-- > 0;) {
        dls_link *link = &art->links[i];
        link->subtree_end = link->subtree_end > i + 1 ? link->subtree_end : i + 1;
        link->dof_end = link->subtree_end < art->n_links ? art->links[link->subtree_end].dof : art->nv;
        if (i && art->links[link->parent].subtree_end < link->subtree_end)
            art->links[link->parent].subtree_end = link->subtree_end;
    }
}

static dls_status compile_dofs(dls_articulation *art, dls_error *error)
{
    struct dls_articulation_inside *in = art->inside;
    dls_arena *m = &in->memory;
    art->armature = DLS_TAKE_ZEROS(m, double, art->nv);
    art->dof_link = DLS_TAKE(m, size_t, art->nv);
    art->dof_before = DLS_TAKE(m, size_t, art->nv);
    in->dof_run = DLS_TAKE(m, size_t, art->nv);
    in->turns = DLS_TAKE(m, bool, art->nv);
    in->slot = DLS_TAKE(m, size_t, art->nv + 1);
    in->response_column = DLS_TAKE(m, size_t, art->nv);
    if (m->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for %zu degrees of freedom", art->nv);
    for (size_t i = 0; i < art->n_links; i++) {
        const dls_link *link = &art->links[i];
        for (size_t k = link->dof; k < link->dof + link->n_dofs; k++) {
            art->dof_link[k] = i;
            art->armature[k] = i ? art->defs[i].armature[k - link->dof] : 0.0;
            art->dof_before[k] = k > link->dof ? k - 1 : i ? dls_articulation_last_dof(art, link->parent) : DLS_NONE;
            in->dof_run[k] = k > 0 && art->dof_before[k] == k - 1 ? in->dof_run[k - 1] : k;
            in->turns[k] = i ? !link->motion->slides : k >= 3;
        }
    }
    return DLS_OK;
}

/* Slots and columns of the response factor: response.c. */
static void lay_out_response(dls_articulation *art)
{
    struct dls_articulation_inside *in = art->inside;
    size_t slots = 0;
    for (size_t k = 0; k < art->nv; k++) {
        if (in->dof_run[k] == k)
            slots = (slots + 3) / 4 * 4;
        in->slot[k] = slots++;
    }
    in->n_slots = in->slot[art->nv] = (slots + 3) / 4 * 4;
    for (size_t k = 0; k < art->nv; k++) {
        size_t first = in->slot[k] / 4 * 4;
        in->response_column[k] = in->n_response - first;
        in->n_response += in->slot[art->links[art->dof_link[k]].dof_end] - first;
    }
    if (in->n_response > RESPONSE_DEPTH * art->nv)
        in->n_response = in->n_slots = 0;
}

/* No joint may be called "NAME.AXIS" if there is a joint NAME of several axes, nor "base.AXIS" if the base floats: the
 * name of a coordinate would be ambiguous. */
static dls_status check_dof_names(const dls_articulation_def *def, const dls_articulation *art, dls_error *error)
{
    char name[2 * DLS_NAME_MAX], before[DLS_NAME_MAX];
    for (size_t i = 1; i < art->n_links; i++) {
        const char *joint = art->defs[i].joint, *dot = strrchr(joint, '.');
        if (!dot)
            continue;
        snprintf(before, sizeof before, "%.*s", (int)(dot - joint), joint);
        const size_t others[] = {0, dls_articulation_find_joint(art, before)};
        for (size_t n = 0; n < 2; n++)
            for (size_t k = 0; others[n] != DLS_NONE && k < art->links[others[n]].n_dofs; k++) {
                dls_articulation_dof_name(art, art->links[others[n]].dof + k, name, sizeof name);
                if (others[n] != i && strcmp(name, joint) == 0)
                    return link_name_fail((where){def, &art->defs[i], error}, "joint",
                                          "an axis of another joint is called", name);
            }
    }
    return DLS_OK;
}

/* `massive`: the first link with a mass from link i on. It belongs to i or its descendants if it is one of these. */
dls_status dls_articulation_check_dynamics(const dls_articulation *art, dls_error *error)
{
    size_t at_rest = DLS_NONE;
    for (size_t i = art->n_links, massive = i; i-- > 0;) {
        const dls_link *link = &art->links[i];
        bool armed = i > 0;
        massive = link->mass > 0.0 ? i : massive;
        for (size_t k = 0; k < link->n_dofs; k++)
            armed = armed && art->armature[link->dof + k] > 0.0;
        if (link->n_dofs && !armed && massive >= link->subtree_end)
            at_rest = i;
    }
    if (at_rest == DLS_NONE)
        return DLS_OK;
    const dls_link_def *def = &art->defs[at_rest];
    return dls_fail_at(
        error, DLS_BAD_INPUT, NULL, def->place.line, def->place.column, "mass", "link '%s': %s", def->name,
        at_rest ? "its joint moves no mass; give a mass or an armature" : "a floating base without any mass");
}

/* --- create, share, destroy --- */

static dls_status compile_tree(const dls_articulation_def *def, dls_articulation *art, dls_arena *scratch,
                               dls_error *error)
{
    const size_t n = art->n_links = def->n_links;
    dls_arena *m = &art->inside->memory;
    memcpy(art->name, def->name, sizeof art->name);
    art->fixed_base = def->fixed_base;
    art->n_base = def->fixed_base ? 0 : 6;
    art->links = DLS_TAKE_ZEROS(m, dls_link, n);
    art->defs = DLS_TAKE(m, dls_link_def, n);
    art->inside->link_of = DLS_TAKE(m, size_t, n);
    family *families = DLS_TAKE(scratch, family, n);
    if (m->failed || scratch->failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an articulation of %zu links", n);
    DLS_TRY(order_links(def, art, families, error));
    compile_links(art);
    DLS_TRY(compile_dofs(art, error));
    lay_out_response(art);
    return check_dof_names(def, art, error);
}

dls_status dls_articulation_create(const dls_articulation_def *def, dls_articulation **articulation, dls_error *error)
{
    dls_arena m = {0}, scratch = {0};
    *articulation = NULL;
    if (!def->n_links)
        return dls_fail_about(error, DLS_BAD_INPUT, def->file, "links", "the articulation has no links");
    dls_articulation *art = DLS_TAKE_ZEROS(&m, dls_articulation, 1);
    struct dls_articulation_inside *inside = DLS_TAKE_ZEROS(&m, struct dls_articulation_inside, 1);
    if (m.failed) {
        dls_arena_release(&m);
        return dls_fail(error, DLS_NO_MEMORY, "no memory for an articulation");
    }
    inside->memory = m;
    atomic_init(&inside->shares, 1);
    art->inside = inside;
    dls_status status = DLS_OK;
    for (size_t i = 0; i < def->n_links && status == DLS_OK; i++)
        status = check_link((where){def, &def->links[i], error}, inside);
    if (status == DLS_OK)
        status = compile_tree(def, art, &scratch, error);
    dls_arena_release(&scratch);
    if (status == DLS_OK)
        *articulation = art;
    else
        dls_articulation_destroy(art);
    return status;
}

const dls_articulation *dls_articulation_share(const dls_articulation *art)
{
    atomic_fetch_add(&art->inside->shares, 1);
    return art;
}

void dls_articulation_destroy(const dls_articulation *art)
{
    if (!art || atomic_fetch_sub(&art->inside->shares, 1) > 1)
        return;
    dls_arena memory = art->inside->memory;
    dls_names_release(&art->inside->links);
    dls_names_release(&art->inside->joints);
    dls_arena_release(&memory);
}
