/* A program with a tool: every worker reports the end of its region while the program executes no
 * further construct, whether it spins or sleeps; and every thread that began ends. The program
 * waits for the reports, so a worker that reports with its next region makes it hang. */
static void print(void);
#define END print()
#include "tool.h"
#include <pthread.h>

static atomic_int tasks, waits, regions, threads;

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                          unsigned size, unsigned index, int flags) {
    (void)parallel, (void)task, (void)size, (void)index;
    if (flags & ompt_task_implicit)
        atomic_fetch_add(&tasks, endpoint == ompt_scope_begin ? 1 : -1);
}

static void sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                             ompt_data_t *parallel, ompt_data_t *task, const void *codeptr) {
    (void)kind, (void)parallel, (void)task, (void)codeptr;
    atomic_fetch_add(&waits, endpoint == ompt_scope_begin ? 1 : -1);
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                        ompt_data_t *parallel, ompt_data_t *task, const void *codeptr) {
    (void)kind, (void)parallel, (void)task, (void)codeptr;
    atomic_fetch_add(&regions, endpoint == ompt_scope_begin ? 1 : -1);
}

/* A worker that begins or ends is in no region and executes no task. */
static void is_nowhere(const char *when) {
    if (get_parallel_info(0, NULL, NULL) != 0 ||
        get_task_info(0, NULL, NULL, NULL, NULL, NULL) != 0)
        printf("a worker is in a region when it %s\n", when);
}

static void thread_begin(ompt_thread_t type, ompt_data_t *data) {
    data->value = type;
    if (type == ompt_thread_worker)
        is_nowhere("begins");
    atomic_fetch_add(&threads, 1);
}

static void thread_end(ompt_data_t *data) {
    if (data->value == ompt_thread_worker)
        is_nowhere("ends");
    atomic_fetch_sub(&threads, 1);
}

static void start(ompt_set_callback_t set) {
    SET(thread_begin);
    SET(thread_end);
    if (!getenv("WITH_EVENTS"))
        return;
    /* Each alone suffices. */
    const char *which = getenv("WHICH");
    if (!which || which[0] == 't')
        SET(implicit_task);
    if (!which || which[0] == 'w')
        SET(sync_region_wait);
    if (!which || which[0] == 'r')
        SET(sync_region);
}

static void print(void) {
    printf("threads=%d\n", threads);
}

static void all_have_ended(void) {
    while (atomic_load(&tasks) != 0 || atomic_load(&waits) != 0 || atomic_load(&regions) != 0)
        sched_yield();
}

static void *root(void *unused) {
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
    return unused;
}

int main(void) {
    pthread_t thread;
    omp_set_max_active_levels(2);
    for (int n = 0; n < 30; n++) {
#pragma omp parallel num_threads(1 + n % 4)
        __asm__ volatile("");
        all_have_ended();
        if (n % 10 == 0)
            usleep(300000);
    }
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
    all_have_ended();
    int before = atomic_load(&threads);
    pthread_create(&thread, NULL, root, NULL);
    pthread_join(thread, NULL);
    /* The root has ended, and its worker may serve others. */
    if (atomic_load(&threads) > before + 1)
        printf("a root has not ended: %d threads, not %d\n", atomic_load(&threads), before);
    if (getenv("WITH_EVENTS"))
        omp_pause_resource_all(omp_pause_hard);
    return 0;
}
