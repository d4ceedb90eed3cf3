/* Problems and models from files: a scene has the problem of its first step. */
#include "delassus/io.h"

#include <stdio.h>
#include <string.h>

void dls_file_stem(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    snprintf(name, size, "%.*s", (int)(length < size ? length : size - 1), base);
}

dls_status dls_first_problem(const dls_model *model, double h, dls_problem **problem, dls_error *error)
{
    dls_contacts contacts = {0, 0, NULL};
    dls_collider *collider = NULL;
    dls_status status = DLS_OK;
    *problem = NULL;
    if (dls_model_world(model)->collide) {
        status = dls_collider_create(model, &collider, error);
        if (status == DLS_OK)
            status = dls_collider_find(collider, dls_model_initial(model), &contacts, error);
    }
    if (status == DLS_OK)
        status = dls_problem_create(model, dls_model_initial(model), &contacts,
                                    h > 0.0 ? h : dls_model_world(model)->step, problem, error);
    dls_contacts_release(&contacts);
    dls_collider_destroy(collider);
    return status;
}

dls_status dls_load_model(const char *path, dls_model **model, dls_error *error)
{
    dls_scene *scene;
    *model = NULL;
    DLS_TRY(dls_scene_read(path, &scene, error));
    dls_status status = dls_model_create(scene, model, error);
    dls_scene_destroy(scene);
    return status;
}

dls_status dls_content_problem(dls_content *content, dls_error *error)
{
    dls_model *model = NULL;
    if (content->problem)
        return DLS_OK;
    dls_status status = dls_model_create(content->scene, &model, error);
    if (status == DLS_OK)
        status = dls_first_problem(model, 0.0, &content->problem, error);
    dls_model_destroy(model);
    return status;
}

dls_status dls_load_problem(const char *path, const char *format, dls_content *content, dls_error *error)
{
    DLS_TRY(dls_file_load(path, format, content, error));
    const dls_status status = dls_content_problem(content, error);
    if (status != DLS_OK)
        dls_content_release(content);
    return status;
}
