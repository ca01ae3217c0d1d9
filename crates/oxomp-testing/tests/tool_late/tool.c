/* A tool that declines until the program has called `become_ready`, as Caliper's does until `main`
 * has set it up; one of OpenMP 5, or with -DOLDER of the 2015 report. It counts regions. With
 * -DEARLY its library uses OpenMP in a constructor. The variable TOOL_DOES names what else it does:
 *   ready                it is ready from the beginning
 *   fork-asked           forks when it is asked and ready
 *   fork-initializer     forks in its initializer
 *   fork-callback        forks in the callback of the first region
 *   uses-openmp          calls a routine in its initializer, which needs a thread of the runtime
 *   finalize             ends itself in the callback of the first region
 *   asks                 calls routines of OpenMP in its callbacks, which it finds by their names
 * A process that forks waits for its child, which goes on from there. */
#define _GNU_SOURCE
#ifdef OLDER
#include <ompt.h>
#else
#include <omp-tools.h>
#endif
#include <dlfcn.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int ready;
static atomic_int regions;
static int is_child;

static void say(const char *event, int number) {
    char line[100];
    int length = snprintf(line, sizeof line, "%s: %s%d\n", is_child ? "child tool" : "tool", event,
                          number);
    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        _exit(99);
}

static int does(const char *what) {
    const char *wanted = getenv("TOOL_DOES");
    return wanted && strcmp(wanted, what) == 0;
}

static void fork_if(const char *what) {
    if (is_child || !does(what))
        return;
    int status = -1;
    pid_t child = fork();
    is_child = child == 0;
    if (!is_child && (waitpid(child, &status, 0) != child || status != 0))
        say("child's status ", status);
}

void become_ready(void) {
    ready = 1;
}

/* The program calls this in its child. */
void begin_anew(void) {
    is_child = 1;
    regions = 0;
}

/* The answer of a routine of OpenMP without arguments, as a library that is not linked with OpenMP
 * gets it. */
static int ask(const char *routine) {
    int (*function)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, routine);
    return function ? function() : -1;
}

/* In a callback on a thread that is the `thread`th of a region in `level` regions. */
static void check_answers(int level, int thread) {
    if (!does("asks"))
        return;
    if (ask("omp_get_level") != level || ask("omp_get_thread_num") != thread ||
        ask("omp_get_max_threads") < 1 || ask("omp_get_num_procs") < 1)
        say("wrong answers in a region of level ", level);
}

static int is_asked(void) {
    ready |= does("ready");
    say("asked ready=", ready);
    if (ready)
        fork_if("fork-asked");
    return ready;
}

#ifdef EARLY
__attribute__((constructor)) static void construct(void) {
#pragma omp parallel num_threads(2)
    atomic_fetch_add(&regions, 0);
}
#endif

static void count_region(void) {
    check_answers(0, 0);
    if (atomic_fetch_add(&regions, 1) == 0)
        fork_if("fork-callback");
}

static void begin(void) {
    say("initialized threads=", does("uses-openmp") ? omp_get_max_threads() : 0);
    fork_if("fork-initializer");
}

#ifdef OLDER

static void on_region(ompt_task_id_t task, ompt_frame_t *frame, ompt_parallel_id_t region,
                      uint32_t requested, void *function, ompt_invoker_t invoker) {
    (void)task, (void)frame, (void)region, (void)requested, (void)function, (void)invoker;
    count_region();
}

static void on_shutdown(void) {
    say("finalized regions=", regions);
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version) {
    (void)runtime, (void)version;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_event_parallel_begin, (ompt_callback_t)on_region);
    set(ompt_event_runtime_shutdown, (ompt_callback_t)on_shutdown);
    begin();
}

ompt_initialize_fn_t ompt_tool(void) {
    return is_asked() ? initialize : NULL;
}

#else

static ompt_finalize_tool_t finalize_tool;

static void on_region(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                      unsigned requested, int flags, const void *code) {
    (void)task, (void)frame, (void)region, (void)requested, (void)flags, (void)code;
    count_region();
    if (does("finalize"))
        finalize_tool();
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region,
                             ompt_data_t *task, unsigned size, unsigned index, int flags) {
    (void)region, (void)task, (void)size;
    if (endpoint == ompt_scope_begin && flags & ompt_task_implicit)
        check_answers(1, (int)index);
}

static void on_thread(ompt_thread_t kind, ompt_data_t *thread) {
    (void)kind, (void)thread;
    if (does("asks") && ask("omp_in_final") != 0)
        say("wrong answer at the begin of a thread", 0);
}

static void finalize(ompt_data_t *data) {
    (void)data;
    say("finalized regions=", regions);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_region);
    set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
    set(ompt_callback_thread_begin, (ompt_callback_t)on_thread);
    begin();
    return 1;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return is_asked() ? &result : NULL;
}

#endif
