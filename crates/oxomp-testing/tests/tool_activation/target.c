/* A program with its tool inside, which asks for the target region in such regions of the host, and
 * outside of them. */
#include <omp-tools.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static ompt_get_target_info_t target_info;
static uint64_t begun;

/* The id of the target region that the calling thread is in; 0 outside of any. */
static uint64_t id(void) {
    uint64_t device = 99;
    ompt_id_t target = 0, operation = 99;
    if (target_info(&device, &target, &operation) == 0)
        return 0;
    return device == (uint64_t)omp_get_initial_device() && operation == 0 ? target : UINT64_MAX;
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                      ompt_data_t *task, ompt_id_t target, const void *codeptr) {
    (void)device;
    (void)task;
    (void)codeptr;
    if (kind == ompt_target && endpoint == ompt_scope_begin)
        begun = target;
}

static int initialize(ompt_function_lookup_t look_up, int initial_device, ompt_data_t *data) {
    (void)initial_device;
    (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)look_up("ompt_set_callback");
    target_info = (ompt_get_target_info_t)look_up("ompt_get_target_info");
    return set(ompt_callback_target, (ompt_callback_t)on_target) == ompt_set_always;
}

static void finalize(ompt_data_t *data) {
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version;
    (void)runtime;
    return &result;
}

int main(void) {
    int right = 0;
    uint64_t first = 0;
#pragma omp target map(right, first, begun)
    {
        first = id();
        right += first != 0 && first == begun;
#pragma omp parallel num_threads(2) reduction(+ : right)
        right += id() == first;
        right += id() == first;
    }
    right += id() == 0;
#pragma omp parallel num_threads(2) reduction(+ : right)
    {
        right += id() == 0;
#pragma omp single
        {
#pragma omp target map(right, begun)
            right += id() == begun && begun != first;
        }
        right += id() == 0;
    }
    printf("%d of 10\n", right);
    return 0;
}
