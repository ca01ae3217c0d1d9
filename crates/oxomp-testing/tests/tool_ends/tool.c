/* A tool that counts regions and says so when it ends. Part of a library, or one of its own. */
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int regions;

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned requested, int flags, const void *codeptr) {
    (void)task, (void)frame, (void)parallel, (void)requested, (void)flags, (void)codeptr;
    atomic_fetch_add(&regions, 1);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
    printf("tool: initialized\n");
    fflush(stdout);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    printf("tool: finalized regions=%d\n", atomic_load(&regions));
    fflush(stdout);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}
