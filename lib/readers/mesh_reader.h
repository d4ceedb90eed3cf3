/* mesh_reader.h - between the library and a shared object that reads meshes. Not installed. */
#ifndef DELASSUS_READERS_MESH_READER_H
#define DELASSUS_READERS_MESH_READER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dls_mesh_reader {
    /* Hands every triangle of a file in memory to add(to, corners), three corners [m] anticlockwise from outside, until
     * it says false. `kind`: the end of the file's name, without the dot. Returns false where the file cannot be read,
     * with the reason in message[room]. */
    bool (*read)(const char *text, size_t size, const char *kind, bool (*add)(void *to, const double corners[9]),
                 void *to, char *message, size_t room);
} dls_mesh_reader;

#endif
