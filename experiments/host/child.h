/* child.h - a process of ours that answers through a pipe, within a time limit. Not installed. */
#ifndef DLS_EXPERIMENTS_CHILD_H
#define DLS_EXPERIMENTS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct dls_text {
    char *at; /* owned; a zero byte follows */
    size_t size, capacity;
    bool cut; /* there was more than could be kept */
} dls_text;

typedef struct dls_child {
    pid_t process;            /* the leader of its own process group */
    int output[2], errors[2]; /* pipes: its standard output and standard error write into [1] */
} dls_child;

/* Opens the pipes, which no program inherits; false with errno. dls_child_close closes those that are open. */
bool dls_child_pipes(dls_child *child);
void dls_child_close(dls_child *child);
/* Starts the program words[0] with the descriptor `input` as its standard input, in a process group of its own, without
 * handlers of signals; 0, or the number of an error. */
int dls_child_spawn(dls_child *child, char *const words[], int input);
/* In a child that was forked and runs code of others: signals have no handlers any more. They are ours, and one that
 * removes unfinished files would remove ours. */
void dls_child_signals(void);
/* Reads what the running child writes until it has ended, or kills it when `seconds` are over; then kills the processes
 * that it has left running in its process group, which may still hold the pipes, and closes them. why[size] says how it
 * ended, with the last line of its standard error, or is "" where it ended with status 0. False where it was killed
 * because the time was over. */
bool dls_child_wait(dls_child *child, double seconds, dls_text *said, char *why, size_t size);

/* Whether the child has ended. It is not reaped, so that its number stays that of its group. */
bool dls_child_ended(pid_t process);
/* For poll(): the milliseconds until `deadline`, but no more than until dls_child_ended is asked again, since another
 * process may hold the pipe. */
int dls_child_look(double deadline);

/* For poll(): the milliseconds until the wall clock (clock.h) shows `deadline`, at least 0. */
int dls_child_patience(double deadline);

#endif
