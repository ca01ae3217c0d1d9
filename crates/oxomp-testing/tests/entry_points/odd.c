/* A program with its tool inside: entry points at odd moments (in the initializer, on threads that
 * the runtime does not know, in the finalizer, after it) and with odd arguments; unique numbers
 * drawn by all threads at once; processors and places of bound and unbound threads. */
#define _GNU_SOURCE
static void ended(void);
#define END ended()
#include "expect.h"
#include "tool.h"
#include <limits.h>
#include <pthread.h>

/* The callbacks, each at an address of its own, as the registration has to keep it. */
static char callbacks[64];

/* In the initializer every event of the interface can be registered, is found registered, and can
 * be unregistered. */
static void registration(void) {
    ompt_callback_t found = NULL;
    for (int event = 1; event <= 37; event++) {
        ompt_callbacks_t code = (ompt_callbacks_t)event;
        ompt_callback_t callback = (ompt_callback_t)(uintptr_t)&callbacks[event];
        EXPECT(ENTRY(get_callback)(code, &found) == 0 && found == NULL);
        EXPECT(ENTRY(set_callback)(code, callback) != ompt_set_error);
    }
    for (int event = 1; event <= 37; event++) {
        ompt_callbacks_t code = (ompt_callbacks_t)event;
        found = NULL;
        EXPECT(ENTRY(get_callback)(code, &found) == 1);
        EXPECT(found == (ompt_callback_t)(uintptr_t)&callbacks[event]);
        EXPECT(ENTRY(get_callback)(code, NULL) == 1);
        EXPECT(ENTRY(set_callback)(code, NULL) == ompt_set_always);
        EXPECT(ENTRY(get_callback)(code, &found) == 0);
    }
    const int unknown[] = {0, -1, 38, 64, 1000, INT_MAX, INT_MIN};
    for (unsigned n = 0; n < sizeof unknown / sizeof *unknown; n++) {
        ompt_callbacks_t code = (ompt_callbacks_t)unknown[n];
        EXPECT(ENTRY(set_callback)(code, (ompt_callback_t)registration) == ompt_set_error);
        EXPECT(ENTRY(get_callback)(code, &found) == 0);
    }
}

/* Every state of the header, in the order of the numbers, each under its name. */
static void enumeration(void) {
    static const struct {
        int number;
        const char *name;
    } STATES[] = {
#define STATE(name) {ompt_state_##name, "ompt_state_" #name}
        STATE(work_serial),         STATE(work_parallel),
        STATE(work_reduction),      STATE(work_free_agent),
        STATE(work_induction),      STATE(wait_barrier),
        STATE(wait_barrier_implicit_parallel), STATE(wait_barrier_implicit_workshare),
        STATE(wait_barrier_implicit), STATE(wait_barrier_explicit),
        STATE(wait_barrier_implementation), STATE(wait_barrier_teams),
        STATE(wait_taskwait),       STATE(wait_taskgroup),
        STATE(wait_mutex),          STATE(wait_lock),
        STATE(wait_critical),       STATE(wait_atomic),
        STATE(wait_ordered),        STATE(wait_target),
        STATE(wait_target_map),     STATE(wait_target_update),
        STATE(idle),                STATE(overhead),
    };
    int state = ompt_state_undefined;
    const char *name = NULL;
    for (unsigned n = 0; n < sizeof STATES / sizeof *STATES; n++) {
        EXPECT(ENTRY(enumerate_states)(state, &state, &name) == 1);
        EXPECT(state == STATES[n].number && strcmp(name, STATES[n].name) == 0);
    }
    int same = state;
    EXPECT(ENTRY(enumerate_states)(state, &state, &name) == 0 && state == same);
    EXPECT(ENTRY(enumerate_states)(0x7777, &state, &name) == 0 && state == same);
    EXPECT(ENTRY(enumerate_states)(-1, NULL, NULL) == 0);
    EXPECT(ENTRY(enumerate_states)(ompt_state_undefined, NULL, NULL) == 1);
    EXPECT(ENTRY(enumerate_mutex_impls)(12345, &state, &name) == 0);
    EXPECT(ENTRY(enumerate_mutex_impls)(ompt_mutex_impl_none, NULL, NULL) == 1);
}

/* Without null pointers no memory is written; levels that there are not have no answer. */
static void levels(int is_in_task) {
    const int far[] = {-1, INT_MIN, 1000, INT_MAX};
    ompt_data_t *data = (ompt_data_t *)&data, *region = data;
    ompt_frame_t *frame = (ompt_frame_t *)&frame;
    void *address = NULL;
    size_t size = 5;
    int number = -7;
    for (unsigned n = 0; n < sizeof far / sizeof *far; n++) {
        EXPECT(ENTRY(get_parallel_info)(far[n], &region, &number) == 0);
        EXPECT(ENTRY(get_task_info)(far[n], &number, &data, &frame, &region, &number) == 0);
        EXPECT(ENTRY(get_task_memory)(&address, &size, far[n]) == 0 && size == 0);
        size = 5;
    }
    EXPECT(number == -7 && data == (ompt_data_t *)&data && region == data);
    EXPECT(frame == (ompt_frame_t *)&frame);
    EXPECT(ENTRY(get_parallel_info)(0, NULL, NULL) == (is_in_task ? 2 : 0));
    EXPECT(ENTRY(get_task_info)(0, NULL, NULL, NULL, NULL, NULL) == (is_in_task ? 2 : 0));
    EXPECT(ENTRY(get_task_memory)(NULL, NULL, 0) == 0);
    EXPECT(ENTRY(get_target_info)(NULL, NULL, NULL) == 0);
}

static void places(void) {
    int ids[4] = {-9, -9, -9, -9};
    EXPECT(ENTRY(get_place_proc_ids)(-1, 4, ids) == 0);
    EXPECT(ENTRY(get_place_proc_ids)(INT_MAX, 4, ids) == 0);
    EXPECT(ENTRY(get_place_proc_ids)(INT_MIN, 4, ids) == 0);
    EXPECT(ENTRY(get_place_proc_ids)(ENTRY(get_num_places)(), 4, ids) == 0);
    int count = ENTRY(get_place_proc_ids)(0, 0, ids);
    EXPECT(ENTRY(get_place_proc_ids)(0, -1, ids) == count);
    EXPECT(ENTRY(get_place_proc_ids)(0, 4, NULL) == count);
    int partition = ENTRY(get_partition_place_nums)(0, ids);
    EXPECT(ENTRY(get_partition_place_nums)(-1, ids) == partition);
    EXPECT(ENTRY(get_partition_place_nums)(4, NULL) == partition);
    EXPECT(ids[0] == -9);
}

static void *unknown_thread(void *unused) {
    ompt_wait_id_t wait_id = 1;
    EXPECT(ENTRY(get_thread_data)() == NULL);
    EXPECT(ENTRY(get_state)(&wait_id) == ompt_state_undefined);
    levels(0);
    places();
    EXPECT(ENTRY(get_place_num)() == -1);
    EXPECT(ENTRY(get_partition_place_nums)(0, NULL) == 0);
    EXPECT(ENTRY(get_proc_id)() >= 0);
    EXPECT(ENTRY(get_unique_id)() != 0);
    EXPECT(ENTRY(get_num_procs)() > 0);
    EXPECT(ENTRY(get_num_devices)() == omp_get_num_devices());
    return unused;
}

static void on_an_unknown_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, unknown_thread, NULL);
    pthread_join(thread, NULL);
}

enum { DRAWERS = 4, EACH = 50000 };
static uint64_t drawn[DRAWERS * EACH];

static int compare(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

static void unique_ids(void) {
    ompt_get_unique_id_t draw = ENTRY(get_unique_id);
#pragma omp parallel num_threads(DRAWERS)
    {
        uint64_t *own = drawn + omp_get_thread_num() * EACH;
#pragma omp barrier
        for (int n = 0; n < EACH; n++)
            own[n] = draw();
    }
    qsort(drawn, DRAWERS * EACH, sizeof *drawn, compare);
    EXPECT(drawn[0] != 0);
    for (int n = 1; n < DRAWERS * EACH; n++)
        if (drawn[n] == drawn[n - 1]) {
            EXPECT(!"the numbers differ");
            return;
        }
}

/* The processor of a bound thread is one of its place; an unbound thread has no place. */
static void processors(void) {
    int is_bound = omp_get_proc_bind() != omp_proc_bind_false;
#pragma omp parallel num_threads(3)
    {
        int place = ENTRY(get_place_num)(), ids[1024], nums[1024], is_there = 0;
        EXPECT(place == omp_get_place_num());
        EXPECT(is_bound ? place >= 0 && place < ENTRY(get_num_places)() : place == -1);
        EXPECT(ENTRY(get_num_places)() == omp_get_num_places());
        if (is_bound) {
            int count = ENTRY(get_place_proc_ids)(place, 1024, ids);
            int now = ENTRY(get_proc_id)();
            for (int n = 0; n < count; n++)
                is_there |= ids[n] == now;
            EXPECT(is_there);
        }
        EXPECT(ENTRY(get_proc_id)() >= 0);
        int count = ENTRY(get_partition_place_nums)(1024, nums);
        EXPECT(count == omp_get_partition_num_places());
        for (int n = 0; n < count; n++)
            EXPECT(nums[n] >= 0 && nums[n] < omp_get_num_places());
    }
}

static void start(ompt_set_callback_t set) {
    (void)set;
    registration();
    enumeration();
    EXPECT(look_up("ompt_get_nothing") == NULL && look_up("") == NULL);
    EXPECT(ENTRY(get_state)(NULL) == ompt_state_undefined ||
           ENTRY(get_thread_data)() != NULL);
    places();
    EXPECT(ENTRY(get_unique_id)() != ENTRY(get_unique_id)());
    on_an_unknown_thread();
}

static void after_the_end(void) {
    ompt_callback_t found = NULL;
    EXPECT(ENTRY(set_callback)(ompt_callback_flush, (ompt_callback_t)after_the_end) ==
           ompt_set_error);
    EXPECT(ENTRY(get_callback)(ompt_callback_flush, &found) == 0 && found == NULL);
    EXPECT(ENTRY(get_thread_data)() == NULL);
    levels(0);
    places();
    EXPECT(ENTRY(get_place_num)() == -1);
    ENTRY(finalize_tool)();
}

static void ended(void) {
    EXPECT(ENTRY(get_unique_id)() != 0);
    enumeration();
    printf("finalized wrong=%d\n", wrong);
}

int main(void) {
    omp_get_max_threads();
    on_an_unknown_thread();
    levels(1);
    places();
    unique_ids();
    processors();
#pragma omp parallel num_threads(2)
    levels(1);
    ENTRY(finalize_tool)();
    after_the_end();
    printf("wrong=%d\n", wrong);
    return 0;
}
