/* Section 4.5 of the report: the pointers of a task's frame structure, in each case of table 1,
 * point to the frames that the text names. Needs frame pointers. */
#include "../entry_points/expect.h"
#include "tool.h"

enum { NEAR = 3, MOST = 16 };

/* Whether `wanted` is among the next frames beyond `frame`, on the way out. */
static int is_near(void *frame, void *wanted) {
    for (int n = 0; n < NEAR; n++) {
        frame = *(void **)frame;
        if (frame == wanted)
            return 1;
    }
    return 0;
}

static ompt_frame_t frame_of(int level) {
    ompt_frame_t *frame = NULL, none = {(void *)-1, (void *)-1};
    return get_task_info(level, NULL, NULL, &frame, NULL) ? *frame : none;
}

/* A task in user code: the frame of the runtime that called the outlined function whose frame, or
 * that of a function in it, is `here`. */
#define IN_USER_CODE(here)                                                                         \
    do {                                                                                           \
        EXPECT(is_near(here, frame_of(0).exit_runtime_frame));                                     \
        EXPECT(frame_of(0).reenter_runtime_frame == NULL);                                         \
    } while (0)
#define HERE __builtin_frame_address(0)

/* The task at `level` has entered the runtime from the function with the frame `user`. */
static void entered_from(int level, void *user) {
    EXPECT(frame_of(level).reenter_runtime_frame == user);
}

/* The runtime's frames lie between that of the user code that entered and that of the user code
 * entered, if the same thread has both. */
static void lies_in_order(int levels) {
    for (int level = 0; level < levels; level++) {
        EXPECT((uintptr_t)frame_of(level + 1).reenter_runtime_frame >=
               (uintptr_t)frame_of(level).exit_runtime_frame);
    }
}

/* An explicit task that an implicit one generates and executes at once. */
static void undeferred_task(void) {
    void *user = HERE, *exit_before = frame_of(0).exit_runtime_frame;
#pragma omp task if (0)
    {
        IN_USER_CODE(HERE);
        entered_from(1, user);
        lies_in_order(1);
        EXPECT(frame_of(1).exit_runtime_frame == exit_before);
    }
    EXPECT(frame_of(0).reenter_runtime_frame == NULL);
    EXPECT(frame_of(0).exit_runtime_frame == exit_before);
}

/* A serialized region inside of another one; the exit frame is set once. */
static void nested(void) {
    void *user = HERE, *exit_before = frame_of(0).exit_runtime_frame;
    void *reenter_of_parent = frame_of(1).reenter_runtime_frame;
#pragma omp parallel num_threads(1)
    {
        IN_USER_CODE(HERE);
        /* A task other than the initial one that created a task: both are set. */
        entered_from(1, user);
        EXPECT(frame_of(1).exit_runtime_frame == exit_before && exit_before != NULL);
        EXPECT(frame_of(2).reenter_runtime_frame == reenter_of_parent);
        lies_in_order(1);
        undeferred_task();
    }
    EXPECT(frame_of(0).reenter_runtime_frame == NULL);
    EXPECT(frame_of(0).exit_runtime_frame == exit_before);
}

/* Idle frames: none of the initial thread; each worker has one, always the same, beyond all others
 * on its stack. */
static struct {
    ompt_thread_id_t thread;
    void *frame;
} idle[MOST];

static void idle_frame(void *exit) {
    void *frame = get_idle_frame();
    if (omp_get_thread_num() == 0) {
        EXPECT(frame == NULL);
        return;
    }
    EXPECT(frame != NULL && (uintptr_t)frame >= (uintptr_t)exit);
    EXPECT(exit == frame || is_near(exit, frame) || (uintptr_t)frame - (uintptr_t)exit < 1 << 20);
#pragma omp critical
    {
        int n = 0;
        while (n < MOST - 1 && idle[n].thread != 0 && idle[n].thread != get_thread_id())
            n++;
        EXPECT(idle[n].thread == 0 || idle[n].frame == frame);
        idle[n].thread = get_thread_id();
        idle[n].frame = frame;
    }
}

static void region(int size) {
    void *user = HERE;
    /* The initial task in user code: neither is set. */
    EXPECT(frame_of(0).exit_runtime_frame == NULL && frame_of(0).reenter_runtime_frame == NULL);
#pragma omp parallel num_threads(size)
    {
        IN_USER_CODE(HERE);
        /* The initial task has entered the runtime: every thread sees that only reenter is set. */
        EXPECT(frame_of(1).exit_runtime_frame == NULL);
        entered_from(1, user);
        if (omp_get_thread_num() == 0)
            lies_in_order(1);
        idle_frame(frame_of(0).exit_runtime_frame);
        undeferred_task();
        nested();
#pragma omp task
        IN_USER_CODE(HERE);
#pragma omp barrier
        IN_USER_CODE(HERE);
    }
    /* Cleared when the region ends. */
    EXPECT(frame_of(0).exit_runtime_frame == NULL && frame_of(0).reenter_runtime_frame == NULL);
}

/* The events' frame is that of the encountering task, which the inquiry has, too. */
static void is_encountering(ompt_task_id_t task, const ompt_frame_t *frame) {
    EXPECT(get_task_id(0) == task && get_task_frame(0) == frame);
    EXPECT(frame->reenter_runtime_frame != NULL);
}

static atomic_int begins;
static void parallel_begin(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_parallel_id_t id,
                           uint32_t requested, const void *function, ompt_invoker_t invoker) {
    (void)id, (void)requested, (void)function, (void)invoker;
    is_encountering(parent, frame);
    atomic_fetch_add(&begins, 1);
}

static void task_begin(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_task_id_t id,
                       const void *function) {
    (void)id, (void)function;
    is_encountering(parent, frame);
    atomic_fetch_add(&begins, 1);
}

/* About to be in user code: exit may be set, reenter is not. */
static void implicit_task_begin(ompt_parallel_id_t region, ompt_task_id_t task) {
    (void)region, (void)task;
    EXPECT(frame_of(0).reenter_runtime_frame == NULL);
}

static void start(void) {
    if (!getenv("EVENTS"))
        return;
    SET(parallel_begin);
    SET(task_begin);
    SET(implicit_task_begin);
}

int main(void) {
    omp_set_dynamic(0);
    omp_set_max_active_levels(1);
    omp_get_max_threads();
    EXPECT(get_idle_frame() == NULL);
    for (int n = 0; n < 20; n++)
        region(1 + n % 4);
    EXPECT(idle[2].thread != 0 && idle[3].thread == 0);
    EXPECT(begins > 0 || !getenv("EVENTS"));
    printf("wrong=%d\n", wrong);
    return 0;
}
