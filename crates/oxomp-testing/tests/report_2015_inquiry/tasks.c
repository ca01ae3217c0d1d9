/* Section 5.6 of the report, and the frames of 4.5: the chain of tasks at chosen points. Of each,
 * the innermost first: its type, which frames are set (x exit, r reenter), and the level of the
 * region that it belongs to, or - for none; then the sizes of the regions. */
#include "../entry_points/expect.h"
#include "tool.h"

static const char *const TYPES[] = {"none", "serial", "implicit", "explicit", "target",
                                    "degenerate"};

/* The frames that are on the thread's own stack lie in order, beyond `last`. */
static void check_frame(const ompt_frame_t *frame, uintptr_t *last) {
    if (frame->reenter_runtime_frame) {
        EXPECT((uintptr_t)frame->reenter_runtime_frame >= *last);
        *last = (uintptr_t)frame->reenter_runtime_frame;
    }
    if (frame->exit_runtime_frame) {
        EXPECT((uintptr_t)frame->exit_runtime_frame >= *last);
        *last = (uintptr_t)frame->exit_runtime_frame;
    }
}

static char level_of(ompt_parallel_id_t region) {
    for (int level = 0; region != 0; level++) {
        ompt_parallel_id_t here = get_parallel_id(level);
        if (here == region)
            return (char)('0' + level);
        if (here == 0)
            return '?';
    }
    return '-';
}

__attribute__((noinline)) static void chain(const char *what) {
    uintptr_t last = (uintptr_t)__builtin_frame_address(0);
    char text[512] = "";
    int regions = 0, is_worker = omp_get_thread_num() != 0;
    ompt_task_id_t before = 0;
    for (int level = 0;; level++) {
        ompt_task_id_t task = 0;
        ompt_parallel_id_t region = 99;
        ompt_frame_t *frame = NULL;
        ompt_task_type_t type = 0;
        if (!get_task_info(level, &type, &task, &frame, &region))
            break;
        /* Each pointer may be NULL, and the drafts' functions know the same. */
        EXPECT(get_task_info(level, NULL, NULL, NULL, NULL) == 1);
        EXPECT(get_task_id(level) == task && get_task_frame(level) == frame);
        EXPECT(task != 0 && task != before);
        before = task;
        check_frame(frame, &last);
        if (is_worker && type == ompt_task_implicit)
            last = 0; /* The frames beyond are on another thread's stack. */
        char one[64];
        snprintf(one, sizeof one, "%s%s %s%s %c", level ? " | " : "", TYPES[type],
                 frame->exit_runtime_frame ? "x" : "-", frame->reenter_runtime_frame ? "r" : "-",
                 level_of(region));
        strcat(text, one);
    }
    strcat(text, " of");
    for (int size; (size = get_parallel_team_size(regions)) != -1; regions++) {
        char number[16];
        snprintf(number, sizeof number, " %d", size);
        strcat(text, number);
        EXPECT(get_parallel_id(regions) != 0);
    }
    EXPECT(get_parallel_id(regions) == 0);
    printf("%s: %s\n", what, text);
}

/* A callback gets the frame of the encountering task, which is inside the runtime. */
static void parallel_begin(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_parallel_id_t id,
                           uint32_t requested, const void *function, ompt_invoker_t invoker) {
    (void)id, (void)requested, (void)function, (void)invoker;
    ompt_task_id_t task = 0;
    ompt_frame_t *same = NULL;
    EXPECT(get_task_info(0, NULL, &task, &same, NULL) == 1 && task == parent);
    EXPECT(same == frame && frame->reenter_runtime_frame != NULL);
}

static void parallel_end(ompt_parallel_id_t id, ompt_task_id_t parent, ompt_invoker_t invoker) {
    (void)id, (void)invoker;
    EXPECT(get_task_id(0) == parent);
    EXPECT(get_task_frame(0)->reenter_runtime_frame != NULL);
}

static void task_begin(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_task_id_t id,
                       const void *function) {
    (void)function;
    EXPECT(id != parent && get_task_id(0) == parent && get_task_frame(0) == frame);
    EXPECT(frame->reenter_runtime_frame != NULL);
}

static void start(void) {
    if (!getenv("EVENTS"))
        return;
    SET(parallel_begin);
    SET(parallel_end);
    SET(task_begin);
}

/* In a target region: how many of the tasks are target tasks. */
static int target_tasks(ompt_task_id_t outer) {
    int count = 0;
    ompt_task_type_t type = 0;
    ompt_task_id_t task = 0;
    ompt_parallel_id_t region = 99;
    ompt_frame_t *frame = NULL;
    for (int level = 0; get_task_info(level, &type, &task, &frame, &region); level++) {
        if (type != ompt_task_target)
            continue;
        count++;
        EXPECT(task != 0 && region == 0 && frame->exit_runtime_frame != NULL);
        EXPECT(get_task_id(level + 1) == outer);
        EXPECT(get_task_frame(level + 1)->reenter_runtime_frame != NULL);
        EXPECT(target_get_device_id() == omp_get_initial_device());
    }
    return count;
}

/* clang's code calls the function of a target region itself where there is no device; gcc's calls
 * the runtime, which executes it in a target task. */
static void target(void) {
    ompt_task_id_t outer = get_task_id(0);
    int count = 0;
#pragma omp target map(from : count)
    count = target_tasks(outer);
#ifndef __clang__
    EXPECT(count == 1);
#endif
    EXPECT(target_get_device_id() == -1);
}

#include "../entry_points/nestings.h"

int main(void) {
    nestings();
    target();
    chain("initial at last");
    printf("wrong=%d\n", wrong);
    return 0;
}
