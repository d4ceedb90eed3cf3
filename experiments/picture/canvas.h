/* canvas.h - where still pictures are drawn: polygons, lines, dots, and then texts, one over another. Not installed. */
#ifndef DLS_EXPERIMENTS_CANVAS_H
#define DLS_EXPERIMENTS_CANVAS_H

#include "delassus/status.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct dls_point2 {
    double x, y; /* [pixels] from the upper left corner, y downwards */
} dls_point2;

typedef struct dls_canvas {
    FILE *out;
    const char *terminal; /* of gnuplot: "pngcairo ..." with its size */
    double width, height; /* [pixels] */
    bool texts;           /* whether a text has been drawn */
} dls_canvas;

/* Colours are 0xRRGGBB. */
typedef struct dls_canvas_ops {
    void (*begin)(dls_canvas *canvas, const char *title);
    void (*polygon)(dls_canvas *canvas, const dls_point2 *corners, size_t count, unsigned fill, unsigned edge);
    void (*line)(dls_canvas *canvas, dls_point2 a, dls_point2 b, double width, unsigned colour);
    void (*dot)(dls_canvas *canvas, dls_point2 centre, double radius, unsigned colour);
    void (*text)(dls_canvas *canvas, dls_point2 left, double size, const char *text);
    void (*end)(dls_canvas *canvas);
} dls_canvas_ops;

extern const dls_canvas_ops dls_canvas_svg;
extern const dls_canvas_ops dls_canvas_gnuplot; /* writes a script */

#endif
