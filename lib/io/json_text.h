/* json_text.h - JSON out of a text. Not installed. */
#ifndef DELASSUS_IO_JSON_TEXT_H
#define DELASSUS_IO_JSON_TEXT_H

#include "scan.h"

#include <jansson.h>

/* jansson reads a number that is too small for a double as 0: each number of the rest of the text is looked at before.
 */
dls_status dls_json_check_numbers(dls_scan *scan);
/* The next value, which the caller releases; goes behind it and the white space that follows. The token stays at its
 * beginning, or where it is wrong. */
dls_status dls_json_next(dls_scan *scan, json_t **value);

#endif
