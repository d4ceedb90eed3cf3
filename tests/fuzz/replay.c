/* A fuzz target without libFuzzer, as a test: every input of its corpus, and changes of them drawn by a fixed seed. A
 * target that finds a fault ends the program. Prints TAP. REPLAY names the folders of the corpus: one, or "" for one of
 * each format but FCLIB's, whose name the target then gets by DLS_FUZZ_FORMAT. */
#include "draws.h"
#include "fuzz.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#undef main /* the program's own has another name where it is linked */

enum { CHANGES = 2000, FILES_MAX = 64, WORDS_MAX = 4096, WORD_MAX = 40, SIZE_MAX_READ = 1 << 16, EDITS = 4 };

static size_t below(size_t limit) { return (size_t)draw_next() % (limit ? limit : 1); }

/* --- inputs --- */

static unsigned char *inputs[FILES_MAX];
static size_t sizes[FILES_MAX], n_inputs;
static char words[WORDS_MAX][WORD_MAX];
static size_t n_words;

static bool is_word(unsigned char c) { return isalnum(c) || (c && strchr("_.+-", c)); }

static size_t word_at(const unsigned char *text, size_t size, size_t at)
{
    size_t length = 0;
    while (at + length < size && text[at + length] && is_word(text[at + length]))
        length++;
    return length;
}

static void keep_words(const unsigned char *text, size_t size)
{
    for (size_t at = 0, length; at < size; at += length + 1) {
        length = word_at(text, size, at);
        if (length > 0 && length < WORD_MAX && n_words < WORDS_MAX) {
            memcpy(words[n_words], text + at, length);
            words[n_words++][length] = '\0';
        }
    }
}

static void read_input(const char *path)
{
    FILE *file = fopen(path, "rb");
    unsigned char *data = malloc(SIZE_MAX_READ);
    fuzz_insist(file && data && n_inputs < FILES_MAX);
    sizes[n_inputs] = fread(data, 1, SIZE_MAX_READ, file);
    fclose(file);
    keep_words(data, sizes[n_inputs]);
    inputs[n_inputs++] = data;
}

static int is_shown(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static size_t list(const char *folder, struct dirent ***entries)
{
    const int count = scandir(folder, entries, is_shown, alphasort);
    if (count <= 0)
        printf("Bail out! no inputs in %s\n", folder);
    fuzz_insist(count > 0);
    return (size_t)count;
}

/* --- changes --- */

static size_t splice(unsigned char *text, size_t size, size_t at, size_t gone, const char *put)
{
    const size_t length = strlen(put);
    if (size - gone + length > SIZE_MAX_READ)
        return size;
    memmove(text + at + length, text + at + gone, size - at - gone);
    memcpy(text + at, put, length);
    return size - gone + length;
}

static size_t edit(unsigned char *text, size_t size)
{
    static const char *const odd[] = {"nan",  "inf", "-1", "0", "1e400", "1e-400", "", "99999999999999999999",
                                      "1e30", "x"};
    size_t at = below(size), length;
    if (size == 0)
        return size;
    switch (below(6)) {
    case 0: /* a byte */
        text[at] = (unsigned char)below(256);
        return size;
    case 1: /* a piece less */
        length = 1 + below(size - at < 16 ? size - at : 16);
        return splice(text, size, at, length > size - at ? size - at : length, "");
    case 2: /* a line less */
        while (at > 0 && text[at - 1] != '\n')
            at--;
        for (length = 0; at + length < size && text[at + length] != '\n';)
            length++;
        return splice(text, size, at, length + (at + length < size), "");
    case 3: /* cut off */
        return below(4) == 0 ? at : size;
    case 4: /* another word, */
        while (at > 0 && text[at - 1] && is_word(text[at - 1]))
            at--;
        return n_words ? splice(text, size, at, word_at(text, size, at), words[below(n_words)]) : size;
    default: /* or a number that is none */
        while (at > 0 && text[at - 1] && is_word(text[at - 1]))
            at--;
        return splice(text, size, at, word_at(text, size, at), odd[below(sizeof odd / sizeof odd[0])]);
    }
}

/* In memory of that size, so that the address sanitizer sees what reads beyond it. */
static void try(const unsigned char *text, size_t size)
{
    unsigned char *copy = malloc(size ? size : 1);
    fuzz_insist(copy != NULL);
    memcpy(copy, text, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void replay(void)
{
    unsigned char *text = malloc(SIZE_MAX_READ);
    fuzz_insist(text != NULL);
    for (size_t i = 0; i < n_inputs; i++) {
        try(inputs[i], sizes[i]);
        for (size_t k = 0; k < CHANGES; k++) {
            size_t size = sizes[i];
            memcpy(text, inputs[i], size);
            for (size_t edits = 1 + below(EDITS); edits > 0; edits--)
                size = edit(text, size);
            try(text, size);
        }
    }
    free(text);
}

/* --- folders --- */

static void replay_folder(const char *corpus, const char *name, size_t number)
{
    char path[4 * DLS_PATH_MAX], folder[2 * DLS_PATH_MAX];
    struct dirent **entries;
    snprintf(folder, sizeof folder, "%s/%s", corpus, name);
    const size_t count = list(folder, &entries);
    n_inputs = n_words = 0;
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        read_input(path);
        free(entries[i]);
    }
    free(entries);
    replay();
    for (size_t i = 0; i < n_inputs; i++)
        free(inputs[i]);
    printf("ok %zu - %s: %zu inputs, %d changes of each\n", number, name, n_inputs, CHANGES);
    fflush(stdout);
}

int main(void)
{
    const char *source = getenv("DLS_TEST_SOURCE");
    char corpus[DLS_PATH_MAX];
    size_t number = 0;
    snprintf(corpus, sizeof corpus, "%s/tests/fuzz/corpus", source ? source : ".");
    if (REPLAY[0]) {
        replay_folder(corpus, REPLAY, 1);
        return puts("1..1") < 0;
    }
    for (const dls_format *format = dls_formats; format->name; format++) /* libraries read FCLIB and SDF, and slowly */
        if (strcmp(format->name, "fclib") != 0 && strcmp(format->name, "sdf") != 0 &&
            setenv("DLS_FUZZ_FORMAT", format->name, 1) == 0)
            replay_folder(corpus, format->name, ++number);
    return printf("1..%zu\n", number) < 0;
}
