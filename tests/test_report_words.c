/* The words of a report: captions without the sentences of an earlier figure, residuals that are no numbers, and a page
 * whose names and messages have signs of markup, control characters and bytes that are no text. */
#define _XOPEN_SOURCE 700

#include "check.h"

#include "base/draw.h"
#include "io/file.h"
#include "report/report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- captions --- */

enum { FIGURES = 6, SENTENCES = 5 };
static const char *const pool[] = {"Lines are predicted, and points are measured in every step",
                                   "Lines are predicted, and points are measured in every step by the examiner",
                                   "In the state, lines are predicted, and points are measured in every step",
                                   "The rows of a step are those of its joints and of its contacts alike",
                                   "Where a method has no answer, there is no point of it in the figure",
                                   "Short words"};
enum { POOL = sizeof pool / sizeof pool[0] };

typedef struct caption {
    char text[1024], printed[1024], like[DLS_NAME_MAX];
    size_t sentences[SENTENCES], count;
    bool shortened;
} caption;

static bool stands_in(const char *text, const char *sentence)
{
    char bounded[1200], wanted[256];
    snprintf(bounded, sizeof bounded, " %s ", text);
    for (char *dot = bounded; (dot = strstr(dot, ". ")); dot++)
        dot[1] = '|';
    snprintf(wanted, sizeof wanted, "%s.|", sentence);
    const char *found = strstr(bounded, wanted);
    while (found && found[-1] != ' ' && found[-1] != '|')
        found = strstr(found + 1, wanted);
    return found;
}

/* "The rest is as in Figure N" is true: every sentence that is left out stands under figure N, and the others are there
 * in their order. */
TEST(test_captions)
{
    uint64_t seed = 7;
    size_t shortened = 0;
    for (int round = 0; round < 500; round++) {
        caption c[FIGURES] = {{.count = 0}};
        dls_report_captions earlier = {.text = NULL};
        for (size_t k = 0; k < FIGURES; k++) {
            char stem[DLS_NAME_MAX], kept[1024] = "";
            size_t used = 0;
            c[k].count = 1 + dls_draw_below(&seed, SENTENCES);
            for (size_t i = 0; i < c[k].count; i++) {
                c[k].sentences[i] = dls_draw_below(&seed, POOL);
                used += (size_t)snprintf(c[k].text + used, sizeof c[k].text - used, "%s%s.", i ? " " : "",
                                         pool[c[k].sentences[i]]);
            }
            snprintf(stem, sizeof stem, "%zu", k);
            strcpy(c[k].printed, c[k].text);
            c[k].shortened = dls_report_caption_shorten(&earlier, stem, c[k].printed, c[k].like, sizeof c[k].like);
            const size_t like = c[k].shortened ? strtoul(c[k].like, NULL, 10) : FIGURES;
            assert_true(c[k].shortened ? like < k : strcmp(c[k].printed, c[k].text) == 0);
            shortened += c[k].shortened;
            for (size_t i = 0; i < c[k].count; i++) {
                const char *sentence = pool[c[k].sentences[i]];
                if (stands_in(c[k].printed, sentence)) {
                    const size_t at = strlen(kept);
                    snprintf(kept + at, sizeof kept - at, "%s%s.", at ? " " : "", sentence);
                } else if (!c[k].shortened || !stands_in(c[like].printed, sentence)) {
                    fail_msg("'%s' of '%s' is left out, and figure %zu has only '%s'", sentence, c[k].text, like,
                             c[like].printed);
                }
            }
            assert_string_equal(kept, c[k].printed);
        }
        free(earlier.text);
    }
    assert_true(shortened > 500);
}

/* --- residuals --- */

static dls_report_part run_of(const char *name, double residual, dls_report_outcome *outcome)
{
    dls_report_part part = {.done = true, .outcome = outcome};
    *outcome = (dls_report_outcome){
        .solver = "pgs", .step = 1e-3, .run = {.steps = 5, .examined = 5, .worst_residual = residual}};
    snprintf(part.name, sizeof part.name, "%s", name);
    return part;
}

/* The worst run is named with its residual, at whatever place it stands; it is the one that is not a number, else the
 * infinite one, else the one with the largest. */
TEST(test_worst_run)
{
    static const struct {
        double residual[3];
        const char *name, *words;
    } cases[] = {
        {{1e-3, 2e-9, 0.0}, "run-0", "is 0.001"},
        {{1e-3, HUGE_VAL, 0.0}, "run-1", "is infinite"},
        {{NAN, HUGE_VAL, 1.0}, "run-0", "is not a number"},
        {{0.0, 0.0, NAN}, "run-2", "is not a number"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (size_t turn = 0; turn < 3; turn++) {
            dls_report_outcome outcomes[3];
            dls_report_part parts[3];
            char text[1024], sentence[512], wanted[128];
            for (size_t i = 0; i < 3; i++) {
                const size_t of = (i + turn) % 3;
                const char name[] = {'r', 'u', 'n', '-', (char)('0' + of), '\0'};
                parts[i] = run_of(name, cases[k].residual[of], &outcomes[i]);
                dls_report_run_sentence(&parts[i], sentence, sizeof sentence);
                const double r = cases[k].residual[of];
                snprintf(wanted, sizeof wanted,
                         isnan(r)   ? "worst not a number."
                         : isinf(r) ? "worst infinite."
                                    : "worst %.2g.",
                         r);
                assert_non_null(strstr(sentence, wanted));
            }
            dls_report_conclusion(parts, 3, text, sizeof text);
            snprintf(wanted, sizeof wanted, "%s (%s)", cases[k].words, cases[k].name);
            if (!strstr(text, wanted))
                fail_msg("no '%s' in '%s'", wanted, text);
        }
}

/* --- the page --- */

static char folder[] = "test_report_words.XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[DLS_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* Nothing of a name, message, caption or table becomes markup, a number of a figure or a byte that HTML cannot have,
 * and links lead to the files. */
TEST(test_markup)
{
    static const char name[] = "a <b> \"c\" & 'd' 100%#?", bad[] = "<i>\1\2\3\x7f\xff\xc0\xaf&amp;\"";
    char *files[] = {"a <b> \"c\" & 'd' 100%#?.energy.caption.txt", "a <b> \"c\" & 'd' 100%#?.energy.svg",
                     "a <b> \"c\" & 'd' 100%#?.energy.tsv"};
    const dls_job job = {.output = folder, .command = bad, .figures = 1u << DLS_FIGURE_SVG};
    dls_report_outcome outcome;
    dls_report_part part = run_of(name, 0.0, &outcome);
    dls_error error;
    char text[1024], *page;
    size_t size;
    assert_non_null(mkdtemp(folder));
    snprintf(text, sizeof text, "%s\n\nFrom %s, by delassus 1 (2), 3. Command: run %s\n", bad, files[2], bad);
    write_file(files[0], text);
    write_file(files[1], "<svg/>");
    write_file(files[2], "# command\ta\nx\n1\n");
    outcome.status = DLS_IO;
    snprintf(outcome.message, sizeof outcome.message, "%s", bad);
    part.files = files, part.n_files = 3;
    assert_status(dls_report_section(&job, &part, &error), &error);
    assert_status(dls_report_page(&job, &part, 1, &error), &error);
    snprintf(text, sizeof text, "%s/index.html", folder);
    assert_status(dls_file_read(text, &page, &size, &error), &error);
    assert_status(dls_text_check(page, size, "index.html", &error), &error);
    for (const char *at = page; *at; at++)
        assert_true((unsigned char)*at >= 0x20 || *at == '\n');
    assert_null(strstr(page, "<i>"));
    assert_null(strstr(page, "<b> "));
    assert_non_null(strstr(page, "href=\"a%20%3Cb%3E%20%22c%22%20%26%20%27d%27%20100%25%23%3F.energy.tsv\""));
    assert_non_null(strstr(page, "id=\"a &#60;b&#62; &#34;c&#34; &#38; &#39;d&#39; 100%#?\""));
    assert_non_null(strstr(page, "&#60;i&#62;\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                                 "\xef\xbf\xbd&#38;amp;&#34;"));
    assert_non_null(strstr(page, "<b>Figure 1.</b>"));
    free(page);
    free(part.section);
}

/* Lists that would be empty are not there. */
TEST(test_empty)
{
    const dls_job job = {.output = folder, .command = "none", .figures = 1u << DLS_FIGURE_SVG};
    dls_report_outcome outcome;
    dls_report_part part = run_of("bare", 0.0, &outcome);
    dls_error error;
    assert_status(dls_report_section(&job, &part, &error), &error);
    assert_null(strstr(part.section, "tables"));
    free(part.section);
    part.experiment = dls_experiments[0];
    assert_status(dls_report_section(&job, &part, &error), &error);
    assert_null(strstr(part.section, "Tables"));
    free(part.section);
}

static int remove_folder(void **unused)
{
    char command[64];
    (void)unused;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

TESTS_WITH(NULL, remove_folder)
