/* A program with its tool inside, which asks from a signal handler wherever the signal strikes,
 * while one thread registers and unregisters callbacks all the time. */
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static ompt_get_thread_data_t get_thread_data;
static ompt_get_state_t get_state;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static ompt_get_task_memory_t get_task_memory;
static ompt_get_proc_id_t get_proc_id;
static ompt_get_num_procs_t get_num_procs;
static ompt_get_unique_id_t get_unique_id;
static ompt_set_callback_t set_callback;

static atomic_int samples, in_regions, events, stop;

static void fail(int line) {
    char text[] = "line 0000\n";
    for (int at = 8; line; line /= 10)
        text[at--] = (char)('0' + line % 10);
    if (write(1, text, sizeof text - 1) < 0)
        _exit(3);
    _exit(2);
}
#define CHECK(condition) ((condition) ? (void)0 : fail(__LINE__))

static void on_signal(int number) {
    (void)number;
    ompt_wait_id_t wait_id;
    int state = get_state(&wait_id);
    CHECK(state == ompt_state_undefined || get_thread_data() != NULL);
    for (int level = 0;; level++) {
        ompt_data_t *region = NULL, *task = NULL, *same = NULL;
        ompt_frame_t *frame = NULL;
        int size = 0, flags = 0, thread_num = -1;
        int has_region = get_parallel_info(level, &region, &size);
        int has_task = get_task_info(level, &flags, &task, &frame, &same, &thread_num);
        CHECK(has_region == 0 || has_region == 2);
        /* 1: the thread is just going from one task to another. */
        CHECK(has_task == 0 || (has_task == 1 && level == 0) || has_task == 2);
        /* A waiting worker's region may end between the two questions. */
        if (!has_region || has_task != 2)
            break;
        CHECK(level < 4);
        CHECK(region && task && frame && region == same);
        CHECK(size >= 1 && thread_num >= 0);
        CHECK((flags & 3) == ompt_task_initial || (flags & 3) == ompt_task_implicit);
        if (flags & ompt_task_implicit)
            atomic_fetch_add_explicit(&in_regions, 1, memory_order_relaxed);
    }
    size_t bytes;
    CHECK(get_task_memory(NULL, &bytes, 0) == 0);
    CHECK(get_proc_id() >= 0 && get_num_procs() > 0 && get_unique_id() != 0);
    atomic_fetch_add_explicit(&samples, 1, memory_order_relaxed);
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned requested, int flags, const void *codeptr) {
    (void)task, (void)frame, (void)parallel, (void)requested, (void)flags, (void)codeptr;
    atomic_fetch_add_explicit(&events, 1, memory_order_relaxed);
}

static void *register_all_the_time(void *unused) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    while (!atomic_load(&stop)) {
        CHECK(set_callback(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin) ==
              ompt_set_always);
        usleep(50);
        CHECK(set_callback(ompt_callback_parallel_begin, NULL) == ompt_set_always);
    }
    return unused;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_task_memory = (ompt_get_task_memory_t)lookup("ompt_get_task_memory");
    get_proc_id = (ompt_get_proc_id_t)lookup("ompt_get_proc_id");
    get_num_procs = (ompt_get_num_procs_t)lookup("ompt_get_num_procs");
    get_unique_id = (ompt_get_unique_id_t)lookup("ompt_get_unique_id");
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}

/* Whether all that is judged has happened often enough. */
static int has_enough(void) {
    return atomic_load(&samples) > 20 && atomic_load(&in_regions) > 10 && atomic_load(&events) > 10;
}

int main(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    pthread_t registrar;
    long rounds = 0;
    omp_set_max_active_levels(2);
    pthread_create(&registrar, NULL, register_all_the_time, NULL);
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &often, NULL);
    double start = omp_get_wtime();
    /* Signals come by the time that the process works: late where others work, too. */
    while (omp_get_wtime() - start < 2.0 || !has_enough()) {
        int outer = 1 + (int)(rounds % 4), inner = 1 + (int)(rounds / 4 % 3);
        long expected = (long)outer * inner, found = 0;
#pragma omp parallel num_threads(outer) reduction(+ : found)
        {
            long mine = 0;
#pragma omp parallel num_threads(inner) reduction(+ : mine)
            {
#pragma omp critical
                mine += 1;
#pragma omp barrier
            }
            found += mine;
        }
        CHECK(found == expected);
        rounds++;
    }
    setitimer(ITIMER_PROF, &never, NULL);
    atomic_store(&stop, 1);
    pthread_join(registrar, NULL);
    printf("sampled\n");
    return 0;
}
