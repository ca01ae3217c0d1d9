/* A tool of either generation that says that it was loaded, asked and initialized. */
#include "../generation.h"
#include <stdio.h>

static void say(const char *what) {
    printf("tool: %s\n", what);
    fflush(stdout);
}

static void __attribute__((constructor)) loaded(void) { say("loaded"); }

static int asked(void) {
    say("asked");
    return 1;
}

static void begins(ompt_function_lookup_t look_up) {
    (void)look_up;
    say("initialized");
}
