/* command.h - the subcommands of the program: one file each, one line each in commands.def. */
#ifndef DELASSUS_CMD_COMMAND_H
#define DELASSUS_CMD_COMMAND_H

#include "delassus/experiments.h"

/* Exit statuses; doc/delassus.1 says the same. */
enum {
    EXIT_DONE = 0,
    EXIT_UNSOLVED = 1, /* a method failed, a step has no answer, a run diverged or gained energy, a check failed */
    EXIT_BAD_INPUT = 2,
    EXIT_NO_SOLUTION = 3,   /* proved */
    EXIT_NOT_CONVERGED = 4, /* at the limit of iterations or of time */
    EXIT_CONTRADICTION = 5, /* two methods */
    EXIT_NO_MEMORY = 6,
    EXIT_NOT_WRITTEN = 7, /* a file or standard output: the disk is full, or it may not be written */
    EXIT_SIGNAL = 128     /* and the number of the signal that a run was stopped by */
};

typedef struct option_spec {
    const char *name;     /* long name without dashes */
    char letter;          /* or 0 */
    const char *argument; /* its name in the help, NULL: a flag */
    const char *help;
} option_spec;

typedef struct option_value {
    const char *name, *value;
} option_value;

typedef struct command command;

typedef struct arguments {
    const char **words; /* that are no options */
    size_t n_words;
    option_value *options; /* in their order */
    size_t n_options;
    char *line;                     /* the command as a shell takes it back, for provenance */
    char (*found)[DLS_PATH_MAX];    /* paths of words that are shipped files */
    const command *const *commands; /* of the program; NULL at the end */
    const command *command;         /* whose arguments these are */
} arguments;

struct command {
    const char *name;
    const char *usage;   /* behind the name */
    const char *summary; /* one line */
    const char *details; /* paragraphs for --help, or NULL */
    void (*more)(void);  /* prints the part of --help that comes from tables, or NULL */
    size_t min_words, max_words;
    size_t files;        /* so many of the words, from the first one on, name files to be read */
    bool or_sets;        /* these words may also be names of the collection */
    bool last_is_output; /* a word behind min_words names an output; all others are inputs, which outputs spare */
    const option_spec *options; /* name NULL at the end; --help is everywhere */
    int (*run)(const arguments *arguments);
};

#define STANDARD_INPUT "/dev/stdin"
/* Replaces words that name files to be read: "-" by standard input, and those that are not there by the paths of
 * shipped scenes and models, and says so; false (after a message) if there is none either. */
bool find_files(const command *c, arguments *a);

/* The last value of an option, or `fallback`. A flag that was given has the value "". */
const char *argument(const arguments *a, const char *name, const char *fallback);
/* A whole number from `low` up; false (after a message) if it is not valid. */
bool argument_count(const arguments *a, const char *name, size_t low, size_t *value);
/* A positive number with an optional unit; *value is left alone where the option is not given. */
bool argument_real(const arguments *a, const char *name, const char *unit, double *value);

/* Whether the folder that the option names is there, if it was given; false after a message. */
bool argument_folder(const arguments *a, const char *name);

/* Options of a run that --beside sets by their names; NULL at the end. */
extern const char *const run_keys[];
/* How tables are written, and which are written if asked for; NULL at the end. */
extern const char *const table_formats[], *const recorded_tables[];

/* Prints the names that `delassus list NAME` has, a line each, or of the lists themselves ("lists"). */
void print_list_names(const char *name);

/* Names the list of the formats of files, for the help of commands that read them. */
void name_formats(void);

/* "JOINT.LABEL" of row i, or its label alone. */
void row_name(const dls_problem *problem, size_t i, char *text, size_t size);

/* The name of a solver in the first column of a table, padded to SOLVER_COLUMN; a longer one, of exec: or a shared
 * object, has a line of its own. */
enum { SOLVER_COLUMN = 24 };
void print_solver_name(const char *name);

/* "delassus: ..." on standard error; the value is EXIT_BAD_INPUT, which ends the command. */
int complain(const dls_error *error);
int complain_no_memory(void);
/* The exit status of the program, whose command ended with `status`: instead of EXIT_BAD_INPUT that of the last
 * error which was complained of, and EXIT_NOT_WRITTEN, after a complaint, where standard output has not been
 * written. */
int exit_status(int status);
/* Prints the keys that the reader of a scene (NULL: of a problem) has ignored, a line each, and whether shapes of
 * robots and changes are ignored. */
void note_scene(const char *path, const dls_scene *scene, bool shapes_ignored, bool changes_ignored);
/* Prints what pictures lack, a line each. */
void note_film(const dls_film *film);
int complain_text(const char *format, ...) DLS_PRINTF(1, 2);

/* The numbers of a file in any form that dls_vector_read knows, in the column of --column (`column`: otherwise) and the
 * rows of --where. There must be as many as the problem has `of` ("rows", "velocities"); the caller frees them. */
dls_status read_vector(const arguments *a, const char *file, const char *column, size_t wanted, const char *of,
                       double **values, dls_error *error);
/* The options of commands that do so. */
#define VECTOR_OPTIONS                                                                                               \
    {"column", 'c', "NAME", "the column of a table or the member of a JSON object [lambda; velocity]"},              \
    {                                                                                                                \
        "where", 'w', "NAME=VALUE", "only the rows of a table, or the JSON object, in which a column has this value" \
    }

/* The option of the command whose name is most similar to a mistyped one; NULL if none is. */
const char *nearest_option(const command *c, const char *name);
/* Splits "KEY=VALUE" of --set; false (after a message) without '='. */
bool split_setting(const char *text, char *key, size_t size, const char **value);
/* Every --set of a key of a scene (dls_scene_set), and --ignore; false after a message. */
bool set_scene(const arguments *a, dls_scene *scene);
/* Lets the aspects of --ignore be left out of the scene (NULL: none). */
dls_status ignore_aspects(const arguments *a, dls_scene *scene, dls_error *error);
/* Complains of an error of a scene, after a line for each word of the scene that is left out. */
int complain_of_scene(const dls_scene *scene, const dls_error *error);
/* dls_load_problem, with --format and --ignore; prints the words that are left out if they are the error. */
dls_status load_problem(const arguments *a, const char *file, dls_content *content, dls_error *error);
/* Whether --solver or --solvers is given. */
bool solvers_named(const arguments *a);
/* Adds the solvers of every --solver and --solvers, in their order, each a list (dls_choices_add). */
dls_status add_named_solvers(const arguments *a, dls_choice **choices, size_t *count, dls_error *error);
/* Whether a key of --set that no solver has, nor one like it, is like an option; true after a message. */
bool means_option(const arguments *a, const dls_choice *choices, size_t count, const char *key);
/* Every other --set to the solvers in use. */
bool set_solvers(const arguments *a, dls_choice *choices, size_t count);
/* A job that writes to `output`, with a progress line on a terminal. */
dls_job make_job(const arguments *a, const char *output);
void end_progress(void);

/* The option of every command that answers. */
#define JSON_OPTION                                                                                \
    {                                                                                              \
        "json", 0, NULL, "JSON instead of text, one object per line (schema: answers.schema.json)" \
    }
/* The option of all commands that take solvers. */
#define SOLVER_OPTIONS(otherwise)                                                                 \
    {"solver", 's', "A,B",                                                                        \
     "solvers, all-own, all-peers, a shared object or exec:COMMAND; may be repeated " otherwise}, \
    {                                                                                             \
        "solvers", 0, "A,B", "the same"                                                           \
    }
/* The option of all commands that read scenes: the program loads the shared objects before the command runs. */
#define JOINT_TYPE_OPTION                                                                                            \
    {                                                                                                                \
        "joint-type", 0, "FILE", "a shared object with joint types that scenes may name, ./mine.so; may be repeated" \
    }
/* The option of commands that read models. */
#define IGNORE_OPTION                                                                                                 \
    {                                                                                                                 \
        "ignore", 0, "A,B",                                                                                           \
            "leave out words of a model that are not read, of these aspects: bodies, forces, constraints, contacts, " \
            "actuators, sensors, all [none]"                                                                          \
    }
/* The option of all commands that draw figures. */
#define FIGURES_OPTION                                                     \
    {                                                                      \
        "figures", 0, "FORMATS",                                           \
            "formats of figures: svg, png, pdf, tikz, separated by commas" \
            " [svg,png]"                                                   \
    }
/* Sets job->figures as that option says; false after a message. */
bool choose_figures(const arguments *a, dls_job *job);
/* Prints "NAME.svg, .png", in the formats of the job. */
void print_figure_names(const dls_job *job, const char *stem);
double wall_clock(void); /* [s], from any start */

/* Signals that end the program remove the temporary files of unfinished outputs first. */
void clean_up_after_signals(void);
/* From now on the first SIGINT or SIGTERM does not end the program: stop_asked, for dls_job.stop, is true after it, and
 * stop_signal its number (else 0). A second one ends it. */
void stop_at_signals(void);
bool stop_asked(void *context);
int stop_signal(void);

#endif
