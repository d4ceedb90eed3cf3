#include "delassus/table.h"

#include "provenance.h"

#include <stdio.h>
#include <string.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

dls_build dls_build_facts(void) { return (dls_build){DLS_BUILD_VERSION, DLS_BUILD_COMMIT, COMPILER, DLS_BUILD_FLAGS}; }

/* "model name	: NAME": the line of Linux on x86; other processors have none. */
void dls_cpu_name(char *text, size_t size)
{
    char line[512];
    FILE *stream = fopen("/proc/cpuinfo", "r");
    snprintf(text, size, "unknown");
    while (stream && fgets(line, sizeof line, stream)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(text, size, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    if (stream)
        fclose(stream);
}
