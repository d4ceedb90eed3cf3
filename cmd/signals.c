/* A command that is ended from outside leaves no temporary file. */
#include "command.h"

#include <signal.h>

/* The signal's own action is restored when the handler begins, and the signal waits until it returns. */
static void end(int number)
{
    dls_outputs_remove_unfinished();
    raise(number);
}

/* A write beyond the limit on the size of files then fails with EFBIG, and is reported like a full disk. */
static void carry_on(int number) { (void)number; }

/* What is ignored stays ignored, as under nohup. */
static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction before, action = {.sa_flags = flags};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void clean_up_after_signals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        handle(numbers[i], end, (int)SA_RESETHAND);
    handle(SIGXFSZ, carry_on, 0);
}
