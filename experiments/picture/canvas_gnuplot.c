/* Still pictures as a script for gnuplot, which draws PNG or PDF: a block of data with all polygons in their order, one
 * colour each, then labels. Lines and dots are polygons too, since gnuplot draws kinds of data one after another. */
#include "canvas.h"

#include <math.h>

static const char block[] = "end_of_facets";

static void begin(dls_canvas *canvas, const char *title)
{
    /* gnuplot fills a polygon that is partly outside of its ranges wrongly: they are larger than the picture. */
    const double room = 2.0;
    (void)title;
    fprintf(canvas->out,
            "set terminal %s font 'sans,11' background '#ffffff'\nunset border\nunset tics\nunset key\n"
            "set margins 0,0,0,0\n"
            "set xrange [%g:%g]\nset yrange [%g:%g]\nset style fill solid noborder\n$facets << %s\n",
            canvas->terminal, -room, canvas->width + room, canvas->height + room, -room, block);
}

static void facet(dls_canvas *canvas, const dls_point2 *corners, size_t count, unsigned fill)
{
    for (size_t k = 0; k < count; k++)
        fprintf(canvas->out, "%.3f %.3f %u\n", corners[k].x, corners[k].y, fill);
    putc('\n', canvas->out);
}

static void line(dls_canvas *canvas, dls_point2 a, dls_point2 b, double width, unsigned colour)
{
    const double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
    const double s = length > 0.0 ? 0.5 * width / length : 0.0;
    const dls_point2 corners[] = {{a.x - s * dy, a.y + s * dx},
                                  {b.x - s * dy, b.y + s * dx},
                                  {b.x + s * dy, b.y - s * dx},
                                  {a.x + s * dy, a.y - s * dx}};
    facet(canvas, corners, 4, colour);
}

/* Neighbouring facets leave hairlines between them where only the area is filled: the edges are drawn, too, but those
 * that are so short that it would only take time. */
static void polygon(dls_canvas *canvas, const dls_point2 *corners, size_t count, unsigned fill, unsigned edge)
{
    facet(canvas, corners, count, fill);
    for (size_t k = 0; k < count; k++)
        if (hypot(corners[k].x - corners[(k + 1) % count].x, corners[k].y - corners[(k + 1) % count].y) > 2.0)
            line(canvas, corners[k], corners[(k + 1) % count], 0.7, edge);
}

static void disc(dls_canvas *canvas, dls_point2 centre, double radius, unsigned colour)
{
    enum { CORNERS = 20 };
    dls_point2 corners[CORNERS];
    for (int k = 0; k < CORNERS; k++) {
        const double angle = 6.283185307179586 * k / CORNERS;
        corners[k] = (dls_point2){centre.x + radius * cos(angle), centre.y + radius * sin(angle)};
    }
    facet(canvas, corners, CORNERS, colour);
}

static void dot(dls_canvas *canvas, dls_point2 centre, double radius, unsigned colour)
{
    disc(canvas, centre, radius + 0.5, 0xffffff);
    disc(canvas, centre, radius, colour);
}

static void end_block(dls_canvas *canvas)
{
    if (!canvas->texts)
        fprintf(canvas->out, "%s\n", block);
    canvas->texts = true;
}

static void text(dls_canvas *canvas, dls_point2 left, double size, const char *words)
{
    end_block(canvas);
    fputs("set label '", canvas->out);
    for (; *words; words++) {
        if (*words == '\'')
            putc('\'', canvas->out);
        putc((unsigned char)*words < 32 ? ' ' : *words, canvas->out);
    }
    fprintf(canvas->out, "' at %.2f,%.2f left noenhanced front font 'sans,%g' textcolor rgb '#20242a'\n", left.x,
            left.y - 0.35 * size, 0.75 * size);
}

static void end_canvas(dls_canvas *canvas)
{
    end_block(canvas);
    fputs("plot $facets using 1:2:3 with filledcurves closed fillcolor rgb variable\n", canvas->out);
}

const dls_canvas_ops dls_canvas_gnuplot = {begin, polygon, line, dot, text, end_canvas};
