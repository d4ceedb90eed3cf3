/* Articulations of a scene: links as they are drawn, or a robot from a URDF file. doc/scene-format.md. */
#include "scene_shapes.h"
#include "urdf.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* --- links --- */

static const char *const link_others[] = {"repeat", "from",   "to",      "section",    "look_at",
                                          "around", "shapes", "visuals", "ellipsoids", NULL};

static dls_status turn_link(dls_reader *r, const dls_yaml_node *map, dls_posed_link *link)
{
    dls_scene_turn turn;
    const dls_quat rotation = link->joint.rotation;
    DLS_TRY(dls_reader_circle(r, map, &turn));
    dls_turn_body(&turn, &link->body);
    dls_turn_settings(&turn, &dls_posed_joint_fields, &link->joint);
    if (turn.turns && rotation.w != 1.0)
        link->joint.rotation = dls_quat_unit(dls_quat_mul(dls_quat_mul(turn.q, rotation), dls_quat_conj(turn.q)));
    return DLS_OK;
}

static dls_status add_link(dls_reader *r, const dls_yaml_node *map)
{
    dls_articulation_def *def = r->context;
    const size_t before = def->n_shapes;
    dls_posed_link link;
    dls_body_default(&link.body);
    DLS_TRY(dls_fields_default(&dls_posed_joint_fields, &link.joint, r->error));
    link.body.place = map->place;
    const dls_definition definition = {
        "a link", NULL, {{&dls_body_fields, &link.body}, {&dls_posed_joint_fields, &link.joint}}, link_others};
    DLS_TRY(dls_reader_fields(r, &definition, map));
    DLS_TRY(dls_reader_place(r, map, &link.body));
    DLS_TRY(turn_link(r, map, &link));
    DLS_TRY(dls_reader_at(r, dls_articulation_def_add_posed(def, &link, r->error), map->place, NULL));
    DLS_TRY(dls_reader_link_shapes(r, map, &link.body, def));
    return !link.body.surface[0] || def->n_shapes > before
               ? DLS_OK
               : dls_reader_at(r,
                               dls_fail(r->error, DLS_BAD_INPUT,
                                        "no shape of the link has it; give the link a shape, or leave the surface out"),
                               map->place, "surface");
}

/* --- a robot --- */

/* start: {JOINT: value, ..} */
static dls_status start_positions(dls_reader *r, const dls_yaml_node *start, dls_articulation_def *def)
{
    DLS_TRY(dls_reader_expect(r, start, DLS_YAML_MAP, "joints and their coordinates, as in {elbow: 0.3}"));
    for (const dls_yaml_node *item = start->first; item; item = item->next) {
        const dls_field value = {item->key, "",       DLS_FIELD_REAL, 0,    NULL,
                                 -HUGE_VAL, HUGE_VAL, false,          NULL, "coordinate at the start"};
        size_t i = 0;
        while (i < def->n_links && (!def->links[i].parent[0] || strcmp(def->links[i].joint, item->key) != 0))
            i++;
        if (i == def->n_links || def->links[i].motion->n_dofs != 1)
            return dls_reader_at(
                r, dls_fail(r->error, DLS_BAD_INPUT, "the robot has no joint of that name with one degree of freedom"),
                item->key_place, item->key);
        DLS_TRY(dls_reader_at(r, dls_reader_value(r, &value, def->links[i].q, item), item->place, item->key));
    }
    return DLS_OK;
}

/* --- an articulation --- */

typedef dls_scene_articulation_setting setting;
static const dls_field fields[] = {
    {"name", "", DLS_FIELD_NAME, offsetof(setting, name), NULL, 0, 0, false, NULL,
     "name of the articulation in joints and tables"},
    {"position", "m", DLS_FIELD_VEC3, offsetof(setting, position), "[0, 0, 0]", 0, 0, false, NULL,
     "position of a robot's root link"},
    {"orientation", "", DLS_FIELD_QUAT, offsetof(setting, orientation), "[1, 0, 0, 0]", 0, 0, false, NULL,
     "orientation of a robot's root link, link to world"},
    {"speed_limits", "", DLS_FIELD_BOOL, offsetof(setting, limits_speeds), "false", 0, 0, false, NULL,
     "the speed limits of the robot's joints are enforced by rows"},
    {"floating", "", DLS_FIELD_BOOL, offsetof(setting, floating), "false", 0, 0, false, NULL,
     "a robot's root link moves freely, and is not fixed to the world"},
    {"velocity", "m/s", DLS_FIELD_VEC3, offsetof(setting, velocity), "[0, 0, 0]", 0, 0, false, NULL,
     "velocity of the centre of mass of a floating robot's root link"},
    {"omega", "rad/s", DLS_FIELD_VEC3, offsetof(setting, omega), "[0, 0, 0]", 0, 0, false, NULL,
     "angular velocity of a floating robot's root link, world frame"},
    {"self_collision", "", DLS_FIELD_BOOL, offsetof(setting, self_collision), "true", 0, 0, false, NULL,
     "links collide with each other, except with their neighbours"},
    {"position_iterations", "", DLS_FIELD_COUNT, offsetof(setting, position_iterations), "0", 0, 1e9, false, NULL,
     "least number of iterations per step"},
    {"velocity_iterations", "", DLS_FIELD_COUNT, offsetof(setting, velocity_iterations), "0", 0, 1e9, false, NULL,
     "least number of iterations per step without feedback of position errors"},
    {"com_speed", "m/s", DLS_FIELD_REAL, offsetof(setting, com_speed), "inf", 0, HUGE_VAL, true, NULL,
     "greatest speed of the articulation's centre of mass, by a clamp at the end of a step"},
    {"com_angular_speed", "rad/s", DLS_FIELD_REAL, offsetof(setting, com_angular_speed), "inf", 0, HUGE_VAL, true, NULL,
     "greatest angular speed of the articulation about its centre of mass, by the same clamp"},
};
const dls_field_table dls_scene_articulation_fields = DLS_FIELD_TABLE(fields, setting);

dls_scene_articulation_setting dls_scene_setting_of(const dls_articulation_def *def)
{
    setting s = {.orientation = {1, 0, 0, 0}, .self_collision = def->self_collision};
    memcpy(s.name, def->name, sizeof s.name);
    s.position_iterations = def->position_iterations, s.velocity_iterations = def->velocity_iterations;
    s.com_speed = def->com_speed, s.com_angular_speed = def->com_angular_speed;
    return s;
}

static const char *const setting_others[] = {"links", "urdf", "start", NULL};

/* The root's pose is the robot's own, seen from where the scene puts it. */
static void move_robot(const setting *s, dls_articulation_def *def)
{
    const double speed[6] = {s->velocity.x, s->velocity.y, s->velocity.z, s->omega.x, s->omega.y, s->omega.z};
    def->fixed_base = def->fixed_base && !s->floating;
    for (size_t i = 0; i < def->n_links; i++) {
        dls_link_def *link = &def->links[i];
        if (link->parent[0])
            continue;
        link->position = dls_add(s->position, dls_quat_rotate(s->orientation, link->position));
        link->orientation = dls_quat_mul(s->orientation, link->orientation);
        memcpy(link->speed, speed, sizeof speed);
    }
}

static dls_status read_robot(dls_reader *r, const dls_yaml_node *map, const dls_yaml_node *urdf, const setting *s,
                             dls_articulation_def **def)
{
    char path[DLS_PATH_MAX];
    const dls_yaml_node *start = dls_yaml_find(map, "start");
    DLS_TRY(dls_reader_expect(r, urdf, DLS_YAML_SCALAR, "the name of a URDF file"));
    if (!dls_path_beside(r->scene->file, urdf->text, path))
        return dls_reader_at(r, dls_fail(r->error, DLS_BAD_INPUT, "the path is too long"), urdf->place, urdf->key);
    size_t shapes;
    DLS_TRY(dls_urdf_load(path, r->scene, def, &shapes, r->error));
    r->scene->shapes_passed_over += shapes;
    move_robot(s, *def);
    (*def)->limits_speeds = s->limits_speeds;
    if ((*def)->fixed_base && dls_norm(s->velocity) + dls_norm(s->omega) > 0.0)
        return dls_reader_at(
            r, dls_fail(r->error, DLS_BAD_INPUT, "a robot that is fixed does not move; write floating: true"),
            map->place, dls_norm(s->velocity) > 0.0 ? "velocity" : "omega");
    return start ? start_positions(r, start, *def) : DLS_OK;
}

static dls_status read_links(dls_reader *r, const dls_yaml_node *map, const dls_yaml_node *links,
                             dls_articulation_def **def)
{
    static const char *const robots[] = {"position", "orientation", "floating",    "velocity",
                                         "omega",    "start",       "speed_limits"};
    for (size_t i = 0; i < sizeof robots / sizeof robots[0]; i++) {
        const dls_yaml_node *node = dls_yaml_find(map, robots[i]);
        if (node)
            return dls_reader_at(r, dls_fail(r->error, DLS_BAD_INPUT, "is for robots from URDF; links have their own"),
                                 node->key_place, node->key);
    }
    DLS_TRY(dls_articulation_def_create(def, r->error));
    snprintf((*def)->file, sizeof(*def)->file, "%s", r->scene->file);
    r->context = *def;
    return dls_reader_list(r, links, "a list of links", "a link, a map as in '- name: forearm'", add_link);
}

/* Where the links of a robot are at the start, so that others can be drawn beside them. */
static dls_status place_links(const dls_articulation *tree, dls_articulation_def *def, dls_error *error)
{
    dls_articulation_state *state;
    dls_articulation_work *work;
    DLS_TRY(dls_articulation_state_create(tree, &state, error));
    dls_status status = dls_articulation_work_create(tree, &work, error);
    if (status == DLS_OK) {
        dls_articulation_kinematics(state, work);
        dls_articulation_velocities(state->v, work);
        for (size_t i = 0; i < def->n_links; i++) {
            const size_t link = dls_articulation_find_link(tree, def->links[i].name);
            if (link == 0) /* it is where it is to the bit */
                continue;
            def->links[i].position = dls_articulation_origin(work, link);
            def->links[i].orientation = dls_articulation_end(work, link).q;
        }
        dls_articulation_work_destroy(work);
    }
    dls_articulation_state_destroy(state);
    return status;
}

/* A robot from URDF becomes a drawing of the scene, whose name errors then have: those of the robot by itself were
 * reported before. */
static dls_status draw_robot(const dls_reader *r, dls_articulation_def *def)
{
    dls_articulation *tree;
    DLS_TRY(dls_articulation_create(def, &tree, r->error));
    const dls_status status = place_links(tree, def, r->error);
    dls_articulation_destroy(tree);
    if (status == DLS_OK)
        memcpy(def->file, r->scene->file, sizeof def->file);
    return status;
}

/* Links that a change adds to an articulation, drawn beside those that it has. */
static dls_status add_more_links(dls_reader *r, const dls_yaml_node *map, const dls_yaml_node *links,
                                 dls_articulation_def *def)
{
    for (const dls_yaml_node *node = map->first; node; node = node->next)
        if (strcmp(node->key, "name") != 0 && strcmp(node->key, "links") != 0)
            return dls_reader_at(r,
                                 dls_fail(r->error, DLS_BAD_INPUT,
                                          "the articulation '%s' is there already; a change adds links to it and "
                                          "nothing else",
                                          def->name),
                                 node->key_place, node->key);
    if (strcmp(def->file, r->scene->file) != 0)
        DLS_TRY(draw_robot(r, def));
    for (const dls_yaml_node *link = links->first; link; link = link->next)
        if (link->kind == DLS_YAML_MAP && !dls_yaml_find(link, "parent"))
            return dls_reader_at(r, dls_fail(r->error, DLS_BAD_INPUT, "missing; a link that is added has a parent"),
                                 link->place, "parent");
    r->context = def;
    return dls_reader_list(r, links, "a list of links", "a link, a map as in '- name: forearm'", add_link);
}

dls_status dls_reader_articulation(dls_reader *r, const dls_yaml_node *map)
{
    const dls_yaml_node *links = dls_yaml_find(map, "links"), *urdf = dls_yaml_find(map, "urdf");
    dls_articulation_def *def = NULL;
    setting s;
    DLS_TRY(dls_fields_default(&dls_scene_articulation_fields, &s, r->error));
    DLS_TRY(dls_reader_fields(
        r, &(dls_definition){"an articulation", NULL, {{&dls_scene_articulation_fields, &s}}, setting_others}, map));
    dls_articulation_def *known = r->change ? dls_scene_articulation(r->scene, s.name) : NULL;
    if (known && links)
        return add_more_links(r, map, links, known);
    if (!links == !urdf)
        return dls_reader_at(r, dls_fail(r->error, DLS_BAD_INPUT, "an articulation has links, or urdf: FILE"),
                             map->place, links ? "urdf" : "links");
    dls_status status = links ? read_links(r, map, links, &def) : read_robot(r, map, urdf, &s, &def);
    if (status == DLS_OK) {
        memcpy(def->name, s.name, sizeof s.name);
        def->self_collision = s.self_collision;
        def->position_iterations = s.position_iterations;
        def->velocity_iterations = s.velocity_iterations;
        def->com_speed = s.com_speed;
        def->com_angular_speed = s.com_angular_speed;
        status =
            links ? dls_scene_add_articulation(r->scene, def, r->error) : dls_scene_add_robot(r->scene, def, r->error);
    }
    if (status != DLS_OK)
        dls_articulation_def_destroy(def);
    return dls_reader_at(r, status, map->place, NULL);
}
