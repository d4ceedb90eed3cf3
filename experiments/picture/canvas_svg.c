/* Still pictures as Scalable Vector Graphics 1.1. */
#include "canvas.h"

#include "base/text.h"

static void begin(dls_canvas *canvas, const char *title)
{
    fprintf(canvas->out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
            "width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\">\n<title>",
            canvas->width, canvas->height, canvas->width, canvas->height);
    dls_put_markup(canvas->out, title);
    fprintf(canvas->out, "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
                         "<g stroke-linejoin=\"round\" stroke-linecap=\"round\" stroke-width=\"0.6\">\n");
}

static void polygon(dls_canvas *canvas, const dls_point2 *corners, size_t count, unsigned fill, unsigned edge)
{
    fputs("<path d=\"", canvas->out);
    for (size_t k = 0; k < count; k++)
        fprintf(canvas->out, "%c%.2f %.2f", k ? 'L' : 'M', corners[k].x, corners[k].y);
    fprintf(canvas->out, "z\" fill=\"#%06x\" stroke=\"#%06x\"/>\n", fill, edge);
}

static void line(dls_canvas *canvas, dls_point2 a, dls_point2 b, double width, unsigned colour)
{
    fprintf(canvas->out, "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"#%06x\" stroke-width=\"%g\"/>\n", a.x, a.y, b.x,
            b.y, colour, width);
}

static void dot(dls_canvas *canvas, dls_point2 centre, double radius, unsigned colour)
{
    fprintf(canvas->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"#%06x\" stroke=\"#ffffff\"/>\n", centre.x,
            centre.y, radius, colour);
}

static void text(dls_canvas *canvas, dls_point2 left, double size, const char *words)
{
    fprintf(canvas->out,
            "<text x=\"%.2f\" y=\"%.2f\" font-family=\"sans-serif\" font-size=\"%g\" fill=\"#20242a\" stroke=\"none\">",
            left.x, left.y, size);
    dls_put_markup(canvas->out, words);
    fputs("</text>\n", canvas->out);
}

static void end(dls_canvas *canvas) { fputs("</g>\n</svg>\n", canvas->out); }

const dls_canvas_ops dls_canvas_svg = {begin, polygon, line, dot, text, end};
