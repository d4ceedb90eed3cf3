/* One number of a file is none, is beyond all doubles, or is NaN; or the file ends early: each is an error that names
 * the line, and none is read as something else. */
#include "delassus/delassus.h"

#include "check.h"
#include "documents.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_word(char c) { return isalnum((unsigned char)c) || strchr("_.+-", c) != NULL; }

/* The next number of the text from *at on, a word of its own: where it begins, and its length; false at the end. */
static bool next_number(const char *text, size_t *at, size_t *length)
{
    for (size_t i = *at; text[i]; i += *length) {
        char *end;
        for (*length = 0; text[i + *length] && is_of_word(text[i + *length]);)
            ++*length;
        bool number = *length > 0 && (isdigit((unsigned char)text[i]) || strchr("-.", text[i]) != NULL);
        if (number && (strtod(text + i, &end), end == text + i + *length)) {
            *at = i;
            return true;
        }
        *length += *length == 0;
    }
    return false;
}

static long line_at(const char *text, size_t at)
{
    long line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

static dls_status parse(const document *d, const char *text, dls_error *error)
{
    dls_content content;
    memset(error, 0, sizeof *error);
    dls_status status = dls_file_parse(text, strlen(text), "broken", d->format, &content, error);
    if (status == DLS_OK && content.scene && dls_scene_check_dropped(content.scene, DLS_ALL_ASPECTS, error) != DLS_OK)
        status = error->status = DLS_BAD_INPUT; /* told when what it belongs to is used */
    dls_content_release(&content);
    return status;
}

TEST(test_numbers_that_are_none)
{
    static const char *const wrong[] = {"x?", "1e999", "nan", "1.5.2"};
    size_t count = 0, failures = 0;
    for (size_t k = 0; k < sizeof documents / sizeof documents[0]; k++) {
        const document *d = &documents[k];
        dls_error error;
        size_t length;
        assert_status(parse(d, d->text, &error), &error);
        for (size_t at = 0; next_number(d->text, &at, &length); at += length)
            for (size_t j = 0; j < sizeof wrong / sizeof wrong[0]; j++) {
                char text[8192];
                snprintf(text, sizeof text, "%.*s%s%s", (int)at, d->text, wrong[j], d->text + at + length);
                dls_status status = parse(d, text, &error);
                bool refused = (status == DLS_BAD_INPUT || status == DLS_NOT_FINITE) && error.message[0] &&
                               error.line == line_at(d->text, at);
                if (!refused)
                    print_error("%s, line %ld, '%.*s' is '%s': %s, line %ld, '%s'\n", d->format, line_at(d->text, at),
                                (int)length, d->text + at, wrong[j], dls_status_text(status), error.line,
                                error.message);
                failures += !refused;
                count++;
            }
    }
    print_message("# %zu numbers that are none\n", count);
    assert_int_equal(failures, 0);
}

/* The word behind *at, a name, a keyword, a number or a part of one of these; false at the end. */
static bool next_word(const char *text, size_t *at, size_t *length)
{
    while (text[*at] && !is_of_word(text[*at]))
        ++*at;
    for (*length = 0; text[*at + *length] && is_of_word(text[*at + *length]);)
        ++*length;
    return *length > 0;
}

/* Nothing of a problem but its name and the labels may be any word; of other formats, names that are not used again.
 * What is refused is named with its line, except a word that is not there, and formats that another word made another.
 */
TEST(test_words_that_are_none)
{
    size_t failures = 0;
    for (size_t k = 0; k < sizeof documents / sizeof documents[0]; k++) {
        const document *d = &documents[k];
        dls_error error;
        size_t length;
        for (size_t at = 0; next_word(d->text, &at, &length); at += length) {
            char text[8192];
            bool label = at > 0 && d->text[at - 1] == '"';
            snprintf(text, sizeof text, "%.*s%s%s", (int)at, d->text, "Q?", d->text + at + length);
            dls_status status = parse(d, text, &error);
            bool right = status == DLS_OK ? strcmp(d->format, "problem") != 0 || label
                                          : error.status == status && error.message[0] && error.line > 0;
            if (!right)
                print_error("%s, line %ld, '%.*s': %s, line %ld, '%s'\n", d->format, line_at(d->text, at), (int)length,
                            d->text + at, dls_status_text(status), error.line, error.message);
            failures += !right;
        }
    }
    assert_int_equal(failures, 0);
}

TEST(test_files_that_end_early)
{
    size_t failures = 0;
    for (size_t k = 0; k < sizeof documents / sizeof documents[0]; k++) {
        const document *d = &documents[k];
        size_t whole = strlen(d->text);
        while (isspace((unsigned char)d->text[whole - 1]))
            whole--;
        for (size_t size = 0; size < whole; size++) {
            char text[8192];
            dls_error error;
            memcpy(text, d->text, size);
            text[size] = '\0';
            dls_status status = parse(d, text, &error);
            bool inside =
                size > 0 && is_of_word(text[size - 1]) && is_of_word(d->text[size]); /* 0. of 0.5 is a number */
            bool right = (status == DLS_OK && (!d->ends || inside)) || (status == DLS_BAD_INPUT && error.message[0]);
            if (!right)
                print_error("%s, the first %zu bytes: %s, '%s'\n", d->format, size, dls_status_text(status),
                            error.message);
            failures += !right;
        }
    }
    assert_int_equal(failures, 0);
}
