/* The program ended from outside: by signals, by the limit on the size of files. No temporary file is left. */
#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "test_signals.XXXXXX", output[64], messages[64], scene[1024];

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

/* Files of the output folder whose names end so, removed or only counted. */
static int files(const char *end, bool remove_them)
{
    char path[512];
    int count = 0;
    DIR *opened = opendir(output);
    for (struct dirent *entry; opened && (entry = readdir(opened));) {
        if (entry->d_name[0] == '.' || !ends_with(entry->d_name, end))
            continue;
        count++;
        snprintf(path, sizeof path, "%s/%s", output, entry->d_name);
        if (remove_them)
            unlink(path);
    }
    if (opened)
        closedir(opened);
    return count;
}

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};

/* delassus run, of `seconds` in steps of 1 ms; `ignored`: a signal that it finds ignored, 0: none; `limit`: on the size
 * of files [bytes], 0: none. */
static pid_t start(const char *seconds, int ignored, rlim_t limit)
{
    const char *program = getenv("DLS_TEST_PROGRAM");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    const int file = open(messages, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || dup2(file, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0)
        _exit(99);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        signal(numbers[i], numbers[i] == ignored ? SIG_IGN : SIG_DFL); /* a shell's background jobs ignore some */
    alarm(120);                                                        /* and goes on through exec */
    if (limit && setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, limit}) != 0)
        _exit(98);
    program = program ? program : "./delassus";
    execl(program, program, "run", scene, "--samples", "0", "--dt", "1 ms", "--time", seconds, "-o", output,
          (char *)NULL);
    _exit(97);
}

static void pause_briefly(void) { nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL); }

/* Until both tables of the run are begun; false where the program ended before. */
static bool begun(pid_t child, int *how)
{
    while (files(".tmp", false) < 2) {
        if (waitpid(child, how, WNOHANG) != 0)
            return false;
        pause_briefly();
    }
    return true;
}

static int ended(pid_t child)
{
    int how;
    while (waitpid(child, &how, 0) < 0)
        assert_int_equal(errno, EINTR);
    return how;
}

static void test_signals_leave_no_temporaries(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        int how = 0;
        const pid_t child = start("1e5 s", 0, 0);
        assert_true(begun(child, &how));
        assert_int_equal(kill(child, numbers[i]), 0);
        how = ended(child);
        assert_true(WIFSIGNALED(how));
        assert_int_equal(WTERMSIG(how), numbers[i]);
        assert_int_equal(files("", false), 0);
    }
}

static void test_an_ignored_signal_stays_ignored(void **unused)
{
    (void)unused;
    int how = 0;
    const pid_t child = start("1e5 s", SIGHUP, 0);
    assert_true(begun(child, &how));
    assert_int_equal(kill(child, SIGHUP), 0);
    pause_briefly();
    assert_int_equal(waitpid(child, &how, WNOHANG), 0);
    assert_int_equal(files(".tmp", false), 4);
    assert_int_equal(kill(child, SIGTERM), 0);
    how = ended(child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGTERM);
    assert_int_equal(files("", false), 0);
}

static void test_the_limit_on_the_size_of_files(void **unused)
{
    (void)unused;
    char text[4096];
    const int how = ended(start("2 s", 0, 16384));
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 2);
    FILE *stream = fopen(messages, "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    assert_non_null(strstr(text, "cannot write; nothing was changed: File too large"));
    assert_int_equal(files("", false), 0);
}

static int make_folder(void **unused)
{
    (void)unused;
    if (!mkdtemp(folder))
        return -1;
    snprintf(output, sizeof output, "%s/out", folder);
    snprintf(messages, sizeof messages, "%s/messages", folder);
    snprintf(scene, sizeof scene, "%s/scenes/pendulum.yaml", getenv("DLS_TEST_SOURCE"));
    return 0;
}

static int remove_folder(void **unused)
{
    (void)unused;
    files("", true);
    rmdir(output);
    unlink(messages);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals_leave_no_temporaries),
        cmocka_unit_test(test_an_ignored_signal_stays_ignored),
        cmocka_unit_test(test_the_limit_on_the_size_of_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
