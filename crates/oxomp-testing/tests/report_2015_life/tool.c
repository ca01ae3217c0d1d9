/* A tool of the 2015 report that says on stdout what the runtime does with it. Built with -D:
 *   NAME       its name, printed before each line ("tool")
 *   DECLINES   ompt_tool returns NULL
 *   QUIET      it registers no callback
 *   STATUS     the process ends with this status in the callback of the end of the runtime
 */
#include "tool.h"

#ifndef NAME
#define NAME "tool"
#endif
#ifndef QUIET
#define QUIET 0
#endif
#define SAY(...) say(NAME ": " __VA_ARGS__)

ompt_set_callback_t set_callback;
ompt_get_callback_t get_callback;
ompt_get_thread_id_t get_thread_id;
ompt_get_state_t get_state;
ompt_get_task_info_t get_task_info;

/* The state is that of a thread of OpenMP in every session. */
static void thread_begin(ompt_thread_type_t type, ompt_thread_id_t id) {
    if (type == ompt_thread_initial)
        SAY("thread_begin own=%d", id == get_thread_id() && get_state(NULL) != ompt_state_undefined);
}

static void thread_end(ompt_thread_type_t type, ompt_thread_id_t id) {
    if (type == ompt_thread_initial)
        SAY("thread_end own=%d", id == get_thread_id());
}

static void initial_task_begin(ompt_task_id_t task) {
    ompt_task_id_t current = 0;
    int available = get_task_info(0, NULL, &current, NULL, NULL);
    SAY("initial_task_begin set=%d", task != 0 && available && current == task);
}

static void initial_task_end(ompt_task_id_t task) { SAY("initial_task_end set=%d", task != 0); }

static void parallel_begin(ompt_task_id_t parent, ompt_frame_t *frame, ompt_parallel_id_t region,
                           uint32_t requested, void *function, ompt_invoker_t invoker) {
    (void)frame, (void)function, (void)invoker;
    SAY("parallel_begin parent=%d set=%d requested=%u late=%d", parent != 0, region != 0, requested,
        set_callback(ompt_event_flush, (ompt_callback_t)initial_task_end));
}

static void control(uint64_t command, uint64_t modifier) {
    ompt_frame_t *frame = NULL;
    get_task_info(0, NULL, NULL, &frame, NULL);
    SAY("control %llu %llu reenter=%d", (unsigned long long)command, (unsigned long long)modifier,
        frame && frame->reenter_runtime_frame);
}

static void runtime_shutdown(void) {
    SAY("shutdown late=%d", set_callback(ompt_event_flush, (ompt_callback_t)initial_task_end));
#ifdef STATUS
    _exit(STATUS);
#endif
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version) {
    SAY("initialize runtime=%.5s version=%u unknown=%s", runtime, version,
        lookup("ompt_no_such_function") ? "set" : "NULL");
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
    get_thread_id = (ompt_get_thread_id_t)lookup("ompt_get_thread_id");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    if (QUIET)
        return;
    struct {
        ompt_event_t event;
        ompt_callback_t callback;
    } rows[] = {
        {ompt_event_thread_begin, (ompt_callback_t)thread_begin},
        {ompt_event_thread_end, (ompt_callback_t)thread_end},
        {ompt_event_initial_task_begin, (ompt_callback_t)initial_task_begin},
        {ompt_event_initial_task_end, (ompt_callback_t)initial_task_end},
        {ompt_event_parallel_begin, (ompt_callback_t)parallel_begin},
        {ompt_event_control, (ompt_callback_t)control},
        {ompt_event_runtime_shutdown, runtime_shutdown},
    };
    for (unsigned row = 0; row < sizeof rows / sizeof *rows; row++) {
        ompt_callback_t got = NULL;
        int before = get_callback(rows[row].event, &got);
        int answer = set_callback(rows[row].event, rows[row].callback);
        int after = get_callback(rows[row].event, &got);
        if (before != 0 || answer != 4 || after != 1 || got != rows[row].callback)
            SAY("event %d: %d %d %d", (int)rows[row].event, before, answer, after);
    }
    SAY("registered bad=%d", set_callback((ompt_event_t)0, runtime_shutdown) +
                                 set_callback((ompt_event_t)64, runtime_shutdown) +
                                 set_callback((ompt_event_t)71, runtime_shutdown));
}

ompt_initialize_fn_t ompt_tool(void) {
    SAY("asked");
#ifdef DECLINES
    (void)initialize;
    return NULL;
#else
    return initialize;
#endif
}
