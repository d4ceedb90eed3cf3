/* Text in XML and HTML: every character there is, alone and in random texts with bytes that are none. */
#include "check.h"

#include "base/draw.h"
#include "base/text.h"
#include "io/file.h"

#include <string.h>

static char *marked(const char *text, size_t *size)
{
    char *got;
    FILE *to = open_memstream(&got, size);
    assert_non_null(to);
    dls_put_markup(to, text);
    assert_int_equal(fclose(to), 0);
    return got;
}

/* RFC 3629, section 3. */
static size_t encode(unsigned code, char *to)
{
    const unsigned char bytes[4][4] = {{(unsigned char)code},
                                       {(unsigned char)(0xc0 | code >> 6), (unsigned char)(0x80 | (code & 63))},
                                       {(unsigned char)(0xe0 | code >> 12), (unsigned char)(0x80 | (code >> 6 & 63)),
                                        (unsigned char)(0x80 | (code & 63))},
                                       {(unsigned char)(0xf0 | code >> 18), (unsigned char)(0x80 | (code >> 12 & 63)),
                                        (unsigned char)(0x80 | (code >> 6 & 63)), (unsigned char)(0x80 | (code & 63))}};
    const size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    memcpy(to, bytes[n - 1], n);
    to[n] = '\0';
    return n;
}

/* XML 1.0, production [2], without what HTML forbids: control characters (Unicode, Cc) but tab, LF and CR. */
static bool is_allowed(unsigned code)
{
    return code == 9 || code == 10 || code == 13 || (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code < 0xd800) ||
           (code >= 0xe000 && code < 0xfffe) || (code >= 0x10000 && code <= 0x10ffff);
}

TEST(test_each_character)
{
    for (unsigned code = 1; code < 0x110100; code++) {
        char text[8], wanted[32] = "";
        size_t size, n = encode(code, text);
        char *got = marked(text, &size);
        if (strchr("<>&\"'", (int)code) && code < 0x80)
            snprintf(wanted, sizeof wanted, "&#%u;", code);
        else if (is_allowed(code))
            memcpy(wanted, text, n + 1);
        else if ((code >= 0xd800 && code < 0xe000) || code > 0x10ffff) /* each byte is none */
            for (size_t i = 0; i < n; i++)
                strcat(wanted, "\xef\xbf\xbd");
        else
            strcpy(wanted, "\xef\xbf\xbd");
        if (strcmp(got, wanted) != 0)
            fail_msg("U+%04X became '%s'", code, got);
        free(got);
    }
}

/* Any bytes become text that is UTF-8 and has no sign of markup but those of entities. */
TEST(test_any_bytes)
{
    uint64_t seed = 3;
    dls_error error;
    for (int k = 0; k < 20000; k++) {
        char text[24];
        size_t size, n = 1 + dls_draw_below(&seed, sizeof text - 1);
        for (size_t i = 0; i + 1 < n; i++)
            text[i] = (char)(1 + dls_draw_below(&seed, 255));
        text[n - 1] = '\0';
        char *got = marked(text, &size);
        assert_status(size ? dls_text_check(got, size, "text", &error) : DLS_OK, &error);
        assert_null(strpbrk(got, "<>\"'"));
        for (const char *at = got; (at = strchr(at, '&')); at++)
            assert_memory_equal(at, "&#", 2);
        free(got);
    }
}
