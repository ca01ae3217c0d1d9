/* A tool that writes every event of the host to the file $LISTEN.NAME, with all arguments and with
 * the answers of the entry points, and puts a word of its own into every object. Words are shown by
 * the kind of their object and its number on the thread where it began; an address is "set". A word
 * that is another tool's, or another kind's, is "WRONG"; a new object's that is not 0, "DIRTY".
 * Built with -D:
 *   NAME        its name, one letter ('a')
 *   DECLINES    ompt_start_tool returns NULL
 *   REFUSES     initialize returns 0
 *   RESULT      its result of omp_control_tool (0)
 *   ENDS        omp_control_tool(77, ...) ends it
 *   ENDS_INITIALIZING  it ends in its initializer
 *   UNREGISTERS omp_control_tool(77, ...) unregisters all of its callbacks but that of this event
 */
#define _GNU_SOURCE
#include <omp-tools.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef NAME
#define NAME 'a'
#endif
#ifndef RESULT
#define RESULT 0
#endif

enum { THREAD = 1, REGION, TASK, TARGET };
static const char *const KINDS[] = {"", "thread", "region", "task", "target"};

static FILE *out;
static __thread uint64_t objects;
static ompt_set_callback_t set_callback;
static ompt_get_callback_t get_callback;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static ompt_get_state_t get_state;
static ompt_finalize_tool_t finalize_tool;

#define SET(pointer) ((pointer) ? "set" : "null")

/* Several texts of one line. */
typedef struct {
    char text[48];
} word_t;

static word_t shown(int kind, const ompt_data_t *data) {
    word_t word;
    /* libomp 19 and libiomp5 may answer with an address at which nothing is mapped. */
    if ((uintptr_t)data < 4096)
        return (word_t){"null"};
    if (!data->value)
        return (word_t){"zero"};
    if (data->value >> 56 != NAME || (data->value >> 52 & 15) != (uint64_t)kind)
        return (word_t){"WRONG"};
    snprintf(word.text, sizeof word.text, "%s@%llu", KINDS[kind],
             (unsigned long long)(data->value & 0xfffffffffffff));
    return word;
}
#define SHOWN(kind, data) (shown(kind, data).text)

static void begin(int kind, ompt_data_t *data) {
    if (!data)
        return;
    if (data->value)
        fprintf(out, "DIRTY ");
    uint64_t thread = (uint64_t)gettid() & 0xffffff;
    data->value = (uint64_t)NAME << 56 | (uint64_t)kind << 52 | thread << 28 | ++objects;
}

/* A line with the answers of the entry points about the thread behind it. */
static void line(const char *format) {
    /* Where a worker begins or ends it is between regions, and no runtime says how far. */
    int is_inside = strncmp(format, "thread_", 7) != 0;
    fprintf(out, " [%s", SHOWN(THREAD, get_thread_data()));
    for (int level = 0; is_inside && level < 8; level++) {
        ompt_data_t *region = NULL, *task = NULL, *of_task = NULL;
        ompt_frame_t *frame = NULL;
        int size = -1, flags = -1, thread_num = -1;
        int has_region = get_parallel_info(level, &region, &size);
        int has_task = get_task_info(level, &flags, &task, &frame, &of_task, &thread_num);
        if (has_region == 2)
            fprintf(out, " %s/%d", SHOWN(REGION, region), size);
        if (has_task == 2)
            fprintf(out, " %s/%x/%s/%d/%s", SHOWN(TASK, task), (unsigned)flags,
                    SHOWN(REGION, of_task), thread_num, SET(frame));
        if (has_region != 2 && has_task != 2)
            break;
    }
    fprintf(out, " state=%x]\n", is_inside ? (unsigned)get_state(NULL) : 0);
    funlockfile(out);
}
#define LINE(format, ...) (fprintf(out, format, ##__VA_ARGS__), line(format))
static void head(void) {
    flockfile(out);
    fprintf(out, "%d ", (int)gettid());
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread) {
    head();
    begin(THREAD, thread);
    LINE("thread_begin %d", (int)type);
}
static void on_thread_end(ompt_data_t *thread) {
    head();
    LINE("thread_end %s", SHOWN(THREAD, thread));
}
static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                              unsigned requested, int flags, const void *code) {
    head();
    begin(REGION, region);
    LINE("parallel_begin %s %s %u %x %s enter=%s", SHOWN(TASK, task), SHOWN(REGION, region),
         requested, (unsigned)flags, SET(code), SET(frame->enter_frame.ptr));
}
static void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *code) {
    head();
    LINE("parallel_end %s %s %x %s", SHOWN(REGION, region), SHOWN(TASK, task), (unsigned)flags,
         SET(code));
}
static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *new_task,
                           int flags, int dependences, const void *code) {
    head();
    begin(TASK, new_task);
    LINE("task_create %s %s %s %x %d %s", SHOWN(TASK, task), SET(frame), SHOWN(TASK, new_task),
         (unsigned)flags, dependences, SET(code));
}
static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    head();
    LINE("task_schedule %s %d %s", SHOWN(TASK, prior), (int)status, SHOWN(TASK, next));
}
static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                             unsigned actual, unsigned index, int flags) {
    head();
    if (endpoint == ompt_scope_begin) {
        /* The region of an initial task begins with the task. */
        if (flags & ompt_task_initial && region && !region->value)
            begin(REGION, region);
        begin(TASK, task);
    }
    LINE("implicit_task %d %s %s %u %u %x", (int)endpoint, SHOWN(REGION, region),
         SHOWN(TASK, task), actual, index, (unsigned)flags);
}
static void on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
                    ompt_data_t *task, uint64_t count, const void *code) {
    head();
    LINE("work %d %d %s %s %llu %s", (int)type, (int)endpoint, SHOWN(REGION, region),
         SHOWN(TASK, task), (unsigned long long)count, SET(code));
}
static void on_dispatch(ompt_data_t *region, ompt_data_t *task, ompt_dispatch_t kind,
                        ompt_data_t instance) {
    head();
    LINE("dispatch %s %s %d %s", SHOWN(REGION, region), SHOWN(TASK, task), (int)kind,
         SET(instance.ptr));
}
static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
                      const void *code) {
    head();
    LINE("masked %d %s %s %s", (int)endpoint, SHOWN(REGION, region), SHOWN(TASK, task), SET(code));
}
#define ON_SYNC(name)                                                                              \
    static void on_##name(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,                 \
                          ompt_data_t *region, ompt_data_t *task, const void *code) {              \
        head();                                                                                    \
        LINE(#name " %d %d %s %s %s", (int)kind, (int)endpoint, SHOWN(REGION, region),             \
             SHOWN(TASK, task), SET(code));                                                        \
    }
ON_SYNC(sync_region)
ON_SYNC(sync_region_wait)
ON_SYNC(reduction)
#define ON_ACQUIRE(name)                                                                           \
    static void on_##name(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait_id, \
                          const void *code) {                                                      \
        head();                                                                                    \
        LINE(#name " %d %u %u %s %s", (int)kind, hint, impl, SET(wait_id), SET(code));             \
    }
ON_ACQUIRE(lock_init)
ON_ACQUIRE(mutex_acquire)
#define ON_MUTEX(name)                                                                             \
    static void on_##name(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *code) {           \
        head();                                                                                    \
        LINE(#name " %d %s %s", (int)kind, SET(wait_id), SET(code));                               \
    }
ON_MUTEX(lock_destroy)
ON_MUTEX(mutex_acquired)
ON_MUTEX(mutex_released)
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void *code) {
    head();
    LINE("nest_lock %d %s %s", (int)endpoint, SET(wait_id), SET(code));
}
static void on_dependences(ompt_data_t *task, const ompt_dependence_t *dependences, int count) {
    head();
    LINE("dependences %s %d %s", SHOWN(TASK, task), count,
         count ? SET(dependences[0].variable.ptr) : "none");
}
static void on_task_dependence(ompt_data_t *source, ompt_data_t *sink) {
    head();
    LINE("task_dependence %s %s", SHOWN(TASK, source), SHOWN(TASK, sink));
}
static void on_flush(ompt_data_t *thread, const void *code) {
    head();
    LINE("flush %s %s", SHOWN(THREAD, thread), SET(code));
}
static void on_cancel(ompt_data_t *task, int flags, const void *code) {
    head();
    LINE("cancel %s %x %s", SHOWN(TASK, task), (unsigned)flags, SET(code));
}
static void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                          ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *target,
                          const void *code) {
    head();
    if (endpoint == ompt_scope_begin)
        begin(TARGET, target);
    LINE("target %d %d %d %s %s %s %s", (int)kind, (int)endpoint, device, SHOWN(TASK, task),
         SHOWN(TASK, target_task), SHOWN(TARGET, target), SET(code));
}
static void on_target_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target,
                                 ompt_id_t *host_op_id, unsigned teams) {
    head();
    if (endpoint == ompt_scope_begin)
        *host_op_id = NAME;
    LINE("target_submit %d %s %s %u", (int)endpoint, SHOWN(TARGET, target),
         *host_op_id == NAME ? "own" : "WRONG", teams);
}
static void on_error(ompt_severity_t severity, const char *message, size_t length,
                     const void *code) {
    head();
    LINE("error %d %s %d %s", (int)severity, message, (int)length, SET(code));
}
static int on_control_tool(uint64_t command, uint64_t modifier, void *argument, const void *code) {
    head();
    LINE("control_tool %d %d %s %s", (int)command, (int)modifier, SET(argument), SET(code));
#ifdef ENDS
    if (command == 77) {
        ompt_callback_t registered;
        finalize_tool();
        printf("%c: ended set_callback=%d get_callback=%d thread_data=%s\n", NAME,
               (int)set_callback(ompt_callback_flush, (ompt_callback_t)on_flush),
               get_callback(ompt_callback_flush, &registered), SET(get_thread_data()));
    }
#endif
#ifdef UNREGISTERS
    for (int event = 1; command == 77 && event < 38; event++) {
        ompt_callback_t registered;
        if (event == ompt_callback_control_tool || !get_callback(event, &registered))
            continue;
        if (set_callback(event, NULL) != ompt_set_always || get_callback(event, &registered))
            printf("%c: %d is not unregistered\n", NAME, event);
    }
#endif
    return RESULT;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device;
    char path[512];
    snprintf(path, sizeof path, "%s.%c", getenv("LISTEN"), NAME);
    out = fopen(path, "w");
    data->value = NAME;
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
    if (!out || !set_callback || lookup("ompt_no_such_function"))
        return 0;
#define ON(name)                                                                                   \
    fprintf(out, "# " #name " %d\n",                                                               \
            (int)set_callback(ompt_callback_##name, (ompt_callback_t)on_##name));
    ON(thread_begin)
    ON(thread_end)
    ON(parallel_begin)
    ON(parallel_end)
    ON(task_create)
    ON(task_schedule)
    ON(implicit_task)
    ON(work)
    ON(dispatch)
    ON(masked)
    ON(sync_region)
    ON(sync_region_wait)
    ON(reduction)
    ON(lock_init)
    ON(mutex_acquire)
    ON(lock_destroy)
    ON(mutex_acquired)
    ON(mutex_released)
    ON(nest_lock)
    ON(dependences)
    ON(task_dependence)
    ON(flush)
    ON(cancel)
    ON(target_emi)
    ON(target_submit_emi)
    ON(error)
    ON(control_tool)
    fprintf(out, "# no event %d %d\n", (int)set_callback(0, (ompt_callback_t)on_error),
            (int)set_callback(1000, (ompt_callback_t)on_error));
#ifdef ENDS_INITIALIZING
    finalize_tool();
#endif
#ifdef REFUSES
    return 0;
#endif
    return 1;
}

static void finalize(ompt_data_t *data) {
    fprintf(out, "finalize %s\n", data->value == NAME ? "own" : "WRONG");
    fclose(out);
    printf("%c: finalized\n", NAME);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
#ifdef DECLINES
    return NULL;
#endif
    return &result;
}
