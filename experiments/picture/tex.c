/* Text for LaTeX: TeX's special characters, and signs beyond ASCII, by their commands. */
#include "tex.h"

#include "base/text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Commands of characters; those with a backslash and mathematics in dollars stand alike in text of any font encoding.
 * "[" and "*" would be read as an argument of a line's end before them, and pairs as ligatures. */
static const struct {
    uint32_t code;
    const char *command;
} commands[] = {
    {'#', "\\#"},
    {'$', "\\$"},
    {'%', "\\%"},
    {'&', "\\&"},
    {'_', "\\_"},
    {'{', "\\{"},
    {'}', "\\}"},
    {'~', "\\textasciitilde{}"},
    {'^', "\\textasciicircum{}"},
    {'\\', "\\textbackslash{}"},
    {'`', "\\textasciigrave{}"},
    {'<', "\\textless{}"},
    {'>', "\\textgreater{}"},
    {'|', "\\textbar{}"},
    {'"', "{\"}"},
    {'[', "{[}"},
    {']', "{]}"},
    {'*', "{*}"},
    {0xa0, "~"},
    {0xb0, "$^\\circ$"},
    {0xb1, "$\\pm$"},
    {0xb2, "$^2$"},
    {0xb3, "$^3$"},
    {0xb5, "$\\mu$"},
    {0xb7, "$\\cdot$"},
    {0xd7, "$\\times$"},
    {0xf7, "$\\div$"},
    {0x393, "$\\Gamma$"},
    {0x394, "$\\Delta$"},
    {0x398, "$\\Theta$"},
    {0x39b, "$\\Lambda$"},
    {0x39e, "$\\Xi$"},
    {0x3a0, "$\\Pi$"},
    {0x3a3, "$\\Sigma$"},
    {0x3a6, "$\\Phi$"},
    {0x3a8, "$\\Psi$"},
    {0x3a9, "$\\Omega$"},
    {0x3b1, "$\\alpha$"},
    {0x3b2, "$\\beta$"},
    {0x3b3, "$\\gamma$"},
    {0x3b4, "$\\delta$"},
    {0x3b5, "$\\varepsilon$"},
    {0x3b6, "$\\zeta$"},
    {0x3b7, "$\\eta$"},
    {0x3b8, "$\\theta$"},
    {0x3b9, "$\\iota$"},
    {0x3ba, "$\\kappa$"},
    {0x3bb, "$\\lambda$"},
    {0x3bc, "$\\mu$"},
    {0x3bd, "$\\nu$"},
    {0x3be, "$\\xi$"},
    {0x3c0, "$\\pi$"},
    {0x3c1, "$\\rho$"},
    {0x3c3, "$\\sigma$"},
    {0x3c4, "$\\tau$"},
    {0x3c6, "$\\varphi$"},
    {0x3c7, "$\\chi$"},
    {0x3c8, "$\\psi$"},
    {0x3c9, "$\\omega$"},
    {0x2013, "--"},
    {0x2014, "---"},
    {0x2018, "`"},
    {0x2019, "'"},
    {0x201c, "``"},
    {0x201d, "''"},
    {0x2026, "\\dots{}"},
    {0x2032, "$'$"},
    {0x2190, "$\\leftarrow$"},
    {0x2192, "$\\rightarrow$"},
    {0x2193, "$\\downarrow$"},
    {0x2202, "$\\partial$"},
    {0x2207, "$\\nabla$"},
    {0x2211, "$\\sum$"},
    {0x2212, "$-$"},
    {0x221a, "$\\surd$"},
    {0x221d, "$\\propto$"},
    {0x221e, "$\\infty$"},
    {0x222b, "$\\int$"},
    {0x2248, "$\\approx$"},
    {0x2260, "$\\neq$"},
    {0x2264, "$\\leq$"},
    {0x2265, "$\\geq$"},
    {0x226a, "$\\ll$"},
    {0x226b, "$\\gg$"},
    {0x22a5, "$\\perp$"},
    {0x22c5, "$\\cdot$"},
};

static const char *command_of(uint32_t code)
{
    for (size_t k = 0; k < sizeof commands / sizeof commands[0]; k++)
        if (commands[k].code == code)
            return commands[k].command;
    return NULL;
}

/* Letters of Latin 1 and Latin Extended-A that LaTeX sets in any font encoding. */
static bool is_latin(uint32_t code)
{
    static const uint32_t none[] = {0xd0,  0xde,  0xf0,  0xfe,  0x104, 0x105, 0x110, 0x111, 0x118, 0x119, 0x126, 0x127,
                                    0x12e, 0x12f, 0x138, 0x13f, 0x140, 0x149, 0x14a, 0x14b, 0x166, 0x167, 0x172, 0x173};
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++)
        if (code == none[k])
            return false;
    return code >= 0xc0 && code <= 0x17e;
}

/* The character at *text, which is moved past it; 0 at the end. A byte that is not UTF-8 is U+FFFD. */
static uint32_t next_character(const char **text)
{
    const unsigned char *at = (const unsigned char *)*text;
    const size_t length = dls_utf8_length(*text, 4);
    uint32_t code = length < 2 ? *at : *at & (0x7fu >> length);
    if (*at == 0)
        return 0;
    if (length == 0) {
        *text += 1;
        return 0xfffd;
    }
    for (size_t k = 1; k < length; k++)
        code = code << 6 | (at[k] & 0x3fu);
    *text += length;
    return code;
}

/* The bytes from `text` to `end` are the character `code`. */
static void put_character(FILE *to, const char *text, const char *end, uint32_t code)
{
    const char *command = command_of(code);
    if (command)
        fputs(command, to);
    else if (code < 0x20 || code == 0x7f)
        fputc(' ', to);
    else if (code < 0x80 || is_latin(code))
        fwrite(text, 1, (size_t)(end - text), to);
    else
        fprintf(to, "{[}U+%04X{]}", (unsigned)code);
    if ((code == '-' || code == '\'' || code == ',') && *end == (char)code)
        fputs("{}", to); /* no ligature */
}

void dls_tex_text(FILE *to, const char *text)
{
    const char *end = text;
    for (uint32_t code; (code = next_character(&end)); text = end)
        put_character(to, text, end, code);
}

void dls_tex_code(FILE *to, const char *text)
{
    const char *end = text;
    for (uint32_t code; (code = next_character(&end)); text = end) {
        if (code == '\'')
            fputs("\\textquotesingle{}", to);
        else
            put_character(to, text, end, code);
        if (code < 0x80 && strchr("/,_.:", (int)code))
            fputs("\\allowbreak{}", to);
    }
}

/* --- labels --- */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A sign before a number, or between two terms. */
static bool is_minus(const char *label, const char *at)
{
    const bool free_before = at == label || at[-1] == ' ' || at[-1] == '(';
    return *at == '-' && free_before && (is_digit(at[1]) || (at[1] == ' ' && at > label));
}

/* Whether the underscore at `at` stands behind a letter that no other letter, digit or underscore stands before. A
 * letter beyond ASCII is a symbol. */
static bool is_index(const char *label, const char *at)
{
    if (*at != '_' || at == label || !at[1] || at[1] == ' ')
        return false;
    if (!is_letter(at[-1]))
        return (unsigned char)at[-1] >= 0x80;
    return at - label == 1 || !(is_letter(at[-2]) || is_digit(at[-2]) || at[-2] == '_');
}

/* Writes the script at the sign `at`: a group in braces, or one character. Returns where it ends. */
static const char *put_script(FILE *to, const char *at)
{
    const bool group = at[1] == '{' && strchr(at, '}');
    const char *from = at + 1 + group, *end = from;
    if (group)
        end = strchr(from, '}');
    else
        next_character(&end);
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)(end - from), from);
    size_t plain = 0;
    while (is_letter(text[plain]) || is_digit(text[plain]) || (text[plain] && strchr("+-/.=", text[plain])))
        plain++;
    if (!text[plain])
        fprintf(to, "$%c{\\mathrm{%s}}$", *at, text);
    else {
        fputs(*at == '^' ? "\\textsuperscript{" : "\\textsubscript{", to);
        dls_tex_text(to, text);
        fputc('}', to);
    }
    return end + group;
}

void dls_tex_label(FILE *to, const char *label)
{
    const char *end = label, *start = label;
    for (uint32_t code; (code = next_character(&end)); label = end) {
        if ((code == '^' && *end && *end != ' ') || is_index(start, label))
            end = put_script(to, label);
        else if (is_minus(start, label))
            fputs("$-$", to);
        else
            put_character(to, label, end, code);
    }
}

/* --- figures --- */

static const char needs[] = "% In the preamble: \\usepackage{gnuplot-lua-tikz}. It comes with gnuplot; the command\n"
                            "% gnuplot -e \"set terminal tikz createstyle\" writes it into the current folder.\n";

/* A label is a line "\node[...] at (x,y) {LABEL};". */
static void put_line(FILE *to, char *line)
{
    static const char end[] = "};\n";
    const size_t length = strlen(line), n = sizeof end - 1;
    char *at = strncmp(line, "\\node[", 6) == 0 ? strstr(line, " at (") : NULL;
    char *label = at ? strstr(at, ") {") : NULL;
    if (strncmp(line, "%%", 2) == 0)
        return;
    if (!label || length < n || strcmp(line + length - n, end) != 0) {
        fputs(line, to);
        return;
    }
    label += strlen(") {");
    line[length - n] = '\0';
    fwrite(line, 1, (size_t)(label - line), to);
    dls_tex_label(to, label);
    fputs(end, to);
}

dls_status dls_tex_figure(FILE *from, FILE *to, dls_error *error)
{
    char *line = NULL;
    size_t size = 0;
    fputs(needs, to);
    errno = 0;
    while (getline(&line, &size, from) > 0)
        put_line(to, line);
    free(line);
    return feof(from) ? DLS_OK : dls_fail(error, DLS_IO, "a figure could not be read back: %s", strerror(errno));
}
