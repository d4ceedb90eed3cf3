/* documents.h - a file of each format that is text, with most of what a file of it may have, for tests of readers. */
#ifndef DLS_TESTS_DOCUMENTS_H
#define DLS_TESTS_DOCUMENTS_H

#include <stdbool.h>

typedef struct document {
    const char *format;
    bool ends; /* a part of the text is no file */
    const char *text;
} document;

/* Every number is read: none stands in a class of MJCF whose elements all have their own. */
static const document documents[] = {
    {"problem", true,
     "delassus-problem 1\nname \"\"\nform mechanical\nstep 0.001\nmasses 1\nrows 1\nblocks 1\ncoefficients 6\n"
     "mass body 2 0.5 0.2 0 0 0 0.2 0 0 0 0.2 5 0 0 0 5 0 0 0 5\n"
     "velocity 0\nvelocity 0\nvelocity -0.01\nvelocity 0\nvelocity 0\nvelocity 0\n"
     "row 0 0 -inf inf 0 0 - 0 1 \"length\"\nblock 0 6 1 0 0 0 0 0\nend\n"},
    {"siconos-lcp", true, "1\n0 1 1 1\n1 2 -3"},
    {"siconos-mlcp", true, "1 0 1 1\n0 1 2\n0 1\n0 2 2 2 2\n1 2\n3 4\n5 6"},
    {"siconos-relay", true, "1\n0 1 1 1\n1 2 -3\n-1 1"},
    {"siconos-gmp", true, "1 3 3 3\n2 2\n2 3\n2 3\n3 3\n0 2 3\n0 1 1\n0\n1 2 3 4\n1 5 6\n2 7\n8 9 10\n2 0"},
    {"siconos-fc3d", true, "3 1\n0 3 3 3 3 2 0 0\n0 1 0\n0 0 1\n-3 1 1\n0.5"},
    {"siconos-fc2d", true, "2 1\n0 2 2 2 2 2 0\n0 1\n-3 1\n0.5"},
    {"siconos-gfc3d", true, "3 1\n0 3 3 3 3 1 0 0\n0 1 0\n0 0 1\n0 3 3 3 3 1 0 0\n0 1 0\n0 0 1\n-1 -1 -1\n0 0 0\n0.1"},
    {"siconos-gfc2d", true, "2 1\n0 3 3 3 3 1 0 0\n0 1 0\n0 0 1\n0 3 2 3 2 1 0 0\n0 1 0\n-1 -1 -1\n0 0\n0.1"},
    {"siconos-rfc3d", true,
     "5 1\n0 5 5 5 5 2 0 0 0 0\n0 1 0 0 0\n0 0 1 0 0\n0 0 0 1 0\n0 0 0 0 1\n-3 1 1 0 0\n0.5\n0.1"},
    {"siconos-grfc3d", true, "5 1\n0 1 1 1 1 2\n0 1 5 1 5 1 0 0 0 0\n-3\n0 0 0 0 0\n0.5\n0.1"},
    {"json", true, "{\"A\": [[2, 0], [0, 1]], \"b\": [-1, 1], \"parent\": [null, 0], \"mu\": [0, 1]}"},
    {"dart", true, "{\"A\": [[2, 0], [0, 1]], \"b\": [-1, 1], \"hi\": [null, 1], \"findex\": [-1, 0]}"},
    {"contactbench", true, "1\n1 2 3 4 5 6 7 8 9\n1 2 3\n0.5"},
    {"scene", false,
     "world: {step: 0.01, gravity: [0, 0, -9.8], duration: 1}\n"
     "bodies:\n"
     "  - {name: a, shape: sphere, radius: 0.3, mass: 1.7, position: [1, 0, 0]}\n"
     "  - {name: b, shape: sphere, radius: 0.2, mass: 2, position: [3, 0, 0]}\n"
     "joints:\n"
     "  - {name: j, type: ball, body1: a, anchor: [0.5, 0, 0]}\n"
     "  - {name: k, type: hinge, body1: a, body2: b, anchor: [2, 0, 0], axis: [0, 1, 0]}\n"},
    {"urdf", true,
     "<robot name='r'>\n<link name='a'/>\n<link name='b'>\n<inertial>\n<origin xyz='0 0 0.1' rpy='0 0 0.2'/>\n"
     "<mass value='2'/>\n<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>\n</inertial>\n</link>\n"
     "<joint name='j' type='revolute'>\n<parent link='a'/>\n<child link='b'/>\n<origin xyz='0 1 0' rpy='0 0 0'/>\n"
     "<axis xyz='0 0 1'/>\n<limit lower='-1' upper='1' effort='30' velocity='2'/>\n"
     "<dynamics damping='0.1' friction='0.2'/>\n</joint>\n"
     "<link name='c'>\n<inertial>\n<mass value='1'/>\n<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
     "iyz='0'/>\n</inertial>\n"
     "<collision>\n<origin xyz='0 0 0' rpy='0 0 0'/>\n<geometry>\n<sphere "
     "radius='0.1'/>\n</geometry>\n</collision>\n</link>\n"
     "<joint name='k' type='revolute'>\n<parent link='b'/>\n<child link='c'/>\n<limit effort='1' velocity='1'/>\n"
     "<mimic joint='j' multiplier='2' offset='0.1'/>\n</joint>\n</robot>"},
    {"mjcf", true,
     "<mujoco>\n<compiler angle='radian'/>\n<option timestep='0.003' gravity='0 0 -9.8'/>\n"
     "<default>\n<geom friction='0.7'/>\n<default class='c'>\n<joint stiffness='3' springref='0.4' "
     "damping='1'/>\n"
     "</default>\n</default>\n<worldbody>\n<geom type='plane' size='1 1 0.1'/>\n<site name='s' pos='0 0 3'/>\n"
     "<body name='a' pos='0 0 2' quat='1 0 0 0'>\n"
     "<joint name='j' class='c' limited='true' range='-1 1' frictionloss='1' armature='0.1' stiffness='2' "
     "springref='0.1' damping='0.3' ref='0.2' axis='0 1 0' pos='0 0 "
     "1'/>\n"
     "<joint name='k' class='c'/>\n<inertial pos='0 0 0.1' mass='2' fullinertia='1 1 1 0 0 0'/>\n"
     "<geom type='capsule' size='.1' fromto='0 0 0 0 0 1' friction='0.7' condim='3' "
     "margin='0' gap='0' contype='1' conaffinity='1'/>\n"
     "<body name='b' euler='0 0 0.3'>\n<joint type='ball' name='l' damping='1' stiffness='2'/>\n"
     "<geom type='box' size='.1 .2 .3' axisangle='0 0 1 0.5' mass='3' density='700' group='2'/>\n<site name='t' pos='0 "
     "0 1'/>\n</body>\n"
     "</body>\n</worldbody>\n<contact>\n<exclude body1='a' body2='b'/>\n</contact>\n"
     "<tendon>\n<spatial name='u' stiffness='2' springlength='1 3' frictionloss='1' limited='true' range='0.5 4'>\n"
     "<site site='s'/>\n<site site='t'/>\n</spatial>\n"
     "<fixed name='v' damping='1'>\n<joint joint='j' coef='2'/>\n<joint joint='k' coef='-2'/>\n</fixed>\n</tendon>\n"
     "<equality>\n<joint joint1='j' joint2='k' polycoef='0 1 0 0 0'/>\n<tendon tendon1='u' tendon2='v'/>\n"
     "<connect body1='b' anchor='0 0 0.1'/>\n<weld body1='a' body2='world' relpose='0 0 0 0 0 0 0' anchor='0 0 "
     "0'/>\n</equality>\n"
     "<actuator>\n<position tendon='u' kp='2'/>\n<velocity joint='j' kv='3' forcerange='-5 5' gear='2'/>\n"
     "<motor joint='k' ctrllimited='true' ctrlrange='-1 1'/>\n</actuator>\n</mujoco>"},
    {"mjcf", true,
     "<mujoco>\n<compiler angle='radian' settotalmass='3'/>\n<worldbody>\n<frame pos='0 0 1' euler='0 0 "
     "0.1'>\n<body name='a'>\n<joint name='j'/>\n<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/>\n</body>\n"
     "</frame>\n</worldbody>\n<actuator>\n<position joint='j'/>\n</actuator>\n</mujoco>"},
};

#endif
