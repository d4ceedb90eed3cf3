/* <compiler>, <option> and <flag> of MJCF. */
#include "mjcf.h"

#include <string.h>

static mjcf_element plain_element(const xmlNode *node) { return (mjcf_element){.node = node, .class = DLS_NONE}; }

/* --- compiler --- */

static dls_status read_euler(mjcf *m, const mjcf_element *e)
{
    char text[DLS_NAME_MAX];
    bool there;
    DLS_TRY(mjcf_text(m, e, "eulerseq", text, &there));
    if (there && (strlen(text) != MJCF_EULER_AXES || strspn(text, "xyzXYZ") != MJCF_EULER_AXES))
        return dls_xml_bad(&m->x, e->node, "eulerseq", "three letters of xyzXYZ");
    if (there)
        memcpy(m->euler, text, sizeof m->euler);
    return DLS_OK;
}

/* Attributes of a later element override those of an earlier one. */
dls_status mjcf_read_compiler(mjcf *m, const xmlNode *root)
{
    static const char *const angles[] = {"degree", "radian", NULL}, *const sources[] = {"false", "true", "auto", NULL};
    static const char *const coordinates[] = {"local", NULL};
    int radian = 0, source = MJCF_AUTO, local = 0, count;
    bool balance = false;
    m->autolimits = true;
    memcpy(m->euler, "xyz", sizeof m->euler);
    m->inertia_groups[0] = 0.0, m->inertia_groups[1] = 5.0;
    for (const xmlNode *at = dls_xml_child(root, "compiler"); at; at = dls_xml_next(at->next, "compiler")) {
        const mjcf_element e = plain_element(at);
        DLS_TRY(mjcf_choice(m, &e, "angle", angles, &radian));
        DLS_TRY(mjcf_choice(m, &e, "inertiafromgeom", sources, &source));
        DLS_TRY(mjcf_choice(m, &e, "coordinate", coordinates, &local));
        DLS_TRY(mjcf_bool(m, &e, "autolimits", &m->autolimits));
        DLS_TRY(mjcf_vector(m, &e, "inertiagrouprange", m->inertia_groups, 2, &count));
        DLS_TRY(mjcf_bool(m, &e, "balanceinertia", &balance));
        DLS_TRY(mjcf_bool(m, &e, "exactmeshinertia", &m->exact_meshes));
        DLS_TRY(mjcf_bool(m, &e, "fitaabb", &m->fits_boxes));
        DLS_TRY(mjcf_number(m, &e, "settotalmass", &m->total_mass));
        DLS_TRY(mjcf_number(m, &e, "boundmass", &m->least_mass));
        DLS_TRY(mjcf_number(m, &e, "boundinertia", &m->least_inertia));
        DLS_TRY(read_euler(m, &e));
    }
    if (balance)
        m->scene->world.inertia = DLS_INERTIA_BALANCE;
    m->total_mass = fmax(0.0, m->total_mass); /* a negative one has no effect */
    m->least_mass = fmax(0.0, m->least_mass), m->least_inertia = fmax(0.0, m->least_inertia);
    m->angle = radian ? 1.0 : DLS_PI / 180.0;
    m->inertia_source = (mjcf_inertia_source)source;
    return DLS_OK;
}

/* --- option --- */

static dls_status read_flags(mjcf *m, const xmlNode *node)
{
    static const char *const words[] = {"disable", "enable", NULL};
    const mjcf_element e = plain_element(node);
    mjcf_flags *on = &m->on;
    const struct {
        const char *name;
        bool *on;
    } flags[] = {{"constraint", &on->constraint},
                 {"equality", &on->equality},
                 {"frictionloss", &on->frictionloss},
                 {"limit", &on->limit},
                 {"contact", &on->contact},
                 {"spring", &on->spring},
                 {"damper", &on->damper},
                 {"gravity", &on->gravity},
                 {"actuation", &on->actuation},
                 {"filterparent", &on->filterparent},
                 {"clampctrl", &on->clampctrl}};
    int passive = true; /* both, as older models write it */
    DLS_TRY(mjcf_choice(m, &e, "passive", words, &passive));
    on->spring = on->spring && passive, on->damper = on->damper && passive;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        int choice = *flags[i].on;
        DLS_TRY(mjcf_choice(m, &e, flags[i].name, words, &choice));
        *flags[i].on = choice;
    }
    if (!on->constraint)
        on->equality = on->frictionloss = on->limit = on->contact = false;
    return DLS_OK;
}

/* Without passive forces there are none of the medium. */
static dls_status read_medium(mjcf *m, const mjcf_element *e, dls_world_def *world)
{
    double wind[3] = {world->wind.x, world->wind.y, world->wind.z};
    int count;
    DLS_TRY(mjcf_number(m, e, "density", &world->medium_density));
    DLS_TRY(mjcf_number(m, e, "viscosity", &world->medium_viscosity));
    DLS_TRY(mjcf_vector(m, e, "wind", wind, 3, &count));
    world->wind = dls_v3(wind[0], wind[1], wind[2]);
    if (!(world->medium_density >= 0.0) || !(world->medium_viscosity >= 0.0))
        return dls_xml_bad(&m->x, e->node, world->medium_density >= 0.0 ? "viscosity" : "density",
                           "must not be negative");
    return DLS_OK;
}

static dls_status read_settings(mjcf *m, const xmlNode *node)
{
    dls_world_def *world = &m->scene->world;
    const mjcf_element e = plain_element(node);
    double g[3] = {world->gravity.x, world->gravity.y, world->gravity.z};
    int count;
    DLS_TRY(mjcf_number(m, &e, "timestep", &world->step));
    if (!(world->step > 0.0))
        return dls_xml_bad(&m->x, node, "timestep", "must be positive");
    DLS_TRY(mjcf_vector(m, &e, "gravity", g, 3, &count));
    world->gravity = dls_v3(g[0], g[1], g[2]);
    DLS_TRY(read_medium(m, &e, world));
    for (const xmlNode *at = dls_xml_child(node, "flag"); at; at = dls_xml_next(at->next, "flag"))
        DLS_TRY(read_flags(m, at));
    return DLS_OK;
}

dls_status mjcf_read_option(mjcf *m, const xmlNode *root)
{
    m->on = (mjcf_flags){true, true, true, true, true, true, true, true, true, true, true};
    m->scene->world.step = 0.002;
    m->scene->world.gravity = dls_v3(0.0, 0.0, -9.81);
    for (const xmlNode *at = dls_xml_child(root, "option"); at; at = dls_xml_next(at->next, "option"))
        DLS_TRY(read_settings(m, at));
    if (!m->on.gravity)
        m->scene->world.gravity = dls_v3(0.0, 0.0, 0.0);
    if (!m->on.spring && !m->on.damper)
        m->scene->world.medium_density = m->scene->world.medium_viscosity = 0.0;
    return DLS_OK;
}
