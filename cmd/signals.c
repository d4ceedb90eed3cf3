/* A command that is ended from outside leaves no temporary file; one that can stop keeps what it has. */
#include "command.h"

#include <signal.h>

/* The signal's own action is restored when the handler begins, and the signal waits until it returns. */
static void end_by_signal(int number)
{
    dls_outputs_remove_unfinished();
    raise(number);
}

/* A write beyond the limit on the size of files then fails with EFBIG, and is reported like a full disk. */
static void carry_on(int number) { (void)number; }

/* A signal that is ignored stays ignored, as under nohup. */
static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction before, action = {.sa_flags = flags};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

/* --- to stop --- */

static volatile sig_atomic_t stopped_by; /* the signal; 0: none */

/* Another one ends the command as it ends others. */
static void stop(int number)
{
    if (stopped_by) {
        signal(number, SIG_DFL);
        end_by_signal(number);
    }
    stopped_by = number;
}

void stop_at_signals(void)
{
    handle(SIGINT, stop, SA_RESTART);
    handle(SIGTERM, stop, SA_RESTART);
}

int stop_signal(void) { return stopped_by; }

bool stop_asked(void *context)
{
    (void)context;
    return stopped_by != 0;
}

void clean_up_after_signals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        handle(numbers[i], end_by_signal, (int)SA_RESETHAND);
    handle(SIGXFSZ, carry_on, 0);
}
