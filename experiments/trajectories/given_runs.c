/* The files of siconos-tutorials, each beside the motion of its example. */
#include "trajectories/parts.h"

#include <math.h>

#define ONE           \
    {                 \
        {             \
            1, 2, 1.0 \
        }             \
    }
#define DISKS                      \
    {                              \
        {1, 2, 1.0}, { 5, 0, 1.0 } \
    }
#define BEADS                                                                                                          \
    {                                                                                                                  \
        {1, 2, 1.0}, {3, 4, 1.0}, {5, 6, 1.0}, {7, 8, 1.0}, {9, 10, 1.0}, {11, 12, 1.0}, {13, 14, 1.0}, {15, 16, 1.0}, \
            {17, 18, 1.0},                                                                                             \
        {                                                                                                              \
            19, 20, 1.0                                                                                                \
        }                                                                                                              \
    }
#define ELASTIC                                                                                           \
    {                                                                                                     \
        {1, 11, 1.0}, {2, 12, 1.0}, {3, 13, 1.0}, {4, 14, 1.0}, {5, 15, 1.0}, {6, 16, 1.0}, {7, 17, 1.0}, \
            {8, 18, 1.0}, {9, 19, 1.0},                                                                   \
        {                                                                                                 \
            10, 20, 1.0                                                                                   \
        }                                                                                                 \
    }
#define PLANE                                   \
    {                                           \
        {1, 4, 1.0}, {2, 5, 1.0}, { 3, 6, 1.0 } \
    }
#define DISK                                    \
    {                                           \
        {1, 2, 1.0}, {6, 8, 1.0}, { 7, 3, 1.0 } \
    }
#define CRANK                                          \
    {                                                  \
        {1, 4, 0.5 / M_PI}, {2, 5, 1.0}, { 3, 6, 1.0 } \
    }

/* The first time of two files is that of their second row. The column of the upper disk's velocity is a copy of the
 * lower one's, by the program, and is left out. */
const dls_given_run dls_given_runs[] = {
    {"ball", "BouncingBall/BouncingBallTS.ref", "MoreauJean", 5e-3, false, 0, ONE},
    {"ball", "BouncingBall/BouncingBallTS-MoreauJeanGOSI.ref", "MoreauJeanG", 5e-3, false, 0, ONE},
    {"ball", "BouncingBall/BouncingBallTS-MoreauJeanDirectProjectionOSI.ref", "DirectProjection", 5e-3, false, 0, ONE},
    {"ball", "BouncingBall/BouncingBallTS-MoreauJeanDirectProjectionOSI-level0.ref", "DirectProjection-0", 5e-3, false,
     0, ONE},
    {"ball", "BouncingBall/BouncingBallTS-MoreauJeanCombinedProjectionOSI.ref", "CombinedProjection", 5e-3, false, 0,
     ONE},
    {"ball", "BouncingBall/BouncingBallTS-SchatzmanPaoliOSI.ref", "SchatzmanPaoli", 5e-3, false, 0, ONE},
    {"ball", "BouncingBall/BouncingBallTS-D1MinusLinearOSI.ref", "D1MinusLinear", 5e-4, false, 0, ONE},
    {"ball", "BouncingBallEventDriven/BouncingBallED.ref", "Lsodar", 5e-3, true, 0, ONE},
    {"ball-initial", "BouncingBallEventDriven/BouncingBallED-initialImpact.ref", "Lsodar", 5e-3, true, 0, ONE},
    {"ball-rest", "BouncingBallEventDriven/BouncingBallED-withRestingContact.ref", "Lsodar", 5e-3, true, 0, ONE},
    {"ball-ceiling", "BouncingBallEventDriven/BouncingBallED-TwoContacts.ref", "Lsodar", 1e-2, true, 0, ONE},
    {"ball-slope",
     "BouncingBall/BouncingBallTS-Scleronomous.ref",
     "MoreauJean",
     2.5e-2,
     false,
     0,
     {{1, 3, 1.0}, {2, 4, 1.0}}},
    {"ball-spring", "BouncingBall/BouncingBallTS-CompliantContact.ref", "MoreauJean", 5e-4, false, 0, ONE},
    {"ball-thrown", "NewtonEuler/BouncingBallNETS.ref", "MoreauJean", 5e-3, false, 0, ONE},
    {"ball-thrown", "NewtonEuler/BouncingBallNETS-WITHPROJ.ref", "DirectProjection", 5e-3, false, 0, ONE},
    {"ball-thrown", "RollingFriction/BouncingBallNETS.ref", "MoreauJean", 5e-3, false, 0, {{1, 8, 1.0}}},
    {"ball-thrown",
     "RollingFriction/BouncingBallNETS_MoreauJeanGOSI.ref",
     "MoreauJeanG",
     5e-3,
     false,
     0,
     {{1, 8, 1.0}}},
    {"disks", "2DRigidBodies/Ball2D.ref", "MoreauJean", 5e-3, false, 0, DISKS},
    {"disks", "2DRigidBodies/Ball2D_kernel_only.ref", "MoreauJean", 5e-3, false, 0, DISKS},
    {"pair",
     "TwoBouncingBalls/TwoBouncingBallTS-MoreauJeanGOSI.ref",
     "MoreauJeanG",
     1e-3,
     false,
     0,
     {{1, 2, 1.0}, {5, 6, 1.0}}},
    {"disk", "2DRigidBodies/Ball2D_kernel_only_with_friction.ref", "MoreauJean", 5e-3, false, 1, DISK},
    {"disk", "RollingFriction/Ball_2d_with_kernel_only_with_rollingfriction.ref", "MoreauJean", 5e-3, false, 1, DISK},
    {"beads", "ColumnOfBeads/ColumnOfBeadsTS.ref", "MoreauJean", 5e-4, false, 0, BEADS},
    {"beads", "ColumnOfBeads/ColumnOfBeadsTS-SBM.ref", "MoreauJean", 5e-4, false, 0, BEADS},
    {"beads", "ColumnOfBeads/ColumnOfBeadsTS-MoreauJEanGOSI.ref", "MoreauJeanG", 5e-4, false, 0, BEADS},
    {"beads", "ColumnOfBeads/ColumnOfbeadsTS-ProjectionOnConstraints.ref", "DirectProjection", 5e-4, false, 0, BEADS},
    {"beads", "ColumnOfBeads/ColumnOfbeadsTS-ProjectionOnConstraints-level0.ref", "DirectProjection-0", 5e-4, false, 0,
     BEADS},
    {"beads", "ColumnOfBeads/ColumnOfbeadsTS-CombinedProjection.ref", "CombinedProjection", 5e-4, false, 0, BEADS},
    {"beads-elastic", "ColumnOfBeads/BeadColumnED_NewtonLaw.ref", "Lsodar", 1e-3, true, 0, ELASTIC},
    {"block", "RockingBlock/resultED_LZBmodel_LsodarOSI.ref", "Lsodar", 1e-2, true, 0, PLANE},
    {"block", "RockingBlock/RockingBlockED_Lsodar_LZBimpact.ref", "Lsodar", 1e-2, true, 0, PLANE},
    {"block-corners", "RockingBlock/RockingBlockED_Lsodar_LZBimpact.ref", "Lsodar", 1e-2, true, 0, PLANE},
    {"block", "RockingBlock/RockingBlockED_NewMarkAlpha.ref", "NewmarkAlpha", 1e-3, true, 0, PLANE},
    {"block-corners-9", "RockingBlock/RockingBlockED_NewMarkAlpha.ref", "NewmarkAlpha", 1e-3, true, 0, PLANE},
    {"stick", "ImpactingStick/ImpactingStick.ref", "MoreauJean", 1e-4, false, 0, PLANE},
    {"stick", "ImpactingStick/ImpactingStick-FremondNSL.ref", "MoreauJean-Fremond", 1e-4, false, 0, PLANE},
    {"pendulum", "Pendulum/SimplePendulumED_Lsodar.ref", "Lsodar", 1e-2, true, 0, {{1, 3, 1.0}, {2, 4, 1.0}}},
    {"pendulum",
     "Pendulum/SimplePendulumED_AlphaScheme.ref",
     "NewmarkAlpha",
     1e-3,
     false,
     0,
     {{1, 3, 1.0}, {2, 4, 1.0}}},
    {"double-pendulum",
     "Pendulum/DoublePendulumResult.ref",
     "MoreauJean",
     5e-4,
     false,
     0,
     {{5, 9, 1.0}, {6, 0, 1.0}, {7, 10, 1.0}, {8, 0, 1.0}}},
    {"trolley", "PendulumOnASlider/PendulumSlider.ref", "MoreauJean", 1e-3, false, 0, {{1, 4, 1.0}}},
    {"slider-crank", "SliderCrank/SliderCrankMoreauJeanDirectProjectionOSI.ref", "DirectProjection-0", 1e-4, false, 0,
     CRANK},
    {"slider-crank", "SliderCrank/SliderCrankMoreauJeanCombinedProjectionOSI.ref", "CombinedProjection", 1e-4, false, 0,
     CRANK},
    {"woodpecker", "Woodpecker/Woodpecker.ref", "MoreauJean", 2e-5, false, 0, {{1, 2, 1.0}, {3, 4, 1.0}, {5, 6, 1.0}}},
    {.file = NULL},
};
