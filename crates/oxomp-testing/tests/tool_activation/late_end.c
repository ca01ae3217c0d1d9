// A program with a tool whose callbacks take long at the end of a nested region, in its worker: what
// the tool asks about the region then is still of this region, though the enclosing team has another
// size by now.
#include <omp-tools.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { REGIONS = 20, NESTED = 2 };

static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static atomic_int asked, differ;

static void ended(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                  ompt_data_t *task, const void *codeptr) {
    (void)kind, (void)parallel, (void)task, (void)codeptr;
    int thread_num = 0, size = 0, flags = 0;
    ompt_data_t *data;
    ompt_frame_t *frame;
    get_task_info(0, &flags, &data, &frame, NULL, &thread_num);
    if (endpoint != ompt_scope_end || thread_num == 0 || omp_get_level() != 2)
        return;
    usleep(5000);
    int result = get_parallel_info(0, &data, &size);
    atomic_fetch_add(&asked, 1);
    if (result != 2 || size != NESTED || omp_get_num_threads() != NESTED ||
        omp_get_team_size(2) != NESTED)
        atomic_fetch_add(&differ, 1);
}

static int initialize(ompt_function_lookup_t look_up, int device, ompt_data_t *data) {
    (void)device, (void)data;
    get_parallel_info = (ompt_get_parallel_info_t)look_up("ompt_get_parallel_info");
    get_task_info = (ompt_get_task_info_t)look_up("ompt_get_task_info");
    ompt_set_callback_t set = (ompt_set_callback_t)look_up("ompt_set_callback");
    set(ompt_callback_sync_region_wait, (ompt_callback_t)ended);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    printf("tool: asked=%s differ=%d\n", asked >= REGIONS ? "yes" : "no", differ);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    (void)version, (void)runtime;
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return &result;
}

int main(void) {
    omp_set_max_active_levels(2);
    for (int i = 0; i < REGIONS; i++) {
#pragma omp parallel num_threads(1 + i % 2)
#pragma omp parallel num_threads(NESTED)
        __asm__ volatile("");
    }
    return 0;
}
