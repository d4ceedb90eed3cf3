/* Films as one page of HTML without other files: the player (plots/player.html), and in it the bytes of each film's
 * glTF file in base64 (RFC 4648).
 */
#include "picture.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char here[] = "<!-- runs -->"; /* a line of the player */
static const char title_here[] = "<title>";

static void put_base64(FILE *out, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < size; k += 3) {
        const unsigned a = bytes[k], b = k + 1 < size ? bytes[k + 1] : 0, c = k + 2 < size ? bytes[k + 2] : 0;
        const unsigned all = a << 16 | b << 8 | c;
        putc(digits[all >> 18], out);
        putc(digits[all >> 12 & 63u], out);
        putc(k + 1 < size ? digits[all >> 6 & 63u] : '=', out);
        putc(k + 2 < size ? digits[all & 63u] : '=', out);
    }
}

static dls_status put_film(FILE *out, const dls_film *film, dls_error *error)
{
    unsigned char *bytes;
    size_t size;
    DLS_TRY(dls_gltf_bytes(film, &bytes, &size, error));
    fputs("<script type=\"text/plain\" class=\"run\">", out);
    put_base64(out, bytes, size);
    fputs("</script>\n", out);
    free(bytes);
    return DLS_OK;
}

static dls_status write_page(FILE *player, FILE *out, const dls_film *const *films, size_t count, dls_error *error)
{
    char line[4096];
    while (fgets(line, sizeof line, player)) {
        if (strncmp(line, here, sizeof here - 1) == 0) {
            for (size_t k = 0; k < count; k++)
                DLS_TRY(put_film(out, films[k], error));
            continue;
        }
        if (strncmp(line, title_here, sizeof title_here - 1) != 0) {
            fputs(line, out);
            continue;
        }
        fputs(title_here, out);
        dls_put_markup(out, films[0]->name);
        fputs("</title>\n", out);
    }
    return DLS_OK;
}

dls_status dls_page_write(const dls_film *const *films, size_t count, const char *path, dls_error *error)
{
    char file[DLS_PATH_MAX + 32];
    dls_output output;
    snprintf(file, sizeof file, "%s/plots/player.html", dls_data_folder());
    FILE *player = fopen(file, "r");
    if (!player)
        return dls_fail_about(
            error, DLS_IO, file, NULL,
            "the player of pages cannot be read: %s; set DELASSUS_DATADIR to where delassus has its data",
            strerror(errno));
    dls_status status = dls_output_open(&output, path, error);
    if (status == DLS_OK)
        status = write_page(player, output.stream, films, count, error);
    if (status == DLS_OK && ferror(player))
        status = dls_fail_about(error, DLS_IO, file, NULL, "the player of pages cannot be read");
    fclose(player);
    if (status == DLS_OK)
        return dls_output_commit(&output, error);
    dls_output_abandon(&output);
    return status;
}
