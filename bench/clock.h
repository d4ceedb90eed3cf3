/* clock.h - processor time. C and C++ include it. */
#ifndef DELASSUS_BENCH_CLOCK_H
#define DELASSUS_BENCH_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

double bench_clock(void); /* CPU time of this thread [s] */
/* The time since bench_clock() was `start`, without the time of the clock itself: a microsecond on some machines. */
double bench_since(double start);

#ifdef __cplusplus
}
#endif

#endif
