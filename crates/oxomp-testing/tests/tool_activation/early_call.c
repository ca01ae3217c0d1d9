/* A tool whose library calls the runtime before the tool is started, as OpenMP builds of numerical
   libraries do: in a constructor, in which a region runs too, and in ompt_start_tool. */
#include <omp-tools.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>

static int found;
static atomic_int initial_threads, regions;

__attribute__((constructor)) static void construct(void) {
#pragma omp parallel num_threads(2) reduction(+ : found)
    found++;
}

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *data) {
    (void)data;
    initial_threads += kind == ompt_thread_initial;
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                              unsigned requested, int flags, const void *code) {
    (void)task, (void)frame, (void)region, (void)requested, (void)flags, (void)code;
    regions++;
}

static int initialize(ompt_function_lookup_t look_up, int device, ompt_data_t *data) {
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)look_up("ompt_set_callback");
    set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
    printf("tool: initialize found=%d\n", found);
    fflush(stdout);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    printf("tool: finalize initial=%d regions=%d\n", initial_threads, regions);
    fflush(stdout);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    printf("tool: start threads=%d\n", omp_get_num_threads());
    fflush(stdout);
    return &result;
}
