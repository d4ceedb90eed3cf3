/* Poses in URDF: xyz, and then R = Rz(yaw) Ry(pitch) Rx(roll). */
#include "urdf_reader.h"

dls_status dls_urdf_origin(const dls_urdf_reader *r, const xmlNode *node, dls_frame *frame)
{
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    int count;
    xmlNode *at = dls_xml_child(node, "origin");
    if (at) {
        DLS_TRY(dls_xml_vector(&r->x, at, "xyz", xyz, 3, &count));
        DLS_TRY(dls_xml_vector(&r->x, at, "rpy", rpy, 3, &count));
    }
    dls_quat roll = dls_quat_exp(dls_v3(rpy[0], 0, 0)), pitch = dls_quat_exp(dls_v3(0, rpy[1], 0)),
             yaw = dls_quat_exp(dls_v3(0, 0, rpy[2]));
    *frame = (dls_frame){dls_v3(xyz[0], xyz[1], xyz[2]), dls_quat_unit(dls_quat_mul(yaw, dls_quat_mul(pitch, roll)))};
    return DLS_OK;
}
