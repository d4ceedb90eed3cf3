/* The report as a document for LaTeX: the contents of the page, with the figures as PDF. Each figure and table is an
 * environment of its own, which can be cut out into a paper. It needs the packages of texlive-latex-recommended and
 * texlive-pictures in Debian. */
#include "picture/tex.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char preamble[] =
    "\\documentclass[11pt,a4paper]{article}\n"
    "\\usepackage{iftex}\n"
    "\\ifPDFTeX\n"
    "  \\usepackage[utf8]{inputenc}\n"
    "  \\IfFileExists{lmodern.sty}{\\usepackage[T1]{fontenc}\\usepackage{lmodern}}{}\n"
    "\\fi\n"
    "\\usepackage{textcomp}\n"
    "\\usepackage[hmargin=25mm,top=16mm,bottom=20mm]{geometry}\n"
    "\\usepackage{graphicx,booktabs,float,caption}\n"
    "\\usepackage[colorlinks,allcolors=blue!60!black]{hyperref}\n"
    "\\usepackage{xcolor}\n"
    "\\captionsetup{font=small,labelfont=bf,skip=4pt}\n"
    "\\setlength{\\intextsep}{6pt}\n"
    "\\setlength{\\parindent}{0pt}\\setlength{\\parskip}{4pt plus 2pt}\\raggedbottom\n"
    "\\setlength{\\emergencystretch}{3em}\n"
    "\\makeatletter\\renewcommand*{\\l@section}{\\@dottedtocline{1}{0em}{2em}}\\makeatother\n"
    "% A command or the name of a file, which may be broken.\n"
    "\\newcommand{\\code}[1]{{\\ttfamily\\hyphenchar\\font=-1 #1}}\n"
    "% A table, smaller where it is wider than the text.\n"
    "\\newsavebox{\\tablebox}\n"
    "\\newcommand{\\fitted}[1]{\\sbox{\\tablebox}{#1}\\ifdim\\wd\\tablebox>\\linewidth\n"
    "  \\resizebox{\\linewidth}{!}{\\usebox{\\tablebox}}\\else\\usebox{\\tablebox}\\fi}\n";

static void put_code(FILE *tex, const char *text)
{
    fputs("\\code{", tex);
    dls_tex_code(tex, text);
    fputs("}", tex);
}

/* Whether a name can stand in TeX's file names and labels: those of our own are like that, a scene's may be any. */
static bool is_plain(const char *name)
{
    return !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.")];
}

/* A link to a file of the report's folder. */
static void put_link(FILE *tex, const char *name)
{
    if (is_plain(name))
        fprintf(tex, "\\href{%s}{", name);
    put_code(tex, name);
    fputs(is_plain(name) ? "}" : "", tex);
}

static void put_paragraph(FILE *tex, const char *title, const char *text)
{
    fprintf(tex, "\\textbf{%s.} ", title);
    dls_tex_text(tex, text);
    fputs("\n\n", tex);
}

/* --- figures --- */

static void put_image(FILE *tex, const char *name, double width)
{
    if (is_plain(name))
        fprintf(tex, "\\includegraphics[width=%g\\linewidth]{%s}", width, name);
}

/* Under a caption: the table that a figure is drawn from, and the command. */
static void put_source(FILE *tex, const dls_report_caption *c)
{
    fputs("\n{\\footnotesize\\raggedright Table ", tex);
    put_link(tex, c->table);
    fputs(". ", tex);
    put_code(tex, c->command);
    fputs("\\par}\n", tex);
}

static void put_figure(FILE *tex, const dls_job *job, const dls_report_part *part, dls_report_captions *earlier,
                       const char *stem)
{
    char name[2 * DLS_NAME_MAX], like[DLS_NAME_MAX];
    dls_report_caption c = dls_report_caption_read(job, stem);
    if (c.text && dls_report_has(part, stem, "pdf")) {
        const bool shortened = dls_report_caption_shorten(earlier, stem, c.text, like, sizeof like);
        snprintf(name, sizeof name, "%s.pdf", stem);
        fputs("\\begin{figure}[H]\n\\centering\n", tex);
        put_image(tex, name, 1.0);
        fputs("\n\\caption[]{", tex);
        dls_tex_text(tex, c.text);
        if (shortened)
            fprintf(tex, " The rest is as in Figure~\\ref{%s}.", like);
        fprintf(tex, "}\\label{%s}", stem);
        put_source(tex, &c);
        fputs("\\end{figure}\n\n", tex);
    }
    free(c.text);
}

/* Four side by side. */
static void put_mechanisms(FILE *tex, const dls_report_part *part)
{
    bool any = false;
    for (size_t i = 0; i < part->n_files; i++)
        if (dls_report_mechanism(part, i, ".pdf")) {
            fputs(any ? "\\hspace{0.01\\linewidth}" : "\\begin{center}\n", tex);
            any = true;
            put_image(tex, part->files[i], 0.24);
            fputs("%\n", tex);
        }
    fputs(any ? "\\end{center}\n\n" : "", tex);
}

/* --- tables --- */

enum { MOST_LETTERS = 190 }; /* of a row: at most one and a half times the room of a line in \scriptsize */

/* Whether a table can be read on a page. */
static bool fits(const dls_tex_columns *c)
{
    size_t letters = 0;
    for (size_t k = 0; k < c->count; k++)
        letters += c->of[k].length + 2;
    return letters <= MOST_LETTERS;
}

static void put_table(FILE *tex, const char *name, const char *text, size_t rows, const dls_tex_columns *c)
{
    fputs("\\begin{table}[H]\n\\centering\\scriptsize\n\\caption[]{", tex);
    put_link(tex, name);
    fprintf(tex, ", %zu row%s.}\n\\fitted{%%\n", rows, rows == 1 ? "" : "s");
    dls_tex_tabular(tex, text, c);
    fputs("}\n\\end{table}\n\n", tex);
}

/* All tables are linked, and small ones stand there. */
static void put_tables(FILE *tex, const dls_job *job, const dls_report_part *part)
{
    bool any = false;
    if (dls_report_count(part, ".tsv") == 0)
        return;
    fputs("\\textbf{Tables}, with the number of their rows:", tex);
    for (size_t i = 0; i < part->n_files; i++) {
        char *text = dls_report_ends_with(part->files[i], ".tsv") ? dls_report_text(job, part->files[i]) : NULL;
        if (text) {
            fputs(any ? ",\n" : "\n", tex);
            any = true;
            put_link(tex, part->files[i]);
            fprintf(tex, " (%zu)", dls_report_rows(text));
        }
        free(text);
    }
    fputs(".\n\n", tex);
    for (size_t i = 0; i < part->n_files; i++) {
        char *text = dls_report_ends_with(part->files[i], ".tsv") ? dls_report_text(job, part->files[i]) : NULL;
        const size_t rows = text ? dls_report_rows(text) : 0;
        const dls_tex_columns c = dls_tex_columns_of(text ? text : "");
        if (rows > 0 && rows <= DLS_REPORT_ROWS && fits(&c))
            put_table(tex, part->files[i], text, rows, &c);
        free(text);
    }
}

/* --- sections --- */

static void put_failure(FILE *tex, const dls_report_part *part)
{
    if (part->outcome->status != DLS_OK)
        put_paragraph(tex, "This part failed", part->outcome->message);
}

static void put_experiment(FILE *tex, const dls_job *job, const dls_report_part *part)
{
    const dls_experiment *e = part->experiment;
    char stem[DLS_NAME_MAX];
    dls_report_captions captions = {.text = NULL};
    fputs("\\section{", tex);
    dls_tex_text(tex, e->title);
    fputs("}\n\\emph{", tex);
    dls_tex_text(tex, e->question);
    fputs("}\n\n", tex);
    put_paragraph(tex, "Varied", e->varies);
    put_paragraph(tex, "Measured", e->measures);
    put_paragraph(tex, "Shown", e->shows);
    put_failure(tex, part);
    put_mechanisms(tex, part);
    for (size_t i = 0; i < part->n_files; i++)
        if (dls_report_figure(part, i, stem, sizeof stem))
            put_figure(tex, job, part, &captions, stem);
    free(captions.text);
    put_tables(tex, job, part);
}

/* The scene beside its energies. */
static void put_run(FILE *tex, const dls_job *job, const dls_report_part *part)
{
    char stem[2 * DLS_NAME_MAX], name[3 * DLS_NAME_MAX], sentence[512];
    snprintf(stem, sizeof stem, "%s.energy", part->name);
    fputs("\\begin{figure}[H]\n\\centering\n", tex);
    snprintf(name, sizeof name, "%s.pdf", part->name);
    if (dls_report_has(part, part->name, "pdf"))
        put_image(tex, name, 0.3);
    snprintf(name, sizeof name, "%s.pdf", stem);
    if (dls_report_has(part, stem, "pdf")) {
        fputs("\\hfill", tex);
        put_image(tex, name, 0.62);
    }
    dls_report_run_sentence(part, sentence, sizeof sentence);
    fputs("\n\\caption[]{\\textbf{", tex);
    dls_tex_text(tex, part->name);
    fputs("} ", tex);
    dls_tex_text(tex, sentence);
    fputs("}\n", tex);
    put_failure(tex, part);
    dls_report_caption c = dls_report_caption_read(job, stem);
    if (c.text)
        put_source(tex, &c);
    free(c.text);
    fputs("\\end{figure}\n\n", tex);
}

static void put_findings(FILE *tex, const dls_job *job, const dls_report_part *parts, size_t count)
{
    bool any = false;
    for (size_t k = 0; k < count; k++) {
        dls_finding f;
        if (!dls_report_finding(job, &parts[k], &f))
            continue;
        fputs(any ? "" : "\\section*{Findings}\n\\begin{enumerate}\\setlength{\\itemsep}{0pt}\n", tex);
        any = true;
        fputs("\\item ", tex);
        dls_tex_text(tex, f.sentence);
        if (dls_report_has(&parts[k], f.figure, "pdf"))
            fprintf(tex, " Figure~\\ref{%s}.", f.figure);
        fputs("\n", tex);
    }
    fputs(any ? "\\end{enumerate}\n\n" : "", tex);
}

static void put_method(FILE *tex)
{
    fputs("\\section{Method}\n", tex);
    for (size_t k = 0; dls_report_method[k]; k++) {
        dls_tex_text(tex, dls_report_method[k]);
        fputs("\n\n", tex);
    }
}

static void put_end(FILE *tex, const dls_report_part *parts, size_t count)
{
    char text[1024];
    dls_report_conclusion(parts, count, text, sizeof text);
    fputs("\\section{Conclusion}\n", tex);
    dls_tex_text(tex, text);
    fputs("\n\n\\begin{thebibliography}{9}\n", tex);
    for (size_t k = 0; dls_report_references[k]; k++) {
        fprintf(tex, "\\bibitem{reference%zu} ", k + 1);
        dls_tex_text(tex, dls_report_references[k]);
        fputs("\n", tex);
    }
    fputs("\\end{thebibliography}\n\\end{document}\n", tex);
}

static void put_head(FILE *tex, const dls_job *job, const dls_report_part *parts, size_t count)
{
    const dls_build build = dls_build_facts();
    char cpu[128], facts[512], text[1024];
    dls_cpu_name(cpu, sizeof cpu);
    snprintf(facts, sizeof facts, "delassus %s (%s), %s; %s", build.version, build.commit, build.compiler, cpu);
    fputs(preamble, tex);
    fprintf(tex,
            "\\title{%s}\n\\author{}\n\\date{}\n\\hypersetup{pdftitle={%s}}\n"
            "\\begin{document}\n\\maketitle\n\\vspace{-4em}\n\n\\begin{abstract}\n",
            dls_report_title, dls_report_title);
    dls_report_abstract(parts, count, text, sizeof text);
    dls_tex_text(tex, text);
    fputs("\n\\end{abstract}\n\n", tex);
    dls_tex_text(tex, facts);
    fputs(". Made by ", tex);
    put_code(tex, job->command);
    fputs("; links lead to the files beside this one.\n\n", tex);
}

dls_status dls_report_tex(const dls_job *job, const dls_report_part *parts, size_t count, dls_error *error)
{
    char path[DLS_PATH_MAX];
    bool runs = false;
    dls_output output;
    DLS_TRY(dls_job_path(job, "report", "tex", path, error));
    DLS_TRY(dls_output_open(&output, path, error));
    FILE *tex = output.stream;
    put_head(tex, job, parts, count);
    put_findings(tex, job, parts, count);
    fputs("\\tableofcontents\n\\clearpage\n", tex);
    put_method(tex);
    for (size_t k = 0; k < count; k++)
        if (parts[k].experiment)
            put_experiment(tex, job, &parts[k]);
    for (size_t k = 0; k < count; k++) {
        if (parts[k].experiment)
            continue;
        if (!runs)
            fputs(
                "\\section{Runs of the scenes}\nEach scene of \\code{scenes/} by an iterative solver under Baumgarte's "
                "feedback, every step examined. All in one table: "
                "\\href{runs.summary.tsv}{\\code{runs.summary.tsv}}.\n\n",
                tex);
        runs = true;
        put_run(tex, job, &parts[k]);
    }
    put_end(tex, parts, count);
    return dls_output_commit(&output, error);
}
