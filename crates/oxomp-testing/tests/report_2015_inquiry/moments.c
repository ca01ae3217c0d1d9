/* Chapter 5 of the report at odd moments (in the initializer, on threads unknown to OpenMP, before
 * the first region, in and after the shutdown, in signal handlers) and with odd arguments; and the
 * inquiries of 5.7 where there is no device. */
#define _GNU_SOURCE
#include "../entry_points/expect.h"
#include "tool.h"
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>

/* Levels that there are not have no answer, and no memory is written. */
static void levels(int is_in_task) {
    const int far[] = {-1, INT_MIN, 1000, INT_MAX};
    for (unsigned n = 0; n < sizeof far / sizeof *far; n++) {
        ompt_task_type_t type = ompt_task_degenerate;
        ompt_task_id_t task = 77;
        ompt_frame_t *frame = (ompt_frame_t *)&frame;
        ompt_parallel_id_t region = 78;
        EXPECT(get_task_info(far[n], &type, &task, &frame, &region) == 0);
        EXPECT(type == ompt_task_degenerate && task == 77 && region == 78);
        EXPECT(frame == (ompt_frame_t *)&frame);
        EXPECT(get_task_info(far[n], NULL, NULL, NULL, NULL) == 0);
        EXPECT(get_parallel_id(far[n]) == 0 && get_parallel_team_size(far[n]) == -1);
        EXPECT(get_task_id(far[n]) == 0 && get_task_frame(far[n]) == NULL);
    }
    EXPECT(get_task_info(0, NULL, NULL, NULL, NULL) == (ompt_bool)is_in_task);
    EXPECT((get_task_id(0) != 0) == is_in_task && (get_task_frame(0) != NULL) == is_in_task);
}

/* Section 5.7, without a device. */
static void devices(void) {
    const int none[] = {-1, 0, 1, INT_MAX, INT_MIN};
    EXPECT(get_num_devices() == 0);
    EXPECT(target_get_device_id() == -1);
    for (unsigned n = 0; n < sizeof none / sizeof *none; n++) {
        const char *type = NULL;
        ompt_target_device_t *device = NULL;
        ompt_function_lookup_t of_device = NULL;
        EXPECT(target_get_device_info(none[n], &type, &device, &of_device, NULL) != 0);
        EXPECT(get_device_info(none[n], &type, &device, &of_device, NULL) != 0);
        EXPECT(target_get_device_info(none[n], NULL, &device, &of_device, NULL) != 0);
    }
}

/* On a thread, or at a time, that OpenMP has no part in. */
static void unknown(void) {
    ompt_wait_id_t wait_id = 77;
    EXPECT(get_thread_id() == 0);
    EXPECT(get_state(&wait_id) == ompt_state_undefined && wait_id == 0);
    EXPECT(get_state(NULL) == ompt_state_undefined);
    EXPECT(get_parallel_id(0) == 0 && get_parallel_team_size(0) == -1);
    EXPECT(get_idle_frame() == NULL);
    levels(0);
    devices();
}

static atomic_int handled;
static void on_signal(int number) {
    (void)number;
    unknown();
    atomic_fetch_add(&handled, 1);
}

static void *unknown_thread(void *unused) {
    int before = atomic_load(&handled);
    unknown();
    raise(SIGUSR1);
    EXPECT(atomic_load(&handled) == before + 1);
    return unused;
}

static void on_an_unknown_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, unknown_thread, NULL);
    pthread_join(thread, NULL);
}

/* The initial thread, outside of all regions. */
static void serial(void) {
    ompt_wait_id_t wait_id = 77;
    ompt_task_type_t type = 0;
    ompt_parallel_id_t region = 77;
    ompt_frame_t *frame = NULL;
    EXPECT(get_thread_id() != 0);
    EXPECT(get_state(&wait_id) == ompt_state_work_serial && wait_id == 0);
    EXPECT(get_task_info(0, &type, NULL, &frame, &region) == 1);
    EXPECT(type == ompt_task_serial && region == 0);
    EXPECT(frame && !frame->exit_runtime_frame && !frame->reenter_runtime_frame);
    EXPECT(get_idle_frame() == NULL);
    levels(1);
    devices();
}

static void on_signal_serial(int number) {
    (void)number;
    serial();
    atomic_fetch_add(&handled, 1);
}

/* Section 5: the inquiry functions are no global symbols. */
static void symbols(void) {
    static const char *const NAMES[] = {
        "ompt_set_callback",         "ompt_get_callback",      "ompt_enumerate_state",
        "ompt_enumerate_lock_type",  "ompt_enumerate_atomic_type", "ompt_get_thread_id",
        "ompt_get_state",            "ompt_get_parallel_id",   "ompt_get_parallel_team_size",
        "ompt_get_task_info",        "ompt_get_num_devices",   "ompt_target_get_device_info",
        "ompt_target_get_device_id",
    };
    for (unsigned n = 0; n < sizeof NAMES / sizeof *NAMES; n++)
        EXPECT(dlsym(RTLD_DEFAULT, NAMES[n]) == NULL);
    EXPECT(dlsym(RTLD_DEFAULT, "ompt_tool") != NULL);
}

static void runtime_shutdown(void) {
    EXPECT(get_num_devices() == 0 && target_get_device_id() == -1);
    EXPECT(get_task_info(1000, NULL, NULL, NULL, NULL) == 0);
    get_state(NULL);
    get_thread_id();
    printf("shutdown wrong=%d\n", wrong);
}

static void after_the_end(void) {
    unknown();
    ompt_callback_t found = NULL;
    EXPECT(set_callback(ompt_event_flush, (ompt_callback_t)after_the_end) == 0);
    EXPECT(get_callback(ompt_event_flush, &found) == 0);
    printf("after wrong=%d\n", wrong);
}

static void handle(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
}

static void start(void) {
    static int times;
    if (times++)
        return;
    handle(on_signal);
    SET(runtime_shutdown);
    EXPECT(look_up("ompt_get_nothing") == NULL && look_up("") == NULL);
    EXPECT(look_up("ompt_enumerate_states") == NULL && look_up("ompt_get_thread_data") == NULL);
    on_an_unknown_thread();
    get_state(NULL);
    get_task_info(0, NULL, NULL, NULL, NULL);
}

/* Runs after the runtime's own handlers of exit, which it registers later than this one. */
static void at_exit(void) {
    after_the_end();
    on_an_unknown_thread();
}

int main(void) {
    atexit(at_exit);
    setvbuf(stdout, NULL, _IOLBF, 0);
    symbols();
    omp_get_max_threads();
    serial();
    on_an_unknown_thread();
#pragma omp parallel num_threads(2)
    {
        levels(1);
        EXPECT(get_parallel_team_size(0) == 2 && get_parallel_team_size(1) == -1);
    }
    serial();
    handle(on_signal_serial);
    raise(SIGUSR1);
    handle(on_signal);
    omp_pause_resource_all(omp_pause_hard);
    after_the_end();
    return 0;
}
