/* A program with its tool inside, which calls the entry points where they have little to say: on a
 * thread that OpenMP does not know, before and after the first region, in regions, and, built with
 * -DREFUSES, after the tool has refused to run. */
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ompt_function_lookup_t look_up;
#define ENTRY(name) ((ompt_##name##_t)entry("ompt_" #name))

static ompt_interface_fn_t entry(const char *name) {
    ompt_interface_fn_t function = look_up(name);
    if (!function) {
        printf("%s is missing\n", name);
        exit(1);
    }
    return function;
}

static void expect(int line, const char *what, long long got, long long wanted) {
    if (got != wanted) {
        printf("line %d: %s is %lld, not %lld\n", line, what, got, wanted);
        exit(1);
    }
}
#define EXPECT(what, wanted) expect(__LINE__, #what, (long long)(what), (long long)(wanted))

static void nothing(void) {}

static void thread_begin(ompt_thread_t type, ompt_data_t *data) {
    data->value = 500 + (uint64_t)type;
}

static int threads_begun(void) {
    ompt_data_t *data = ENTRY(get_thread_data)();
    return data ? (int)data->value : -1;
}

/* On a thread of the program that has not met OpenMP, and does not meet it here. */
static void *unknown_thread(void *unused) {
    ompt_data_t *data = NULL;
    ompt_frame_t *frame = NULL;
    ompt_wait_id_t wait_id = 99;
    uint64_t device;
    ompt_id_t target, operation;
    int flags = -5, number = -5, size = -5;
    EXPECT(ENTRY(get_thread_data)() == NULL, 1);
    EXPECT(ENTRY(get_state)(&wait_id), ompt_state_undefined);
    EXPECT(ENTRY(get_state)(NULL), ompt_state_undefined);
    EXPECT(ENTRY(get_parallel_info)(0, &data, &size), 0);
    EXPECT(ENTRY(get_task_info)(0, &flags, &data, &frame, &data, &number), 0);
    EXPECT(flags, -5);
    EXPECT(number, -5);
    EXPECT(size, -5);
    EXPECT(ENTRY(get_place_num)(), -1);
    EXPECT(ENTRY(get_partition_place_nums)(0, NULL), 0);
    EXPECT(ENTRY(get_target_info)(&device, &target, &operation), 0);
    EXPECT(ENTRY(get_num_procs)() > 0, 1);
    EXPECT(ENTRY(get_num_devices)(), 0);
    EXPECT(ENTRY(get_proc_id)() >= 0, 1);
    EXPECT(ENTRY(get_unique_id)() != ENTRY(get_unique_id)(), 1);
    return unused;
}

static void on_unknown_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, unknown_thread, NULL);
    pthread_join(thread, NULL);
}

static void registration(void) {
    ompt_set_callback_t set = ENTRY(set_callback);
    ompt_get_callback_t get = ENTRY(get_callback);
    ompt_callback_t registered = NULL;
    EXPECT(get(ompt_callback_flush, &registered), 0);
    EXPECT(set(ompt_callback_flush, nothing), ompt_set_sometimes);
    EXPECT(get(ompt_callback_flush, &registered), 1);
    EXPECT(registered == nothing, 1);
    EXPECT(set(ompt_callback_flush, NULL), ompt_set_always);
    EXPECT(get(ompt_callback_flush, &registered), 0);
    EXPECT(set((ompt_callbacks_t)0, nothing), ompt_set_error);
    EXPECT(set((ompt_callbacks_t)48, nothing), ompt_set_error);
    EXPECT(set((ompt_callbacks_t)-1, nothing), ompt_set_error);
    EXPECT(get((ompt_callbacks_t)1000, &registered), 0);
}

static void initial_task(void) {
    ompt_data_t *task = NULL, *region = NULL, *same = NULL;
    ompt_frame_t *frame = NULL;
    int flags = 0, number = -1, size = 0;
    EXPECT(threads_begun(), 500 + ompt_thread_initial);
    EXPECT(ENTRY(get_state)(NULL), ompt_state_work_serial);
    EXPECT(ENTRY(get_parallel_info)(0, &region, &size), 2);
    EXPECT(size, 1);
    EXPECT(ENTRY(get_parallel_info)(1, NULL, NULL), 0);
    EXPECT(ENTRY(get_parallel_info)(-1, NULL, NULL), 0);
    EXPECT(ENTRY(get_task_info)(0, &flags, &task, &frame, &same, &number), 2);
    EXPECT(flags, ompt_task_initial);
    EXPECT(number, 0);
    EXPECT(region == same, 1);
    EXPECT(frame->exit_frame.ptr == NULL, 1);
    EXPECT(frame->enter_frame.ptr == NULL, 1);
    EXPECT(ENTRY(get_task_info)(1, NULL, NULL, NULL, NULL, NULL), 0);
    EXPECT(ENTRY(get_task_info)(0, NULL, NULL, NULL, NULL, NULL), 2);
}

static void regions(void) {
    ompt_data_t *outer_task = NULL;
    ENTRY(get_task_info)(0, NULL, &outer_task, NULL, NULL, NULL);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
    {
        int outer = omp_get_thread_num();
        EXPECT(ENTRY(get_state)(NULL), ompt_state_work_parallel);
#pragma omp parallel num_threads(2)
        {
            ompt_data_t *task = NULL, *parent = NULL, *region = NULL, *same = NULL;
            ompt_frame_t *frame = NULL, *parent_frame = NULL;
            int flags = 0, number = -1, size = 0;
            size_t bytes = 1;
            EXPECT(ENTRY(get_parallel_info)(0, &region, &size), 2);
            EXPECT(size, 2);
            EXPECT(ENTRY(get_task_info)(0, &flags, &task, &frame, &same, &number), 2);
            EXPECT(flags, ompt_task_implicit);
            EXPECT(number, omp_get_thread_num());
            EXPECT(region == same, 1);
            EXPECT(frame->exit_frame.ptr != NULL, 1);
            EXPECT(frame->enter_frame.ptr == NULL, 1);
            EXPECT(ENTRY(get_parallel_info)(1, &region, &size), 2);
            EXPECT(size, 3);
            EXPECT(ENTRY(get_task_info)(1, &flags, &parent, &parent_frame, &same, &number), 2);
            EXPECT(flags, ompt_task_implicit);
            EXPECT(number, outer);
            EXPECT(region == same, 1);
            EXPECT(parent != task, 1);
            EXPECT(parent_frame->enter_frame.ptr != NULL, 1);
            EXPECT(ENTRY(get_task_info)(2, &flags, &task, NULL, NULL, &number), 2);
            EXPECT(flags, ompt_task_initial);
            EXPECT(task == outer_task, 1);
            EXPECT(number, 0);
            EXPECT(ENTRY(get_parallel_info)(2, &region, &size), 2);
            EXPECT(size, 1);
            EXPECT(ENTRY(get_task_info)(3, NULL, NULL, NULL, NULL, NULL), 0);
            EXPECT(ENTRY(get_parallel_info)(3, NULL, NULL), 0);
            EXPECT(ENTRY(get_task_memory)(NULL, &bytes, 0), 0);
            EXPECT(bytes, 0);
        }
    }
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    look_up = lookup;
    EXPECT(ENTRY(set_callback)(ompt_callback_thread_begin, (ompt_callback_t)thread_begin),
           ompt_set_always);
#ifdef REFUSES
    return 0;
#else
    return 1;
#endif
}

static void finalize(ompt_data_t *data) {
    (void)data;
    printf("finalized\n");
}

static void after_the_tool(void) {
    ompt_callback_t registered;
    EXPECT(ENTRY(set_callback)(ompt_callback_flush, nothing), ompt_set_error);
    EXPECT(ENTRY(get_callback)(ompt_callback_thread_begin, &registered), 0);
    EXPECT(ENTRY(get_thread_data)() == NULL, 1);
    EXPECT(ENTRY(get_state)(NULL), 0);
    EXPECT(ENTRY(get_proc_id)(), -1);
    EXPECT(ENTRY(get_parallel_info)(0, NULL, NULL), 0);
    EXPECT(ENTRY(get_task_info)(0, NULL, NULL, NULL, NULL, NULL), 0);
    ENTRY(finalize_tool)();
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}

int main(void) {
#ifdef REFUSES
    omp_get_max_threads();
    after_the_tool();
    printf("asked\n");
    return 0;
#endif
    on_unknown_thread();
    omp_get_max_threads();
    registration();
    initial_task();
    regions();
    initial_task();
    on_unknown_thread();
    printf("asked\n");
    ENTRY(finalize_tool)();
    after_the_tool();
    return 0;
}
