/* value.h - the values of fields, kind by kind: from text, from numbers, and to text. Not installed. */
#ifndef DELASSUS_BASE_VALUE_H
#define DELASSUS_BASE_VALUE_H

#include "delassus/field.h"

/* All of them take the address of the member in the settings struct. Those that fail leave it as it was. */
dls_status dls_value_parse(const dls_field *field, void *to, const char *text, dls_error *error);
dls_status dls_value_put(const dls_field *field, void *to, const double *numbers, size_t count, dls_error *error);
size_t dls_value_print(const dls_field *field, const void *from, char *text, size_t size);
/* The value before any default: NaN, an empty name, an empty list. The member is zero. */
void dls_value_unset(const dls_field *field, void *to);
bool dls_value_is_unset(const dls_field *field, const void *from);
/* As dls_value_put: whether the member has the range of its field. One that is unset may be so where its default is. */
dls_status dls_value_check(const dls_field *field, const void *from, dls_error *error);
/* Gives a copied member a list of its own, where it is a list. */
dls_status dls_value_own(const dls_field *field, void *to, dls_error *error);
/* Frees the list, where the member is one. */
void dls_value_release(const dls_field *field, void *to);

#endif
