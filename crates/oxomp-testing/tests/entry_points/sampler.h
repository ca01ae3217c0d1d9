/* A native thread that samples another one by signals: the entry points, called in the handler, must
 * answer what the sampled thread has foretold by `expect`. */
#include "tool.h"
#include <pthread.h>
#include <signal.h>

enum { LEVELS = 4, SAMPLES = 20 };

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
    ompt_data_t *thread;
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

/* The thread that is asked, and what it should answer. */
static struct {
    pid_t tid;
    const char *what;
    struct answer answer;
    /* The states in which it may be on its way. */
    int before[2];
    int has_copy, is_outside;
} asked;

static struct answer told;
static atomic_int answered, armed, checked, failures;
static uint64_t wait_ids;

static void on_signal(int number) {
    (void)number;
    ask(&told);
    atomic_fetch_add(&answered, 1);
}

static void sample(void) {
    int before = atomic_load(&answered);
    if (tgkill(getpid(), asked.tid, SIGUSR1) != 0) {
        printf("%s: the thread is gone\n", asked.what);
        exit(1);
    }
    while (atomic_load(&answered) == before)
        sched_yield();
}

static int line_of(const char *what, unsigned long long got, unsigned long long wanted) {
    if (got != wanted)
        printf("%s: %s is %#llx, not %#llx\n", asked.what, what, got, wanted);
    return got != wanted;
}
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
        if (!asked.has_copy || n != 0)
            lines += DIFFERS(levels[n].region);
        lines += line_of("is inside", told.levels[n].is_inside, asked.answer.levels[n].is_inside);
    }
    return lines;
}

/* The sampler: finds the thread in the state in the end, and from then on always, with the same
 * answers. */
static void *sampler(void *unused) {
    for (;;) {
        while (!atomic_load(&armed))
            sched_yield();
        if (atomic_load(&armed) < 0)
            return unused;
        long looks = 0;
        do {
            sample();
            if (told.state == asked.answer.state)
                break;
            if (told.state != asked.before[0] && told.state != asked.before[1])
                line_of("state on the way", (unsigned)told.state, (unsigned)asked.answer.state);
            usleep(100);
        } while (++looks < 200000);
        /* A state that it had on the way, too, counts once the thread has come to rest. */
        int lines = 0;
        if (asked.answer.state == ompt_state_work_parallel)
            usleep(1000);
        for (int n = 0; n < SAMPLES && !lines; n++) {
            sample();
            lines = differs();
        }
        atomic_fetch_add(&failures, lines);
        atomic_store(&armed, 0);
        atomic_fetch_add(&checked, 1);
    }
}

/* The calling thread is about to wait in `state`. */
static void expect(const char *what, int state, ompt_wait_id_t wait_id) {
    while (atomic_load(&armed))
        sched_yield();
    memset(&asked, 0, sizeof asked);
    asked.tid = gettid();
    asked.what = what;
    ask(&asked.answer);
    asked.before[0] = asked.answer.state;
    asked.before[1] = ompt_state_overhead;
    asked.answer.state = state;
    asked.answer.wait_id = wait_id;
    for (int n = 0; n < LEVELS; n++)
        if (asked.answer.levels[n].has_task != 2)
            memset(&asked.answer.levels[n], 0, sizeof asked.answer.levels[n]);
    /* In a closing barrier the task has no frame any more. */
    asked.answer.levels[0].is_inside |=
        state >= ompt_state_wait_barrier && state < ompt_state_idle &&
        state != ompt_state_wait_barrier_implicit_parallel &&
        state != ompt_state_wait_barrier_teams;
    asked.has_copy = state == ompt_state_wait_barrier_implicit_parallel ||
                     state == ompt_state_wait_barrier_teams;
    atomic_store(&armed, 1);
}

/* Returns when `count` threads in all have been asked. */
static void hold_until(int count) {
    while (atomic_load(&checked) < count)
        sched_yield();
}

static int asked_so_far;
/* Holds the other thread until it has been asked. */
static void hold(void) {
    hold_until(asked_so_far + 1);
}

static void here(const char *what, int state) {
    int now = get_state(NULL);
    if (now != state && atomic_fetch_add(&failures, 1) >= 0)
        printf("after %s: state is %#x, not %#x\n", what, (unsigned)now, (unsigned)state);
}
#define AT_WORK(what) here(what, ompt_state_work_parallel)

static atomic_int flag;
static void raise_flag(void) {
    atomic_store(&flag, 1);
}
static void raise_flag_and_hold(void) {
    raise_flag();
    hold();
}
static void wait_for_flag(void) {
    while (!atomic_load(&flag))
        sched_yield();
}

/* Each construct is in a region of two threads, of which `me` is asked and the other one holds it.
 */
static void next_construct(void) {
    asked_so_far = atomic_load(&checked);
    atomic_store(&flag, 0);
}

/* Whether the calling thread is the one to be asked. */
static int in_region(int me) {
    ompt_data_t *task, *region;
    get_task_info(0, NULL, &task, NULL, &region, NULL);
    task->value = 100 + (uint64_t)omp_get_thread_num();
    if (omp_get_thread_num() == me)
        region->value = 1000 + (uint64_t)asked_so_far;
    return omp_get_thread_num() == me;
}

