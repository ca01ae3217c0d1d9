/* The common parts of this folder's tools: look-up, start and finalization. A tool defines
 * `static void start(ompt_set_callback_t set)`, which its initializer calls, and may define END for
 * its finalizer. */
#include <omp-tools.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ompt_function_lookup_t look_up;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_state_t get_state;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;

static void start(ompt_set_callback_t set);

#define ENTRY(name) ((ompt_##name##_t)look_up("ompt_" #name))
#define SET(name) set(ompt_callback_##name, (ompt_callback_t)name)

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    look_up = lookup;
    get_thread_data = ENTRY(get_thread_data);
    get_state = ENTRY(get_state);
    get_parallel_info = ENTRY(get_parallel_info);
    get_task_info = ENTRY(get_task_info);
    start(ENTRY(set_callback));
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
#ifdef END
    END;
#endif
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}
