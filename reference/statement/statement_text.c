/* Numbers in a certificate. */
#include "statement.h"

#include "base/text.h"

void dls_statement_write_number(FILE *to, double x)
{
    char text[40];
    dls_print(text, sizeof text, "%.17g", x);
    fputs(text, to);
}

void dls_statement_write_list(FILE *to, size_t count, const double *x)
{
    fputc('[', to);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", to);
        dls_statement_write_number(to, x[i]);
    }
    fputc(']', to);
}

void dls_statement_write_numbers(FILE *to, const char *name, size_t count, const double *x)
{
    fprintf(to, ",\n\"%s\": ", name);
    dls_statement_write_list(to, count, x);
}
