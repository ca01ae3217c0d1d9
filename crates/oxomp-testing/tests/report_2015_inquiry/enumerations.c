/* Sections 5.1 to 5.3 of the report: the enumerations, in the loops that it shows, and what an
 * event says of a lock or an atomic construct is enumerated. */
#include "../entry_points/expect.h"
#include "tool.h"

enum { MOST = 64 };

static const struct {
    ompt_state_t number;
    const char *name;
} STATES[] = {
#define STATE(name) {ompt_state_##name, "ompt_state_" #name}
    STATE(work_serial),           STATE(work_parallel),         STATE(work_reduction),
    STATE(idle),                  STATE(overhead),              STATE(wait_barrier),
    STATE(wait_barrier_implicit), STATE(wait_barrier_explicit), STATE(wait_taskwait),
    STATE(wait_taskgroup),        STATE(wait_lock),             STATE(wait_nest_lock),
    STATE(wait_critical),         STATE(wait_atomic),           STATE(wait_ordered),
    STATE(wait_target),           STATE(wait_target_data),      STATE(wait_target_update),
    STATE(undefined),
};
enum { KNOWN = sizeof STATES / sizeof *STATES };

/* Section 5.1. Each state comes once, with its name and the number of the report; `first` and the
 * drafts' first never come, so each loop ends. */
static void states_from(ompt_state_t first) {
    int times[KNOWN] = {0}, count = 0;
    ompt_state_t state = first;
    const char *state_name;
    while (enumerate_state(state, &state, &state_name)) {
        if (++count > MOST)
            break;
        EXPECT(state != ompt_state_first && (unsigned)state != 0x71);
        for (int n = 0; n < KNOWN; n++)
            if (STATES[n].number == state) {
                times[n]++;
                EXPECT(strcmp(state_name, STATES[n].name) == 0);
            }
        /* A state of our own would be above those of the report. */
        EXPECT((unsigned)state <= 0x80 || (unsigned)state > 0x81);
    }
    EXPECT(count <= MOST);
    EXPECT(!enumerate_state(state, &state, &state_name));
    for (int n = 0; n < KNOWN; n++) {
        int may_be_absent = STATES[n].number == ompt_state_wait_target_data ||
                            STATES[n].number == ompt_state_wait_target_update;
        EXPECT(times[n] == 1 || (times[n] == 0 && may_be_absent));
    }
}

static void states(void) {
    states_from(ompt_state_first);
    states_from((ompt_state_t)0x71);
    /* The last, and what is none, have no next. */
    ompt_state_t next = (ompt_state_t)0x33;
    const char *name = "untouched";
    EXPECT(!enumerate_state((ompt_state_t)0x33, &next, &name));
    EXPECT(next == (ompt_state_t)0x33 && strcmp(name, "untouched") == 0);
    EXPECT(!enumerate_state((ompt_state_t)-1, &next, &name));
}

typedef int (*enumerate_t)(uint32_t, uint32_t *, const char **);

/* Sections 5.2 and 5.3. How many types there are, each with a name of its own. */
static int types(enumerate_t enumerate, uint32_t first, uint32_t *all, const char **names) {
    int count = 0;
    uint32_t type = first;
    const char *type_name;
    while (enumerate(type, &type, &type_name) && count < MOST) {
        EXPECT(type != first && type < 1000 && type_name && *type_name);
        for (int n = 0; n < count; n++)
            EXPECT(all[n] != type && strcmp(names[n], type_name) != 0);
        all[count] = type;
        names[count++] = type_name;
    }
    EXPECT(count < MOST);
    EXPECT(!enumerate(type, &type, &type_name));
    EXPECT(!enumerate(12345, &type, &type_name));
    return count;
}

static int has(const uint32_t *all, int count, uint32_t type) {
    for (int n = 0; n < count; n++)
        if (all[n] == type)
            return 1;
    return 0;
}

static uint32_t lock_types[MOST], atomic_types[MOST];
static int lock_count, atomic_count;
static atomic_int heard_locks, waits;

static void init_lock(ompt_wait_id_t wait_id, ompt_lock_hint_t hint, ompt_lock_type_t type) {
    (void)hint;
    EXPECT(wait_id != 0 && has(lock_types, lock_count, type));
    atomic_fetch_add(&heard_locks, 1);
}

static void wait_critical(ompt_wait_id_t wait_id, ompt_lock_hint_t hint, ompt_lock_type_t type) {
    (void)hint;
    EXPECT(wait_id != 0 && has(lock_types, lock_count, type));
    atomic_fetch_add(&waits, 1);
}

static void wait_atomic(ompt_wait_id_t wait_id, ompt_atomic_type_t type) {
    EXPECT(wait_id != 0 && has(atomic_types, atomic_count, type));
    atomic_fetch_add(&waits, 1);
}

static void start(void) {
    const char *lock_names[MOST], *names[MOST], *atomic_names[MOST];
    uint32_t same[MOST];
    states();
    lock_count = types(enumerate_lock_type, ompt_lock_type_first, lock_types, lock_names);
    EXPECT(lock_count > 0);
    /* The other name of the prose. */
    EXPECT(types(enumerate_lock_types, ompt_lock_type_first, same, names) == lock_count);
    for (int n = 0; n < lock_count; n++)
        EXPECT(same[n] == lock_types[n] && strcmp(names[n], lock_names[n]) == 0);
    atomic_count = types(enumerate_atomic_type, ompt_atomic_type_first, atomic_types,
                         atomic_names);
    EXPECT(atomic_count > 0);
    SET(init_lock);
    set_callback(ompt_event_init_nest_lock, (ompt_callback_t)init_lock);
    SET(wait_critical);
    SET(wait_atomic);
}

void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

/* One thread is inside until the other one waits. */
static void contention(void) {
    static atomic_int entered;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            while (!atomic_load(&entered))
                sched_yield();
        }
#pragma omp critical(contended)
        {
            if (omp_get_thread_num() == 1) {
                atomic_store(&entered, 1);
                while (atomic_load(&waits) < 1)
                    sched_yield();
            }
        }
#pragma omp barrier
        if (omp_get_thread_num() == 0) {
            while (atomic_load(&entered) < 2)
                sched_yield();
            GOMP_atomic_start();
            GOMP_atomic_end();
        } else {
            GOMP_atomic_start();
            atomic_store(&entered, 2);
            while (atomic_load(&waits) < 2)
                sched_yield();
            GOMP_atomic_end();
        }
    }
}

int main(void) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    contention();
    states();
    printf("locks=%d waits=%d wrong=%d\n", heard_locks, waits, wrong);
    return 0;
}
