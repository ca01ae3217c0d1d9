/* A tool that says that it was loaded, asked and started. */
#include <omp-tools.h>
#include <stdio.h>

static void __attribute__((constructor)) loaded(void) {
    printf("tool: loaded\n");
    fflush(stdout);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)lookup, (void)device, (void)data;
    printf("tool: initialized\n");
    fflush(stdout);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}
