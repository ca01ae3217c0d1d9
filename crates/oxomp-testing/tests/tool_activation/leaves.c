/* A program with its tool inside that ends, or ends its tool, in the middle of a region, where
 * other threads are in callbacks. The argument says how: exit, finalize. */
#include <omp-tools.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int finalized, late, running;
static ompt_finalize_tool_t finalize_tool;

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                          unsigned actual, unsigned index, int flags) {
    (void)endpoint, (void)parallel, (void)task, (void)actual, (void)index, (void)flags;
    atomic_fetch_add(&running, 1);
    usleep(300);
    if (atomic_load(&finalized))
        atomic_store(&late, 1);
    atomic_fetch_sub(&running, 1);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
    ((ompt_set_callback_t)lookup("ompt_set_callback"))(ompt_callback_implicit_task,
                                                        (ompt_callback_t)implicit_task);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    atomic_store(&finalized, 1);
    usleep(1000);
    printf("finalized running=%d late=%d\n", atomic_load(&running), atomic_load(&late));
    fflush(stdout);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}

int main(int argc, char **argv) {
    int leaver = argc > 2 ? atoi(argv[2]) : 0;
#pragma omp parallel num_threads(4)
    {
    }
#pragma omp parallel num_threads(4)
    if (omp_get_thread_num() == leaver) {
        if (strcmp(argv[1], "exit") == 0)
            exit(0);
        finalize_tool();
    }
#pragma omp parallel num_threads(4)
    {
    }
    printf("ends late=%d\n", atomic_load(&late));
    return 0;
}
