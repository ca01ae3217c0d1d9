/* Several native threads have regions and tasks, and each pauses OpenMP after each region. The tool
 * starts and ends many times. In each session each thread begins before its other events, and what
 * has begun has ended when the session ends. Writes what is wrong. */
#include <omp.h>
#include <ompt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { ROOTS = 4, ROUNDS = 100 };

static atomic_int regions, implicit_tasks, tasks, waits, late, unknown, sessions;
static atomic_int is_over = 1;
/* The session in which the thread has begun. */
static _Thread_local int joined;

static void event(atomic_int *count, int change) {
    *count += change;
    late += is_over;
    unknown += joined != sessions;
}

static void on_thread_begin(ompt_thread_type_t type, ompt_thread_id_t thread) {
    (void)type, (void)thread;
    joined = sessions;
}

static void on_parallel_begin(ompt_task_id_t parent, const ompt_frame_t *frame,
                              ompt_parallel_id_t parallel, uint32_t requested,
                              const void *function, ompt_invoker_t invoker) {
    (void)parent, (void)frame, (void)parallel, (void)requested, (void)function, (void)invoker;
    event(&regions, 1);
}

static void on_parallel_end(ompt_parallel_id_t parallel, ompt_task_id_t task,
                            ompt_invoker_t invoker) {
    (void)parallel, (void)task, (void)invoker;
    event(&regions, -1);
}

static void on_task_begin(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_task_id_t task,
                          const void *function) {
    (void)parent, (void)frame, (void)task, (void)function;
    event(&tasks, 1);
}

static void on_task_end(ompt_task_id_t task) {
    (void)task;
    event(&tasks, -1);
}

static void on_implicit_task_begin(ompt_parallel_id_t parallel, ompt_task_id_t task) {
    (void)parallel, (void)task;
    event(&implicit_tasks, 1);
}

static void on_implicit_task_end(ompt_parallel_id_t parallel, ompt_task_id_t task) {
    (void)parallel, (void)task;
    event(&implicit_tasks, -1);
}

static void on_wait_begin(ompt_parallel_id_t parallel, ompt_task_id_t task) {
    (void)parallel, (void)task;
    event(&waits, 1);
}

static void on_wait_end(ompt_parallel_id_t parallel, ompt_task_id_t task) {
    (void)parallel, (void)task;
    event(&waits, -1);
}

static void on_shutdown(void) {
    is_over = 1;
    if (regions != 0 || implicit_tasks != 0 || tasks != 0 || waits != 0 || late != 0 || unknown != 0)
        printf("session %d: regions=%d implicit_tasks=%d tasks=%d waits=%d late=%d unknown=%d\n",
               sessions, regions, implicit_tasks, tasks, waits, late, unknown);
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned int version) {
    (void)runtime, (void)version;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    sessions++;
    is_over = 0;
    set(ompt_event_thread_begin, (ompt_callback_t)on_thread_begin);
    set(ompt_event_parallel_begin, (ompt_callback_t)on_parallel_begin);
    set(ompt_event_parallel_end, (ompt_callback_t)on_parallel_end);
    set(ompt_event_task_begin, (ompt_callback_t)on_task_begin);
    set(ompt_event_task_end, (ompt_callback_t)on_task_end);
    set(ompt_event_implicit_task_begin, (ompt_callback_t)on_implicit_task_begin);
    set(ompt_event_implicit_task_end, (ompt_callback_t)on_implicit_task_end);
    set(ompt_event_wait_barrier_begin, (ompt_callback_t)on_wait_begin);
    set(ompt_event_wait_barrier_end, (ompt_callback_t)on_wait_end);
    set(ompt_event_runtime_shutdown, (ompt_callback_t)on_shutdown);
}

ompt_initialize_fn_t ompt_tool(void) {
    return initialize;
}

static void *rounds(void *nothing) {
    for (int round = 0; round < ROUNDS; round++) {
        int members = 0, done = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
        {
            members++;
#pragma omp task shared(done)
#pragma omp atomic
            done++;
        }
        if (members != 2 || done != 2)
            printf("program: %d members, %d tasks\n", members, done);
        if (omp_pause_resource_all(omp_pause_hard) != 0)
            puts("program: no pause");
    }
    return nothing;
}

int main(void) {
    pthread_t threads[ROOTS];
    rounds(NULL);
    int alone = sessions;
    for (int root = 0; root < ROOTS; root++)
        pthread_create(&threads[root], NULL, rounds, NULL);
    rounds(NULL);
    for (int root = 0; root < ROOTS; root++)
        pthread_join(threads[root], NULL);
    printf("alone: %d sessions\n", alone);
    return 0;
}
