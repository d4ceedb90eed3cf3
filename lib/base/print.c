/* Numbers as text in the C locale, below errors, whose messages have numbers. */
#include "text.h"

#include "arithmetic.h"

#include <stdio.h>

locale_t dls_locale_begin(void) { return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); }

void dls_locale_end(locale_t before)
{
    locale_t used = uselocale(before);
    if (used != before && used != LC_GLOBAL_LOCALE)
        freelocale(used);
}

int dls_print_list(char *text, size_t size, const char *format, va_list arguments)
{
    DLS_STANDARD_ARITHMETIC;
    locale_t before = dls_locale_begin();
    int length = vsnprintf(text, size, format, arguments);
    dls_locale_end(before);
    return length;
}

int dls_print(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = dls_print_list(text, size, format, arguments);
    va_end(arguments);
    return length;
}
