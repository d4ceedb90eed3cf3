/* Examples of the collection siconos-tutorials (https://github.com/siconos/siconos-tutorials, examples/mechanics) as
 * scenes: the numbers are those of its programs. A height is x where it is their first coordinate, else y; angles turn
 * about z.
 *
 * WHERE A MOTION IS LEFT. Two balls on top of each other, and more of them, come to rest by infinitely many impacts of
 * several pairs at once. Such a series does not repeat itself, and its limit is not known here; these motions are
 * followed up to a time shortly before. The piston of the slider-crank chatters between its guides, and its motion
 * loses an accuracy of a digit in each millisecond.
 *
 * THE WOODPECKER (C. Glocker, Set-Valued Force Laws, 2001, 1.2) has the coordinates q = (y, phiM, phiS): its sleeve's
 * height and angle, and its angle. All is linear: the mass matrix M is constant, gravity is -g times its first column,
 * the gap of contact i is n_i . q + b_i, and the slip t_i . q. The scene has these as displacements: along y of a
 * slide n_i (mass m), which stands on a slide t_i along x (mass m as well), both coupled with q by mimics, under a
 * gravity along x. Their share 2 m t_i t_i^T + m n_i n_i^T of M is taken from the others: with R what is left, three
 * slides carry y, phiM and phiS, and a fourth of mass m_s = R12 R13 / R23, coupled as s . q with
 * s = (1, R23 / R13, R23 / R12), the products between them: R = m_s s s^T + diag. A radian is a metre along y. The
 * program starts with phiM = -0.1036, 0.9 um beyond the pole at -0.0006 / 0.0058; the scene has that side of the pole
 * where it starts.
 *
 * A BLOCK TWICE. The programs of the rocking block have a block of 1 m x 0.5 m; their contact functions have the
 * corners of one of 0.2 m x 0.1 m, with the same centre. `block` is the first, `block-corners` the second, with the
 * mass and inertia of the first.
 */
#include "trajectories/parts.h"

#include <string.h>

#define FALLING "world: {gravity: [-9.81, 0, 0]}\nbodies:\n"
#define TENTH "world: {gravity: [-10, 0, 0]}\nbodies:\n"
#define BALL(x, v)                                                                                                     \
    "  - {name: ball, shape: sphere, radius: 0.1, mass: 1, position: [" x ", 0, 0], velocity: [" v ", 0, 0]}\njoints:" \
    "\n"
#define FLOOR(body, gap, e)                                                                            \
    "  - {name: floor, type: contact, body1: " body ", point: [0, 0, 0], normal: [1, 0, 0], gap: " gap \
    ", restitution: " e "}\n"
#define PAIR(radius, mass1, mass2, position1, position2)                                                       \
    "  - {name: lower, shape: sphere, radius: " radius ", mass: " mass1 ", position: [" position1 ", 0, 0]}\n" \
    "  - {name: upper, shape: sphere, radius: " radius ", mass: " mass2 ", position: [" position2              \
    ", 0, 0]}\njoints:\n"
#define BETWEEN(x, gap, e)                                                      \
    "  - {name: between, type: contact, body1: upper, body2: lower, point: [" x \
    ", 0, 0], normal: [1, 0, 0], gap: " gap ", restitution: " e "}\n"
/* n beads of radius R, dx apart; the floor is `gap` below the lowest, and the others are `apart`. */
#define BEADS(n, pairs, mass, R, x, dx, gap, apart, e)                                                                 \
    FALLING "  - {repeat: " n ", name: 'bead{i}', shape: sphere, radius: " R ", mass: " mass ", position: {start: [" x \
            ", 0, 0], i: [" dx ", 0, 0]}}\njoints:\n" FLOOR(                                                           \
                "bead0", gap, e) "  - {repeat: " pairs                                                                 \
                                 ", name: 'pair{i}', type: contact, body1: 'bead{i+1}', body2: 'bead{i}', point: "     \
                                 "{start: [" x ", 0, 0], i: [" dx ", 0, 0]}, normal: [1, 0, 0], gap: " apart           \
                                 ", restitution: " e "}\n"
/* Inclined by 60 degrees; corner a is below x1 at the height y1, b below x2 at y2. */
#define BLOCK(e, x1, y1, x2, y2)                                                                                   \
    "world: {gravity: [0, -9.81, 0]}\nbodies:\n  - {name: block, shape: box, size: [1, 0.5, 0.1], mass: 1, "       \
    "position: [0.03349364905389041, 0.5580127018922193, 0], orientation: [0.86602540378443865, 0, 0, 0.5]}\n"     \
    "joints:\n  - {name: a, type: contact, body1: block, point: [" x1 ", 0, 0], normal: [0, 1, 0], gap: " y1       \
    ", restitution: " e "}\n  - {name: b, type: contact, body1: block, point: [" x2 ", 0, 0], normal: [0, 1, 0], " \
    "gap: " y2 ", restitution: " e "}\n"
#define CORNERS(e) BLOCK(e, "0.02679491924311227", "0.4464101615137755", "0.12679491924311228", "0.6196152422706632")
#define CORNER(name, x, y, n)                                                                            \
    "  - {name: corner-" name ", type: contact, body1: piston, point: [" x ", " y ", 0], normal: [0, " n \
    ", 0], gap: 0.001, restitution: 0.4, mu: 0.01, friction: cone}\n"
#define SLIDE(name, parent, axis, mass, start, speed)                             \
    "      - {name: " name ", parent: " parent ", motion: prismatic, axis: " axis \
    ", shape: sphere, radius: 0.001, mass: " mass ", start: " start ", speed: " speed "}\n"
#define ALONG_X "[1, 0, 0]"
#define ALONG_Y "[0, 1, 0]"
#define MIMIC(of, terms) "  - {name: " of ", type: mimic, coordinates: {w." of ": -1, " terms "}}\n"
#define POLE(i, gap, e)                                                                                 \
    "  - {name: c" i ", type: contact, body1: w.n" i ", point: [0, 0, 0], normal: [0, 1, 0], gap: " gap \
    ", restitution: " e ", mu: 0.3, friction: cone}\n"
#define TRACED_BALL                  \
    {                                \
        {                            \
            "x", "ball", DLS_ALONG_X \
        }                            \
    }
#define TRACED_PAIR                                                        \
    {                                                                      \
        {"lower", "lower", DLS_ALONG_X}, { "upper", "upper", DLS_ALONG_X } \
    }
#define TRACED_BLOCK                                                                                \
    {                                                                                               \
        {"x", "block", DLS_ALONG_X}, {"y", "block", DLS_ALONG_Y}, { "theta", "block", DLS_ABOUT_Z } \
    }
#define BEAD(i)                         \
    {                                   \
        "bead" i, "bead" i, DLS_ALONG_X \
    }
#define TRACED_BEADS                                                                                                 \
    {                                                                                                                \
        BEAD("0"), BEAD("1"), BEAD("2"), BEAD("3"), BEAD("4"), BEAD("5"), BEAD("6"), BEAD("7"), BEAD("8"), BEAD("9") \
    }
#define DIRECT "block-pivoting"
#define FRICTION "nsgs"

const dls_planar_example dls_planar_examples[] = {
    {"ball", "a ball that comes to rest", FALLING BALL("1", "0") FLOOR("ball", "1", "0.9"), 0.0, 10.0, 5e-3, DIRECT,
     TRACED_BALL},
    {"ball-initial", "the ball, thrown at the floor from the floor", FALLING BALL("0", "-1") FLOOR("ball", "0", "0.9"),
     0.0, 8.5, 5e-3, DIRECT, TRACED_BALL},
    {"ball-rest", "the ball without a rebound", FALLING BALL("1", "0") FLOOR("ball", "1", "0"), 0.0, 8.5, 5e-3, DIRECT,
     TRACED_BALL},
    {"ball-ceiling", "the ball between floor and ceiling",
     TENTH BALL("1", "10") FLOOR(
         "ball", "1",
         "0.8") "  - {name: ceiling, type: contact, body1: ball, point: [1.5, 0, 0], normal: [-1, 0, 0], gap: 0.5, "
                "restitution: 0.8}\n",
     0.0, 10.0, 1e-2, DIRECT, TRACED_BALL},
    {"ball-slope",
     "the ball on a slope of 1 : 10",
     TENTH BALL("1", "0") "  - {name: slope, type: contact, body1: ball, point: [0.00990099009900991, "
                          "-0.099009900990099, 0], normal: [1, 0.1, 0], gap: 0.99503719020998915, restitution: 0.9}\n",
     0.0,
     10.0,
     2.5e-2,
     DIRECT,
     {{"x", "ball", DLS_ALONG_X}, {"y", "ball", DLS_ALONG_Y}}},
    {"ball-spring", "the ball between a spring and a ceiling, from when it has passed the ceiling",
     FALLING BALL("0.7", "-2.4261079942986869") "  - {name: ceiling, type: contact, body1: ball, point: [0.7, 0, 0], "
                                                "normal: [-1, 0, 0], restitution: 1}\n"
                                                "  - {name: spring, type: contact, body1: ball, point: [0.1, 0, 0], "
                                                "normal: [1, 0, 0], gap: 0.6, stiffness: 100, damping: 0}\n",
     0.24730968341474893, 10.0, 5e-4, DIRECT, TRACED_BALL},
    {"ball-thrown", "the ball, thrown upwards", FALLING BALL("1", "2") FLOOR("ball", "0.9", "0.9"), 0.0, 10.0, 5e-3,
     DIRECT, TRACED_BALL},
    {"disks", "two disks on top of each other",
     FALLING PAIR("0.5", "1", "1", "1", "2.1") FLOOR("lower", "0.5", "0.9") BETWEEN("1.5", "0.1", "0.9"), 0.0, 3.6,
     5e-3, DIRECT, TRACED_PAIR},
    {"pair", "a heavier ball above a ball",
     FALLING PAIR("0.1", "1", "2", "0.1", "0.301") FLOOR("lower", "0.1", "0.95") BETWEEN("0.2", "0.001", "0.95"), 0.0,
     2.0, 1e-3, DIRECT, TRACED_PAIR},
    {"disk",
     "a disk that spins, with friction",
     "world: {gravity: [-9.81, 0, 0], collide: true, friction: cone, mu: 0.1, restitution: 0.9}\nbodies:\n"
     "  - {name: ground, static: true, shape: plane, orientation: [0.7071067811865476, 0, 0.7071067811865476, 0]}\n"
     "  - {name: disk, shape: sphere, radius: 0.5, mass: 1, position: [1, 0, 0], omega: [0, 0, 2]}\n",
     0.0,
     10.0,
     5e-3,
     FRICTION,
     {{"x", "disk", DLS_ALONG_X}, {"y", "disk", DLS_ALONG_Y}, {"theta", "disk", DLS_ABOUT_Z}}},
    {"beads", "ten beads that fall one after another", BEADS("10", "9", "1", "0.1", "1", "0.25", "0.9", "0.05", "0.9"),
     0.0, 1.05, 5e-4, DIRECT, TRACED_BEADS},
    {"beads-elastic", "ten elastic beads that fall in a column",
     BEADS("10", "9", "0.0040736", "0.005", "0.055", "0.01", "0.05", "0", "1"), 0.0, 0.498, 1e-3, DIRECT, TRACED_BEADS},
    {"block", "a block on one corner, until it lies flat", BLOCK("0.8", "0", "0", "0.5", "0.86602540378443865"), 0.0,
     0.58, 1e-2, DIRECT, TRACED_BLOCK},
    {"block-corners", "the block with the corners of a smaller one", CORNERS("0.8"), 0.0, 2.0, 1e-2, DIRECT,
     TRACED_BLOCK},
    {"block-corners-9", "the same with the restitution 0.9", CORNERS("0.9"), 0.0, 0.578, 1e-3, DIRECT, TRACED_BLOCK},
    {"stick",
     "a stick that strikes the floor with one end",
     "world: {gravity: [0, -10, 0]}\nbodies:\n  - {name: stick, mass: 1, inertia: [0.05, 0.05, 0.083333333333333329], "
     "position: [0.35355339059327373, 0.36355339059327374, 0], orientation: [0.92387953251128674, 0, 0, "
     "0.38268343236508977], velocity: [-0.5, 0.1, 0], omega: [0, 0, 0.1]}\njoints:\n"
     "  - {name: end, type: contact, body1: stick, point: [0.70710678118654746, 0, 0], normal: [0, 1, 0], gap: 0.01, "
     "restitution: 1, mu: 0.01, friction: cone}\n",
     0.0,
     0.2,
     1e-4,
     FRICTION,
     {{"x", "stick", DLS_ALONG_X}, {"y", "stick", DLS_ALONG_Y}, {"theta", "stick", DLS_ABOUT_Z}}},
    {"pendulum",
     "a pendulum",
     "world: {gravity: [0, 9.81, 0]}\nbodies:\n  - {name: mass, shape: sphere, radius: 0.1, mass: 1, position: "
     "[0.86602540378443860, 0.50000000000000011, 0]}\njoints:\n  - {name: rod, type: distance, body1: mass, anchor1: "
     "[0.86602540378443860, 0.50000000000000011, 0], anchor2: [0, 0, 0]}\n",
     0.0,
     10.0,
     1e-2,
     DIRECT,
     {{"x", "mass", DLS_ALONG_X}, {"y", "mass", DLS_ALONG_Y}}},
    {"double-pendulum",
     "a double pendulum beside a wall",
     "world: {gravity: [0, -10, 0]}\nbodies:\n"
     "  - {name: upper, shape: sphere, radius: 0.1, mass: 1, position: [0.099833416646828155, -0.99500416527802582, "
     "0]}\n"
     "  - {name: lower, shape: sphere, radius: 0.1, mass: 1, position: [0.29850274744188938, -1.9750707431192676, 0]}\n"
     "joints:\n"
     "  - {name: rod1, type: distance, body1: upper, anchor1: [0.099833416646828155, -0.99500416527802582, 0], "
     "anchor2: "
     "[0, 0, 0]}\n"
     "  - {name: rod2, type: distance, body1: lower, body2: upper, anchor1: [0.29850274744188938, -1.9750707431192676, "
     "0], anchor2: [0.099833416646828155, -0.99500416527802582, 0]}\n"
     "  - {name: wall1, type: contact, body1: upper, point: [0, -0.99500416527802582, 0], normal: [1, 0, 0], gap: "
     "0.099833416646828155, "
     "restitution: 1}\n"
     "  - {name: wall2, type: contact, body1: lower, point: [0, -1.9750707431192676, 0], normal: [1, 0, 0], gap: "
     "0.29850274744188938}\n",
     0.0,
     5.0,
     5e-4,
     DIRECT,
     {{"x1", "upper", DLS_ALONG_X},
      {"y1", "upper", DLS_ALONG_Y},
      {"x2", "lower", DLS_ALONG_X},
      {"y2", "lower", DLS_ALONG_Y}}},
    {"trolley",
     "a pendulum on a trolley between two walls",
     "world: {gravity: [0, -9.81, 0]}\nbodies:\n"
     "  - {name: trolley, shape: sphere, radius: 0.01, mass: 1, position: [0.1, 0, 0], velocity: [2, 0, 0]}\n"
     "  - {name: bob, shape: sphere, radius: 0.01, mass: 1, position: [0.19983341664682816, -0.99500416527802582, 0], "
     "velocity: [2, 0, 0]}\njoints:\n"
     "  - {name: rail, type: slider, body1: trolley, axis: [1, 0, 0]}\n"
     "  - {name: rod, type: distance, body1: bob, body2: trolley, anchor1: [0.19983341664682816, -0.99500416527802582, "
     "0], anchor2: [0.1, 0, 0]}\n"
     "  - {name: right, type: contact, body1: trolley, point: [0.2375, 0, 0], normal: [-1, 0, 0], gap: 0.1375, "
     "restitution: 0.5}\n"
     "  - {name: left, type: contact, body1: trolley, point: [0.0125, 0, 0], normal: [1, 0, 0], gap: 0.0875, "
     "restitution: 0.5}\n",
     0.0,
     3.0,
     1e-3,
     DIRECT,
     {{"x", "trolley", DLS_ALONG_X}}},
    {"slider-crank",
     "a slider-crank whose piston has a clearance of 1 mm",
     "world: {gravity: [0, -9.81, 0]}\nbodies:\n"
     "  - {name: crank, mass: 0.038, inertia: [7.4e-5, 7.4e-5, 7.4e-5], position: [0.0765, 0, 0], velocity: [0, "
     "11.475, "
     "0], omega: [0, 0, 150]}\n"
     "  - {name: rod, mass: 0.038, inertia: [5.9e-4, 5.9e-4, 5.9e-4], position: [0.306, 0, 0], velocity: [0, 11.475, "
     "0], omega: [0, 0, -75]}\n"
     "  - {name: piston, mass: 0.076, inertia: [2.7e-6, 2.7e-6, 2.7e-6], position: [0.459, 0, 0]}\njoints:\n"
     "  - {name: bearing, type: hinge, body1: crank, anchor: [0, 0, 0], axis: [0, 0, 1]}\n"
     "  - {name: pin, type: hinge, body1: rod, body2: crank, anchor: [0.153, 0, 0], axis: [0, 0, 1]}\n"
     "  - {name: wrist, type: hinge, body1: piston, body2: rod, anchor: [0.459, 0, 0], axis: [0, 0, 1]}\n" //
     CORNER("a", "0.409", "0.026", "-1") CORNER("b", "0.509", "0.026", "-1") CORNER("c", "0.409", "-0.026", "1")
         CORNER("d", "0.509", "-0.026", "1"),
     0.0,
     0.014,
     1e-4,
     FRICTION,
     {{"crank", "crank", DLS_ABOUT_Z}, {"rod", "rod", DLS_ABOUT_Z}, {"piston", "piston", DLS_ABOUT_Z}}},
    {"woodpecker",
     "a woodpecker toy on its pole",
     "world: {gravity: [-9.81, 0, 0]}\narticulations:\n  - name: w\n    links:\n      - {name: base, static: true}\n" //
     SLIDE("y", "base", ALONG_X, "0.00029723999999999983", "0", "-0.3411")
         SLIDE("phiM", "base", ALONG_Y, "5.0182800000000353e-09", "-0.1036", "0")
             SLIDE("phiS", "base", ALONG_Y, "6.9851221112641109e-07", "-0.2788", "-7.4583")
                 SLIDE("s", "base", ALONG_X, "0.004496759999999999", "-0.0052216456115069514", "-0.45307202533824353")
                     SLIDE("t1", "base", ALONG_X, "1e-6", "0.00038588", "-0.30306267")
                         SLIDE("n1", "t1", ALONG_Y, "1e-6", "0.005576", "0.149166")
                             SLIDE("t2", "base", ALONG_X, "1e-6", "-0.00032116", "-0.3411")
                                 SLIDE("n2", "t2", ALONG_Y, "1e-6", "-0.00060088", "0")
                                     SLIDE("t3", "base", ALONG_X, "1e-6", "-0.00032116", "-0.3411")
                                         SLIDE("n3", "t3", ALONG_Y, "1e-6", "0.00060088", "0") "joints:\n" //
     MIMIC("s", "w.y: 1, w.phiM: 0.01, w.phiS: 0.015013076081445306")
         MIMIC("t1", "w.y: 1, w.phiM: 0.01, w.phiS: -0.0051") MIMIC("n1", "w.phiS: -0.02")
             MIMIC("t2", "w.y: 1, w.phiM: 0.0031") MIMIC("n2", "w.phiM: 0.0058") MIMIC("t3", "w.y: 1, w.phiM: 0.0031")
                 MIMIC("n3", "w.phiM: -0.0058") POLE("1", "0.007976", "0.5") POLE("2", "0", "0") POLE(
                     "3", "0.0012",
                     "0") "  - {name: spring, type: drive, coordinates: {w.phiM: 1, w.phiS: -1}, stiffness: 0.0056}\n",
     0.0,
     0.15,
     2e-5,
     "cone-newton",
     {{"y", "w.y", DLS_ALONG_X}, {"phiM", "w.phiM", DLS_ANGLE_Y}, {"phiS", "w.phiS", DLS_ANGLE_Y}}},
    {.name = NULL},
};

size_t dls_planar_example_find(const char *name)
{
    size_t e = 0;
    while (dls_planar_examples[e].name && strcmp(dls_planar_examples[e].name, name) != 0)
        e++;
    return e;
}

bool dls_planar_example_wanted(const dls_study *study, size_t example)
{
    const dls_trajectories_settings *set = study->settings;
    for (size_t k = 0; k < set->examples.count; k++)
        if (strcmp(set->examples.names[k], dls_planar_examples[example].name) == 0)
            return true;
    return set->examples.count == 0;
}
