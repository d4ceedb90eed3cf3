/* published.h - problems that other projects published, and the answers known of them. */
#ifndef DLS_TESTS_PUBLISHED_H
#define DLS_TESTS_PUBLISHED_H

#include "check.h"

#include "delassus/io.h"

#include <stdio.h>
#include <string.h>

/* In DLS_TEST_DATA, else beside the source folder. */
static inline void data_path(char *path, const char *file)
{
    const char *folder = getenv("DLS_TEST_DATA"), *source = getenv("DLS_TEST_SOURCE");
    if (folder)
        snprintf(path, DLS_PATH_MAX, "%s/%s", folder, file);
    else
        snprintf(path, DLS_PATH_MAX, "%s/../shared/data/%s", source ? source : ".", file);
}

/* A whole file; NULL where it is not there: the test is then skipped by name. */
static inline char *slurp(const char *file)
{
    char path[DLS_PATH_MAX];
    data_path(path, file);
    FILE *stream = fopen(path, "r");
    if (!stream)
        return NULL;
    char *text = test_calloc(1, 1 << 20);
    size_t got = fread(text, 1, (1 << 20) - 1, stream);
    text[got] = '\0';
    fclose(stream);
    return text;
}

/* The numbers of `"KEY": [..]` of one file's entry in known_answers.json, in the order of the text; brackets in it do
 * not count. */
static inline size_t known(const char *json, const char *file, const char *key, double *values, size_t max)
{
    char wanted[256];
    size_t count = 0;
    snprintf(wanted, sizeof wanted, "\"%s\"", file);
    const char *at = strstr(json, wanted);
    if (!at)
        return 0;
    const char *next_entry = strstr(at, ".dat\""), *entry_end = next_entry ? strstr(next_entry + 5, ".dat\"") : NULL;
    snprintf(wanted, sizeof wanted, "\"%s\"", key);
    at = strstr(at, wanted);
    if (!at || (entry_end && at > entry_end))
        return 0;
    at = strchr(at, '[');
    for (int depth = 0; at && *at;) {
        char *behind;
        depth += *at == '[';
        depth -= *at == ']';
        if (depth == 0)
            break;
        double value = strtod(at, &behind);
        if (behind == at || *at == ' ' || *at == '\n') {
            at++;
            continue;
        }
        assert_true(count < max);
        values[count++] = value;
        at = behind;
    }
    return count;
}

static inline dls_problem *read_data(const char *file, const char *format)
{
    char path[DLS_PATH_MAX];
    dls_content content;
    dls_error error;
    data_path(path, file);
    assert_status(dls_file_load(path, format, &content, &error), &error);
    assert_non_null(content.problem);
    return content.problem;
}

#endif
