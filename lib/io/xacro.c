/* Templates of robots, expanded by ROS' program xacro where it is on PATH: `xacro FILE`, whose standard output is the
 * robot. It evaluates expressions of the file in Python, so that it runs only on files that have its words.
 */
#define _XOPEN_SOURCE 700

#include "urdf_reader.h"

#include "base/text.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* All of a temporary file, with a zero behind it; NULL: it cannot be read. */
static char *take_all(FILE *from, size_t *size)
{
    const long length = fseek(from, 0, SEEK_END) == 0 ? ftell(from) : -1;
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    rewind(from);
    if (text && fread(text, 1, (size_t)length, from) != (size_t)length) {
        free(text);
        return NULL;
    }
    if (text)
        text[ *size = (size_t)length] = '\0';
    return text;
}

/* The exit status of `xacro FILE`; -1: it cannot be run. */
static int run_xacro(const char *path, FILE *out, FILE *err)
{
    char program[] = "xacro", file[DLS_PATH_MAX];
    char *words[] = {program, file, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int state;
    snprintf(file, sizeof file, "%s%s", path[0] == '-' ? "./" : "", path);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    const bool started = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0, 0) == 0 &&
                         posix_spawn_file_actions_adddup2(&actions, fileno(out), 1) == 0 &&
                         posix_spawn_file_actions_adddup2(&actions, fileno(err), 2) == 0 &&
                         posix_spawnp(&child, program, &actions, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    if (!started)
        return -1;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128;
}

/* The last line that is not empty, where programs say why they failed. */
static const char *last_line(char *text)
{
    size_t length = strlen(text);
    while (length && strchr("\r\n", text[length - 1]))
        text[--length] = '\0';
    const char *at = strrchr(text, '\n');
    return at ? at + 1 : text;
}

static dls_status expand_into(const char *path, FILE *out, FILE *err, char **text, size_t *size, dls_error *error)
{
    size_t told;
    const int exit_status = run_xacro(path, out, err);
    if (exit_status < 0)
        return DLS_UNAVAILABLE;
    if (exit_status > 0) {
        char *why = take_all(err, &told);
        dls_fail_about(error, DLS_BAD_INPUT, path, NULL, "xacro ended with exit status %d: %.300s", exit_status,
                       why ? last_line(why) : "");
        free(why);
        return DLS_BAD_INPUT;
    }
    *text = take_all(out, size);
    return *text ? DLS_OK : dls_fail_about(error, DLS_IO, path, NULL, "what xacro wrote cannot be read");
}

dls_status dls_xacro_expand(const char *path, char **text, size_t *size, dls_error *error)
{
    struct stat facts;
    *text = NULL;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return DLS_UNAVAILABLE;
    FILE *out = tmpfile(), *err = tmpfile();
    const dls_status status =
        out && err ? expand_into(path, out, err, text, size, error)
                   : dls_fail_about(error, DLS_IO, path, NULL, "no temporary file for what xacro writes");
    if (out)
        fclose(out);
    if (err)
        fclose(err);
    return status;
}
