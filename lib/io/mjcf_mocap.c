/* Mocap bodies of MJCF, which programs move: kinematic bodies of the scene, as are their geoms (mjcf_geom.c). */
#include "mjcf.h"

#include <string.h>

/* A mocap body is a kinematic body of the scene, at rest until a program moves it. */
static dls_status add_mocap(mjcf *m, mjcf_body *body)
{
    dls_body_def def;
    dls_body_default(&def);
    def.kinematic = true;
    def.position = body->pose.p, def.orientation = body->pose.q;
    def.place = dls_xml_place(body->node);
    DLS_TRY(mjcf_join(m, body->node, def.name, body->name, "mocap"));
    memcpy(body->end, def.name, sizeof def.name);
    body->kinematic = true;
    return dls_scene_add_body(m->scene, &def, m->x.error);
}

static bool carries_joints(const xmlNode *body)
{
    bool any = mjcf_count_joints(body) > 0;
    for (const xmlNode *at = NULL; !any && (at = mjcf_next_named(body, at, "body"));)
        any = carries_joints(at);
    return any;
}

/* The root of a tree cannot be kinematic. */
dls_status mjcf_read_mocap(mjcf *m, size_t me)
{
    mjcf_body *body = &m->bodies[me];
    const mjcf_element e = {.node = body->node, .class = DLS_NONE};
    bool mocap = false;
    DLS_TRY(mjcf_bool(m, &e, "mocap", &mocap));
    if (!mocap)
        return DLS_OK;
    if (body->parent != 0 || body->n_joints > 0)
        return dls_xml_bad(&m->x, e.node, "mocap", "such a body has no joints and stands in the world body");
    if (carries_joints(body->node))
        return mjcf_note(m, e.node, "mocap",
                         "a body that carries joints is fixed to the world, where MuJoCo lets programs move it");
    DLS_TRY(mjcf_note(m, e.node, "mocap", "such bodies are at rest until a program moves them"));
    return add_mocap(m, body);
}
