/* Chapter 2 of the report: a thread is held in each construct by the others, and another native
 * thread signals it. The answers of the inquiry functions in the handler are known beforehand:
 * state, wait id, ids, levels, frames.
 *
 * With EVENTS=waits the tool registers the events of mutexes, whose wait ids must be those of the
 * state; with EVENTS=all also those of the ends of regions, for which a worker waits; without it
 * nothing, as a tool that only samples. */
#define _GNU_SOURCE
#include "answer.h"

#define STATE_OF_NEST_LOCK ompt_state_wait_nest_lock
#include "../entry_points/held.h"

static _Atomic uint64_t wait_ids;

static ompt_wait_id_t last_wait_id(void) {
    return atomic_load(&wait_ids);
}

static void acquired(ompt_wait_id_t wait_id) {
    if (!atomic_load(&flag))
        atomic_store(&wait_ids, wait_id);
}

/* The event of a wait comes when the thread is in the state of the wait, with its wait id. */
static void waits(int state, ompt_wait_id_t wait_id) {
    ompt_wait_id_t of_state = 0;
    int now = (int)get_state(&of_state);
    if (now == state && of_state == wait_id && wait_id != 0)
        return;
    printf("wait event: state %#x with wait id %#llx, not %#x with %#llx\n", (unsigned)now,
           (unsigned long long)of_state, (unsigned)state, (unsigned long long)wait_id);
    atomic_fetch_add(&failures, 1);
}

static void wait_lock(ompt_wait_id_t wait_id) {
    waits(ompt_state_wait_lock, wait_id);
}

static void wait_nest_lock(ompt_wait_id_t wait_id) {
    waits(ompt_state_wait_nest_lock, wait_id);
}

static void wait_critical(ompt_wait_id_t wait_id, ompt_lock_hint_t hint, ompt_lock_type_t type) {
    (void)hint, (void)type;
    waits(ompt_state_wait_critical, wait_id);
}

static void wait_atomic(ompt_wait_id_t wait_id, ompt_atomic_type_t type) {
    (void)type;
    waits(ompt_state_wait_atomic, wait_id);
}

static void wait_ordered(ompt_wait_id_t wait_id) {
    waits(ompt_state_wait_ordered, wait_id);
}

static void at_end(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id) {
    (void)parallel_id, (void)task_id;
}

static void idles(ompt_thread_id_t thread_id) {
    (void)thread_id;
}

static void start(void) {
    const char *events = getenv("EVENTS");
    if (!events)
        return;
    SET(wait_lock);
    SET(wait_nest_lock);
    SET(wait_critical);
    SET(wait_atomic);
    SET(wait_ordered);
    set_callback(ompt_event_acquired_lock, (ompt_callback_t)acquired);
    set_callback(ompt_event_acquired_nest_lock_first, (ompt_callback_t)acquired);
    set_callback(ompt_event_acquired_critical, (ompt_callback_t)acquired);
    set_callback(ompt_event_acquired_atomic, (ompt_callback_t)acquired);
    set_callback(ompt_event_acquired_ordered, (ompt_callback_t)acquired);
    if (strcmp(events, "all") != 0)
        return;
    set_callback(ompt_event_implicit_task_end, (ompt_callback_t)at_end);
    set_callback(ompt_event_barrier_end, (ompt_callback_t)at_end);
    set_callback(ompt_event_wait_barrier_begin, (ompt_callback_t)at_end);
    set_callback(ompt_event_wait_barrier_end, (ompt_callback_t)at_end);
    set_callback(ompt_event_idle_begin, (ompt_callback_t)idles);
    set_callback(ompt_event_idle_end, (ompt_callback_t)idles);
}

/* Every state that a thread was seen in is one of the enumeration. */
static void enumeration(void) {
    ompt_state_t state = ompt_state_first;
    const char *state_name;
    while (enumerate_state(state, &state, &state_name))
        if ((unsigned)state < STATES)
            atomic_store(&seen[state], 0);
    for (int n = 0; n < STATES; n++)
        if (atomic_load(&seen[n])) {
            printf("state %#x is not enumerated\n", (unsigned)n);
            atomic_fetch_add(&failures, 1);
        }
}

int main(void) {
    omp_get_max_threads();
    hold_everywhere();
    enumeration();
    return atomic_load(&failures) != 0;
}
