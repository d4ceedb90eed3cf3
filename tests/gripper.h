/* gripper.h - a four-bar linkage that closes until the joint of its loop meets a limit. */
#ifndef DLS_TESTS_GRIPPER_H
#define DLS_TESTS_GRIPPER_H

/* A finger on a parallelogram: the torque T on the crank turns it by theta until the hinge that closes the loop meets
 * its limit. The coupler does not turn, so that the angle of this hinge is -theta. With rods of length l and mass m and
 * a coupler of mass M, V = g l cos(theta) (m + M), and by virtual work the limit bears T + g l sin(theta) (m + M). */
#define GRIPPER(world)                                                                                            \
    "world: {gravity: [0, 0, -9.81], " world "}\n"                                                                \
    "articulations:\n  - name: finger\n    links:\n      - {name: palm, static: true}\n"                          \
    "      - {name: crank, parent: palm, motion: revolute, anchor: [0, 0, 0], axis: [0, 1, 0], effort: 1.3, "     \
    "shape: box, size: [0.02, 0.02, 0.2], mass: 0.3, position: [0, 0, 0.1]}\n"                                    \
    "      - {name: coupler, parent: crank, motion: revolute, anchor: [0, 0, 0.2], axis: [0, 1, 0], shape: box, " \
    "size: [0.1, 0.02, 0.02], mass: 0.5, position: [0.05, 0, 0.2]}\n"                                             \
    "      - {name: rocker, parent: palm, motion: revolute, anchor: [0.1, 0, 0], axis: [0, 1, 0], shape: box, "   \
    "size: [0.02, 0.02, 0.2], mass: 0.3, position: [0.1, 0, 0.1]}\n"                                              \
    "joints:\n"                                                                                                   \
    "  - {name: close, type: hinge, body1: finger.coupler, body2: finger.rocker, anchor: [0.1, 0, 0.2], axis: "   \
    "[0, 1, 0]}\n"                                                                                                \
    "  - {name: stop, type: limit, coordinates: {close: 1}, lower: -0.4}\n"                                       \
    "  - {name: oil, type: drive, coordinates: {close: 1}, damping: 0.5}\n"

#endif
