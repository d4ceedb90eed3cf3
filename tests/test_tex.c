/* Text for LaTeX: every character that is special to it, signs beyond ASCII, labels of gnuplot, and whole figures. */
#include "check.h"

#include "picture/tex.h"

#include <stdlib.h>
#include <string.h>

static void expect(void (*put)(FILE *, const char *), const char *text, const char *expected)
{
    char *got;
    size_t size;
    FILE *to = open_memstream(&got, &size);
    assert_non_null(to);
    put(to, text);
    assert_int_equal(fclose(to), 0);
    if (strcmp(got, expected) != 0)
        fail_msg("'%s' became '%s', not '%s'", text, got, expected);
    free(got);
}

TEST(test_special_characters)
{
    expect(dls_tex_text, "", "");
    expect(dls_tex_text, "Plain text, 1 + 2 = (3); a/b: c!", "Plain text, 1 + 2 = (3); a/b: c!");
    expect(dls_tex_text, "# $ % & _ { }", "\\# \\$ \\% \\& \\_ \\{ \\}");
    expect(dls_tex_text, "~ ^ \\ `", "\\textasciitilde{} \\textasciicircum{} \\textbackslash{} \\textasciigrave{}");
    expect(dls_tex_text, "<|>\"", "\\textless{}\\textbar{}\\textgreater{}{\"}");
    expect(dls_tex_text, "[m] *", "{[}m{]} {*}");
    expect(dls_tex_text, "a\tb\nc\x7f", "a b c ");
    expect(dls_tex_text, "\\input{/etc/passwd}", "\\textbackslash{}input\\{/etc/passwd\\}");
    expect(dls_tex_text, "--only a,,b ''c'' it's", "-{}-only a,{},b '{}'c'{}' it's");
}

TEST(test_unicode)
{
    expect(dls_tex_text, "θ μ λ Δ", "$\\theta$ $\\mu$ $\\lambda$ $\\Delta$");
    expect(dls_tex_text, "≤ × − °", "$\\leq$ $\\times$ $-$ $^\\circ$");
    expect(dls_tex_text, "Möbius Čebyšëv", "Möbius Čebyšëv");
    expect(dls_tex_text, "ą", "{[}U+0105{]}"); /* not in every encoding of fonts */
    expect(dls_tex_text, "☃ 𝔸", "{[}U+2603{]} {[}U+1D538{]}");
    expect(dls_tex_text, "a\xff\xce", "a{[}U+FFFD{]}{[}U+FFFD{]}"); /* no UTF-8, and cut off */
}

TEST(test_code)
{
    expect(dls_tex_code, "run a/b_c.yaml --set 'x=1,2'",
           "run a/\\allowbreak{}b\\_\\allowbreak{}c.\\allowbreak{}yaml -{}-set "
           "\\textquotesingle{}x=1,\\allowbreak{}2\\textquotesingle{}");
}

TEST(test_labels)
{
    expect(dls_tex_label, "10^{-20}", "10$^{\\mathrm{-20}}$");
    expect(dls_tex_label, "[J^{1/2}]", "{[}J$^{\\mathrm{1/2}}${]}");
    expect(dls_tex_label, "u^2 = 2 k cos θ_0", "u$^{\\mathrm{2}}$ = 2 k cos $\\theta$$_{\\mathrm{0}}$");
    expect(dls_tex_label, "along u_1", "along u$_{\\mathrm{1}}$");
    expect(dls_tex_label, "x_{a b}^{θ}", "x\\textsubscript{a b}\\textsuperscript{$\\theta$}");
    expect(dls_tex_label, "keep_momentum my_scene a_b_c", "keep\\_momentum my\\_scene a$_{\\mathrm{b}}$\\_c");
    expect(dls_tex_label, "_a b_ x^", "\\_a b\\_ x\\textasciicircum{}");
    expect(dls_tex_label, "x^{open", "x\\textsuperscript{\\{}open");
    expect(dls_tex_label, "-0.5", "$-$0.5");
    expect(dls_tex_label, "1e-05", "1e-05");
    expect(dls_tex_label, "implicit - exact, PGS-like", "implicit $-$ exact, PGS-like");
    expect(dls_tex_label, "|C| [m] & 50 %", "\\textbar{}C\\textbar{} {[}m{]} \\& 50 \\%");
}

/* Labels are translated, other lines stay, and there is no date. */
TEST(test_figure)
{
    static const char raw[] =
        "\\begin{tikzpicture}[gnuplot]\n"
        "%% Mon Nov 23 15:59:08 2026\n"
        "\\draw[gp path] (1.196,1.028)--(1.286,1.028);\n"
        "\\node[gp node right,font={\\fontsize{9.0pt}{10.8pt}\\selectfont}] at (1.0,1.5) {10^{-4}};\n"
        "\\node[gp node left] at (2.000,1.500) {a) {b};\n"
        "\\end{tikzpicture}\n";
    static const char made[] =
        "\\begin{tikzpicture}[gnuplot]\n"
        "\\draw[gp path] (1.196,1.028)--(1.286,1.028);\n"
        "\\node[gp node right,font={\\fontsize{9.0pt}{10.8pt}\\selectfont}] at (1.0,1.5) {10$^{\\mathrm{-4}}$};\n"
        "\\node[gp node left] at (2.000,1.500) {a) \\{b};\n"
        "\\end{tikzpicture}\n";
    char *got;
    size_t size;
    dls_error error;
    FILE *from = tmpfile(), *to = open_memstream(&got, &size);
    assert_non_null(from);
    assert_non_null(to);
    fputs(raw, from);
    rewind(from);
    assert_status(dls_tex_figure(from, to, &error), &error);
    fclose(from);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(*got, '%');
    assert_non_null(strstr(got, "gnuplot-lua-tikz"));
    assert_string_equal(strstr(got, "\\begin"), made);
    free(got);
}

/* Numbers are at six digits and to the right, a column with a word to the left; notes and empty lines are no rows. */
TEST(test_table)
{
    static const char text[] = "# note: 1 & 2\n\nname\tsize[m]\tof_what\na_b\t0.123456789\t\n#\nc\tinf\t2\n";
    char *got;
    size_t size;
    FILE *to = open_memstream(&got, &size);
    const dls_tex_columns columns = dls_tex_columns_of(text);
    assert_non_null(to);
    dls_tex_tabular(to, text, &columns);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(got, "\\begin{tabular}{lrl}\n\\toprule\nname & size{[}m{]} & of\\_what \\\\\n\\midrule\n"
                             "a\\_b & 0.123457 &  \\\\\nc & inf & 2 \\\\\n\\bottomrule\n\\end{tabular}");
    free(got);
}
