/* Section 4.5 of the report, in code of any kind: see frames.h there. */
#define _GNU_SOURCE
#include "../entry_points/expect.h"
#include "tool.h"
#include "../entry_points/frames.h"

static int frames_at(int level, struct frames *frames) {
    ompt_frame_t *frame = NULL;
    if (!get_task_info(level, NULL, NULL, &frame, NULL))
        return 0;
    *frames = (struct frames){
        .exit = (uintptr_t)frame->exit_runtime_frame,
        .enter = (uintptr_t)frame->reenter_runtime_frame,
    };
    return 1;
}

static int is_registered(int event) {
    ompt_callback_t callback = NULL;
    return event > 0 && get_callback((ompt_event_t)event, &callback);
}

CALLBACK(ompt_event_parallel_begin, parallel_begin, ompt_task_id_t a, const ompt_frame_t *b,
         ompt_parallel_id_t c, uint32_t d, void *e, ompt_invoker_t f)
CALLBACK(ompt_event_parallel_end, parallel_end, ompt_parallel_id_t a, ompt_task_id_t b,
         ompt_invoker_t c)
CALLBACK(ompt_event_task_begin, task_begin, ompt_task_id_t a, const ompt_frame_t *b, ompt_task_id_t c,
         void *d)
CALLBACK(ompt_event_barrier_begin, barrier_begin, ompt_parallel_id_t a, ompt_task_id_t b,
         const void *c)
CALLBACK(ompt_event_taskwait_begin, taskwait_begin, ompt_parallel_id_t a, ompt_task_id_t b,
         const void *c)
CALLBACK(ompt_event_wait_taskwait_begin, wait_taskwait_begin, ompt_parallel_id_t a,
         ompt_task_id_t b)
CALLBACK(ompt_event_release_critical, release_critical, ompt_wait_id_t a)

static void start(void) {
    SET(parallel_begin);
    SET(parallel_end);
    SET(task_begin);
    SET(barrier_begin);
    SET(taskwait_begin);
    SET(wait_taskwait_begin);
    SET(release_critical);
}
