/* A program with its tool inside: another native thread signals each OpenMP thread all the time,
 * while the program goes through all constructs. The handler calls every entry point that is
 * async-signal-safe, and checks what it can know of the answers.
 *
 * With WITH_EVENTS in the environment the tool registers more events. */
#define _GNU_SOURCE
#include "tool.h"
#include "storm.h"

static ompt_get_num_procs_t get_num_procs;
static ompt_get_num_places_t get_num_places;
static ompt_get_place_num_t get_place_num;
static ompt_get_partition_place_nums_t get_partition_place_nums;
static ompt_get_proc_id_t get_proc_id;
static ompt_get_task_memory_t get_task_memory;
static ompt_get_target_info_t get_target_info;
static ompt_get_num_devices_t get_num_devices;
static ompt_get_unique_id_t get_unique_id;

/* The tool's words: a kind, and the number of the region. */
#define THREAD_WORD ((uint64_t)0x7157 << 48)
#define REGION_WORD ((uint64_t)0x5e61 << 48)
#define TASK_WORD ((uint64_t)0x7a5c << 48)
#define KIND(word) ((word) & (uint64_t)0xffff << 48)
#define NUMBER(word) ((word) & ~((uint64_t)0xffff << 48))

static atomic_ulong numbers;

static __thread ompt_data_t *own_word;

static int is_state(int state) {
    return (state >= 0 && state <= 2) || (state >= 0x10 && state <= 0x16 && state != 0x13) ||
           state == 0x20 || state == 0x21 || (state >= 0x41 && state <= 0x44) || state == 0x80 ||
           state == 0x100 || state == 0x101;
}

/* Region and task belong together, as far as both are known to the tool by now. When the region of
 * a waiting worker ends, those around it go on: then they are not there any more. */
static void check_words(int level, const ompt_data_t *region, const ompt_data_t *task, int flags) {
    uint64_t of_region = region->value, of_task = task->value;
    CHECK(of_region == 0 || KIND(of_region) == REGION_WORD, of_region);
    CHECK(of_task == 0 || KIND(of_task) == TASK_WORD, of_task);
    if (!(flags & ompt_task_implicit) || !of_region || !of_task ||
        NUMBER(of_region) == NUMBER(of_task))
        return;
    CHECK(level > 0 && get_task_info(level, NULL, NULL, NULL, NULL, NULL) == 0, of_task);
}

static void check_levels(int state) {
    for (int level = 0;; level++) {
        CHECK(level < MOST_LEVELS, level);
        ompt_data_t *task = NULL, *region = NULL;
        ompt_frame_t *frame = NULL;
        int flags = -1, thread_num = -1;
        int found = get_task_info(level, &flags, &task, &frame, &region, &thread_num);
        CHECK(found == 0 || found == 2 || (found == 1 && level == 0), found);
        if (found != 2) {
            CHECK(flags == -1 && thread_num == -1 && !task && !region && !frame, flags);
            /* A thread at work has a task. */
            CHECK(level > 0 || found == 1 || state == ompt_state_idle ||
                      (state != ompt_state_work_parallel && state != ompt_state_wait_taskwait),
                  state);
            if (found == 0)
                break;
            continue;
        }
        CHECK(task && region && frame, level);
        CHECK(__builtin_popcount(flags & 0xff) == 1, flags);
        CHECK(thread_num >= 0 && thread_num < THREADS, thread_num);
        check_words(level, region, task, flags);
        CHECK((frame->exit_frame_flags & ompt_frame_framepointer) != 0, frame->exit_frame_flags);
        CHECK((frame->enter_frame_flags & 0x30) != 0, frame->enter_frame_flags);
        if (flags & ompt_task_explicit)
            atomic_fetch_add(&in_tasks, 1);
    }
    for (int level = 0;; level++) {
        CHECK(level < MOST_LEVELS, level);
        ompt_data_t *region = NULL;
        int size = -1;
        int found = get_parallel_info(level, &region, &size);
        CHECK(found == 0 || found == 2 || (found == 1 && level == 0), found);
        if (found == 0)
            break;
        if (found == 1)
            continue;
        CHECK(region && (region->value == 0 || KIND(region->value) == REGION_WORD), level);
        CHECK(size > 0 && size < THREADS, size);
    }
}

static void on_signal(int number) {
    (void)number;
    int saved = errno;
    ompt_wait_id_t wait_id = 0;
    int state = get_state(&wait_id), places[THREADS];
    void *address = NULL;
    size_t size = 99;
    uint64_t device;
    ompt_id_t target, operation;
    ompt_data_t *word = get_thread_data();
    if (own_word) {
        CHECK(is_state(state), state);
        CHECK(word == own_word && KIND(word->value) == THREAD_WORD, word);
        if (state >= ompt_state_wait_mutex && state <= ompt_state_wait_ordered) {
            CHECK(wait_id != 0, state);
            atomic_fetch_add(&in_waits, 1);
        }
    }
    check_levels(state);
    CHECK(get_task_memory(&address, &size, 0) == 0 && (size == 0 || address), size);
    CHECK(get_num_procs() > 0, 0);
    CHECK(get_num_places() >= 0, 0);
    CHECK(get_place_num() >= -1, 0);
    CHECK(get_partition_place_nums(THREADS, places) >= 0, 0);
    CHECK(get_proc_id() >= 0, 0);
    CHECK(get_num_devices() >= 0, 0);
    CHECK(get_target_info(&device, &target, &operation) <= 1, 0);
    CHECK(get_unique_id() != 0, 0);
    atomic_fetch_add(&samples, 1);
    errno = saved;
}

static void thread_begin(ompt_thread_t type, ompt_data_t *data) {
    data->value = THREAD_WORD | (uint64_t)type;
    own_word = data;
    change(0, gettid());
}

static void thread_end(ompt_data_t *data) {
    CHECK(data == own_word, data);
    change(gettid(), 0);
    own_word = NULL;
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned requested, int flags, const void *codeptr) {
    (void)task, (void)frame, (void)requested, (void)flags, (void)codeptr;
    CHECK(parallel->value == 0, parallel->value);
    parallel->value = REGION_WORD | (1 + atomic_fetch_add(&numbers, 1));
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                          unsigned size, unsigned index, int flags) {
    (void)size, (void)index;
    if (endpoint != ompt_scope_begin)
        return;
    CHECK(task->value == 0, task->value);
    if (flags & ompt_task_implicit)
        CHECK(KIND(parallel->value) == REGION_WORD, parallel->value);
    task->value = TASK_WORD | NUMBER(parallel->value);
}

static void task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task,
                        int flags, int has_dependences, const void *codeptr) {
    (void)parent, (void)frame, (void)flags, (void)has_dependences, (void)codeptr;
    CHECK(task->value == 0, task->value);
    task->value = TASK_WORD | 1;
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    (void)prior, (void)status, (void)next;
    check_levels(ompt_state_overhead);
}

/* Late events: what the entry points tell is of the region that ends. */
static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                        ompt_data_t *parallel, ompt_data_t *task, const void *codeptr) {
    (void)parallel, (void)kind, (void)codeptr;
    ompt_data_t *own = NULL, *region = NULL, *same = NULL;
    int flags = 0, size = 0;
    CHECK(get_task_info(0, &flags, &own, NULL, &region, NULL) == 2, endpoint);
    CHECK(get_parallel_info(0, &same, &size) == 2, endpoint);
    CHECK(own == task, kind);
    CHECK(region == same || (flags & ompt_task_initial), kind);
    check_words(0, region, task, flags);
    if (endpoint == ompt_scope_end)
        sched_yield();
}

static void start(ompt_set_callback_t set) {
    get_num_procs = ENTRY(get_num_procs);
    get_num_places = ENTRY(get_num_places);
    get_place_num = ENTRY(get_place_num);
    get_partition_place_nums = ENTRY(get_partition_place_nums);
    get_proc_id = ENTRY(get_proc_id);
    get_task_memory = ENTRY(get_task_memory);
    get_target_info = ENTRY(get_target_info);
    get_num_devices = ENTRY(get_num_devices);
    get_unique_id = ENTRY(get_unique_id);
    SET(thread_begin);
    SET(thread_end);
    SET(parallel_begin);
    SET(task_create);
    if (getenv("WITH_EVENTS")) {
        SET(implicit_task);
        SET(task_schedule);
        SET(sync_region);
        set(ompt_callback_sync_region_wait, (ompt_callback_t)sync_region);
    }
}
