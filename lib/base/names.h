/* names.h - a table from names to numbers, found by hashing. Not installed.
 *
 * A zeroed table is empty and valid:
 *     dls_names names = {0};
 *     dls_names_add(&names, "crank", 3);
 *     dls_names_find(&names, "crank") == 3
 *     dls_names_release(&names);
 * Adding and finding take a time that does not depend on the number of names, on average.
 */
#ifndef DELASSUS_BASE_NAMES_H
#define DELASSUS_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct dls_names {
    size_t count;
    size_t probes; /* slots examined by dls_names_add, for tests of the cost */
    struct dls_names_entry {
        uint64_t hash;
        size_t at; /* in text */
        size_t value;
    } * entries;
    char *text;    /* all names, each with its terminating zero */
    size_t *slots; /* n_slots, a power of two: 1 + the index of a name, or 0 where the slot is free */
    size_t entries_capacity, text_length, text_capacity, n_slots;
} dls_names;

/* Adds a copy of the name with its value, which is less than SIZE_MAX, and returns the value. If the name is in the
 * table already, it keeps the value that it has, and that value is returned. SIZE_MAX where memory is exhausted; the
 * table is then as before. */
size_t dls_names_add(dls_names *names, const char *name, size_t value);
/* The value of `name`; SIZE_MAX if it is not in the table. */
size_t dls_names_find(const dls_names *names, const char *name);
/* Removes the names that were added last, so that `count` of them remain. */
void dls_names_shorten(dls_names *names, size_t count);
/* Returns all memory; the table is empty again. */
void dls_names_release(dls_names *names);

#endif
