/* The first region of a child whose parent has had one before fork(2): the task that encounters it
 * has entered the runtime (§4.5), and is the initial task that has begun last. */
#include <omp.h>
#include <ompt.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static ompt_task_id_t initial;

static void on_initial_task_begin(ompt_task_id_t task) {
    initial = task;
}

static void on_parallel_begin(ompt_task_id_t parent, const ompt_frame_t *frame,
                              ompt_parallel_id_t parallel, uint32_t requested,
                              const void *function, ompt_invoker_t invoker) {
    (void)parallel, (void)requested, (void)function, (void)invoker;
    printf("region: parent=%d reenter=%d exit=%d\n", parent == initial,
           frame->reenter_runtime_frame != NULL, frame->exit_runtime_frame != NULL);
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned int version) {
    (void)runtime, (void)version;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    set_callback(ompt_event_initial_task_begin, (ompt_callback_t)on_initial_task_begin);
    set_callback(ompt_event_parallel_begin, (ompt_callback_t)on_parallel_begin);
}

ompt_initialize_fn_t ompt_tool(void) {
    return initialize;
}

static void region(void) {
#pragma omp parallel num_threads(2)
    (void)omp_get_thread_num();
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    region();
    if (fork() == 0) {
        region();
        region();
        return 0;
    }
    wait(NULL);
    return 0;
}
