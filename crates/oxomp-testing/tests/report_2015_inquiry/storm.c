/* Chapter 5 of the report: all inquiry functions are async-signal-safe. Another native thread
 * signals each OpenMP thread all the time, while the program goes through all constructs. The
 * handler calls them, and checks what it can know of the answers.
 *
 * With EVENTS in the environment the tool registers more events. Cancellation has to be enabled. */
#define _GNU_SOURCE
#include "tool.h"
#include "../entry_points/storm.h"

static __thread ompt_thread_id_t own;

/* The states that are enumerated, and the types. */
static unsigned char is_state[256];

static void enumerations(void) {
    ompt_state_t state = ompt_state_first;
    const char *name;
    int count = 0;
    while (enumerate_state(state, &state, &name)) {
        CHECK((unsigned)state < sizeof is_state && name, state);
        is_state[(unsigned)state] = 1;
        count++;
    }
    CHECK(count > 10 && count < 100, count);
    uint32_t type = ompt_lock_type_first;
    for (count = 0; enumerate_lock_type(type, &type, &name); count++)
        CHECK(count < 100, type);
    type = ompt_atomic_type_first;
    for (count = 0; enumerate_atomic_type(type, &type, &name); count++)
        CHECK(count < 100, type);
}

static void check_regions(void) {
    int level = 0;
    ompt_parallel_id_t region, before = 0;
    for (; (region = get_parallel_id(level)) != 0; level++) {
        CHECK(level < MOST_LEVELS && region != before, region);
        before = region;
    }
    /* The region of a worker may end meanwhile, not begin. */
    CHECK(get_parallel_team_size(level) == -1 && get_parallel_id(level) == 0, level);
    for (int of = 0; of < level; of++) {
        int size = get_parallel_team_size(of);
        CHECK(size == -1 || (size > 0 && size < THREADS), size);
    }
}

static void check_tasks(int state) {
    ompt_task_id_t before = 0;
    for (int level = 0;; level++) {
        ompt_task_type_t type = 0;
        ompt_task_id_t task = 0;
        ompt_frame_t *frame = NULL;
        ompt_parallel_id_t region = 0;
        CHECK(level < MOST_LEVELS, level);
        ompt_bool found = get_task_info(level, &type, &task, &frame, &region);
        CHECK(found <= 1, found);
        if (!found) {
            CHECK(!type && !task && !frame && !region, type);
            CHECK(level > 0 || state != ompt_state_work_parallel, state);
            break;
        }
        CHECK(task != 0 && task != before && frame, task);
        before = task;
        CHECK(type >= ompt_task_serial && type <= ompt_task_target, type);
        CHECK(type != ompt_task_implicit || region != 0, task);
        if (type == ompt_task_explicit)
            atomic_fetch_add(&in_tasks, 1);
        uintptr_t exit = (uintptr_t)frame->exit_runtime_frame;
        uintptr_t reenter = (uintptr_t)frame->reenter_runtime_frame;
        CHECK(exit % sizeof(void *) == 0 && reenter % sizeof(void *) == 0, exit);
    }
    get_task_id(0);
    get_task_frame(0);
    get_idle_frame();
}

static void on_signal(int number) {
    (void)number;
    int saved = errno;
    ompt_wait_id_t wait_id = 99;
    int state = (int)get_state(&wait_id);
    int is_mutex = state >= ompt_state_wait_lock && state <= ompt_state_wait_ordered;
    if (own) {
        CHECK(state >= 0 && is_state[state & 0xff] && state < 256, state);
        CHECK(state != ompt_state_undefined && get_thread_id() == own, get_thread_id());
        CHECK(is_mutex == (wait_id != 0), state);
        if (is_mutex)
            atomic_fetch_add(&in_waits, 1);
        if (state == ompt_state_idle)
            CHECK(get_parallel_id(0) == 0, state);
        if (state == ompt_state_work_parallel)
            CHECK(get_parallel_id(0) != 0 || get_task_id(0) != 0, state);
    }
    check_regions();
    check_tasks(state);
    /* In a target region, which the host executes, its number. */
    int device_id = target_get_device_id();
    CHECK(get_num_devices() == 0 && (device_id == -1 || device_id == 0), device_id);
    ompt_target_device_t *device;
    ompt_function_lookup_t of_device;
    CHECK(target_get_device_info(0, NULL, &device, &of_device, NULL) != 0, 0);
    enumerations();
    ompt_callback_t callback = NULL;
    CHECK(get_callback(ompt_event_thread_begin, &callback) == 1 && callback, 0);
    atomic_fetch_add(&samples, 1);
    errno = saved;
}

static void thread_begin(ompt_thread_type_t type, ompt_thread_id_t id) {
    (void)type;
    own = id;
    change(0, gettid());
}

static void thread_end(ompt_thread_type_t type, ompt_thread_id_t id) {
    (void)type;
    CHECK(id == own, id);
    change(gettid(), 0);
    own = 0;
}

static void of_region(ompt_parallel_id_t region, ompt_task_id_t task) {
    (void)region, (void)task;
    check_regions();
    check_tasks(ompt_state_overhead);
}

static void of_thread(ompt_thread_id_t id) {
    CHECK(id == own, id);
    check_regions();
    check_tasks(ompt_state_idle);
}

static void task_switch(ompt_task_id_t first, ompt_task_id_t second) {
    CHECK(first != second && second != 0, second);
    check_tasks(ompt_state_overhead);
}

static void start(void) {
    enumerations();
    SET(thread_begin);
    SET(thread_end);
    if (!getenv("EVENTS"))
        return;
    SET(task_switch);
    static const ompt_event_t OF_REGION[] = {
        ompt_event_implicit_task_begin, ompt_event_implicit_task_end,
        ompt_event_wait_barrier_begin,  ompt_event_wait_barrier_end,
        ompt_event_wait_taskwait_begin, ompt_event_wait_taskwait_end,
        ompt_event_barrier_end,
    };
    for (unsigned n = 0; n < sizeof OF_REGION / sizeof *OF_REGION; n++)
        set_callback(OF_REGION[n], (ompt_callback_t)of_region);
    set_callback(ompt_event_idle_begin, (ompt_callback_t)of_thread);
    set_callback(ompt_event_idle_end, (ompt_callback_t)of_thread);
}
