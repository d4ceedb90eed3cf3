/* Peers: solvers of other projects, in shared objects of delassus (solvers/peers) that are built if their libraries are
 * found.
 */
#include "host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char inside[] = "inside:";

/* An object, and the library that it needs. */
static const struct {
    const char *name, *library, *package;
} objects[] = {
#define PEER_OBJECT(name, library, package) {#name, library, package},
#define PEER(name, object)
#include "peers/peers.def"
#undef PEER
#undef PEER_OBJECT
};

static const struct {
    const char *name, *object;
} peers[] = {
#define PEER_OBJECT(name, library, package)
#define PEER(name, object) {name, #object},
#include "peers/peers.def"
#undef PEER
#undef PEER_OBJECT
};
enum { PEERS = sizeof peers / sizeof peers[0], OBJECTS = sizeof objects / sizeof objects[0] };

static size_t object_of(size_t index)
{
    for (size_t k = 0; k < OBJECTS; k++)
        if (strcmp(objects[k].name, peers[index].object) == 0)
            return k;
    return 0; /* every peer of the table has its object in it: tests/test_peers.sh */
}

static bool path_of(size_t index, char *path)
{
    int length = snprintf(path, DLS_PATH_MAX, "%s/%s.so", dls_peer_folder(), peers[index].object);
    return length < DLS_PATH_MAX && access(path, R_OK) == 0;
}

bool dls_peer_at(size_t index, dls_peer *peer)
{
    char path[DLS_PATH_MAX];
    if (index >= PEERS)
        return false;
    const size_t k = object_of(index);
    *peer = (dls_peer){peers[index].name, objects[k].library, objects[k].package, path_of(index, path)};
    return true;
}

static size_t index_of(const char *name)
{
    size_t index = 0;
    name += strncmp(name, inside, sizeof inside - 1) == 0 ? sizeof inside - 1 : 0;
    while (index < PEERS && strcmp(peers[index].name, name) != 0)
        index++;
    return index;
}

bool dls_is_peer(const char *name) { return index_of(name) < PEERS; }

dls_status dls_peer_choose(const char *name, dls_choice *choice, dls_error *error)
{
    const size_t index = index_of(name), k = object_of(index);
    const bool ours = strncmp(name, inside, sizeof inside - 1) == 0;
    char path[DLS_PATH_MAX], full[DLS_PATH_MAX + DLS_NAME_MAX + sizeof inside];
    *choice = (dls_choice){NULL, NULL, NULL};
    if (!path_of(index, path))
        return dls_fail(error, DLS_UNAVAILABLE,
                        "the peer '%s' was not built: it needs %s (%s on Debian) and a shared library of delassus; "
                        "there is no %s.so in %s",
                        peers[index].name, objects[k].library, objects[k].package, objects[k].name, dls_peer_folder());
    snprintf(full, sizeof full, "%s%s:%s", ours ? inside : "", path, peers[index].name);
    return dls_plugin_choose(full, choice, error);
}
