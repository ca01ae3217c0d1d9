/* A tool of OpenMP 5 or, where NEWER is 0, of the 2015 report. The file that includes this one is
 * written for both: it defines the two functions that are declared here. */
#ifndef NEWER
#define NEWER 1
#endif
#if NEWER
#include <omp-tools.h>
#else
#include <ompt.h>
#endif

/* The runtime asks for the tool. Returns whether the tool wants to run. */
static int asked(void);
/* The runtime initializes the tool. */
static void begins(ompt_function_lookup_t look_up);

#if NEWER
static int initialize(ompt_function_lookup_t look_up, int device, ompt_data_t *data) {
    (void)device, (void)data;
    begins(look_up);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return asked() ? &result : NULL;
}
#else
static void initialize(ompt_function_lookup_t look_up, const char *runtime, unsigned version) {
    (void)runtime, (void)version;
    begins(look_up);
}

ompt_initialize_fn_t ompt_tool(void) { return asked() ? initialize : NULL; }
#endif
