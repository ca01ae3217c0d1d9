/* A tool that is attached. It checks that each thread begins before its other events, and that what
 * ends has begun, and counts. */
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ompt_finalize_tool_t finalize_tool;
static ompt_get_thread_data_t get_thread_data;
static atomic_int threads, regions, open_regions, tasks, mutexes, wrong;

static void report(const char *what) {
    if (wrong++ < 5)
        fprintf(stderr, "tool: %s\n", what);
}

static void known(const char *event) {
    ompt_data_t *data = get_thread_data();
    if (!data || data->value != 7)
        report(event);
}

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *thread) {
    (void)kind;
    if (thread->value != 0)
        report("a thread begins twice");
    thread->value = 7;
    threads++;
}

static void on_thread_end(ompt_data_t *thread) {
    if (thread->value != 7)
        report("a thread ends that has not begun");
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                              unsigned int requested, int flags, const void *code) {
    (void)frame, (void)requested, (void)flags, (void)code;
    known("parallel_begin");
    if (task->value != 11)
        report("a region in a task that has not begun");
    region->value = 13;
    open_regions++;
    regions++;
}

static void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *code) {
    (void)task, (void)flags, (void)code;
    known("parallel_end");
    if (region->value != 13)
        report("a region ends that has not begun");
    open_regions--;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region,
                             ompt_data_t *task, unsigned int team_size, unsigned int index,
                             int flags) {
    (void)team_size, (void)index;
    known("implicit_task");
    if (endpoint == ompt_scope_begin) {
        if (!(flags & ompt_task_initial) && region->value != 13)
            report("an implicit task in a region that has not begun");
        task->value = 11;
        tasks++;
    } else {
        if (task->value != 11)
            report("an implicit task ends that has not begun");
    }
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
                    ompt_data_t *task, uint64_t count, const void *code) {
    (void)region, (void)count, (void)code, (void)kind;
    known("work");
    if (task->value != 11)
        report("work in a task that has not begun");
    (void)endpoint;
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           ompt_data_t *region, ompt_data_t *task, const void *code) {
    (void)kind, (void)endpoint, (void)region, (void)code;
    known("sync_region");
    if (task->value != 11)
        report("a barrier in a task that has not begun");
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *code) {
    (void)kind, (void)id, (void)code;
    known("mutex_acquired");
    mutexes++;
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *code) {
    (void)kind, (void)id, (void)code;
    known("mutex_released");
    mutexes--;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
    set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
    set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
    set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
    set(ompt_callback_work, (ompt_callback_t)on_work);
    set(ompt_callback_sync_region, (ompt_callback_t)on_sync_region);
    set(ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex_acquired);
    set(ompt_callback_mutex_released, (ompt_callback_t)on_mutex_released);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    /* The initial tasks of roots that are still there, and those that the program ends in. */
    if (open_regions || mutexes)
        report("something has not ended");
    printf("tool: threads=%d regions=%d tasks=%d wrong=%d\n", threads, regions, tasks, wrong);
    fflush(stdout);
    threads = regions = open_regions = tasks = mutexes = wrong = 0;
}

void leave(void) {
    finalize_tool();
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
