/* Reports of delassus ci: a table, JUnit's XML, SARIF 2.1.0 and a badge. */
#include "ci.h"
#include "json.h"

#include <math.h>
#include <stdio.h>

const char *const ci_verdict_names[] = {[CI_PASS] = "pass", [CI_FAIL] = "fail", [CI_ERROR] = "error"};

const ci_case *ci_worst(const ci_cases *cases)
{
    const ci_case *worst = NULL;
    for (const ci_case *c = cases->of; c < cases->of + cases->count; c++)
        if (c->verdict != CI_ERROR && (!worst || !(c->scaled_residual <= worst->scaled_residual)))
            worst = c;
    return worst;
}

dls_status ci_write_table(const ci_cases *cases, const char *line, const char *path, dls_error *error)
{
    dls_table *table;
    DLS_TRY(dls_table_create(path, &table, error));
    dls_note_provenance(table, line);
    dls_table_note(table, "tolerance", "%.17g", cases->tolerance);
    dls_table_columns(table, "step\tverdict\toutcome\trows\tscaled_residual[1]\tvelocity_residual[1]\t"
                             "impulse_residual[1]\tbaseline[1]\tworst_row\tlambda[N s]\tw[m/s]\tmessage");
    for (const ci_case *c = cases->of; c < cases->of + cases->count; c++)
        dls_table_row(table, "%s %s %s %zu %g %g %g %g %s %g %g %s", c->name, ci_verdict_names[c->verdict], c->outcome,
                      c->rows, c->scaled_residual, c->velocity_residual, c->impulse_residual, c->baseline, c->worst,
                      c->lambda, c->w, c->message);
    return dls_table_commit(table, error);
}

/* --- JUnit --- */

/* A text in XML 1.0: UTF-8, without control characters, which XML cannot have. */
static void put_xml(FILE *to, const char *text)
{
    json_t *clean = json_text(text);
    for (const char *c = clean ? json_string_value(clean) : ""; *c; c++) {
        const unsigned char code = (unsigned char)*c;
        if (code == '<' || code == '>' || code == '&' || code == '"')
            fprintf(to, "&#%d;", code);
        else
            putc(code < 0x20 || code == 0x7f ? '?' : code, to);
    }
    json_decref(clean);
}

static void put_case(FILE *to, const ci_case *c, const char *folder)
{
    fputs("  <testcase classname=\"", to);
    put_xml(to, folder);
    fputs("\" name=\"", to);
    put_xml(to, c->name);
    if (c->verdict == CI_PASS) {
        fputs("\"/>\n", to);
        return;
    }
    const char *element = c->verdict == CI_FAIL ? "failure" : "error";
    fprintf(to, "\">\n    <%s message=\"", element);
    put_xml(to, c->message);
    fprintf(to, "\" type=\"%s\"/>\n  </testcase>\n", c->verdict == CI_FAIL ? c->outcome : "unreadable");
}

dls_status ci_write_junit(const ci_cases *cases, const char *path, dls_error *error)
{
    dls_output output;
    DLS_TRY(dls_output_open(&output, path, error));
    FILE *to = output.stream;
    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"delassus\" tests=\"%zu\" "
            "failures=\"%zu\" errors=\"%zu\" skipped=\"0\" time=\"%.3f\">\n",
            cases->count, cases->number[CI_FAIL], cases->number[CI_ERROR], cases->seconds);
    for (size_t i = 0; i < cases->count; i++)
        put_case(to, &cases->of[i], cases->folder);
    fputs("</testsuite>\n</testsuites>\n", to);
    return dls_output_commit(&output, error);
}

/* --- JSON --- */

static dls_status write_json(json_t *object, const char *path, dls_error *error)
{
    dls_output output;
    dls_status status =
        object ? dls_output_open(&output, path, error) : dls_fail(error, DLS_NO_MEMORY, "no memory for %s", path);
    if (status == DLS_OK) {
        if (json_dumpf(object, output.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) != 0 &&
            !ferror(output.stream)) {
            dls_output_abandon(&output);
            status = dls_fail(error, DLS_NO_MEMORY, "no memory for %s", path);
        } else {
            fputc('\n', output.stream);
            status = dls_output_commit(&output, error);
        }
    }
    json_decref(object);
    return status;
}

static json_t *sarif_text(const char *text)
{
    json_t *o = json_object();
    json_put(&o, "text", json_text(text));
    return o;
}

static json_t *sarif_rule(const char *id, const char *text)
{
    json_t *o = json_object();
    json_put(&o, "id", json_text(id));
    json_put(&o, "shortDescription", sarif_text(text));
    return o;
}

static json_t *sarif_tool(void)
{
    json_t *o = json_object(), *driver = json_object(), *rules = json_array();
    json_add(&rules, sarif_rule(ci_verdict_names[CI_FAIL], "The impulses of a step do not solve its problem."));
    json_add(&rules, sarif_rule(ci_verdict_names[CI_ERROR], "A step could not be examined."));
    json_put(&driver, "name", json_text("delassus"));
    json_put(&driver, "version", json_text(dls_build_facts().version));
    json_put(&driver, "rules", rules);
    json_put(&o, "driver", driver);
    return o;
}

/* The problem's file relative to the folder, with bytes that a URI may not have as %XX, and the worst row. */
static json_t *sarif_location(const ci_case *c)
{
    char uri[3 * DLS_PATH_MAX + 16], *to = uri;
    for (const char *from = c->name; *from; from++) {
        const bool plain = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') ||
                           (*from >= '0' && *from <= '9') || *from == '/' || *from == '-' || *from == '_' ||
                           *from == '.';
        to += plain ? sprintf(to, "%c", *from) : sprintf(to, "%%%02X", (unsigned char)*from);
    }
    snprintf(to, 16, ".problem");
    json_t *o = json_object(), *physical = json_object(), *artifact = json_object();
    json_put(&artifact, "uri", json_text(uri));
    json_put(&physical, "artifactLocation", artifact);
    json_put(&o, "physicalLocation", physical);
    if (*c->worst) {
        json_t *logical = json_array(), *row = json_object();
        json_put(&row, "name", json_text(c->worst));
        json_add(&logical, row);
        json_put(&o, "logicalLocations", logical);
    }
    return o;
}

static json_t *sarif_result(const ci_case *c)
{
    json_t *o = json_object(), *locations = json_array();
    json_add(&locations, sarif_location(c));
    json_put(&o, "ruleId", json_text(ci_verdict_names[c->verdict]));
    json_put(&o, "level", json_text("error"));
    json_put(&o, "message", sarif_text(c->message));
    json_put(&o, "locations", locations);
    return o;
}

dls_status ci_write_sarif(const ci_cases *cases, const char *path, dls_error *error)
{
    json_t *o = json_object(), *runs = json_array(), *run = json_object(), *results = json_array();
    for (size_t i = 0; i < cases->count; i++)
        if (cases->of[i].verdict != CI_PASS)
            json_add(&results, sarif_result(&cases->of[i]));
    json_put(&run, "tool", sarif_tool());
    json_put(&run, "results", results);
    json_add(&runs, run);
    json_put(&o, "$schema", json_text("https://json.schemastore.org/sarif-2.1.0.json"));
    json_put(&o, "version", json_text("2.1.0"));
    json_put(&o, "runs", runs);
    return write_json(o, path, error);
}

dls_status ci_write_badge(const ci_cases *cases, const char *path, dls_error *error)
{
    const ci_case *worst = ci_worst(cases);
    const size_t failed = cases->number[CI_FAIL] + cases->number[CI_ERROR];
    char text[64];
    if (failed > 0 || !worst)
        snprintf(text, sizeof text, "%zu of %zu steps fail", failed, cases->count);
    else
        snprintf(text, sizeof text, "residual %.0e", worst->scaled_residual);
    json_t *o = json_object();
    json_put(&o, "schemaVersion", json_count(1));
    json_put(&o, "label", json_text("delassus"));
    json_put(&o, "message", json_text(text));
    json_put(&o, "color", json_text(failed > 0 ? "red" : "brightgreen"));
    return write_json(o, path, error);
}
