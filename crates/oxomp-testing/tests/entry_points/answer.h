/* The answers of the entry points of OpenMP 5.x, of which a sampled thread foretells its own. */
#include "tool.h"

enum { LEVELS = 4 };

/* By which the interface knows a thread. */
typedef ompt_data_t *thread_t;

/* The answers of the entry points about one level. */
struct level {
    int has_task, has_region, flags, thread_num, size;
    ompt_data_t *task, *region, *region_of_task;
    uint64_t task_word, region_word;
    int is_inside; /* The enter frame is set. */
};

struct answer {
    int state;
    ompt_wait_id_t wait_id;
    thread_t thread;
    struct level levels[LEVELS];
};

static void ask(struct answer *answer) {
    memset(answer, 0, sizeof *answer);
    answer->state = get_state(&answer->wait_id);
    answer->thread = get_thread_data();
    for (int n = 0; n < LEVELS; n++) {
        struct level *level = &answer->levels[n];
        ompt_frame_t *frame = NULL;
        level->has_region = get_parallel_info(n, &level->region, &level->size);
        level->has_task = get_task_info(n, &level->flags, &level->task, &frame,
                                        &level->region_of_task, &level->thread_num);
        if (level->has_region == 2)
            level->region_word = level->region->value;
        if (level->has_task == 2) {
            level->task_word = level->task->value;
            level->is_inside = frame->enter_frame.ptr != NULL;
        }
    }
}

#include "sampler.h"

/* The thread waits in a copy of its region, which it keeps when the region ends. */
static int has_copy;

#define DIFFERS(field) line_of(#field, (unsigned long long)told.field, \
                               (unsigned long long)asked.answer.field)

static int differs(void) {
    int lines = DIFFERS(state) + DIFFERS(thread);
    if (asked.answer.wait_id != 0)
        lines += DIFFERS(wait_id);
    if (told.levels[0].region != told.levels[0].region_of_task)
        lines += line_of("whether region and task agree", 0, 1);
    for (int n = 0; n < LEVELS; n++) {
        lines += DIFFERS(levels[n].has_task) + DIFFERS(levels[n].has_region);
        lines += DIFFERS(levels[n].flags) + DIFFERS(levels[n].thread_num);
        lines += DIFFERS(levels[n].size) + DIFFERS(levels[n].task);
        lines += DIFFERS(levels[n].task_word) + DIFFERS(levels[n].region_word);
        if (!has_copy || n != 0)
            lines += DIFFERS(levels[n].region);
        lines += line_of("is inside", told.levels[n].is_inside, asked.answer.levels[n].is_inside);
    }
    return lines;
}

static void foretell(struct answer *answer, int state) {
    answer->state = state;
    for (int n = 0; n < LEVELS; n++)
        if (answer->levels[n].has_task != 2)
            memset(&answer->levels[n], 0, sizeof answer->levels[n]);
    /* In a closing barrier the task has no frame any more. */
    answer->levels[0].is_inside |=
        state >= ompt_state_wait_barrier && state < ompt_state_idle &&
        state != ompt_state_wait_barrier_implicit_parallel &&
        state != ompt_state_wait_barrier_teams;
    has_copy = state == ompt_state_wait_barrier_implicit_parallel ||
               state == ompt_state_wait_barrier_teams;
}

static thread_t own_thread(void) {
    return get_thread_data();
}

static void name_task(void) {
    ompt_data_t *word;
    get_task_info(0, NULL, &word, NULL, NULL, NULL);
    word->value = 77;
}

static int in_region(int me) {
    ompt_data_t *task, *region;
    get_task_info(0, NULL, &task, NULL, &region, NULL);
    task->value = 100 + (uint64_t)omp_get_thread_num();
    if (omp_get_thread_num() == me)
        region->value = 1000 + (uint64_t)asked_so_far;
    return omp_get_thread_num() == me;
}
