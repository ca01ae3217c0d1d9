/* A program that ends, or multiplies, in the way that its argument says, with its tool inside. The
 * tool says in which process it is finalized, and whether events of regions have come there. */
#define _GNU_SOURCE
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3 };

/* How often the process has been forked from the first one. */
static int generation;
static atomic_int regions, late, is_finalized;
/* The finalizer takes long, or waits until the program has gone on. */
static int is_slow, waits_for_program;
static atomic_int in_finalizer, has_gone_on;
static ompt_finalize_tool_t finalize_tool;

static void say(const char *format, ...) {
    static const char *names[] = {"parent", "child", "grandchild"};
    char line[200];
    int length = snprintf(line, sizeof line, "%s: ", names[generation]);
    va_list arguments;
    va_start(arguments, format);
    length += vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    va_end(arguments);
    line[length++] = '\n';
    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        _exit(99);
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned requested, int flags, const void *codeptr) {
    (void)task, (void)frame, (void)parallel, (void)requested, (void)flags, (void)codeptr;
    atomic_fetch_add(&regions, 1);
    if (atomic_load(&is_finalized))
        atomic_store(&late, 1);
}

/* Its callers are many: workers report their ends. */
static void thread_end(ompt_data_t *data) {
    (void)data;
    if (atomic_load(&is_finalized))
        atomic_store(&late, 1);
}

static atomic_int in_callback, may_return;

/* The thread that fulfils an event, of which the runtime knows nothing else, stays here. */
static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    (void)prior, (void)next;
    if (status != ompt_task_early_fulfill && status != ompt_task_late_fulfill)
        return;
    atomic_store(&in_callback, 1);
    while (!atomic_load(&may_return))
        usleep(1000);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
    set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
    set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule);
    set(ompt_callback_thread_end, (ompt_callback_t)thread_end);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    atomic_store(&in_finalizer, 1);
    if (is_slow)
        usleep(300000);
    while (waits_for_program && !atomic_load(&has_gone_on))
        usleep(1000);
    atomic_store(&is_finalized, 1);
    say("finalized regions=%d late=%d", atomic_load(&regions), atomic_load(&late));
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}

static void region(void) {
    int sum = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : sum)
    sum += 1;
    if (sum != THREADS)
        say("%d threads, not %d", sum, THREADS);
}

/* The child's part, then its end; the parent waits for it. */
static void in_child(void (*part)(void)) {
    pid_t child = fork();
    if (child == 0) {
        generation++;
        part();
        exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    say("child status=%d", status);
}

static void nothing(void) {}

static void leave_at_once(void) { _exit(0); }

static void *uses_openmp(void *unused) {
    region();
    return unused;
}

static void *exits(void *unused) {
    region();
    (void)unused;
    exit(0);
}

static void on_new_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, uses_openmp, NULL);
    pthread_join(thread, NULL);
}

/* A daemon: the middle process is gone before the last one works. */
static void daemon_forks(void) {
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        exit(98);
    pid_t middle = fork();
    if (middle == 0) {
        generation++;
        setsid();
        if (fork() != 0)
            _exit(0);
        generation++;
        region();
        exit(0);
    }
    waitpid(middle, NULL, 0);
    close(ends[1]);
    /* Returns when the last process has ended. */
    if (read(ends[0], &byte, 1) != 0)
        say("reads");
}

static void *ends_tool(void *unused) {
    omp_get_max_threads();
    finalize_tool();
    return unused;
}

static void *fulfils(void *event) {
    omp_fulfill_event(*(omp_event_handle_t *)event);
    return event;
}

static double processor_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* No callback runs in this process: the end waits for none. Waiting takes the processor. */
static void ends_tool_promptly(void) {
    double before = processor_seconds();
    finalize_tool();
    if (processor_seconds() - before > 0.1)
        say("waited");
}

static pthread_t main_thread;

static void *outlives_main(void *unused) {
    pthread_join(main_thread, NULL);
    region();
    return unused;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    main_thread = pthread_self();
#define WAY(name) (strcmp(way, name) == 0)
    region();
    if (WAY("return"))
        return 0;
    if (WAY("exit"))
        exit(0);
    if (WAY("_exit"))
        _exit(0);
    if (WAY("_Exit"))
        _Exit(0);
    if (WAY("quick_exit"))
        quick_exit(0);
    if (WAY("abort"))
        abort();
    if (WAY("exec"))
        execl(argv[0], argv[0], "return", (char *)NULL);
    if (WAY("exit-in-region") || WAY("exit-in-worker") || WAY("_exit-in-worker")) {
#pragma omp parallel num_threads(THREADS)
        if (omp_get_thread_num() == (WAY("exit-in-region") ? 0 : 1)) {
            if (WAY("_exit-in-worker"))
                _exit(0);
            exit(0);
        }
    }
    if (WAY("exit-in-task")) {
#pragma omp parallel num_threads(THREADS)
#pragma omp single
#pragma omp task
        exit(0);
    }
    if (WAY("exit-on-foreign-thread")) {
        pthread_t thread;
        pthread_create(&thread, NULL, exits, NULL);
        pthread_join(thread, NULL);
    }
    if (WAY("fork"))
        in_child(nothing);
    if (WAY("fork-region"))
        in_child(region);
    if (WAY("fork-thread"))
        in_child(on_new_thread);
    if (WAY("fork-_exit"))
        in_child(leave_at_once);
    if (WAY("fork-in-region") || WAY("fork-in-worker")) {
#pragma omp parallel num_threads(THREADS)
        if (omp_get_thread_num() == (WAY("fork-in-region") ? 0 : 1))
            in_child(nothing);
    }
    if (WAY("fork-in-region-goes-on")) {
        pid_t child = 0;
#pragma omp parallel num_threads(THREADS)
#pragma omp master
        child = fork();
        if (child == 0)
            generation++;
        else
            waitpid(child, NULL, 0);
        region();
        return 0;
    }
    if (WAY("daemon"))
        daemon_forks();
    if (WAY("finalize-beside-exit")) {
        pthread_t thread;
        is_slow = 1;
        pthread_create(&thread, NULL, ends_tool, NULL);
        while (!atomic_load(&in_finalizer))
            usleep(100);
        return 0;
    }
    if (WAY("fork-in-finalizer")) {
        /* Another thread is in the finalizer when the process is forked: the child has no tool. */
        pthread_t thread;
        waits_for_program = 1;
        pthread_create(&thread, NULL, ends_tool, NULL);
        while (!atomic_load(&in_finalizer))
            usleep(100);
        in_child(region);
        atomic_store(&has_gone_on, 1);
        pthread_join(thread, NULL);
    }
    if (WAY("fork-beside-callback")) {
        pthread_t thread;
        omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event)
        omp_get_max_threads();
        pthread_create(&thread, NULL, fulfils, &event);
        while (!atomic_load(&in_callback))
            usleep(100);
        in_child(ends_tool_promptly);
        atomic_store(&may_return, 1);
        pthread_join(thread, NULL);
    }
    if (WAY("pthread_exit")) {
        pthread_t thread;
        pthread_create(&thread, NULL, outlives_main, NULL);
        pthread_exit(NULL);
    }
    if (WAY("pthread_exit-alone"))
        pthread_exit(NULL);
    say("ends");
    return 0;
}
