/* The geoms of MJCF that collide.
 *
 * In MuJoCo two geoms may touch if contype of one and conaffinity of the other have a common bit, and their bodies move
 * relative to each other, are not a body and its nearest moving ancestor (the world and bodies fixed to it do not
 * count), and are not excluded. A scene has pairs of links and bodies that do not touch, so that the result must be the
 * same for all geoms of two bodies, and there is one friction coefficient: all pairs of geoms that may touch must have
 * the same. A pair's is that of the geom of higher priority, or else the larger one; it has none if both have condim 1,
 * torsional friction from condim 4 on, and rolling friction with condim 6.
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

/* Sliding, torsional and rolling friction, as far as `condim` has them. */
enum { FRICTIONS = 3 };
static const double least_dimension[FRICTIONS] = {3.0, 4.0, 6.0};

static void pair_friction(const mjcf_geom *a, const mjcf_geom *b, double friction[FRICTIONS])
{
    const mjcf_geom *first = a->priority > b->priority ? a : b;
    const bool both = a->priority == b->priority;
    const double dimension = both ? fmax(a->dimension, b->dimension) : first->dimension;
    for (int k = 0; k < FRICTIONS; k++)
        friction[k] = dimension < least_dimension[k] ? 0.0
                      : both                         ? fmax(a->friction[k], b->friction[k])
                                                     : first->friction[k];
}

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

/* The friction of the scene is that of its pairs; `mu` NaN: no pair has told it. */
static dls_status agree_on_friction(const mjcf *m, const mjcf_geom *a, const mjcf_geom *b, double mu[FRICTIONS])
{
    double own[FRICTIONS];
    pair_friction(a, b, own);
    if (is_apart(m, a, b))
        return DLS_OK;
    for (int k = 0; k < FRICTIONS; k++) {
        if (!isnan(mu[k]) && own[k] != mu[k])
            return dls_xml_fail(
                &m->x, DLS_REFUSED, b->node, "friction",
                "the %sfriction coefficients %g and %g of pairs of geoms that collide (a pair has the larger "
                "one of its geoms); a scene has one: give all geoms the same friction and condim",
                k == 0   ? ""
                : k == 1 ? "torsional "
                         : "rolling ",
                mu[k], own[k]);
        mu[k] = own[k];
    }
    return DLS_OK;
}

static dls_status filter_pair(const mjcf *m, side a, side b, double mu[FRICTIONS])
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
            meet += (one[i].type & two[k].affinity) || (two[k].type & one[i].affinity);
    if (meet > 0 && meet < a.count * b.count)
        return dls_xml_fail(&m->x, DLS_REFUSED, one->node, "contype",
                            "some geoms of '%s' and '%s' collide, and others do not, which has no counterpart; "
                            "give all geoms of a body one contype and conaffinity",
                            owner_name(m, one), owner_name(m, two));
    if (meet == 0)
        return keep_apart(m, one, two);
    for (size_t i = 0; i < a.count; i++)
        for (size_t k = 0; k < b.count; k++)
            DLS_TRY(agree_on_friction(m, one + i, two + k, mu));
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

static dls_status filter_pairs(const mjcf *m, double mu[FRICTIONS])
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
            status = filter_pair(m, sides[i], sides[k], mu);
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

/* --- all --- */

dls_status mjcf_read_contacts(mjcf *m, const xmlNode *root)
{
    dls_world_def *world = &m->scene->world;
    bool moves = false;
    for (size_t i = 0; i < m->n_geoms; i++)
        moves = moves || m->bodies[m->geoms[i].body].moved;
    world->collide = moves && m->n_geoms > 1;
    if (!world->collide)
        return DLS_OK;
    double mu[FRICTIONS] = {NAN, NAN, NAN};
    for (const xmlNode *at = dls_xml_child(root, "contact"); at; at = dls_xml_next(at->next, "contact"))
        for (const xmlNode *pair = dls_xml_child(at, "exclude"); pair; pair = dls_xml_next(pair->next, "exclude"))
            DLS_TRY(exclude_pair(m, pair));
    DLS_TRY(filter_pairs(m, mu));
    world->friction = DLS_LAW_CONE;
    world->mu = isnan(mu[0]) ? 0.0 : mu[0]; /* nothing may touch */
    world->torsion = isnan(mu[1]) ? 0.0 : mu[1];
    world->rolling = isnan(mu[2]) ? 0.0 : mu[2];
    if (world->torsion > 0.0 || world->rolling > 0.0)
        DLS_TRY(mjcf_note(m, root, "condim",
                          "sliding, torsional and rolling friction have a bound each: MuJoCo has one for all, a cone "
                          "with an ellipsoid or a pyramid as its base"));
    return mjcf_note(m, root, "geom",
                     "contacts are rigid, under Coulomb's cone: MuJoCo's are soft (solref, solimp), by default under a "
                     "pyramid");
}
