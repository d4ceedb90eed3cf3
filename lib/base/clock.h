/* clock.h - how long something takes. Not installed. */
#ifndef DELASSUS_BASE_CLOCK_H
#define DELASSUS_BASE_CLOCK_H

/* A clock that only runs forward, from any start [s]. */
double dls_wall_clock(void);

#endif
