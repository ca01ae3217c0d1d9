/* A tool of the 2015 report, linked into the program or preloaded. Its initializer hands what it was
 * given to the program, which registers callbacks there (`tool.h`). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <ompt.h>

static void initialize(ompt_function_lookup_t lookup, const char *runtime_version,
                       unsigned ompt_version) {
    void (*begin)(ompt_function_lookup_t, const char *, unsigned) =
        (void (*)(ompt_function_lookup_t, const char *, unsigned))dlsym(RTLD_DEFAULT, "tool_begins");
    if (begin)
        begin(lookup, runtime_version, ompt_version);
}

ompt_initialize_fn_t ompt_tool(void) {
    return initialize;
}
