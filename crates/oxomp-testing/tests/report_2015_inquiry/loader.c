/* Chapter 5 of the report: all inquiry functions are async-signal-safe. A handler may interrupt code
 * that has the loader's lock, so none of them takes it: one thread has it here while another one
 * calls them all, in a region and outside. */
#define _GNU_SOURCE
#include "tool.h"
#include <link.h>
#include <pthread.h>

enum { LONGEST_MS = 30000 };

static atomic_int is_held, calls;

static void inquire(void) {
    ompt_wait_id_t wait_id;
    ompt_task_type_t type;
    ompt_task_id_t task;
    ompt_frame_t *frame;
    ompt_parallel_id_t region;
    ompt_target_device_t *device;
    ompt_function_lookup_t of_device;
    ompt_callback_t callback;
    ompt_state_t state;
    const char *name;
    get_state(&wait_id);
    get_thread_id();
    get_parallel_id(0);
    get_parallel_team_size(0);
    get_task_info(0, &type, &task, &frame, &region);
    get_task_id(0);
    get_task_frame(0);
    get_idle_frame();
    target_get_device_id();
    get_num_devices();
    target_get_device_info(0, NULL, &device, &of_device, NULL);
    enumerate_state(ompt_state_first, &state, &name);
    get_callback(ompt_event_thread_begin, &callback);
    atomic_fetch_add(&calls, 1);
}

static void *ask(void *unused) {
    omp_get_max_threads();
    while (!atomic_load(&is_held))
        usleep(100);
    inquire();
#pragma omp parallel num_threads(1)
    inquire();
    return unused;
}

/* The loader calls it with its lock. */
static int hold(struct dl_phdr_info *info, size_t size, void *in_time) {
    (void)info, (void)size;
    atomic_store(&is_held, 1);
    for (int n = 0; n < LONGEST_MS && atomic_load(&calls) < 2; n++)
        usleep(1000);
    *(int *)in_time = atomic_load(&calls) == 2;
    return 1;
}

static void start(void) {
    ompt_callback_t callback;
    get_callback(ompt_event_thread_begin, &callback);
}

int main(void) {
    pthread_t thread;
    int in_time = 0;
    omp_get_max_threads();
    pthread_create(&thread, NULL, ask, NULL);
    dl_iterate_phdr(hold, &in_time);
    pthread_join(thread, NULL);
    printf("in time=%d\n", in_time);
    return 0;
}
