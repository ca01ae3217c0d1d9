/* A program with a tool, which prints the chain of tasks at chosen points: the flags of each, its
 * thread number, the size of its region, and which frames are set (x exit, e enter). In each
 * callback with a frame the frame is that of the task, and the program is inside the runtime. */
#include "expect.h"
#include "tool.h"

static const struct {
    int flag;
    const char *name;
} FLAGS[] = {
    {ompt_task_initial, "initial"},       {ompt_task_implicit, "implicit"},
    {ompt_task_explicit, "explicit"},     {ompt_task_target, "target"},
    {ompt_task_taskwait, "taskwait"},     {ompt_task_undeferred, "undeferred"},
    {ompt_task_untied, "untied"},         {ompt_task_final, "final"},
    {ompt_task_mergeable, "mergeable"},   {(int)ompt_task_merged, "merged"},
};

/* Flags, and the order of the frames that are on the thread's own stack, beyond `last`. */
static void check_frame(const ompt_frame_t *frame, uintptr_t *last) {
    EXPECT((frame->exit_frame_flags & 0x30) != 0);
    EXPECT((frame->enter_frame_flags & 0x30) != 0);
    EXPECT(frame->enter_frame_flags & ompt_frame_application);
    if (frame->enter_frame.ptr) {
        EXPECT((uintptr_t)frame->enter_frame.ptr >= *last);
        *last = (uintptr_t)frame->enter_frame.ptr;
    }
    if (frame->exit_frame.ptr) {
        EXPECT((uintptr_t)frame->exit_frame.ptr >= *last);
        *last = (uintptr_t)frame->exit_frame.ptr;
    }
}

__attribute__((noinline)) static void chain(const char *what) {
    uintptr_t last = (uintptr_t)__builtin_frame_address(0);
    char text[512] = "";
    int regions = 0, size = 0;
    for (int level = 0;; level++) {
        ompt_data_t *task = NULL, *region = NULL;
        ompt_frame_t *frame = NULL;
        int flags = 0, thread_num = -1;
        int found = get_task_info(level, &flags, &task, &frame, &region, &thread_num);
        if (found != 2) {
            EXPECT(found == 0);
            break;
        }
        check_frame(frame, &last);
        if ((flags & ompt_task_implicit) && thread_num != 0)
            last = 0; /* The frames beyond are on another thread's stack. */
        strcat(text, level ? " | " : "");
        const char *between = "";
        for (unsigned n = 0; n < sizeof FLAGS / sizeof *FLAGS; n++)
            if (flags & FLAGS[n].flag) {
                strcat(strcat(text, between), FLAGS[n].name);
                between = ",";
            }
        char number[16];
        snprintf(number, sizeof number, " %d %s%s", thread_num, frame->exit_frame.ptr ? "x" : "-",
                 frame->enter_frame.ptr ? "e" : "-");
        strcat(text, number);
    }
    strcat(text, " of");
    while (get_parallel_info(regions, NULL, &size) == 2) {
        char number[16];
        snprintf(number, sizeof number, " %d", size);
        strcat(text, number);
        regions++;
    }
    printf("%s: %s\n", what, text);
}

/* A callback gets the frame of the encountering task, which is inside the runtime. */
static void check(const ompt_data_t *task, const ompt_frame_t *frame, const void *codeptr) {
    ompt_data_t *own = NULL;
    ompt_frame_t *same = NULL;
    EXPECT(get_task_info(0, NULL, &own, &same, NULL, NULL) == 2);
    EXPECT(own == task && same == frame);
    EXPECT(frame->enter_frame.ptr != NULL && codeptr != NULL);
    uintptr_t last = (uintptr_t)__builtin_frame_address(0);
    check_frame(frame, &last);
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned requested, int flags, const void *codeptr) {
    (void)parallel, (void)requested, (void)flags;
    check(task, frame, codeptr);
}

static void task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task,
                        int flags, int has_dependences, const void *codeptr) {
    (void)task, (void)flags, (void)has_dependences;
    check(parent, frame, codeptr);
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags,
                         const void *codeptr) {
    (void)parallel, (void)flags, (void)codeptr;
    ompt_data_t *own = NULL;
    ompt_frame_t *frame = NULL;
    EXPECT(get_task_info(0, NULL, &own, &frame, NULL, NULL) == 2 && own == task);
    EXPECT(frame->enter_frame.ptr != NULL);
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                          unsigned size, unsigned index, int flags) {
    (void)parallel, (void)size, (void)endpoint, (void)index;
    ompt_data_t *own = NULL;
    int own_flags = 0;
    if (!(flags & ompt_task_implicit))
        return;
    EXPECT(get_task_info(0, &own_flags, &own, NULL, NULL, NULL) == 2 && own == task);
    EXPECT(own_flags & ompt_task_implicit);
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    (void)prior, (void)status;
    ompt_data_t *own = NULL;
    EXPECT(get_task_info(0, NULL, &own, NULL, NULL, NULL) == 2);
    EXPECT(next == NULL || own == next);
}

static void start(ompt_set_callback_t set) {
    SET(parallel_begin);
    SET(parallel_end);
    SET(implicit_task);
    SET(task_create);
    SET(task_schedule);
}

#include "nestings.h"

int main(void) {
    nestings();
    chain("initial at last");
    printf("wrong=%d\n", wrong);
    return 0;
}
