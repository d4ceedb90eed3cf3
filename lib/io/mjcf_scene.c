/* Names of elements of MJCF, and joints of the scene: the sections of the reader share them. */
#include "mjcf.h"

#include <stdio.h>
#include <string.h>

/* --- names --- */

dls_status mjcf_join(const mjcf *m, const xmlNode *node, char to[DLS_NAME_MAX], const char *name, const char *suffix)
{
    const int length = snprintf(to, DLS_NAME_MAX, "%s%s%s", name, suffix[0] ? " " : "", suffix);
    return length < DLS_NAME_MAX ? DLS_OK
                                 : dls_xml_fail(&m->x, DLS_BAD_INPUT, node, "name",
                                                "the name '%s' is too long here: with what is added to it, it may have "
                                                "at most %d bytes",
                                                name, DLS_NAME_MAX - 1);
}

dls_status mjcf_name(const mjcf *m, mjcf_table *table, const xmlNode *node, const char *what, size_t value,
                     char name[DLS_NAME_MAX])
{
    bool there;
    DLS_TRY(dls_xml_attribute(&m->x, node, "name", name, DLS_NAME_MAX, &there));
    if (!name[0])
        snprintf(name, DLS_NAME_MAX, "%s %zu", what, ++table->unnamed);
    const size_t found = dls_names_add(&table->names, name, value);
    if (found == SIZE_MAX)
        return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for the name of a %s", what);
    return found == value ? DLS_OK
                          : dls_xml_fail(&m->x, DLS_BAD_INPUT, node, "name",
                                         "duplicate name '%s': rename one %s of the two", name, what);
}

dls_status mjcf_claim(mjcf *m, const xmlNode *node, const char *suffix, char name[DLS_NAME_MAX])
{
    for (int turn = 0; turn < 2; turn++) {
        char own[DLS_NAME_MAX];
        const size_t value = m->claimed.names.count;
        DLS_TRY(mjcf_join(m, node, own, name, turn ? suffix : ""));
        const size_t found = dls_names_add(&m->claimed.names, own, value);
        if (found == SIZE_MAX)
            return dls_fail(m->x.error, DLS_NO_MEMORY, "no memory for the name of a joint");
        if (found == value || turn) {
            memcpy(name, own, sizeof own);
            break;
        }
    }
    return DLS_OK;
}

dls_status mjcf_find(const mjcf *m, const mjcf_table *table, const xmlNode *node, const char *attribute,
                     const char *what, size_t *value)
{
    char name[DLS_NAME_MAX];
    DLS_TRY(dls_xml_required_name(&m->x, node, attribute, name));
    *value = dls_names_find(&table->names, name);
    if (*value != SIZE_MAX)
        return DLS_OK;
    return m->scene->n_dropped
               ? dls_xml_fail(&m->x, DLS_REFUSED, node, attribute,
                              "there is no %s '%s'; it may be in what is left out of the file", what, name)
               : dls_xml_fail(&m->x, DLS_BAD_INPUT, node, attribute, "there is no %s '%s'", what, name);
}

dls_frame mjcf_compose(dls_frame a, dls_frame b)
{
    return (dls_frame){dls_add(a.p, dls_quat_rotate(a.q, b.p)), dls_quat_unit(dls_quat_mul(a.q, b.q))};
}

dls_status mjcf_note(const mjcf *m, const xmlNode *node, const char *key, const char *text)
{
    const dls_place at = {xmlGetLineNo(node), 1};
    return dls_scene_note_in(m->scene, dls_xml_file(&m->x, node), at, key, text, m->x.error);
}

/* --- joints of the scene --- */

void mjcf_set(mjcf_new_joint *joint, const char *key, double value)
{
    joint->settings[joint->n_settings].key = key;
    joint->settings[joint->n_settings].value[0] = value;
    joint->settings[joint->n_settings++].count = 1;
}

void mjcf_set_vector(mjcf_new_joint *joint, const char *key, dls_vec3 v)
{
    joint->settings[joint->n_settings].key = key;
    memcpy(joint->settings[joint->n_settings].value, &(double[]){v.x, v.y, v.z}, 3 * sizeof(double));
    joint->settings[joint->n_settings++].count = 3;
}

void mjcf_set_quat(mjcf_new_joint *joint, const char *key, dls_quat q)
{
    joint->settings[joint->n_settings].key = key;
    memcpy(joint->settings[joint->n_settings].value, &(double[]){q.w, q.x, q.y, q.z}, 4 * sizeof(double));
    joint->settings[joint->n_settings++].count = 4;
}

static dls_status fill_joint(const mjcf_new_joint *new, dls_joint_def *joint)
{
    dls_error *error = new->m->x.error;
    memcpy(joint->name, new->name, sizeof joint->name);
    if (new->n_terms == 0)
        memcpy(joint->body, new->body, sizeof joint->body);
    joint->place = dls_xml_place(new->node);
    joint->may_touch = new->may_touch;
    for (size_t i = 0; i < new->n_terms; i++)
        DLS_TRY(dls_joint_couple_polynomial(joint, new->terms[i].coordinate, new->terms[i].gears, error));
    for (size_t i = 0; i < new->n_settings; i++)
        DLS_TRY(
            dls_joint_set_numbers(joint, new->settings[i].key, new->settings[i].value, new->settings[i].count, error));
    return dls_scene_add_joint(new->m->scene, joint, error);
}

dls_status mjcf_add_joint(const mjcf_new_joint *new)
{
    dls_joint_def joint = {0};
    dls_status status = dls_joint_default(&joint, new->type, new->m->x.error);
    if (status == DLS_OK)
        status = fill_joint(new, &joint);
    dls_joint_def_release(&joint);
    return dls_xml_at(&new->m->x, status, new->node);
}
