/* The page of a report: findings, experiments with their figures and tables, runs of scenes. The HTML refers only to
 * files in the same folder, and is made for wide and narrow screens, light and dark ones, and for paper.
 */
#include "picture/tex.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>delassus report</title>\n<style>\n"
    ":root{color-scheme:light "
    "dark;--ink:#1d2126;--quiet:#5a626c;--paper:#fff;--line:#d9dde2;--tint:#f4f6f8;--link:#0b5ea8}\n"
    "@media "
    "(prefers-color-scheme:dark){:root{--ink:#e4e7eb;--quiet:#9aa4af;--paper:#15181c;--line:#353b43;--tint:#1e2329;"
    "--link:#7ab8f5}}\n"
    "body{font:17px/1.55 Georgia,'Times New Roman',serif;max-width:64rem;margin:2.5rem auto;padding:0 "
    "1.2rem;color:var(--ink);"
    "background:var(--paper)}\n"
    "a{color:var(--link)}h1{margin-bottom:.2rem}h2{margin-top:3.2rem;border-bottom:1px solid "
    "var(--line);padding-bottom:.3rem}\n"
    "code{font:.8em/1.4 "
    "ui-monospace,monospace;overflow-wrap:anywhere}.facts,.source{color:var(--quiet);font-size:.82rem}\n"
    ".question{font-size:1.1em;font-style:italic}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}"
    "dt{color:var(--quiet)}dd{margin:0}\n"
    "nav ol{columns:2;column-gap:2.5rem}nav li{break-inside:avoid}\n"
    "figure{margin:2rem 0}figure img{width:100%;background:#fff;border-radius:4px}figcaption{font-size:.92rem}\n"
    ".findings{display:grid;grid-template-columns:repeat(auto-fill,minmax(24rem,1fr));gap:1.6rem 2.4rem;padding:0;"
    "list-style:none}\n"
    ".findings p{margin:.3rem 0 0;font-size:.95rem}.findings img,.runs "
    "img{width:100%;background:#fff;border-radius:4px}\n"
    ".runs{display:grid;grid-template-columns:repeat(auto-fill,minmax(24rem,1fr));gap:1rem 1.6rem}.runs "
    "figure{margin:0}\n"
    "table{border-collapse:collapse;font:.76rem/1.45 ui-monospace,monospace;display:block;overflow-x:auto}\n"
    "th,td{border-bottom:1px solid var(--line);padding:.15rem "
    ".6rem;text-align:right;white-space:nowrap}th{background:var(--tint)}\n"
    ".mechanisms{display:flex;flex-wrap:wrap;gap:.8rem}.mechanisms a{flex:1 1 11rem;max-width:16rem}"
    ".mechanisms img{width:100%;background:#fff;border-radius:4px}\n"
    ".failed{border-left:4px solid #c0392b;padding-left:.8rem}\n"
    "@media (max-width:40rem){body{font-size:16px;margin:1rem auto}nav ol{columns:1}dl{display:block}dd{margin:0 0 "
    ".5rem}"
    ".findings,.runs{grid-template-columns:1fr}}\n"
    "@media print{:root{--ink:#000;--quiet:#444;--paper:#fff;--line:#ccc;--tint:#eee;--link:#000}@page{margin:16mm "
    "15mm}"
    "html{font-size:9.5pt}body{font-size:10pt;max-width:none;margin:0;padding:0}h2{break-after:avoid;margin-top:1.4rem}"
    "h3{break-after:avoid}"
    "figure{break-inside:avoid;margin:.8rem 0}.experiment img{max-height:72mm;object-fit:contain}"
    ".findings{grid-template-columns:1fr 1fr}.findings li{break-inside:avoid}.runs{grid-template-columns:1fr 1fr 1fr}"
    ".runs figcaption,.source{font-size:7pt}details{display:none}a{text-decoration:none}}\n"
    "</style></head><body>\n";

static void put_escaped(FILE *page, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '<'   ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '&' ? "&amp;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity)
            fputs(entity, page);
        else
            fputc(*text, page);
    }
}

/* --- figures --- */

static void put_image(FILE *page, const char *stem)
{
    fprintf(page, "<a href=\"%s.svg\"><img loading=\"lazy\" src=\"%s.svg\" alt=\"%s\"></a>", stem, stem, stem);
}

static void put_source(FILE *page, const dls_job *job, const char *stem, const dls_report_caption *c)
{
    fprintf(page, "<div class=\"source\">Table <a href=\"%s\">%s</a>", c->table, c->table);
    for (size_t k = 0; k < DLS_FIGURE_FORMATS; k++)
        if (k != DLS_FIGURE_SVG && job->figures & 1u << k)
            fprintf(page, ", <a href=\"%s.%s\">%s</a>", stem, dls_figure_formats[k], dls_figure_formats[k]);
    fputs(". <code>", page);
    put_escaped(page, c->command);
    fputs("</code></div>", page);
}

static void put_figure(FILE *page, const dls_job *job, const char *stem)
{
    dls_report_caption c = dls_report_caption_read(job, stem);
    if (!c.text)
        return;
    fprintf(page, "<figure id=\"%s\">", stem);
    put_image(page, stem);
    fputs("<figcaption>", page);
    put_escaped(page, c.text);
    put_source(page, job, stem, &c);
    fputs("</figcaption></figure>\n", page);
    free(c.text);
}

/* --- tables --- */

static void put_rows(FILE *page, char *text)
{
    char digits[32];
    const char *tag = "th";
    fputs("<table>\n", page);
    for (char *line; (line = strsep(&text, "\n"));) {
        if (line[0] == '#' || !line[0])
            continue;
        fputs("<tr>", page);
        for (char *cell; (cell = strsep(&line, "\t"));) {
            fprintf(page, "<%s>", tag);
            put_escaped(page, dls_short_cell(cell, digits, sizeof digits));
            fprintf(page, "</%s>", tag);
        }
        fputs("</tr>\n", page);
        tag = "td";
    }
    fputs("</table>\n", page);
}

/* A table of few rows stands on the page, folded; others are linked. */
static void put_table(FILE *page, const dls_job *job, const char *name)
{
    char *text = dls_report_text(job, name);
    const size_t rows = text ? dls_report_rows(text) : 0;
    if (rows > DLS_REPORT_ROWS || rows == 0)
        fprintf(page, "<p><a href=\"%s\">%s</a>, %zu rows</p>\n", name, name, rows);
    else {
        fprintf(page, "<details><summary><a href=\"%s\">%s</a>, %zu row%s</summary>\n", name, name, rows,
                rows == 1 ? "" : "s");
        put_rows(page, text);
        fputs("</details>\n", page);
    }
    free(text);
}

/* --- sections --- */

static void put_failure(FILE *page, const dls_report_part *part)
{
    if (part->outcome->status == DLS_OK)
        return;
    fputs("<p class=\"failed\">This part failed: ", page);
    put_escaped(page, part->outcome->message);
    fputs("</p>\n", page);
}

/* NAME.mechanism.SCENE.svg, side by side. */
static void put_mechanisms(FILE *page, const dls_report_part *part)
{
    bool any = false;
    for (size_t i = 0; i < part->n_files; i++) {
        const char *scene = dls_report_mechanism(part, i, ".svg");
        if (!scene)
            continue;
        fputs(any ? "" : "<div class=\"mechanisms\">", page);
        any = true;
        fprintf(page, "<a href=\"%s\"><img loading=\"lazy\" src=\"%s\" alt=\"%s\"></a>", part->files[i], part->files[i],
                scene);
    }
    fputs(any ? "</div>\n" : "", page);
}

static void put_experiment(FILE *page, const dls_job *job, const dls_report_part *part)
{
    const dls_experiment *e = part->experiment;
    char stem[DLS_NAME_MAX];
    const char *const lines[][2] = {{"Varied", e->varies}, {"Measured", e->measures}, {"Shown", e->shows}};
    fprintf(page, "<section id=\"%s\" class=\"experiment\"><h2>%s</h2>\n<p class=\"question\">%s</p>\n<dl>", e->name,
            e->title, e->question);
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++)
        fprintf(page, "<dt>%s</dt><dd>%s</dd>", lines[k][0], lines[k][1]);
    fputs("</dl>\n", page);
    put_failure(page, part);
    put_mechanisms(page, part);
    for (size_t i = 0; i < part->n_files; i++)
        if (dls_report_figure(part, i, stem, sizeof stem))
            put_figure(page, job, stem);
    fputs("<h3>Tables</h3>\n", page);
    for (size_t i = 0; i < part->n_files; i++)
        if (dls_report_ends_with(part->files[i], ".tsv"))
            put_table(page, job, part->files[i]);
    fputs("</section>\n", page);
}

static void put_run(FILE *page, const dls_job *job, const dls_report_part *part)
{
    char stem[2 * DLS_NAME_MAX], sentence[512];
    snprintf(stem, sizeof stem, "%s.energy", part->name);
    fprintf(page, "<figure id=\"%s\">", part->name);
    if (dls_report_has(part, part->name, "svg"))
        put_image(page, part->name);
    if (dls_report_has(part, stem, "svg"))
        put_image(page, stem);
    dls_report_run_sentence(part, sentence, sizeof sentence);
    fprintf(page, "<figcaption><b>%s</b> %s", part->name, sentence);
    put_failure(page, part);
    dls_report_caption c = dls_report_caption_read(job, stem);
    if (c.text)
        put_source(page, job, stem, &c);
    free(c.text);
    fputs("<details><summary>tables</summary>", page);
    for (size_t i = 0; i < part->n_files; i++)
        if (dls_report_ends_with(part->files[i], ".tsv"))
            fprintf(page, "<a href=\"%s\">%s</a> ", part->files[i], part->files[i]);
    fputs("</details></figcaption></figure>\n", page);
}

static void put_findings(FILE *page, const dls_job *job, const dls_report_part *parts, size_t count)
{
    size_t put = 0;
    for (size_t k = 0; k < count && put < DLS_REPORT_FINDINGS; k++) {
        dls_finding f;
        if (!dls_report_finding(job, &parts[k], &f))
            continue;
        fputs(put++ == 0 ? "<section id=\"findings\"><h2>Findings</h2>\n<ol class=\"findings\">\n" : "", page);
        fprintf(page, "<li><a href=\"#%s\"><img src=\"%s.svg\" alt=\"%s\"></a><p>", f.figure, f.figure, f.figure);
        put_escaped(page, f.sentence);
        fputs("</p></li>\n", page);
    }
    fputs(put > 0 ? "</ol></section>\n" : "", page);
}

static void put_contents(FILE *page, const dls_report_part *parts, size_t count)
{
    bool runs = false;
    fputs("<nav><h2>Contents</h2>\n<ol>\n", page);
    for (size_t k = 0; k < count; k++) {
        if (parts[k].experiment && parts[k].done)
            fprintf(page, "<li><a href=\"#%s\">%s</a></li>\n", parts[k].name, parts[k].experiment->title);
        runs = runs || (!parts[k].experiment && parts[k].done);
    }
    fputs(runs ? "<li><a href=\"#runs\">Runs of the scenes</a></li>\n" : "", page);
    fputs("</ol></nav>\n", page);
}

/* The sections of the runs in a grid. */
static void put_runs(FILE *page, const dls_report_part *parts, size_t count)
{
    bool any = false, all = true;
    for (size_t k = 0; k < count; k++)
        all = all && parts[k].done;
    for (size_t k = 0; k < count; k++) {
        if (parts[k].experiment || !parts[k].section)
            continue;
        if (!any)
            fprintf(page,
                    "<section id=\"runs\"><h2>Runs of the scenes</h2>\n<p>Each scene of <code>scenes/</code> by an "
                    "iterative solver under Baumgarte's feedback, every step examined.%s</p>\n<div class=\"runs\">\n",
                    all ? " All in one table: <a href=\"runs.summary.tsv\">runs.summary.tsv</a>." : "");
        any = true;
        fputs(parts[k].section, page);
    }
    fputs(any ? "</div></section>\n" : "", page);
}

static void put_head(FILE *page, const dls_job *job, const dls_report_part *parts, size_t count)
{
    const dls_build build = dls_build_facts();
    char cpu[128];
    size_t done = 0;
    for (size_t k = 0; k < count; k++)
        done += parts[k].done;
    dls_cpu_name(cpu, sizeof cpu);
    fputs(head, page);
    fprintf(page, "<h1>delassus report</h1>\n<p class=\"facts\">delassus %s (%s), %s; %s. Made by <code>",
            build.version, build.commit, build.compiler, cpu);
    put_escaped(page, job->command);
    fputs("</code>. Every figure has its table and the command that makes it again.", page);
    if (done < count)
        fprintf(page, " <b>%zu of %zu parts are done.</b>", done, count);
    fputs("</p>\n", page);
}

dls_status dls_report_section(const dls_job *job, dls_report_part *part, dls_error *error)
{
    size_t size;
    FILE *section = open_memstream(&part->section, &size);
    if (section && part->experiment)
        put_experiment(section, job, part);
    else if (section)
        put_run(section, job, part);
    return section && fclose(section) == 0 ? DLS_OK
                                           : dls_fail(error, DLS_NO_MEMORY, "no memory for a section of the report");
}

dls_status dls_report_page(const dls_job *job, const dls_report_part *parts, size_t count, dls_error *error)
{
    char path[DLS_PATH_MAX];
    dls_output output;
    DLS_TRY(dls_job_path(job, "index", "html", path, error));
    DLS_TRY(dls_output_open(&output, path, error));
    put_head(output.stream, job, parts, count);
    put_findings(output.stream, job, parts, count);
    put_contents(output.stream, parts, count);
    for (size_t k = 0; k < count; k++)
        if (parts[k].experiment && parts[k].section)
            fputs(parts[k].section, output.stream);
    put_runs(output.stream, parts, count);
    fputs("</body></html>\n", output.stream);
    return dls_output_commit(&output, error);
}
