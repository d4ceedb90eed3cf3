/* The program ended from outside: by signals, by the limit on the size of files. No temporary file is left. */
#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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
    execl(program, program, "run", scene, "--samples", "0", "--record", "forces,rows", "--dt", "1 ms", "--time",
          seconds, "-o", output, (char *)NULL);
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

static void read_messages(char *text, size_t size)
{
    FILE *stream = fopen(messages, "r");
    assert_non_null(stream);
    text[fread(text, 1, size - 1, stream)] = '\0';
    fclose(stream);
}

TEST(test_signals_leave_no_temporaries)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        int how = 0;
        const pid_t child = start("1e5 s", 0, 0);
        assert_true(begun(child, &how));
        if (numbers[i] == SIGINT || numbers[i] == SIGTERM) { /* another one is pending already: both at once */
            assert_int_equal(kill(child, SIGSTOP), 0);
            assert_int_equal(kill(child, numbers[i] == SIGINT ? SIGTERM : SIGINT), 0);
        }
        assert_int_equal(kill(child, numbers[i]), 0);
        assert_int_equal(kill(child, SIGCONT), 0);
        how = ended(child);
        assert_true(WIFSIGNALED(how));
        assert_true(WTERMSIG(how) == numbers[i] || WTERMSIG(how) == SIGINT || WTERMSIG(how) == SIGTERM);
        assert_int_equal(files("", false), 0);
    }
}

/* The time of the last line of a table. */
static double last_time(const char *name)
{
    char path[128], line[4096];
    double time = -1.0;
    snprintf(path, sizeof path, "%s/%s", output, name);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream))
        if (line[0] >= '0' && line[0] <= '9')
            time = strtod(line, NULL);
    fclose(stream);
    return time;
}

/* SIGINT and SIGTERM end a run after its present step, and every table with it. */
TEST(test_a_run_that_is_stopped_keeps_its_tables)
{
    static const char *const tables[] = {"trajectory", "energy", "forces", "rows"};
    for (size_t i = 0; i < 2; i++) {
        char text[4096], name[64];
        int how = 0;
        size_t step = 0;
        const pid_t child = start("1e5 s", 0, 0);
        assert_true(begun(child, &how));
        pause_briefly();
        assert_int_equal(kill(child, numbers[i]), 0);
        how = ended(child);
        assert_true(WIFEXITED(how));
        assert_int_equal(WEXITSTATUS(how), 128 + numbers[i]);
        read_messages(text, sizeof text);
        const char *told = strstr(text, "stopped after step ");
        assert_true(told && sscanf(told, "stopped after step %zu", &step) == 1 && step > 0);
        assert_int_equal(files(".tmp", false), 0);
        for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++) {
            snprintf(name, sizeof name, "pendulum.%s.tsv", tables[k]);
            assert_true(fabs(last_time(name) - 1e-3 * (double)step) < 1e-9 * (double)step);
        }
        files("", true);
    }
}

TEST(test_an_ignored_signal_stays_ignored)
{
    int how = 0;
    const pid_t child = start("1e5 s", SIGHUP, 0);
    assert_true(begun(child, &how));
    assert_int_equal(kill(child, SIGHUP), 0);
    pause_briefly();
    assert_int_equal(waitpid(child, &how, WNOHANG), 0);
    assert_int_equal(files(".tmp", false), 4);
    assert_int_equal(kill(child, SIGQUIT), 0);
    how = ended(child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGQUIT);
    assert_int_equal(files("", false), 0);
}

TEST(test_the_limit_on_the_size_of_files)
{
    char text[4096];
    const int how = ended(start("2 s", 0, 16384));
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 7);
    read_messages(text, sizeof text);
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

TESTS_WITH(make_folder, remove_folder)
