/* Open addressing with linear probing (Knuth, The Art of Computer Programming, volume 3, section 6.4, algorithm L) on
 * the 64-bit FNV-1a hash (Fowler, Noll and Vo). At most half of the slots are taken, so that a successful search looks
 * at 1.5 slots on average and an unsuccessful one at 2.5. */
#include "names.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 16 };

static uint64_t hash_of(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash ^ hash >> 32; /* the low bits choose the slot */
}

/* The slot of `name`, or the free one where it belongs. There is always a free one. */
static size_t slot_of(const dls_names *names, const char *name, uint64_t hash, size_t *probes)
{
    size_t mask = names->n_slots - 1, slot = (size_t)hash & mask;
    for (;; slot = (slot + 1) & mask) {
        ++*probes;
        if (names->slots[slot] == 0)
            return slot;
        const struct dls_names_entry *entry = &names->entries[names->slots[slot] - 1];
        if (entry->hash == hash && strcmp(names->text + entry->at, name) == 0)
            return slot;
    }
}

/* Puts every name into its slot again. Names differ, so a free slot is all that is needed. */
static void fill_slots(dls_names *names)
{
    size_t mask = names->n_slots - 1;
    memset(names->slots, 0, names->n_slots * sizeof *names->slots);
    for (size_t i = 0; i < names->count; i++) {
        size_t slot = (size_t)names->entries[i].hash & mask;
        for (; names->slots[slot]; slot = (slot + 1) & mask)
            names->probes++;
        names->slots[slot] = i + 1;
    }
}

static bool double_slots(dls_names *names)
{
    size_t more = names->n_slots ? 2 * names->n_slots : SLOTS_MIN;
    size_t *larger = more < SIZE_MAX / sizeof *larger ? realloc(names->slots, more * sizeof *larger) : NULL;
    if (!larger)
        return false;
    names->slots = larger;
    names->n_slots = more;
    fill_slots(names);
    return true;
}

size_t dls_names_add(dls_names *names, const char *name, size_t value)
{
    if (2 * (names->count + 1) > names->n_slots && !double_slots(names))
        return SIZE_MAX;
    uint64_t hash = hash_of(name);
    size_t length = strlen(name) + 1, slot = slot_of(names, name, hash, &names->probes);
    if (names->slots[slot])
        return names->entries[names->slots[slot] - 1].value;
    if (!DLS_GROW(names->entries, names->entries_capacity, names->count + 1) ||
        !DLS_GROW(names->text, names->text_capacity, names->text_length + length))
        return SIZE_MAX;
    memcpy(names->text + names->text_length, name, length);
    names->entries[names->count] = (struct dls_names_entry){hash, names->text_length, value};
    names->text_length += length;
    names->slots[slot] = ++names->count;
    return value;
}

size_t dls_names_find(const dls_names *names, const char *name)
{
    size_t probes = 0; /* not counted: a table that is only read may be shared by threads */
    size_t taken = names->n_slots ? names->slots[slot_of(names, name, hash_of(name), &probes)] : 0;
    return taken ? names->entries[taken - 1].value : SIZE_MAX;
}

void dls_names_shorten(dls_names *names, size_t count)
{
    if (count >= names->count)
        return;
    names->text_length = names->entries[count].at;
    names->count = count;
    fill_slots(names);
}

void dls_names_release(dls_names *names)
{
    free(names->entries);
    free(names->text);
    free(names->slots);
    *names = (dls_names){0};
}
