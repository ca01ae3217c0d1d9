/* A program that ends, or multiplies, in the way that its argument says, with its tool of the 2015
 * report inside. The tool says in which process it is asked, and when it is told of the end, and
 * whether events of regions have come there. */
#define _GNU_SOURCE
#include <ompt.h>
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
static int is_slow;

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

static void heard(void) {
    if (atomic_load(&is_finalized))
        atomic_store(&late, 1);
}

static void parallel_begin(ompt_task_id_t parent, ompt_frame_t *frame, ompt_parallel_id_t region,
                           uint32_t requested, void *function, ompt_invoker_t invoker) {
    (void)parent, (void)frame, (void)region, (void)requested, (void)function, (void)invoker;
    atomic_fetch_add(&regions, 1);
    heard();
}

static void thread_end(ompt_thread_type_t type, ompt_thread_id_t id) {
    (void)type, (void)id;
    heard();
}

static atomic_int in_shutdown, has_forked;

static void runtime_shutdown(void) {
    atomic_store(&in_shutdown, 1);
    /* Until the process has been forked; that may have to wait for this callback. */
    for (int n = 0; is_slow && generation == 0 && n < 3000 && !atomic_load(&has_forked); n++)
        usleep(1000);
    atomic_store(&is_finalized, 1);
    say("shutdown regions=%d late=%d", atomic_load(&regions), atomic_load(&late));
}

static ompt_get_thread_id_t get_thread_id;

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version) {
    (void)runtime, (void)version;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_thread_id = (ompt_get_thread_id_t)lookup("ompt_get_thread_id");
    atomic_store(&regions, 0);
    set(ompt_event_parallel_begin, (ompt_callback_t)parallel_begin);
    set(ompt_event_thread_end, (ompt_callback_t)thread_end);
    set(ompt_event_runtime_shutdown, runtime_shutdown);
}

ompt_initialize_fn_t ompt_tool(void) {
    say("asked");
    return getenv("DECLINES") && generation == 0 ? NULL : initialize;
}

static __attribute__((noinline)) void region(void) {
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
    atomic_store(&has_forked, 1);
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

static void calls_routine(void) { omp_get_max_threads(); }

/* Nothing of the parent's session is left. */
static void asks(void) {
    if (get_thread_id && get_thread_id() != 0)
        say("has a thread id");
}

static pthread_t main_thread;

static void *outlives_main(void *unused) {
    pthread_join(main_thread, NULL);
    region();
    return unused;
}

static void *forks(void *unused) {
    while (!atomic_load(&in_shutdown))
        usleep(100);
    in_child(region);
    return unused;
}

#define WAY(name) (strcmp(way, name) == 0)

/* Not in main, where clang's code calls the runtime first of all. */
static __attribute__((noinline)) int run(const char *way, char **argv) {
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
        {
            child = fork();
            if (child == 0)
                generation++;
        }
        if (child != 0)
            waitpid(child, NULL, 0);
        region();
        return 0;
    }
    if (WAY("daemon"))
        daemon_forks();
    if (WAY("fork-routine"))
        in_child(calls_routine);
    if (WAY("fork-asks"))
        in_child(asks);
    if (WAY("fork-beside-shutdown")) {
        /* Another thread forks while this one tells the tool of the end of its session. */
        pthread_t thread;
        is_slow = 1;
        pthread_create(&thread, NULL, forks, NULL);
        omp_pause_resource_all(omp_pause_hard);
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

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    main_thread = pthread_self();
    if (WAY("fork-first")) {
        /* The runtime has not started. */
        in_child(region);
        region();
        return 0;
    }
    return run(way, argv);
}
