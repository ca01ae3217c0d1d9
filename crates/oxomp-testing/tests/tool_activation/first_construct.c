// A program with a constructor, and its own tool, whose first construct is a critical region: it
// starts the runtime and the tool, which hears the region.
#include <omp-tools.h>
#include <stdio.h>

__attribute__((constructor)) static void construct(void) {
    puts("program: constructor");
}

static void acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation,
                    ompt_wait_id_t wait_id, const void *codeptr) {
    (void)hint, (void)implementation, (void)wait_id;
    printf("tool: acquire kind=%d codeptr=%s\n", kind, codeptr ? "set" : "NULL");
}

static void acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr) {
    (void)wait_id, (void)codeptr;
    printf("tool: acquired kind=%d\n", kind);
}

static void released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr) {
    (void)wait_id, (void)codeptr;
    printf("tool: released kind=%d\n", kind);
}

static int initialize(ompt_function_lookup_t look_up, int device, ompt_data_t *data) {
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)look_up("ompt_set_callback");
    set(ompt_callback_mutex_acquire, (ompt_callback_t)acquire);
    set(ompt_callback_mutex_acquired, (ompt_callback_t)acquired);
    set(ompt_callback_mutex_released, (ompt_callback_t)released);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    puts("tool: finalize");
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    (void)version, (void)runtime;
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return &result;
}

int main(void) {
    puts("program: begins");
#pragma omp critical
    puts("program: inside");
    puts("program: ends");
    return 0;
}
