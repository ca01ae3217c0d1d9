/* The answers of the report's inquiry functions, of which a sampled thread foretells its own. */
#include "tool.h"

enum { LEVELS = 4, STATES = 0x82 };

/* By which the interface knows a thread. */
typedef ompt_thread_id_t thread_t;

/* The answers about one level. */
struct level {
    ompt_parallel_id_t region, region_of_task;
    ompt_task_id_t task;
    /* A team's size counts from 1 here; 0 is no team, for which the entry point answers -1. */
    int size;
    int has_task, type;
    void *exit;
    int is_inside; /* The reenter frame is set. */
};

struct answer {
    int state;
    ompt_wait_id_t wait_id;
    thread_t thread;
    struct level levels[LEVELS];
};

/* The states in which any thread was ever seen. */
static atomic_int seen[STATES];

static void ask(struct answer *answer) {
    memset(answer, 0, sizeof *answer);
    answer->wait_id = 99;
    answer->state = (int)get_state(&answer->wait_id);
    if (answer->state >= 0 && answer->state < STATES)
        atomic_store(&seen[answer->state], 1);
    answer->thread = get_thread_id();
    for (int n = 0; n < LEVELS; n++) {
        struct level *level = &answer->levels[n];
        ompt_frame_t *frame = NULL;
        ompt_task_type_t type = 0;
        int size = get_parallel_team_size(n);
        level->size = size == -1 ? 0 : size == 0 ? -1 : size;
        level->region = get_parallel_id(n);
        level->has_task = (int)get_task_info(n, &type, &level->task, &frame,
                                             &level->region_of_task);
        if (level->has_task == 1) {
            level->type = (int)type;
            level->exit = frame->exit_runtime_frame;
            level->is_inside = frame->reenter_runtime_frame != NULL;
        }
    }
}

/* The states of barriers have other names in OpenMP 5.x, by which the shared program calls them. */
#define ompt_state_wait_barrier_implicit_parallel ompt_state_wait_barrier_implicit
#define ompt_state_wait_barrier_implicit_workshare ompt_state_wait_barrier_implicit
#define ompt_state_wait_barrier_implementation ompt_state_wait_barrier
#define ompt_state_wait_barrier_teams ompt_state_wait_barrier

#include "../entry_points/sampler.h"

#define DIFFERS(field) line_of(#field, (unsigned long long)told.field, \
                               (unsigned long long)asked.answer.field)

static int is_wait_for_mutex(int state) {
    return state >= ompt_state_wait_lock && state <= ompt_state_wait_ordered;
}

/* A wait for a mutex has its wait id; outside of such waits there is none. */
static int wait_id_differs(void) {
    if (asked.answer.wait_id != 0)
        return DIFFERS(wait_id);
    return line_of("whether there is a wait id", told.wait_id != 0, is_wait_for_mutex(told.state));
}

/* In the barrier at the end of a region the task has no frame any more. */
static int has_no_frame;

static int differs(void) {
    int lines = DIFFERS(state) + DIFFERS(thread) + wait_id_differs();
    for (int n = 0; n < LEVELS; n++) {
        lines += DIFFERS(levels[n].has_task) + DIFFERS(levels[n].type) + DIFFERS(levels[n].task);
        lines += DIFFERS(levels[n].region) + DIFFERS(levels[n].region_of_task);
        lines += DIFFERS(levels[n].size);
        if (n != 0 || !has_no_frame)
            lines += DIFFERS(levels[n].exit);
        /* While a thread waits, the runtime may say so by the reenter frame. */
        if (n != 0 || told.state <= ompt_state_work_reduction)
            lines += DIFFERS(levels[n].is_inside);
    }
    return lines;
}

static void foretell(struct answer *answer, int state) {
    has_no_frame = state == ompt_state_wait_barrier_implicit || state == ompt_state_wait_barrier;
    answer->state = state;
}

static thread_t own_thread(void) {
    return get_thread_id();
}

static void name_task(void) {
}

static int in_region(int me) {
    return omp_get_thread_num() == me;
}
