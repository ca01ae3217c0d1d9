/* A tool that says that it was asked and initialized. A library has one of OpenMP 5 (`newer.c`),
 * one of the 2015 report (`older.c`), or both; NAME is the library's name. The variable DECLINE
 * names the tools that do not want to run. */
#include "../generation.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if NEWER
#define TOOL NAME "-newer"
#else
#define TOOL NAME "-older"
#endif

static int asked(void) {
    const char *declines = getenv("DECLINE");
    printf(TOOL ": asked\n");
    fflush(stdout);
    return !declines || !strstr(declines, TOOL);
}

static void begins(ompt_function_lookup_t look_up) {
    (void)look_up;
    printf(TOOL ": initialized\n");
    fflush(stdout);
}
