/* difference.h - the first number in which two series of dumped steps differ. */
#ifndef DELASSUS_CMD_DIFFERENCE_H
#define DELASSUS_CMD_DIFFERENCE_H

#include "command.h"

typedef struct difference {
    bool found, permuted; /* permuted: some problem is not the same file in both folders */
    size_t steps, rows;   /* compared up to it */
    char step[DLS_PATH_MAX], row[8 * DLS_NAME_MAX], what[DLS_NAME_MAX]; /* row: "" where it is not one of a row */
    double value[2];                                                    /* NaN: not a number, or not there */
} difference;

/* Compares the steps of two folders in the order of their names, bit by bit: of each its problem, then its impulses,
 * then the lines of the tables NAME.tsv that the folders have; a file that is in one folder alone is a difference. A
 * difference in a problem comes from before the solver, and one in the impulses alone from the solver. With
 * `by_labels`, for runs whose bodies are in different orders, rows with the same label are compared, and bodies by
 * their rows (permuted.c). DLS_BAD_INPUT if `first` has no such file, or a label is not unique in its step. */
dls_status difference_find(const char *first, const char *second, bool by_labels, difference *d, dls_error *error);

#endif
