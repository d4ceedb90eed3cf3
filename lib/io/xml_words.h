/* xml_words.h - which elements and attributes of MJCF and URDF are read, ignored or refused. Not installed. */
#ifndef DELASSUS_IO_XML_WORDS_H
#define DELASSUS_IO_XML_WORDS_H

#include "xml.h"

/* Leave out words that are not known, or not read and would change the motion (dls_xml_drop); unknown elements are
 * taken out of the document. The scene gets notes of those that are ignored. A file of URDF in which words of xacro
 * are left is refused as a whole. */
dls_status dls_mjcf_check_words(const dls_xml *x, xmlNode *root);
dls_status dls_urdf_check_words(const dls_xml *x, xmlNode *root);
/* Whether words of xacro are left in a file of URDF. */
bool dls_urdf_is_template(const xmlNode *root);
/* True if the name is one of the words of a list, between which there are blanks. */
bool dls_word_among(const char *name, const char *list);

#endif
