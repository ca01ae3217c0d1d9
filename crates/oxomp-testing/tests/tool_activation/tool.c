/* A tool that says on stdout what the runtime does with it. Built with -D:
 *   NAME        its name, printed before each line ("a")
 *   DECLINES    ompt_start_tool returns NULL
 *   REFUSES     initialize returns 0
 *   NO_FINALIZE it has no finalizer
 *   QUIET       it registers no callback
 *   ENDS        omp_control_tool(64, ...) makes it end itself
 *   ENDS_LAST   it ends itself in the callback of the end of the initial task
 */
#include <omp-tools.h>
#include <stdint.h>
#include <stdio.h>

#ifndef NAME
#define NAME "tool"
#endif
#ifndef QUIET
#define QUIET 0
#endif
#define SAY(...) (printf(NAME ": " __VA_ARGS__), fflush(stdout))

static ompt_finalize_tool_t finalize_tool;
static ompt_set_callback_t set_callback;
static ompt_get_callback_t get_callback;

static void thread_begin(ompt_thread_t type, ompt_data_t *thread) {
    thread->value = 1000 + (uint64_t)type;
    SAY("thread_begin type=%d\n", (int)type);
}

static void thread_end(ompt_data_t *thread) {
    SAY("thread_end data=%d\n", (int)thread->value);
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                          unsigned actual, unsigned index, int flags) {
    if (flags & ompt_task_initial) {
        if (endpoint == ompt_scope_begin)
            task->value = 77;
        SAY("initial_task endpoint=%d parallel=%s task=%d actual=%u index=%u flags=%d\n",
            (int)endpoint, parallel ? "set" : "NULL", (int)task->value, actual, index, flags);
#ifdef ENDS_LAST
        if (endpoint == ompt_scope_end)
            finalize_tool();
#endif
    }
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned requested, int flags, const void *codeptr) {
    SAY("parallel_begin task=%d enter_frame=%s data=%d requested=%u team=%d codeptr=%s\n",
        (int)task->value, frame->enter_frame.ptr ? "set" : "none", (int)parallel->value, requested,
        (flags & ompt_parallel_team) != 0, codeptr ? "set" : "NULL");
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *codeptr) {
    (void)parallel, (void)flags;
    SAY("parallel_end task=%d codeptr=%s\n", (int)task->value, codeptr ? "set" : "NULL");
}

static int control_tool(uint64_t command, uint64_t modifier, void *arg, const void *codeptr) {
    SAY("control command=%lld modifier=%lld arg=%s codeptr=%s\n", (long long)command,
        (long long)modifier, arg ? "set" : "NULL", codeptr ? "set" : "NULL");
#ifdef ENDS
    if (command == 64) {
        ompt_callback_t registered;
        finalize_tool();
        SAY("ended set_callback=%d get_callback=%d\n",
            (int)set_callback(ompt_callback_flush, (ompt_callback_t)thread_end),
            get_callback(ompt_callback_control_tool, &registered));
    }
#endif
    return (int)command + 1;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    SAY("initialize device=%d data=%d unknown=%s\n", device, (int)data->value,
        lookup("ompt_no_such_function") ? "set" : "NULL");
    data->value = 42;
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
    finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
    if (QUIET)
        return 1;
    set_callback(ompt_callback_thread_begin, (ompt_callback_t)thread_begin);
    set_callback(ompt_callback_thread_end, (ompt_callback_t)thread_end);
    set_callback(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
    set_callback(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
    set_callback(ompt_callback_parallel_end, (ompt_callback_t)parallel_end);
    set_callback(ompt_callback_control_tool, (ompt_callback_t)control_tool);
#ifdef REFUSES
    return 0;
#else
    return 1;
#endif
}

static void finalize(ompt_data_t *data) {
    SAY("finalize data=%d\n", (int)data->value);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    SAY("start omp_version=%u runtime=%.5s\n", omp_version, runtime_version);
#ifdef NO_FINALIZE
    result.finalize = NULL;
#endif
#ifdef DECLINES
    return NULL;
#endif
    return &result;
}
