/* Sensors of MJCF: the force and torque at a site that the body of the site gets from its parent through its joint,
 * about the origin of the site and in its axes. A scene has a sensor with `incoming` for them, which gives both.
 */
#include "mjcf.h"

#include <stdio.h>
#include <string.h>

static dls_status add_sensor(mjcf *m, const xmlNode *node)
{
    dls_sensor_def sensor;
    size_t site;
    dls_sensor_default(&sensor);
    DLS_TRY(mjcf_find(m, &m->site_names, node, "site", "site", &site));
    DLS_TRY(mjcf_name(m, &m->sensor_names, node, "sensor", m->sensor_names.names.count, sensor.name));
    const mjcf_site *at = &m->sites[site];
    if (m->bodies[at->body].moved == 0)
        return mjcf_note(m, node, "site",
                         "sensors that are fixed to the world are ignored: no force is measured there");
    memcpy(sensor.link, m->bodies[at->body].end, sizeof sensor.link);
    sensor.position = at->frame.p;
    sensor.orientation = at->frame.q;
    sensor.incoming = true;
    sensor.place = dls_xml_place(node);
    return dls_scene_add_sensor(m->scene, &sensor, m->x.error);
}

dls_status mjcf_read_sensors(mjcf *m, const xmlNode *root)
{
    for (const xmlNode *at = dls_xml_child(root, "sensor"); at; at = dls_xml_next(at->next, "sensor"))
        for (const xmlNode *node = dls_xml_next(at->children, NULL); node; node = dls_xml_next(node->next, NULL))
            if (dls_xml_is_element(node, "force") || dls_xml_is_element(node, "torque"))
                DLS_TRY(dls_xml_drop_refused(&m->x, add_sensor(m, node), DLS_ASPECT_SENSORS));
    return DLS_OK;
}
