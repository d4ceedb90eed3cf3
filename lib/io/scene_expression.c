/* Expressions by recursive descent:
 *     sum = product {(+|-) product}     product = power {(*|/) power}     power = [+|-] power | atom [^ power]
 *     atom = number | name | function ( sum ) | ( sum )
 */
#include "scene_expression.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 32 };

typedef struct parser {
    const char *at;
    int depth;
    bool (*value_of)(const void *, const char *, size_t, double *);
    const void *context;
    dls_error *error;
} parser;

static const struct {
    const char *name;
    double (*of)(double);
} functions[] = {{"sqrt", sqrt}, {"abs", fabs},  {"sin", sin},   {"cos", cos},
                 {"tan", tan},   {"asin", asin}, {"acos", acos}, {"atan", atan}};

static dls_status parse_sum(parser *p, double *value);

bool dls_is_expression(const char *text) { return text[strspn(text, " \t")] == '='; }

static dls_status expression_fail(const parser *p, const char *message)
{
    return dls_fail(p->error, DLS_BAD_INPUT, "in the expression, at '%.30s': %s", p->at, message);
}

static char next(parser *p)
{
    p->at += strspn(p->at, " \t");
    return *p->at;
}

static bool take(parser *p, char c)
{
    const bool there = next(p) == c;
    p->at += there;
    return there;
}

static dls_status parse_inside(parser *p, double *value)
{
    if (!take(p, '('))
        return expression_fail(p, "'(' is missing");
    if (++p->depth > DEEPEST)
        return expression_fail(p, "too many parentheses within each other");
    DLS_TRY(parse_sum(p, value));
    p->depth--;
    return take(p, ')') ? DLS_OK : expression_fail(p, "')' is missing");
}

static dls_status parse_name(parser *p, double *value)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const char *name = p->at;
    const size_t length = strspn(name, letters);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strlen(functions[i].name) == length && strncmp(functions[i].name, name, length) == 0) {
            p->at += length;
            DLS_TRY(parse_inside(p, value));
            *value = functions[i].of(*value);
            return DLS_OK;
        }
    if (length == 2 && strncmp(name, "pi", length) == 0)
        *value = DLS_PI;
    else if (!length || !p->value_of(p->context, name, length, value))
        return expression_fail(p, length ? "there is no constant, counter or function of this name"
                                         : "a number, a name or '(' should be here");
    p->at += length;
    return DLS_OK;
}

static dls_status parse_atom(parser *p, double *value)
{
    const char c = next(p), *end;
    if (c == '(')
        return parse_inside(p, value);
    if ((c < '0' || c > '9') && c != '.')
        return parse_name(p, value);
    if (dls_read_real(p->at, value, &end, NULL) != DLS_OK || end == p->at)
        return expression_fail(p, "this is no number");
    p->at = end;
    return DLS_OK;
}

static dls_status parse_power(parser *p, double *value)
{
    double exponent;
    if (++p->depth > DEEPEST)
        return expression_fail(p, "too many signs or powers within each other");
    if (take(p, '-')) {
        DLS_TRY(parse_power(p, value));
        *value = -*value;
    } else if (take(p, '+')) {
        DLS_TRY(parse_power(p, value));
    } else {
        DLS_TRY(parse_atom(p, value));
        if (take(p, '^')) {
            DLS_TRY(parse_power(p, &exponent));
            *value = pow(*value, exponent);
        }
    }
    p->depth--;
    return DLS_OK;
}

static dls_status parse_product(parser *p, double *value)
{
    double factor;
    DLS_TRY(parse_power(p, value));
    for (char c; (c = next(p)) == '*' || c == '/';) {
        p->at++;
        DLS_TRY(parse_power(p, &factor));
        *value = c == '*' ? *value * factor : *value / factor;
    }
    return DLS_OK;
}

static dls_status parse_sum(parser *p, double *value)
{
    double term;
    DLS_TRY(parse_product(p, value));
    for (char c; (c = next(p)) == '+' || c == '-';) {
        p->at++;
        DLS_TRY(parse_product(p, &term));
        *value = c == '+' ? *value + term : *value - term;
    }
    return DLS_OK;
}

dls_status dls_expression_value(const char *text, bool (*value_of)(const void *, const char *, size_t, double *),
                                const void *context, double *value, dls_error *error)
{
    parser p = {strchr(text, '=') + 1, 0, value_of, context, error};
    DLS_TRY(parse_sum(&p, value));
    if (next(&p))
        return expression_fail(&p, "something follows its end; a computed number has no unit");
    return isfinite(*value) ? DLS_OK : dls_fail(error, DLS_NOT_FINITE, "the expression has no finite value");
}
