/* A tool that ends itself when the program calls omp_control_tool(77, MODIFIER, &arrived), together
 * with a tool that does so for another modifier: each waits for the other first. It says so if a
 * callback is called after its finalizer. NAME is a letter ('a'). */
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>

#ifndef NAME
#define NAME 'a'
#endif
#ifndef MODIFIER
#define MODIFIER 0
#endif

static ompt_finalize_tool_t finalize_tool;
static atomic_int finalized;

static void look(const char *event) {
    if (atomic_load(&finalized))
        printf("%c: %s after the finalizer\n", NAME, event);
}

static int on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *code) {
    (void)command, (void)code;
    look("control_tool");
    if (modifier == MODIFIER) {
        atomic_int *arrived = arg;
        atomic_fetch_add(arrived, 1);
        while (atomic_load(arrived) < 2)
            ;
        finalize_tool();
    }
    return 0;
}
static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *code) {
    (void)kind, (void)wait_id, (void)code;
    look("mutex_acquired");
}
static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *code) {
    (void)kind, (void)wait_id, (void)code;
    look("mutex_released");
}
static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           ompt_data_t *region, ompt_data_t *task, const void *code) {
    (void)kind, (void)endpoint, (void)region, (void)task, (void)code;
    look("sync_region");
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
#define ON(name) set_callback(ompt_callback_##name, (ompt_callback_t)on_##name)
    ON(control_tool);
    ON(mutex_acquired);
    ON(mutex_released);
    ON(sync_region);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    if (atomic_exchange(&finalized, 1))
        printf("%c: finalized twice\n", NAME);
    printf("%c: finalized\n", NAME);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}
