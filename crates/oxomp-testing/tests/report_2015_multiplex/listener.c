/* A tool of the 2015 report that writes each event with its numbers into the file $LISTEN.NAME, and
 * says on standard output when it begins and ends. NAME is a letter ('a').
 *
 * With -DDECLINES it does not want to run, with -DONLY_TASKS it registers two events, with -DBOTH it
 * is a tool of OpenMP's too. */
#include <ompt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef NAME
#define NAME 'a'
#endif

#ifdef ONLY_TASKS
enum { ONLY_TASKS_WANTED = 1 };
#else
enum { ONLY_TASKS_WANTED = 0 };
#endif

static FILE *out;
static ompt_get_thread_id_t thread_id;
static ompt_get_state_t state;
static ompt_get_parallel_id_t parallel_id;
static ompt_set_callback_t set_callback;
static ompt_get_callback_t get_callback;

static void line(const char *event, uint64_t first, uint64_t second) {
    unsigned long thread = (unsigned long)thread_id();
    fprintf(out, "%lu %s %lu %lu in %lu state %#x\n", thread, event, (unsigned long)first,
            (unsigned long)second, (unsigned long)parallel_id(0), (unsigned)state(NULL));
}

/* The number of a mutex is another one in every process. */
#define MUTEX(event) static void on_##event(uint64_t mutex) { line(#event, mutex != 0, 0); }
#define ONE(event) static void on_##event(uint64_t first) { line(#event, first, 0); }
#define TWO(event)                                                                                 \
    static void on_##event(uint64_t first, uint64_t second) { line(#event, first, second); }

static void on_thread_begin(ompt_thread_type_t type, ompt_thread_id_t thread) {
    line("thread_begin", type, thread);
}
static void on_thread_end(ompt_thread_type_t type, ompt_thread_id_t thread) {
    line("thread_end", type, thread);
}
static void on_parallel_begin(ompt_task_id_t parent, ompt_frame_t *frame, ompt_parallel_id_t region,
                              uint32_t requested, void *function, ompt_invoker_t invoker) {
    (void)parent;
    line("parallel_begin", region, requested);
    line("parallel_begin", function != NULL && frame->reenter_runtime_frame != NULL, invoker);
}
static void on_parallel_end(ompt_parallel_id_t region, ompt_task_id_t task, ompt_invoker_t invoker) {
    (void)invoker;
    line("parallel_end", region, task);
}
static void on_task_begin(ompt_task_id_t parent, ompt_frame_t *frame, ompt_task_id_t task,
                          void *function) {
    (void)frame, (void)function;
    line("task_begin", parent, task);
}
ONE(task_end)
ONE(idle_begin)
ONE(idle_end)
TWO(control)
TWO(implicit_task_begin)
TWO(implicit_task_end)
TWO(task_switch)
TWO(loop_begin)
TWO(loop_end)
TWO(barrier_begin)
TWO(barrier_end)
TWO(wait_barrier_begin)
TWO(wait_barrier_end)
MUTEX(acquired_critical)
MUTEX(release_critical)
MUTEX(init_lock)
MUTEX(destroy_lock)

static void on_shutdown(void) {
    int of_late = set_callback(ompt_event_flush, (ompt_callback_t)on_idle_end);
    printf("%c: over set_callback=%d\n", NAME, of_late);
    fflush(stdout);
    fclose(out);
}

#define REGISTER(event) set(ompt_event_##event, (ompt_callback_t)on_##event)

static void set(ompt_event_t event, ompt_callback_t callback) {
    ompt_callback_t found = NULL;
    if (ONLY_TASKS_WANTED && event != ompt_event_task_begin && event != ompt_event_task_end) {
        fprintf(out, "other's %d\n", get_callback(event, &found));
        return;
    }
    int answer = set_callback(event, callback);
    int known = get_callback(event, &found);
    fprintf(out, "answer %d %d %s\n", event, answer, known && found == callback ? "own" : "WRONG");
}

static void initialize(ompt_function_lookup_t lookup, const char *version, unsigned number) {
    char path[4096];
    snprintf(path, sizeof path, "%s.%c", getenv("LISTEN"), NAME);
    out = fopen(path, "a");
    setvbuf(out, NULL, _IOLBF, 0);
    thread_id = (ompt_get_thread_id_t)lookup("ompt_get_thread_id");
    state = (ompt_get_state_t)lookup("ompt_get_state");
    parallel_id = (ompt_get_parallel_id_t)lookup("ompt_get_parallel_id");
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
    printf("%c: begun %s %u\n", NAME, strncmp(version, "oxomp", 5) ? "elsewhere" : "on oxomp",
           number);
    fflush(stdout);
    fprintf(out, "unknown %d %d %d %d\n", set_callback(0, NULL), set_callback(64, NULL),
            set_callback(71, NULL), lookup("ompt_no_such_function") == NULL);
    set_callback(ompt_event_runtime_shutdown, (ompt_callback_t)on_shutdown);
    REGISTER(task_begin);
    REGISTER(task_end);
    REGISTER(thread_begin);
    REGISTER(thread_end);
    REGISTER(parallel_begin);
    REGISTER(parallel_end);
    REGISTER(control);
    REGISTER(idle_begin);
    REGISTER(idle_end);
    REGISTER(implicit_task_begin);
    REGISTER(implicit_task_end);
    REGISTER(task_switch);
    REGISTER(loop_begin);
    REGISTER(loop_end);
    REGISTER(barrier_begin);
    REGISTER(barrier_end);
    REGISTER(wait_barrier_begin);
    REGISTER(wait_barrier_end);
    REGISTER(acquired_critical);
    REGISTER(release_critical);
    REGISTER(init_lock);
    REGISTER(destroy_lock);
}

ompt_initialize_fn_t ompt_tool(void) {
#ifdef DECLINES
    return NULL;
#endif
    return initialize;
}

#ifdef BOTH
static int newer(void *lookup, int device, void *data) {
    (void)lookup, (void)device, (void)data;
    puts("newer: begun");
    fflush(stdout);
    return 1;
}
static void newer_over(void *data) { (void)data; }
static struct {
    int (*initialize)(void *, int, void *);
    void (*finalize)(void *);
    uint64_t data;
} result = {newer, newer_over, 0};
void *ompt_start_tool(unsigned version, const char *runtime) {
    (void)version, (void)runtime;
    return &result;
}
#endif
