/* A tool that puts a word of its own into every region and task, and at finalize says how many had
 * a word that was not its own ("strange"). With -DSAMPLES a thread of
 * its own signals the others all the time, and their handlers ask for words, too, and write those
 * that they find empty. NAME is a letter ('a'). */
#include <omp-tools.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#ifndef NAME
#define NAME 'a'
#endif

static ompt_get_thread_data_t get_thread_data;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static atomic_long strange, begun, samples;

enum { THREAD = 1, REGION, TASK };

static void check(int kind, ompt_data_t *data) {
    /* libomp 19 and libiomp5 may answer with an address at which nothing is mapped. */
    if ((uintptr_t)data < 4096)
        return;
    if (data->value == 0)
        data->value = (uint64_t)NAME << 8 | (uint64_t)kind;
    else if (data->value != ((uint64_t)NAME << 8 | (uint64_t)kind))
        strange++;
}

enum { MOST_THREADS = 16 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t threads[MOST_THREADS];
static int thread_count, stop;

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread) {
    (void)type;
    check(THREAD, thread);
    pthread_mutex_lock(&lock);
    if (thread_count < MOST_THREADS)
        threads[thread_count++] = pthread_self();
    pthread_mutex_unlock(&lock);
}
static void on_thread_end(ompt_data_t *thread) {
    check(THREAD, thread);
    pthread_mutex_lock(&lock);
    for (int at = 0; at < thread_count; at++)
        if (pthread_equal(threads[at], pthread_self()))
            threads[at] = threads[--thread_count];
    pthread_mutex_unlock(&lock);
}
static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                              unsigned requested, int flags, const void *code) {
    (void)frame, (void)requested, (void)flags, (void)code;
    check(TASK, task);
    check(REGION, region);
    begun++;
}
static void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *code) {
    (void)flags, (void)code;
    check(TASK, task);
    check(REGION, region);
#ifdef SAMPLES
    /* The thread that signals may begin late: the program is not over before it has worked. */
    while (samples < 20)
        usleep(100);
#endif
}
static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *new_task,
                           int flags, int dependences, const void *code) {
    (void)frame, (void)flags, (void)dependences, (void)code;
    check(TASK, task);
    check(TASK, new_task);
    begun++;
}
static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    (void)status;
    check(TASK, prior);
    check(TASK, next);
}
static void on_signal(int number) {
    (void)number;
    check(THREAD, get_thread_data());
    for (int level = 0; level < 4; level++) {
        ompt_data_t *region = NULL, *task = NULL, *of_task = NULL;
        int size, flags, thread_num;
        if (get_parallel_info(level, &region, &size) == 2)
            check(REGION, region);
        if (get_task_info(level, &flags, &task, NULL, &of_task, &thread_num) == 2)
            check(TASK, task), check(REGION, of_task);
    }
    samples++;
}

static void *signal_all(void *unused) {
    for (int is_over = 0; !is_over; usleep(100)) {
        pthread_mutex_lock(&lock);
        for (int at = 0; at < thread_count; at++)
            pthread_kill(threads[at], SIGPROF);
        is_over = stop;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
static pthread_t signaller;

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
#define ON(name) set_callback(ompt_callback_##name, (ompt_callback_t)on_##name)
    ON(thread_begin);
    ON(thread_end);
    ON(parallel_begin);
    ON(parallel_end);
    ON(task_create);
    ON(task_schedule);
#ifdef SAMPLES
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGPROF, &action, NULL);
    pthread_create(&signaller, NULL, signal_all, NULL);
#endif
    (void)on_signal, (void)signal_all, (void)signaller;
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
#ifdef SAMPLES
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(signaller, NULL);
#endif
    printf("%c: begun=%ld strange=%ld\n", NAME, (long)begun, (long)strange);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}
