/* Meshes through the Open Asset Import Library (assimp): COLLADA. Coordinates are those of the file in its unit, moved
 * by the nodes of its scene. The file's `up_axis` turns nothing, as in ROS, whose models give the mesh's pose in the
 * axes of its file. Lines and points are left out. Nothing is read from any other file. */
#include "mesh_reader.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdio.h>

static bool add_triangles(const struct aiMesh *mesh, bool (*add)(void *to, const double corners[9]), void *to)
{
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        const struct aiFace *face = &mesh->mFaces[f];
        double corners[9];
        if (face->mNumIndices != 3)
            continue;
        for (int i = 0; i < 3; i++) {
            const struct aiVector3D p = mesh->mVertices[face->mIndices[i]];
            corners[3 * i] = (double)p.x, corners[3 * i + 1] = (double)p.y, corners[3 * i + 2] = (double)p.z;
        }
        if (!add(to, corners))
            return false;
    }
    return true;
}

static bool read_mesh(const char *text, size_t size, const char *kind, bool (*add)(void *to, const double corners[9]),
                      void *to, char *message, size_t room)
{
    struct aiPropertyStore *settings = aiCreatePropertyStore();
    if (size > 0x7fffffff || !settings) {
        snprintf(message, room, "%s", settings ? "the file is too large" : "no memory");
        aiReleasePropertyStore(settings);
        return false;
    }
    aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    const struct aiScene *scene = aiImportFileFromMemoryWithProperties(
        text, (unsigned)size, aiProcess_Triangulate | aiProcess_PreTransformVertices, kind, settings);
    aiReleasePropertyStore(settings);
    if (!scene) {
        snprintf(message, room, "%s", aiGetErrorString());
        return false;
    }
    for (unsigned m = 0; m < scene->mNumMeshes; m++)
        if (!add_triangles(scene->mMeshes[m], add, to))
            break;
    aiReleaseImport(scene);
    return true;
}

extern const dls_mesh_reader dls_mesh_reader_here;
const dls_mesh_reader dls_mesh_reader_here = {read_mesh};
