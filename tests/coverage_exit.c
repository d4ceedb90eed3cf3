/* In the coverage build _exit is this function: a child process that ends with it would lose its counters. */
#include <unistd.h>

void __gcov_dump(void);
_Noreturn void coverage_exit(int status);

_Noreturn void coverage_exit(int status)
{
    __gcov_dump();
    _exit(status);
}
