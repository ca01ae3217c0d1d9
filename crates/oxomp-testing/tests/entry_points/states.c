/* A program with its tool inside: a thread is held in each construct by the others, and another
 * native thread signals it. The answers of the entry points in the handler are known beforehand.
 *
 * With WITH_EVENTS in the environment the tool registers the events of the ends of regions, for
 * which a worker waits; without it the tool registers only what the program needs itself. */
#define _GNU_SOURCE
#include "answer.h"

#define STATE_OF_NEST_LOCK ompt_state_wait_lock
#include "held.h"

static uint64_t wait_ids;

static ompt_wait_id_t last_wait_id(void) {
    return __atomic_load_n(&wait_ids, __ATOMIC_SEQ_CST);
}

static void acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait_id,
                    const void *codeptr) {
    (void)kind, (void)hint, (void)impl, (void)codeptr;
    if (!atomic_load(&flag))
        __atomic_store_n(&wait_ids, wait_id, __ATOMIC_SEQ_CST);
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                        ompt_data_t *parallel, ompt_data_t *task, const void *codeptr) {
    (void)kind, (void)endpoint, (void)parallel, (void)task, (void)codeptr;
}

static void start(ompt_set_callback_t set) {
    set(ompt_callback_mutex_acquire, (ompt_callback_t)acquire);
    if (getenv("WITH_EVENTS"))
        SET(sync_region);
}

int main(void) {
    hold_everywhere();
    return 0;
}
