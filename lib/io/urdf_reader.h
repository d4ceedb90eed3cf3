/* urdf_reader.h - shared by the parts of the reader of URDF. Not installed. */
#ifndef DELASSUS_IO_URDF_READER_H
#define DELASSUS_IO_URDF_READER_H

#include "xml.h"

#include "base/names.h"
#include "delassus/articulation.h"

typedef struct dls_urdf_reader {
    dls_xml x;
    dls_articulation_def *def;
    dls_names joints;    /* indices of the links that they move */
    dls_names materials; /* their colours, 0xRRGGBB */
    size_t shapes;
    bool is_template; /* xacro's words are left in it */
} dls_urdf_reader;

/* <origin xyz="" rpy=""/> of a node; the identity where it has none
 * (urdf_frame.c). */
dls_status dls_urdf_origin(const dls_urdf_reader *r, const xmlNode *node, dls_frame *frame);
/* All joints of a robot whose links have been read (urdf_joint.c). */
dls_status dls_urdf_joints(dls_urdf_reader *r, const xmlNode *robot);

/* The text that xacro makes of a template in that file, which the caller frees (xacro.c). DLS_UNAVAILABLE, without an
 * error: there is no such file, or no xacro on PATH. */
dls_status dls_xacro_expand(const char *path, char **text, size_t *size, dls_error *error);

#endif
