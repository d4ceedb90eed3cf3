/* The page of a report: findings, experiments with their figures and tables, runs of scenes. The HTML refers only to
 * files in the same folder, and is made for wide and narrow screens, light and dark ones, and for paper.
 */
#include "base/text.h"
#include "picture/tex.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>delassus report</title>\n<style>\n"
    ".abstract{max-width:46rem;margin:1.6rem auto;font-size:.97em}.references li{margin:.3rem 0}\n"
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

/* The address of a file of the report's folder, or of a part of the page. */
static void put_address(FILE *page, const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    for (; *name; name++)
        fprintf(page, strchr(plain, *name) ? "%c" : "%%%02X", (unsigned char)*name);
}

/* The beginning of a link: to NAME, or with "#" before it to a part of the page. */
static void put_open(FILE *page, const char *before, const char *name)
{
    fprintf(page, "<a href=\"%s", before);
    put_address(page, name);
    fputs("\">", page);
}

/* A file's name, which leads to it. */
static void put_link(FILE *page, const char *name)
{
    put_open(page, "", name);
    dls_put_markup(page, name);
    fputs("</a>", page);
}

static void put_id(FILE *page, const char *element, const char *id, const char *class)
{
    fprintf(page, "<%s id=\"", element);
    dls_put_markup(page, id);
    fprintf(page, class ? "\" class=\"%s\">" : "\">", class);
}

/* --- figures --- */

static const char number_of = '\1', number_end = '\2'; /* about the name of a figure, in place of its number */

/* A picture that leads to a file, or with "#" to a figure of the page. */
static void put_image(FILE *page, const char *file, const char *shows, const char *before, const char *to)
{
    put_open(page, before, to);
    fputs("<img loading=\"lazy\" src=\"", page);
    put_address(page, file);
    fputs("\" alt=\"", page);
    dls_put_markup(page, shows);
    fputs("\"></a>", page);
}

/* STEM.svg, which leads to the file. */
static void put_drawing(FILE *page, const char *stem)
{
    char file[3 * DLS_NAME_MAX];
    snprintf(file, sizeof file, "%.*s.svg", 2 * DLS_NAME_MAX, stem);
    put_image(page, file, stem, "", file);
}

static void put_source(FILE *page, const dls_job *job, const char *stem, const dls_report_caption *c)
{
    char file[3 * DLS_NAME_MAX];
    fputs("<div class=\"source\">Table ", page);
    put_link(page, c->table);
    for (size_t k = 0; k < DLS_FIGURE_FORMATS; k++)
        if (k != DLS_FIGURE_SVG && job->figures & 1u << k) {
            snprintf(file, sizeof file, "%.*s.%s", 2 * DLS_NAME_MAX, stem, dls_figure_formats[k]);
            fputs(", ", page);
            put_open(page, "", file);
            fprintf(page, "%s</a>", dls_figure_formats[k]);
        }
    fputs(". <code>", page);
    dls_put_markup(page, c->command);
    fputs("</code></div>", page);
}

/* "Figure N", whose number is known when the page is written. */
static void put_number(FILE *page, const char *stem) { fprintf(page, "Figure %c%s%c", number_of, stem, number_end); }

static void put_figure(FILE *page, const dls_job *job, dls_report_captions *earlier, const char *stem)
{
    char like[DLS_NAME_MAX];
    dls_report_caption c = dls_report_caption_read(job, stem);
    if (!c.text)
        return;
    const bool shortened = dls_report_caption_shorten(earlier, stem, c.text, like, sizeof like);
    put_id(page, "figure", stem, NULL);
    put_drawing(page, stem);
    fputs("<figcaption><b>", page);
    put_number(page, stem);
    fputs(".</b> ", page);
    dls_put_markup(page, c.text);
    if (shortened) {
        fputs(" The rest is as in ", page);
        put_open(page, "#", like);
        put_number(page, like);
        fputs("</a>.", page);
    }
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
            dls_put_markup(page, dls_short_cell(cell, digits, sizeof digits));
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
    const bool stands = rows > 0 && rows <= DLS_REPORT_ROWS;
    fputs(stands ? "<details><summary>" : "<p>", page);
    put_link(page, name);
    fprintf(page, ", %zu row%s%s\n", rows, rows == 1 ? "" : "s", stands ? "</summary>" : "</p>");
    if (stands) {
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
    dls_put_markup(page, part->outcome->message);
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
        put_image(page, part->files[i], scene, "", part->files[i]);
    }
    fputs(any ? "</div>\n" : "", page);
}

static void put_experiment(FILE *page, const dls_job *job, const dls_report_part *part)
{
    const dls_experiment *e = part->experiment;
    char stem[DLS_NAME_MAX];
    dls_report_captions captions = {.text = NULL};
    const char *const lines[][2] = {{"Varied", e->varies}, {"Measured", e->measures}, {"Shown", e->shows}};
    put_id(page, "section", e->name, "experiment");
    fputs("<h2>", page);
    dls_put_markup(page, e->title);
    fputs("</h2>\n<p class=\"question\">", page);
    dls_put_markup(page, e->question);
    fputs("</p>\n<dl>", page);
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        fprintf(page, "<dt>%s</dt><dd>", lines[k][0]);
        dls_put_markup(page, lines[k][1]);
        fputs("</dd>", page);
    }
    fputs("</dl>\n", page);
    put_failure(page, part);
    put_mechanisms(page, part);
    for (size_t i = 0; i < part->n_files; i++)
        if (dls_report_figure(part, i, stem, sizeof stem))
            put_figure(page, job, &captions, stem);
    free(captions.text);
    fputs(dls_report_count(part, ".tsv") > 0 ? "<h3>Tables</h3>\n" : "", page);
    for (size_t i = 0; i < part->n_files; i++)
        if (dls_report_ends_with(part->files[i], ".tsv"))
            put_table(page, job, part->files[i]);
    fputs("</section>\n", page);
}

static void put_run(FILE *page, const dls_job *job, const dls_report_part *part)
{
    char stem[2 * DLS_NAME_MAX], sentence[512];
    snprintf(stem, sizeof stem, "%s.energy", part->name);
    put_id(page, "figure", part->name, NULL);
    if (dls_report_has(part, part->name, "svg"))
        put_drawing(page, part->name);
    if (dls_report_has(part, stem, "svg"))
        put_drawing(page, stem);
    dls_report_run_sentence(part, sentence, sizeof sentence);
    fputs("<figcaption><b>", page);
    put_number(page, part->name);
    fputs(".</b> ", page);
    dls_put_markup(page, part->name);
    fputc(' ', page);
    dls_put_markup(page, sentence);
    put_failure(page, part);
    dls_report_caption c = dls_report_caption_read(job, stem);
    if (c.text)
        put_source(page, job, stem, &c);
    free(c.text);
    const bool any = dls_report_count(part, ".tsv") > 0;
    fputs(any ? "<details><summary>tables</summary>" : "", page);
    for (size_t i = 0; i < part->n_files; i++)
        if (dls_report_ends_with(part->files[i], ".tsv")) {
            put_link(page, part->files[i]);
            fputc(' ', page);
        }
    fputs(any ? "</details></figcaption></figure>\n" : "</figcaption></figure>\n", page);
}

/* Every finding, and its figure where the part has come as far as that. */
static void put_findings(FILE *page, const dls_job *job, const dls_report_part *parts, size_t count)
{
    bool any = false;
    for (size_t k = 0; k < count; k++) {
        dls_finding f;
        char file[sizeof f.figure + 8];
        if (!dls_report_finding(job, &parts[k], &f))
            continue;
        fputs(any ? "<li>" : "<section id=\"findings\"><h2>Findings</h2>\n<ol class=\"findings\">\n<li>", page);
        any = true;
        const bool shown =
            dls_report_has(&parts[k], f.figure, "svg") && dls_report_has(&parts[k], f.figure, "caption.txt");
        if (shown) {
            snprintf(file, sizeof file, "%s.svg", f.figure);
            put_image(page, file, f.figure, "#", f.figure);
        }
        fputs("<p>", page);
        dls_put_markup(page, f.sentence);
        if (shown) {
            fputc(' ', page);
            put_open(page, "#", f.figure);
            put_number(page, f.figure);
            fputs("</a>", page);
        }
        fputs("</p></li>\n", page);
    }
    fputs(any ? "</ol></section>\n" : "", page);
}

static void put_contents(FILE *page, const dls_report_part *parts, size_t count)
{
    bool runs = false;
    fputs("<nav><h2>Contents</h2>\n<ol>\n<li><a href=\"#method\">Method</a></li>\n", page);
    for (size_t k = 0; k < count; k++) {
        if (parts[k].experiment && parts[k].done) {
            fputs("<li>", page);
            put_open(page, "#", parts[k].name);
            dls_put_markup(page, parts[k].experiment->title);
            fputs("</a></li>\n", page);
        }
        runs = runs || (!parts[k].experiment && parts[k].done);
    }
    fputs(runs ? "<li><a href=\"#runs\">Runs of the scenes</a></li>\n" : "", page);
    fputs("<li><a href=\"#conclusion\">Conclusion</a></li>\n<li><a href=\"#references\">References</a></li>\n", page);
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
    char cpu[128], facts[512], text[1024];
    size_t done = 0;
    for (size_t k = 0; k < count; k++)
        done += parts[k].done;
    dls_cpu_name(cpu, sizeof cpu);
    fputs(head, page);
    snprintf(facts, sizeof facts, "delassus report. delassus %s (%s), %s; %s. Made by ", build.version, build.commit,
             build.compiler, cpu);
    fprintf(page, "<h1>%s</h1>\n<p class=\"facts\">", dls_report_title);
    dls_put_markup(page, facts);
    fputs("<code>", page);
    dls_put_markup(page, job->command);
    fputs("</code>.", page);
    if (done < count)
        fprintf(page, " <b>%zu of %zu parts are done.</b>", done, count);
    dls_report_abstract(parts, count, text, sizeof text);
    fputs("</p>\n<p id=\"abstract\" class=\"abstract\"><b>Abstract.</b> ", page);
    dls_put_markup(page, text);
    fputs("</p>\n", page);
}

static void put_method(FILE *page)
{
    fputs("<section id=\"method\"><h2>Method</h2>\n", page);
    for (size_t k = 0; dls_report_method[k]; k++) {
        fputs("<p>", page);
        dls_put_markup(page, dls_report_method[k]);
        fputs("</p>\n", page);
    }
    fputs("</section>\n", page);
}

static void put_end(FILE *page, const dls_report_part *parts, size_t count)
{
    char text[1024];
    dls_report_conclusion(parts, count, text, sizeof text);
    fputs("<section id=\"conclusion\"><h2>Conclusion</h2>\n<p>", page);
    dls_put_markup(page, text);
    fputs("</p></section>\n<section id=\"references\"><h2>References</h2>\n<ol class=\"references\">\n", page);
    for (size_t k = 0; dls_report_references[k]; k++) {
        fputs("<li>", page);
        dls_put_markup(page, dls_report_references[k]);
        fputs("</li>\n", page);
    }
    fputs("</ol></section>\n</body></html>\n", page);
}

/* The number of a figure, in the order of the page; 0: it is not there. */
static size_t figure_number(const dls_report_part *parts, size_t count, const char *name, size_t length)
{
    char stem[DLS_NAME_MAX];
    size_t number = 0;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; parts[k].experiment && parts[k].section && i < parts[k].n_files; i++)
            if (dls_report_figure(&parts[k], i, stem, sizeof stem)) {
                number++;
                if (strlen(stem) == length && strncmp(stem, name, length) == 0)
                    return number;
            }
    for (size_t k = 0; k < count; k++)
        if (!parts[k].experiment && parts[k].section) {
            number++;
            if (strlen(parts[k].name) == length && strncmp(parts[k].name, name, length) == 0)
                return number;
        }
    return 0;
}

/* Text with the numbers of its figures. */
static void put_numbered(FILE *page, const char *text, const dls_report_part *parts, size_t count)
{
    for (const char *at; (at = strchr(text, number_of)); text = strchr(at, number_end) + 1) {
        const size_t length = strcspn(at + 1, (const char[]){number_end, '\0'});
        fprintf(page, "%.*s%zu", (int)(at - text), text, figure_number(parts, count, at + 1, length));
    }
    fputs(text, page);
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
    char path[DLS_PATH_MAX], *text = NULL;
    size_t size;
    dls_output output;
    FILE *page = open_memstream(&text, &size);
    if (page) {
        put_head(page, job, parts, count);
        put_findings(page, job, parts, count);
        put_contents(page, parts, count);
        put_method(page);
        for (size_t k = 0; k < count; k++)
            if (parts[k].experiment && parts[k].section)
                fputs(parts[k].section, page);
        put_runs(page, parts, count);
        put_end(page, parts, count);
    }
    const bool whole = page && fclose(page) == 0;
    dls_status status = whole ? dls_job_path(job, "index", "html", path, error)
                              : dls_fail(error, DLS_NO_MEMORY, "no memory for the page of the report");
    if (status == DLS_OK)
        status = dls_output_open(&output, path, error);
    if (status == DLS_OK) {
        put_numbered(output.stream, text, parts, count);
        status = dls_output_commit(&output, error);
    }
    free(text);
    return status;
}
