/* A program with a tool whose worker reports the end of each region after the primary thread has
 * begun the team's next one, of the same size: what the tool asks then is of the region that ends,
 * and the tasks and regions around it are gone. */
static void print(void);
#define END print()
#include "expect.h"
#include "tool.h"

enum { REGIONS = 20, SIZE = 2 };

static atomic_int begun, asked;

/* The region with the number `of` ends in the calling worker. */
static void ends(uint64_t of, ompt_data_t *task) {
    ompt_data_t *region = NULL, *own = NULL, *same = NULL;
    int size = 0, flags = 0, thread_num = 0;
    /* A runtime may wait for the report before it begins the next region. */
    for (int n = 0; n < 5000 && (uint64_t)atomic_load(&begun) <= of; n++)
        usleep(100);
    if ((uint64_t)atomic_load(&begun) > of)
        atomic_fetch_add(&asked, 1);
    EXPECT(get_parallel_info(0, &region, &size) == 2 && region->value == of && size == SIZE);
    EXPECT(get_task_info(0, &flags, &own, NULL, &same, &thread_num) == 2);
    EXPECT(own == task && own->value == of && same->value == of);
    EXPECT(flags == ompt_task_implicit && thread_num == 1);
    EXPECT(get_parallel_info(1, NULL, NULL) == 0);
    EXPECT(get_task_info(1, NULL, NULL, NULL, NULL, NULL) == 0);
    EXPECT(get_state(NULL) == ompt_state_overhead);
}

static void sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                             ompt_data_t *parallel, ompt_data_t *task, const void *codeptr) {
    (void)kind, (void)parallel, (void)codeptr;
    if (endpoint == ompt_scope_end && omp_get_thread_num() == 1)
        ends(task->value, task);
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                          unsigned size, unsigned index, int flags) {
    (void)size;
    if (endpoint == ompt_scope_begin)
        task->value = parallel->value;
    else if (index == 1 && flags == ompt_task_implicit)
        ends(task->value, task);
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned requested, int flags, const void *codeptr) {
    (void)task, (void)frame, (void)requested, (void)flags, (void)codeptr;
    static int count;
    parallel->value = (uint64_t)++count;
}

static void start(ompt_set_callback_t set) {
    SET(parallel_begin);
    SET(implicit_task);
    SET(sync_region_wait);
}

static void print(void) {
    printf("asked=%s wrong=%d\n", asked >= REGIONS ? "yes" : "no", wrong);
}

int main(void) {
    for (int n = 0; n < REGIONS; n++) {
#pragma omp parallel num_threads(SIZE)
        if (omp_get_thread_num() == 0)
            atomic_fetch_add(&begun, 1);
    }
    atomic_fetch_add(&begun, 1);
    return 0;
}
