/* The frames of tasks in code of any kind (OpenMP 5.2 §19.4.4.29); see frames.h. */
#define _GNU_SOURCE
#include "expect.h"
#include "tool.h"
#include "frames.h"

static int frames_at(int level, struct frames *frames) {
    ompt_frame_t *frame = NULL;
    if (get_task_info(level, NULL, NULL, &frame, NULL, NULL) != 2)
        return 0;
    int kind = frame->enter_frame_flags & ~ompt_frame_application;
    *frames = (struct frames){
        .exit = (uintptr_t)frame->exit_frame.ptr,
        .enter = (uintptr_t)frame->enter_frame.ptr,
        .has_flags = 1,
        .exit_is_programs = frame->exit_frame_flags & ompt_frame_application,
        .enter_is_programs = frame->enter_frame_flags & ompt_frame_application,
        .enter_is_pointer = kind == ompt_frame_framepointer,
    };
    EXPECT(kind == ompt_frame_framepointer || kind == ompt_frame_stackaddress);
    return 1;
}

static int is_registered(int event) {
    ompt_callback_t callback = NULL;
    return event > 0 && ENTRY(get_callback)((ompt_callbacks_t)event, &callback);
}

CALLBACK(ompt_callback_parallel_begin, parallel_begin, ompt_data_t *a, const ompt_frame_t *b, ompt_data_t *c, unsigned d, int e,
         const void *f)
CALLBACK(ompt_callback_parallel_end, parallel_end, ompt_data_t *a, ompt_data_t *b, int c, const void *d)
CALLBACK(ompt_callback_task_create, task_create, ompt_data_t *a, const ompt_frame_t *b, ompt_data_t *c, int d, int e,
         const void *f)
CALLBACK(ompt_callback_sync_region, sync_region, ompt_sync_region_t a, ompt_scope_endpoint_t b, ompt_data_t *c, ompt_data_t *d,
         const void *e)
CALLBACK(ompt_callback_sync_region_wait, sync_region_wait, ompt_sync_region_t a, ompt_scope_endpoint_t b, ompt_data_t *c,
         ompt_data_t *d, const void *e)
CALLBACK(ompt_callback_work, work, ompt_work_t a, ompt_scope_endpoint_t b, ompt_data_t *c, ompt_data_t *d, uint64_t e,
         const void *f)
CALLBACK(ompt_callback_mutex_acquire, mutex_acquire, ompt_mutex_t a, unsigned b, unsigned c, ompt_wait_id_t d, const void *e)
CALLBACK(ompt_callback_mutex_acquired, mutex_acquired, ompt_mutex_t a, ompt_wait_id_t b, const void *c)
CALLBACK(ompt_callback_mutex_released, mutex_released, ompt_mutex_t a, ompt_wait_id_t b, const void *c)
CALLBACK(ompt_callback_lock_init, lock_init, ompt_mutex_t a, unsigned b, unsigned c, ompt_wait_id_t d, const void *e)
CALLBACK(ompt_callback_nest_lock, nest_lock, ompt_scope_endpoint_t a, ompt_wait_id_t b, const void *c)
CALLBACK(ompt_callback_cancel, cancel, ompt_data_t *a, int b, const void *c)

static void start(ompt_set_callback_t set) {
    SET(parallel_begin);
    SET(parallel_end);
    SET(task_create);
    SET(sync_region);
    SET(sync_region_wait);
    SET(work);
    SET(mutex_acquire);
    SET(mutex_acquired);
    SET(mutex_released);
    SET(lock_init);
    SET(nest_lock);
    SET(cancel);
}

