/* A tool of the 2015 report that says that it was loaded, asked and initialized. */
#include <ompt.h>
#include <stdio.h>

static void say(const char *what) {
    printf("tool: %s\n", what);
    fflush(stdout);
}

static void __attribute__((constructor)) loaded(void) { say("loaded"); }

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version) {
    (void)lookup, (void)runtime, (void)version;
    say("initialized");
}

ompt_initialize_fn_t ompt_tool(void) {
    say("asked");
    return initialize;
}
