/* A tool of the 2015 report, linked into the program or preloaded. Its initializer hands what it
 * was given to the program, which registers callbacks there (`tool.h`). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <ompt.h>

static void initialize(ompt_function_lookup_t lookup, const char *runtime_version,
                       unsigned ompt_version) {
    /* The type of an initializer, too. */
    ompt_initialize_fn_t begin = (ompt_initialize_fn_t)dlsym(RTLD_DEFAULT, "tool_begins");
    if (begin)
        begin(lookup, runtime_version, ompt_version);
}

ompt_initialize_fn_t ompt_tool(void) {
    return initialize;
}
