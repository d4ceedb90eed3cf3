/* Tables that others wrote: every text comes back from a cell in quotes, and a quote that does not enclose its cell is
 * an error at its place, wherever it opens. */
#include "study/sheet.h"

#include "check.h"
#include "draws.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 6, COLUMNS = 3, LONGEST = 12 };
static char folder[] = "test_sheet.XXXXXX", path[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/t.csv", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    remove(path);
    return rmdir(folder);
}

TESTS_WITH(make_folder, remove_folder)

/* A text of characters that tables use themselves; the first one is none of a comment, nor is it empty. */
static void draw_cell(char text[LONGEST + 1])
{
    static const char characters[] = "ab,;\"\n\r #1";
    const int length = draw(1, LONGEST);
    for (int k = 0; k < length; k++)
        text[k] = k == 0 ? 'x' : characters[draw(0, (int)sizeof characters - 2)];
    text[length] = '\0';
}

/* Writes a cell in quotes, but for the quote that is left out: 1 the closing one, 2 the second of a pair. */
static void write_quoted(FILE *to, const char *text, int left_out)
{
    fputc('"', to);
    for (; *text; text++)
        fputs(*text != '"' ? (const char[]){*text, '\0'} : left_out == 2 ? "\"" : "\"\"", to);
    if (left_out != 1)
        fputc('"', to);
}

TEST(sheets_of_quoted_cells_come_back)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        char cells[LINES * COLUMNS][LONGEST + 1];
        const char separator = seed % 2 ? ';' : ',';
        dls_sheet sheet;
        dls_error error;
        draw_seed(seed);
        FILE *to = fopen(path, "w");
        assert_non_null(to);
        fprintf(to, "# head\na%cb%cc\n", separator, separator);
        for (size_t i = 0; i < LINES; i++) {
            for (size_t k = 0; k < COLUMNS; k++) {
                draw_cell(cells[i * COLUMNS + k]);
                write_quoted(to, cells[i * COLUMNS + k], 0);
                fputs(k + 1 < COLUMNS ? (const char[]){separator, '\0'} : draw(0, 1) ? "\r\n" : "\n", to);
            }
        }
        fclose(to);
        assert_status(dls_sheet_read(path, &sheet, &error), &error);
        assert_int_equal(sheet.rows, LINES);
        assert_int_equal(sheet.columns, COLUMNS);
        for (size_t i = 0; i < LINES; i++)
            for (size_t k = 0; k < COLUMNS; k++) {
                char *text = cells[i * COLUMNS + k];
                for (char *c = text; *c; c++) /* a cell is one line */
                    *c = *c == '\n' ? ' ' : *c;
                assert_string_equal(dls_sheet_cell(&sheet, i, k), text);
            }
        dls_sheet_release(&sheet);
    }
}

/* In each cell in turn a quote is left out. The rest would be text of this cell, up to the next quote or to the end:
 * rows would be lost without a word. */
TEST(quote_that_does_not_enclose_its_cell_is_an_error_at_its_place)
{
    for (int left_out = 1; left_out <= 2; left_out++)
        for (size_t wrong = 0; wrong < (size_t)LINES * COLUMNS; wrong++) {
            dls_sheet sheet;
            dls_error error = {.message = ""};
            long line = 2, column = 0, start = 0;
            FILE *to = fopen(path, "w");
            assert_non_null(to);
            fputs("a,b,c\n", to);
            for (size_t n = 0; n < (size_t)LINES * COLUMNS; n++) {
                start = n % COLUMNS == 0 ? ftell(to) : start;
                if (n == wrong)
                    column = ftell(to) - start + 1;
                if (n < wrong)
                    line += n % COLUMNS == COLUMNS - 1;
                write_quoted(to, "x\"y", n == wrong ? left_out : 0);
                fputs(n % COLUMNS < COLUMNS - 1 ? "," : "\n", to);
            }
            fclose(to);
            const dls_status status = dls_sheet_read(path, &sheet, &error);
            dls_sheet_release(&sheet);
            if (status != DLS_BAD_INPUT || error.line != line || error.column != column ||
                strcmp(error.file, path) != 0 || !strstr(error.message, "close it at the end of the cell"))
                fail_msg("quote %d of cell %zu: %s:%ld:%ld instead of %ld:%ld: %s", left_out, wrong, error.file,
                         error.line, error.column, line, column, error.message);
        }
}

/* A line that is not whole, with the line at which it begins behind a cell of two lines. */
TEST(line_without_all_cells_is_an_error_at_its_place)
{
    dls_sheet sheet;
    dls_error error = {.message = ""};
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    fputs("a,b\n\"1\n2\",3\n4\n", to);
    fclose(to);
    assert_int_equal(dls_sheet_read(path, &sheet, &error), DLS_BAD_INPUT);
    dls_sheet_release(&sheet);
    assert_int_equal(error.line, 4);
    assert_non_null(strstr(error.message, "has 1 cells"));
}
