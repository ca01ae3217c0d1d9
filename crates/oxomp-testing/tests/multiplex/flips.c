/* A tool with a thread of its own that registers and unregisters callbacks all the time, from their
 * first call on. */
#include <omp-tools.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static ompt_set_callback_t set_callback;
static pthread_t flipper;
static atomic_int stop;
static atomic_long calls;

static void on_mutex(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *code) {
    (void)kind, (void)wait_id, (void)code;
    calls++;
}

static void *flip(void *unused) {
    while (!atomic_load(&calls) && !atomic_load(&stop))
        sched_yield();
    while (!atomic_load(&stop))
        for (int is_on = 0; is_on < 2; is_on++) {
            ompt_callback_t callback = is_on ? (ompt_callback_t)on_mutex : NULL;
            set_callback(ompt_callback_mutex_acquired, callback);
            set_callback(ompt_callback_mutex_released, callback);
        }
    return unused;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    /* The thread may begin late. */
    set_callback(ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex);
    set_callback(ompt_callback_mutex_released, (ompt_callback_t)on_mutex);
    return pthread_create(&flipper, NULL, flip, NULL) == 0;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    atomic_store(&stop, 1);
    pthread_join(flipper, NULL);
    printf("%s\n", calls > 0 ? "called" : "never called");
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}
