/* A tool of OpenMP 5. It and `older.c` are parts of libraries with the name NAME. The variable
 * DECLINE names the tools that do not want to run. */
#include <omp-tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)lookup, (void)device, (void)data;
    printf(NAME "-newer: initialized\n");
    fflush(stdout);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    const char *declines = getenv("DECLINE");
    printf(NAME "-newer: asked\n");
    fflush(stdout);
    return declines && strstr(declines, NAME "-newer") ? NULL : &result;
}
