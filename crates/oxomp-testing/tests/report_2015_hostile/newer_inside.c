/* A program with a tool of OpenMP 5 inside. */
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                              unsigned int requested, int flags, const void *codeptr) {
    (void)task, (void)frame, (void)parallel, (void)flags, (void)codeptr;
    printf("region: requested=%u\n", requested);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    set_callback(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}

int main(void) {
#pragma omp parallel num_threads(2)
    (void)omp_get_thread_num();
    return 0;
}
