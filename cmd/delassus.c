/* The program: finds the subcommand, reads its options, prints help. */
#include "command.h"

#include <cblas.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define COMMAND(name) extern const command command_##name;
#include "commands.def"
#undef COMMAND
static const command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "commands.def"
#undef COMMAND
    NULL};

/* --- help --- */

static void print_help(void)
{
    printf("Usage: delassus COMMAND [ARGUMENT]...\n"
           "Measures and certifies solvers of rigid-body constraints: reference solutions, error bounds, rates of "
           "convergence.\n\nCommands:\n");
    for (size_t i = 0; commands[i]; i++)
        printf("  %-11s %s\n", commands[i]->name, commands[i]->summary);
    printf("\nOptions:\n  -h, --help     this text; 'delassus help COMMAND', or 'delassus COMMAND --help', has "
           "details\n  -V, --version  version, "
           "commit and compiler\n\n"
           "Exit status: 0 done or solved, 1 not solved (or diverged, or a check failed), 2 bad input,\n"
           "3 proved to have no solution, 4 not converged or undecided, 5 two solvers contradict each other, 6 out of "
           "memory,\n"
           "7 output cannot be written, 128 + N stopped by signal N.\n"
           "A FILE or SCENE that is not there is looked for among the scenes and models that come with the program:\n"
           "scenes/chain-10.yaml, or chain-10. A FILE '-' is standard input.\n"
           "OpenBLAS runs with one thread unless OPENBLAS_NUM_THREADS is larger: the number of threads changes\n"
           "the last digits.\n");
}

static void print_command_help(const command *c)
{
    printf("Usage: delassus %s %s\n%s\n", c->name, c->usage, c->summary);
    if (c->details)
        printf("\n%s\n", c->details);
    if (c->more)
        c->more();
    printf("\nOptions:\n");
    for (const option_spec *o = c->options; o->name; o++) {
        char name[64];
        snprintf(name, sizeof name, "--%s%s%s", o->name, o->argument ? " " : "", o->argument ? o->argument : "");
        printf("  %c%c%s %-22s %s\n", o->letter ? '-' : ' ', o->letter ? o->letter : ' ', o->letter ? "," : " ", name,
               o->help);
    }
    printf("  -h, %-22s %s\n", "--help", "this text");
}

/* --- options --- */

enum { OPTIONS_MAX = 32 };

/* getopt's tables from the command's own. */
static void getopt_tables(const command *c, struct option *longs, char *shorts)
{
    size_t n = 0, s = 0;
    shorts[s++] = ':';
    for (; c->options[n].name && n < OPTIONS_MAX - 2; n++) {
        longs[n] = (struct option){c->options[n].name, c->options[n].argument ? required_argument : no_argument, NULL,
                                   256 + (int)n};
        if (c->options[n].letter) {
            shorts[s++] = c->options[n].letter;
            if (c->options[n].argument)
                shorts[s++] = ':';
        }
    }
    longs[n++] = (struct option){"help", no_argument, NULL, 'h'};
    longs[n] = (struct option){NULL, 0, NULL, 0};
    shorts[s++] = 'h';
    shorts[s] = 0;
}

static const option_spec *spec_of(const command *c, int code)
{
    for (size_t n = 0; c->options[n].name; n++)
        if (code == 256 + (int)n || (c->options[n].letter && code == c->options[n].letter))
            return &c->options[n];
    return NULL;
}

/* Reads the options; a status below 0 says: go on. */
static int read_options(const command *c, int argc, char **argv, arguments *a)
{
    struct option longs[OPTIONS_MAX];
    char shorts[2 * OPTIONS_MAX + 4];
    int code;
    getopt_tables(c, longs, shorts);
    opterr = 0;
    while (optind <= argc && (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        const option_spec *spec = spec_of(c, code);
        if (code == 'h') {
            print_command_help(c);
            return EXIT_DONE;
        }
        if (code == ':')
            return complain_text("%s: option '%s' needs a value; see delassus %s --help", c->name, argv[optind - 1],
                                 c->name);
        if (!spec) {
            const char *word = argv[optind - 1];
            const char *nearest = nearest_option(c, word + strspn(word, "-"));
            char option[DLS_NAME_MAX] = "", help[DLS_NAME_MAX];
            if (nearest)
                snprintf(option, sizeof option, "--%s", nearest);
            snprintf(help, sizeof help, "see delassus %s --help", c->name);
            return complain_text("%s: unknown option '%s'%s", c->name, word, dls_hint_of(option, help).text);
        }
        if (spec->argument && !*optarg)
            return complain_text("%s: option '--%s' has an empty value; give %s", c->name, spec->name, spec->argument);
        a->options[a->n_options++] = (option_value){spec->name, spec->argument ? optarg : ""};
    }
    a->words = (const char **)argv + optind;
    a->n_words = (size_t)(argc - optind);
    return -1;
}

/* "delassus COMMAND ARGUMENT..."; NULL without memory. argv[0] is the command. */
static char *command_line(int argc, char **argv)
{
    size_t size = sizeof "delassus";
    for (int i = 0; i < argc; i++)
        size += 4 * strlen(argv[i]) + 3;
    char *line = malloc(size), *end = line ? stpcpy(line, "delassus") : NULL;
    for (int i = 0; line && i < argc; i++) {
        *end++ = ' ';
        end = dls_shell_word(end, argv[i]);
    }
    return line;
}

/* No output replaces an input of the command; whether the one that is named by -o would, after a message. */
static bool spare_inputs(const command *c, const arguments *a)
{
    const char *output = argument(a, "output", NULL);
    dls_error error;
    dls_outputs_spare(a->words, c->last_is_output ? c->min_words : a->n_words);
    if (!output || dls_output_check(output, &error) == DLS_OK)
        return true;
    complain(&error);
    return false;
}

static bool load_joint_types(const arguments *a)
{
    dls_error error;
    for (size_t i = 0; i < a->n_options; i++)
        if (strcmp(a->options[i].name, "joint-type") == 0 &&
            dls_joint_types_load(a->options[i].value, &error) != DLS_OK) {
            complain(&error);
            return false;
        }
    return true;
}

static int run_command(const command *c, int argc, char **argv)
{
    arguments a = {.line = command_line(argc, argv),
                   .options = calloc((size_t)argc + 1, sizeof *a.options),
                   .commands = commands,
                   .command = c};
    int status;
    if (!a.line || !a.options) {
        free(a.line);
        free(a.options);
        return complain_no_memory();
    }
    status = read_options(c, argc, argv, &a);
    if (status < 0 && a.n_words < c->min_words)
        status = complain_text("%s: too few arguments; usage: delassus %s %s", c->name, c->name, c->usage);
    else if (status < 0 && a.n_words > c->max_words)
        status = complain_text("%s: unexpected argument '%s'; usage: delassus %s %s", c->name, a.words[c->max_words],
                               c->name, c->usage);
    if (status < 0)
        status = load_joint_types(&a) && find_files(c, &a) && spare_inputs(c, &a) ? c->run(&a) : EXIT_BAD_INPUT;
    end_progress();
    free(a.found);
    free(a.options);
    free(a.line);
    return status;
}

static const char *command_name_at(const void *context, size_t i)
{
    (void)context;
    return commands[i] ? commands[i]->name : NULL;
}

/* The threads of a BLAS divide sums, so their number shows in the last digits: one, unless the user asks for more. */
static bool threads_asked(void)
{
    static const char *const asks[] = {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"};
    for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
        const char *number = getenv(asks[i]);
        if (number && atoi(number) > 0) /* OpenBLAS passes over others */
            return true;
    }
    return false;
}

/* OpenBLAS' threads exist before main, and each waits without end for a buffer of 128 MiB that a limit of memory denies
 * it; whoever forks or exits waits for them. The program starts again without these threads where there is a limit. */
static void start_without_threads(char **argv)
{
    struct rlimit memory;
    if (getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY || threads_asked())
        return;
    if (setenv("OPENBLAS_NUM_THREADS", "1", 1) == 0)
        execv("/proc/self/exe", argv);
}

static const command *find_command(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    complain_text("there is no command '%s'%s", name,
                  dls_hint_of(dls_nearest_word(name, command_name_at, NULL), "see delassus --help").text);
    return NULL;
}

/* help [COMMAND] */
static int run_help(int argc, char **argv)
{
    if (argc > 1)
        return complain_text("help: unexpected argument '%s'; usage: delassus help [COMMAND]", argv[1]);
    if (argc == 0 || strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        print_help();
        return EXIT_DONE;
    }
    const command *c = find_command(argv[0]);
    if (c)
        print_command_help(c);
    return c ? EXIT_DONE : EXIT_BAD_INPUT;
}

static int run_program(int argc, char **argv)
{
    if (argc < 2)
        return complain_text("a command is missing; see delassus --help");
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help();
        return EXIT_DONE;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        const dls_build build = dls_build_facts();
        printf("delassus %s (%s), %s\nLicence GPL-3.0-or-later. No warranty, to the extent the law permits.\n",
               build.version, build.commit, build.compiler);
        return EXIT_DONE;
    }
    if (strcmp(name, "help") == 0)
        return run_help(argc - 2, argv + 2);
    const command *c = find_command(name);
    return c ? run_command(c, argc - 1, argv + 1) : EXIT_BAD_INPUT;
}

int main(int argc, char **argv)
{
    start_without_threads(argv);
    clean_up_after_signals();
    if (!threads_asked())
        openblas_set_num_threads(1);
    return exit_status(run_program(argc, argv));
}
