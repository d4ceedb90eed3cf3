/* Files of answers: JSON with the impulses themselves, so that anybody can examine them again. doc/profiles.md has the
 * format. */
#include "profile/profile.h"

#include "base/text.h"

#include <jansson.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char format[] = "delassus answers 1";

/* --- writing --- */

/* NULL if a number is not finite, or if memory is exhausted; json_pack then makes nothing. */
static json_t *vector_json(const double *x, size_t n)
{
    json_t *list = x ? json_array() : json_null();
    for (size_t i = 0; x && i < n; i++)
        if (json_array_append_new(list, json_real(x[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

/* Visits that are not counted are null. */
static json_t *visits_json(double visits) { return isnan(visits) ? json_null() : json_real(visits); }

static json_t *attempt_json(const dls_attempt *a, size_t n)
{
    return json_pack("{s:o, s:s, s:I, s:o, s:o, s:o, s:o, s:s}", "tolerance", json_real(a->tolerance), "claim",
                     dls_outcome_text(a->claim), "iterations", (json_int_t)a->iterations, "row_visits",
                     visits_json(a->row_visits), "seconds", json_real(a->seconds), "lambda", vector_json(a->lambda, n),
                     "farkas", vector_json(a->farkas, n), "message", a->message);
}

/* NULL if something in it has no form in JSON. */
static json_t *answers_json(const dls_answers *answers)
{
    json_t *attempts = json_array();
    for (size_t k = 0; k < answers->count; k++)
        if (json_array_append_new(attempts, attempt_json(&answers->attempts[k], answers->n)) != 0) {
            json_decref(attempts);
            return NULL;
        }
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:s, s:b, s:s, s:s, s:s, s:o, s:I, s:o}", "format", format, "problem",
                     answers->problem, "family", answers->family, "file", answers->file, "rows", (json_int_t)answers->n,
                     "solver", answers->solver, "direct", answers->direct, "version", answers->version, "machine",
                     answers->machine, "settings", answers->settings, "limit", json_real(answers->limit),
                     "most_iterations", (json_int_t)answers->most_iterations, "attempts", attempts);
}

dls_status dls_answers_write(const dls_answers *answers, const char *path, dls_error *error)
{
    dls_output output;
    json_t *whole = answers_json(answers);
    if (!whole)
        return dls_fail_about(error, DLS_BAD_INPUT, path, NULL,
                              "an answer cannot be written: a number in it is not finite, a text is not UTF-8, or "
                              "memory is not enough");
    dls_status status = dls_output_open(&output, path, error);
    if (status == DLS_OK) {
        if (json_dumpf(whole, output.stream, JSON_REAL_PRECISION(17) | JSON_INDENT(0)) == 0) {
            status = dls_output_commit(&output, error);
        } else {
            dls_output_abandon(&output);
            status = dls_fail_about(error, DLS_NOT_WRITTEN, path, NULL, "cannot be written");
        }
    }
    json_decref(whole);
    return status;
}

/* --- reading --- */

typedef struct reader {
    const char *path;
    dls_error *error;
} reader;

static dls_status refuse_member(const reader *r, const char *member, const char *wanted)
{
    return dls_fail_about(r->error, DLS_BAD_INPUT, r->path, member, "is missing or not %s", wanted);
}

static dls_status read_text(const reader *r, json_t *from, const char *member, char *to, size_t size)
{
    const char *text = json_string_value(json_object_get(from, member));
    if (!text || strlen(text) >= size)
        return refuse_member(r, member, "a text of that length");
    memcpy(to, text, strlen(text) + 1);
    return DLS_OK;
}

/* A number of at least 0; above 0 if it is `positive`. */
static dls_status read_number(const reader *r, json_t *from, const char *member, bool positive, double *to)
{
    json_t *value = json_object_get(from, member);
    *to = json_number_value(value);
    if (!json_is_number(value) || *to < 0.0 || (positive && *to == 0.0))
        return refuse_member(r, member, positive ? "a number above 0" : "a number that is not negative");
    return DLS_OK;
}

/* null: not counted. */
static dls_status read_visits(const reader *r, json_t *from, double *to)
{
    *to = NAN;
    return json_is_null(json_object_get(from, "row_visits")) ? DLS_OK : read_number(r, from, "row_visits", false, to);
}

static dls_status read_count(const reader *r, json_t *from, const char *member, size_t *to)
{
    json_t *value = json_object_get(from, member);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return refuse_member(r, member, "a count");
    *to = (size_t)json_integer_value(value);
    return DLS_OK;
}

static dls_status read_vector(const reader *r, json_t *from, const char *member, size_t n, double **to)
{
    json_t *list = json_object_get(from, member);
    if (json_is_null(list))
        return DLS_OK;
    if (!json_is_array(list) || json_array_size(list) != n)
        return refuse_member(r, member, "a list with a number for each row, or null");
    *to = malloc((n + 1) * sizeof **to);
    if (!*to)
        return dls_fail(r->error, DLS_NO_MEMORY, "no memory for %zu impulses", n);
    for (size_t i = 0; i < n; i++) {
        json_t *value = json_array_get(list, i);
        if (!json_is_number(value))
            return refuse_member(r, member, "a list of numbers");
        (*to)[i] = json_number_value(value);
    }
    return DLS_OK;
}

static dls_status read_claim(const reader *r, json_t *from, dls_outcome *to)
{
    const char *text = json_string_value(json_object_get(from, "claim"));
    for (int k = DLS_OUTCOME_RUNNING + 1; text && k < DLS_OUTCOMES; k++)
        if (strcmp(text, dls_outcome_text((dls_outcome)k)) == 0) {
            *to = (dls_outcome)k;
            return DLS_OK;
        }
    return refuse_member(r, "claim", "an outcome (doc/verdicts.md)");
}

/* A member that is not known may be a misspelt one. */
static dls_status refuse_others(const reader *r, json_t *from, const char *const *members)
{
    const char *key;
    json_t *value;
    json_object_foreach(from, key, value)
    {
        size_t k = 0;
        while (members[k] && strcmp(members[k], key) != 0)
            k++;
        if (!members[k])
            return dls_fail_about(r->error, DLS_BAD_INPUT, r->path, NULL,
                                  "'%.60s' is no member of an answer file (doc/profiles.md)", key);
    }
    return DLS_OK;
}

static dls_status read_attempt(const reader *r, json_t *from, size_t n, dls_attempt *a)
{
    static const char *const members[] = {"tolerance", "claim",  "iterations", "row_visits", "seconds",
                                          "lambda",    "farkas", "message",    NULL};
    DLS_TRY(refuse_others(r, from, members));
    DLS_TRY(read_number(r, from, "tolerance", true, &a->tolerance));
    DLS_TRY(read_claim(r, from, &a->claim));
    DLS_TRY(read_count(r, from, "iterations", &a->iterations));
    DLS_TRY(read_visits(r, from, &a->row_visits));
    DLS_TRY(read_number(r, from, "seconds", false, &a->seconds));
    DLS_TRY(read_vector(r, from, "lambda", n, &a->lambda));
    DLS_TRY(read_vector(r, from, "farkas", n, &a->farkas));
    return read_text(r, from, "message", a->message, sizeof a->message);
}

static dls_status read_answers(const reader *r, json_t *from, dls_answers *to)
{
    static const char *const members[] = {"format", "problem",         "family",   "file",    "rows",
                                          "solver", "direct",          "version",  "machine", "settings",
                                          "limit",  "most_iterations", "attempts", NULL};
    char found[sizeof format];
    if (!json_is_object(from) || read_text(r, from, "format", found, sizeof found) != DLS_OK ||
        strcmp(found, format) != 0)
        return dls_fail_about(r->error, DLS_BAD_INPUT, r->path, "format", "is not \"%s\"", format);
    DLS_TRY(refuse_others(r, from, members));
    DLS_TRY(read_text(r, from, "problem", to->problem, sizeof to->problem));
    DLS_TRY(read_text(r, from, "family", to->family, sizeof to->family));
    DLS_TRY(read_text(r, from, "file", to->file, sizeof to->file));
    DLS_TRY(read_text(r, from, "solver", to->solver, sizeof to->solver));
    if (!to->solver[0])
        return refuse_member(r, "solver", "the name of a solver");
    DLS_TRY(read_text(r, from, "version", to->version, sizeof to->version));
    DLS_TRY(read_text(r, from, "machine", to->machine, sizeof to->machine));
    DLS_TRY(read_text(r, from, "settings", to->settings, sizeof to->settings));
    DLS_TRY(read_number(r, from, "limit", true, &to->limit));
    DLS_TRY(read_count(r, from, "most_iterations", &to->most_iterations));
    DLS_TRY(read_count(r, from, "rows", &to->n));
    if (!json_is_boolean(json_object_get(from, "direct")))
        return refuse_member(r, "direct", "true or false");
    to->direct = json_is_true(json_object_get(from, "direct"));
    json_t *attempts = json_object_get(from, "attempts");
    if (!json_is_array(attempts) || json_array_size(attempts) == 0)
        return refuse_member(r, "attempts", "a list of answers");
    to->attempts = calloc(json_array_size(attempts), sizeof *to->attempts);
    if (!to->attempts)
        return dls_fail(r->error, DLS_NO_MEMORY, "no memory for an answer");
    for (size_t k = 0; k < json_array_size(attempts); k++) {
        to->count = k + 1;
        DLS_TRY(read_attempt(r, json_array_get(attempts, k), to->n, &to->attempts[k]));
    }
    return DLS_OK;
}

dls_status dls_answers_read(const char *path, dls_answers *answers, dls_error *error)
{
    char *text;
    size_t size;
    json_error_t wrong;
    *answers = (dls_answers){.count = 0};
    DLS_TRY(dls_file_read(path, &text, &size, error));
    json_t *whole = json_loadb(text, size, JSON_REJECT_DUPLICATES, &wrong);
    free(text);
    if (!whole)
        return dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "line %d: no valid JSON: %s", wrong.line, wrong.text);
    const dls_status status = read_answers(&(reader){path, error}, whole, answers);
    json_decref(whole);
    return status;
}

void dls_attempts_release(dls_answers *answers)
{
    for (size_t k = 0; answers->attempts && k < answers->count; k++) {
        free(answers->attempts[k].lambda);
        free(answers->attempts[k].farkas);
    }
    free(answers->attempts);
    answers->attempts = NULL;
}

void dls_answers_release(dls_answers *answers)
{
    dls_attempts_release(answers);
    *answers = (dls_answers){.count = 0};
}
