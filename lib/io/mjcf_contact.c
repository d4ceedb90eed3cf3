/* The geoms of MJCF that collide.
 *
 * In MuJoCo two geoms may touch if contype of one and conaffinity of the other have a common bit, and their bodies move
 * relative to each other, are not a body and its nearest moving ancestor (the world and bodies fixed to it do not
 * count), and are not excluded; or if they are a <pair>. The friction of two geoms is that of the one of higher
 * priority, or else the larger one; it has torsional friction from condim 4 on, and rolling friction with condim 6.
 *
 * Where all pairs of geoms that may touch have the same friction, and all or no geoms of two bodies touch, the scene
 * has this friction and pairs of bodies that are apart. Otherwise the geoms have surfaces (lib/model/surfaces.c).
 */
#include "mjcf.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- pairs that the masks keep apart --- */

/* One side of a contact: a link with its geoms, or the geom of a static body. */
typedef struct side {
    size_t first, count; /* of m->geoms */
} side;

static const char *owner_name(const mjcf *m, const mjcf_geom *g)
{
    return g->solid == DLS_NONE ? m->bodies[g->body].end : m->scene->bodies[g->solid].name;
}

static dls_status keep_apart(const mjcf *m, const mjcf_geom *a, const mjcf_geom *b)
{
    dls_apart_def apart;
    dls_apart_default(&apart);
    apart.place = dls_xml_place(a->node);
    snprintf(apart.body[0], sizeof apart.body[0], "%s", owner_name(m, a));
    snprintf(apart.body[1], sizeof apart.body[1], "%s", owner_name(m, b));
    return dls_scene_add_apart(m->scene, &apart, m->x.error);
}

/* True if one of the two moves the other: MuJoCo's filter of parents keeps them from touching. */
static bool are_kin(const mjcf *m, size_t a, size_t b)
{
    const size_t moved[2] = {m->bodies[a].moved, m->bodies[b].moved};
    if (moved[0] == 0 || moved[1] == 0)
        return false;
    for (int i = 0; i < 2; i++)
        if (m->bodies[m->bodies[moved[i]].parent].moved == moved[1 - i])
            return true;
    return false;
}

/* Properties that all pairs of geoms that may touch have in common, so far. */
typedef struct common {
    double friction[DLS_FRICTIONS]; /* NaN: no pair has told it */
    bool differ;                    /* it differs, or some geoms of two bodies touch and others do not */
} common;

static bool is_apart(const mjcf *m, const mjcf_geom *a, const mjcf_geom *b)
{
    const char *const names[2] = {owner_name(m, a), owner_name(m, b)};
    for (size_t i = 0; i < m->scene->n_apart; i++)
        for (int k = 0; k < 2; k++)
            if (strcmp(m->scene->apart[i].body[0], names[k]) == 0 &&
                strcmp(m->scene->apart[i].body[1], names[1 - k]) == 0)
                return true;
    return false;
}

static void compare_friction(const mjcf *m, const mjcf_geom *a, const mjcf_geom *b, common *all)
{
    double own[DLS_FRICTIONS];
    if (all->differ || is_apart(m, a, b))
        return;
    dls_shape_surface_combine(&a->surface, &b->surface, own);
    for (int k = 0; k < DLS_FRICTIONS; k++) {
        all->differ = all->differ || (!isnan(all->friction[k]) && own[k] != all->friction[k]);
        all->friction[k] = own[k];
    }
}

static dls_status filter_pair(const mjcf *m, side a, side b, common *all)
{
    const mjcf_geom *one = &m->geoms[a.first], *two = &m->geoms[b.first];
    if (m->bodies[one->body].moved == m->bodies[two->body].moved)
        return DLS_OK; /* they do not move against each other */
    if (are_kin(m, one->body, two->body))
        return m->on.filterparent
                   ? keep_apart(m, one, two)
                   : dls_xml_fail(&m->x, DLS_REFUSED, one->node, "filterparent",
                                  "'%s' and '%s' would collide, but are joined; leave filterparent enabled",
                                  owner_name(m, one), owner_name(m, two));
    size_t meet = 0;
    for (size_t i = 0; i < a.count; i++)
        for (size_t k = 0; k < b.count; k++)
            meet += (one[i].surface.type & two[k].surface.affinity) || (two[k].surface.type & one[i].surface.affinity);
    if (meet == 0)
        return keep_apart(m, one, two);
    all->differ = all->differ || meet < a.count * b.count;
    for (size_t i = 0; i < a.count; i++)
        for (size_t k = 0; k < b.count; k++)
            compare_friction(m, one + i, two + k, all);
    return DLS_OK;
}

/* Geoms are in the order of their bodies. */
static size_t collect_sides(const mjcf *m, side *sides)
{
    size_t count = 0;
    for (size_t i = 0; i < m->n_geoms; i++) {
        const mjcf_geom *g = &m->geoms[i], *before = i ? g - 1 : NULL;
        if (before && before->body == g->body && g->solid == DLS_NONE)
            sides[count - 1].count++;
        else
            sides[count++] = (side){i, 1};
    }
    return count;
}

static dls_status filter_pairs(const mjcf *m, common *all)
{
    enum { SIDES_MAX = 2000 };
    side *sides = calloc(m->n_geoms + 1, sizeof *sides);
    if (!sides)
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for %zu geoms", m->n_geoms);
    const size_t count = collect_sides(m, sides);
    dls_status status = DLS_OK;
    if (count > SIDES_MAX)
        status = dls_fail_about(m->x.error, DLS_REFUSED, m->x.file, "geom", "%zu bodies collide; at most %d of MJCF",
                                count, SIDES_MAX);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; status == DLS_OK && k < count; k++)
            status = dls_xml_drop_refused(&m->x, filter_pair(m, sides[i], sides[k], all), DLS_ASPECT_CONTACTS);
    free(sides);
    return status;
}

/* --- pairs that are excluded --- */

static dls_status exclude_pair(mjcf *m, const xmlNode *node)
{
    size_t body[2];
    DLS_TRY(mjcf_find(m, &m->body_names, node, "body1", "body", &body[0]));
    DLS_TRY(mjcf_find(m, &m->body_names, node, "body2", "body", &body[1]));
    for (size_t i = 0; i < m->n_geoms; i++)
        for (size_t k = 0; m->geoms[i].body == body[0] && k < m->n_geoms; k++) {
            const mjcf_geom *a = &m->geoms[i], *b = &m->geoms[k];
            const bool once = (i == 0 || a[-1].body != a->body || a->solid != DLS_NONE) &&
                              (k == 0 || b[-1].body != b->body || b->solid != DLS_NONE);
            if (b->body == body[1] && once && m->bodies[body[0]].moved != m->bodies[body[1]].moved)
                DLS_TRY(keep_apart(m, a, b));
        }
    return DLS_OK;
}

/* --- surfaces --- */

dls_status mjcf_condim(const mjcf *m, const mjcf_element *e, int *condim)
{
    double number = 3.0;
    DLS_TRY(mjcf_number(m, e, "condim", &number));
    *condim = number == 1.0   ? DLS_CONDIM_1
              : number == 3.0 ? DLS_CONDIM_3
              : number == 4.0 ? DLS_CONDIM_4
              : number == 6.0 ? DLS_CONDIM_6
                              : DLS_CONDIM_LEAST;
    return *condim != DLS_CONDIM_LEAST
               ? DLS_OK
               : dls_xml_bad(&m->x, mjcf_holder(m, e, "condim"), "condim", "a contact has 1, 3, 4 or 6 dimensions");
}

/* Adds the surface of a geom to the scene, by a name of its own. */
static dls_status name_surface(const mjcf *m, dls_shape_surface *surface)
{
    snprintf(surface->name, sizeof surface->name, "surface %zu", m->scene->n_surfaces + 1);
    return dls_scene_add_surface(m->scene, surface, m->x.error);
}

static bool surfaces_equal(const dls_shape_surface *a, const dls_shape_surface *b)
{
    return memcmp(a->friction, b->friction, sizeof a->friction) == 0 && a->condim == b->condim &&
           a->priority == b->priority && a->type == b->type && a->affinity == b->affinity;
}

/* Surfaces for all geoms that collide: those of pairs have one each, the others share the ones that are equal. */
static dls_status give_surfaces(const mjcf *m)
{
    const size_t of_pairs = m->scene->n_surfaces;
    for (size_t i = 0; i < m->n_geoms; i++) {
        mjcf_geom *g = &m->geoms[i];
        char tree[DLS_NAME_MAX];
        for (size_t k = of_pairs; !g->surface.name[0] && k < m->scene->n_surfaces; k++)
            if (surfaces_equal(&g->surface, &m->scene->surfaces[k]))
                memcpy(g->surface.name, m->scene->surfaces[k].name, sizeof g->surface.name);
        DLS_TRY(g->surface.name[0] ? DLS_OK : name_surface(m, &g->surface));
        if (g->solid != DLS_NONE) {
            memcpy(m->scene->bodies[g->solid].surface, g->surface.name, sizeof g->surface.name);
            continue;
        }
        snprintf(tree, sizeof tree, "%.*s", (int)strcspn(m->bodies[g->body].end, "."), m->bodies[g->body].end);
        memcpy(dls_scene_articulation(m->scene, tree)->shapes[g->shape].surface, g->surface.name,
               sizeof g->surface.name);
    }
    return DLS_OK;
}

/* --- pairs that are listed --- */

static mjcf_geom *geom_numbered(const mjcf *m, size_t number)
{
    for (size_t i = 0; i < m->n_geoms; i++)
        if (m->geoms[i].number == number)
            return &m->geoms[i];
    return NULL;
}

/* Coefficients of a pair: two of sliding, one of torsional, two of rolling friction. Its geoms have no part in them. */
static dls_status read_pair_friction(const mjcf *m, const mjcf_element *e, dls_surface_pair *pair)
{
    double friction[5] = {1.0, 1.0, 0.005, 0.0001, 0.0001};
    int count, condim;
    DLS_TRY(mjcf_condim(m, e, &condim));
    DLS_TRY(mjcf_numbers(m, e, "friction", friction, 1, 5, &count));
    for (int k = 0; k < count; k++)
        if (!(friction[k] >= 0.0))
            return dls_xml_bad(&m->x, mjcf_holder(m, e, "friction"), "friction", "must not be negative");
    if ((condim >= DLS_CONDIM_3 && friction[0] != friction[1]) ||
        (condim == DLS_CONDIM_6 && friction[3] != friction[4]))
        return dls_xml_fail(&m->x, DLS_REFUSED, mjcf_holder(m, e, "friction"), "friction",
                            "two different coefficients of sliding or of rolling friction have no counterpart");
    const dls_shape_surface all = {.condim = condim, .friction = {friction[0], friction[2], friction[3]}};
    dls_shape_surface_combine(&all, &all, pair->friction);
    return DLS_OK;
}

static dls_status read_pair(mjcf *m, const xmlNode *node)
{
    static const char *const keys[] = {"geom1", "geom2"};
    mjcf_geom *geom[2];
    dls_surface_pair pair;
    double margin = 0.0, gap = 0.0;
    mjcf_element e;
    dls_surface_pair_default(&pair);
    pair.place = dls_xml_place(node);
    DLS_TRY(mjcf_open(m, node, "pair", m->main_class, &e));
    for (int k = 0; k < 2; k++) {
        size_t number;
        DLS_TRY(mjcf_find(m, &m->geom_names, node, keys[k], "geom", &number));
        geom[k] = geom_numbered(m, number);
        if (!geom[k])
            return dls_xml_fail(&m->x, DLS_REFUSED, node, keys[k], "the geom does not collide here");
    }
    DLS_TRY(read_pair_friction(m, &e, &pair));
    DLS_TRY(mjcf_number(m, &e, "margin", &margin));
    DLS_TRY(mjcf_number(m, &e, "gap", &gap));
    m->margin = fmax(m->margin, margin - gap);
    if (m->bodies[geom[0]->body].moved == m->bodies[geom[1]->body].moved)
        return DLS_OK;
    for (int k = 0; k < 2; k++) {
        DLS_TRY(geom[k]->surface.name[0] ? DLS_OK : name_surface(m, &geom[k]->surface));
        memcpy(pair.surface[k], geom[k]->surface.name, sizeof pair.surface[k]);
    }
    return dls_scene_add_pair(m->scene, &pair, m->x.error);
}

dls_status mjcf_note_paired(mjcf *m, const xmlNode *root)
{
    static const char *const keys[] = {"geom1", "geom2"};
    for (const xmlNode *at = dls_xml_child(root, "contact"); at; at = dls_xml_next(at->next, "contact"))
        for (const xmlNode *pair = dls_xml_child(at, "pair"); pair; pair = dls_xml_next(pair->next, "pair"))
            for (int k = 0; k < 2; k++) {
                char name[DLS_NAME_MAX];
                DLS_TRY(dls_xml_required_name(&m->x, pair, keys[k], name));
                if (dls_names_add(&m->paired.names, name, 0) == SIZE_MAX)
                    return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for names of geoms");
            }
    return DLS_OK;
}

/* --- all --- */

static dls_status each_of(mjcf *m, const xmlNode *root, const char *name,
                          dls_status (*read)(mjcf *m, const xmlNode *node))
{
    for (const xmlNode *at = dls_xml_child(root, "contact"); at; at = dls_xml_next(at->next, "contact"))
        for (const xmlNode *node = dls_xml_child(at, name); node; node = dls_xml_next(node->next, name))
            DLS_TRY(dls_xml_drop_refused(&m->x, read(m, node), DLS_ASPECT_CONTACTS));
    return DLS_OK;
}

static dls_status set_friction(const mjcf *m, const xmlNode *root, const common *all)
{
    dls_world_def *world = &m->scene->world;
    bool turns = false;
    world->friction = DLS_LAW_CONE;
    if (all->differ || m->scene->n_pairs > 0) {
        DLS_TRY(give_surfaces(m));
        for (size_t i = 0; i < m->n_geoms; i++)
            turns = turns || m->geoms[i].surface.condim > DLS_CONDIM_3;
        DLS_TRY(mjcf_note(m, root, "friction",
                          "pairs of geoms have different coefficients; those of world have no effect"));
    } else {
        world->mu = isnan(all->friction[0]) ? 0.0 : all->friction[0]; /* nothing may touch */
        world->torsion = isnan(all->friction[1]) ? 0.0 : all->friction[1];
        world->rolling = isnan(all->friction[2]) ? 0.0 : all->friction[2];
        turns = world->torsion > 0.0 || world->rolling > 0.0;
    }
    return turns ? mjcf_note(m, root, "condim",
                             "sliding, torsional and rolling friction have a bound each: MuJoCo has one for all, a "
                             "cone with an ellipsoid or a pyramid as its base")
                 : DLS_OK;
}

dls_status mjcf_read_contacts(mjcf *m, const xmlNode *root)
{
    dls_world_def *world = &m->scene->world;
    common all = {{NAN, NAN, NAN}, false};
    bool moves = false;
    for (size_t i = 0; i < m->n_geoms; i++)
        moves = moves || m->bodies[m->geoms[i].body].moved;
    world->collide = moves && m->n_geoms > 1;
    if (m->on.contact)
        DLS_TRY(each_of(m, root, "pair", read_pair));
    if (!world->collide)
        return DLS_OK;
    DLS_TRY(each_of(m, root, "exclude", exclude_pair));
    DLS_TRY(filter_pairs(m, &all));
    DLS_TRY(set_friction(m, root, &all));
    world->contact_margin = m->margin;
    if (m->margin > 0.0)
        DLS_TRY(mjcf_note(m, root, "margin",
                          "contacts are detected from the margin on and act where the surfaces meet: MuJoCo's act "
                          "from the margin on"));
    return mjcf_note(m, root, "geom",
                     "contacts are rigid, under Coulomb's cone: MuJoCo's are soft (solref, solimp), by default under a "
                     "pyramid");
}
