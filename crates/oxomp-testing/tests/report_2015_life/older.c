/* A tool of the 2015 report; see `newer.c`. */
#include "tool.h"
#include <stdlib.h>

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version) {
    (void)lookup, (void)runtime, (void)version;
    say(NAME "-older: initialized");
}

ompt_initialize_fn_t ompt_tool(void) {
    const char *declines = getenv("DECLINE");
    say(NAME "-older: asked");
    return declines && strstr(declines, NAME "-older") ? NULL : initialize;
}
