/* A tool that forks where a wait ends because the thread has taken a task. Parent and child go on in
 * the region: each executes that task, and ends. */
#include <omp.h>
#include <ompt.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int is_armed, executed, is_done;
static pid_t child = -1;

static void wait_ends(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id) {
    (void)parallel_id, (void)task_id;
    if (atomic_exchange(&is_armed, 0))
        child = fork();
}

static void wait_begins(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id) {
    (void)parallel_id, (void)task_id;
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime_version,
                       unsigned int ompt_version) {
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)runtime_version, (void)ompt_version;
    set_callback(ompt_event_wait_taskwait_begin, (ompt_callback_t)wait_begins);
    set_callback(ompt_event_wait_taskwait_end, (ompt_callback_t)wait_ends);
}

ompt_initialize_fn_t ompt_tool(void) { return initialize; }

int main(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task
        atomic_fetch_add(&executed, 1);
        atomic_store(&is_armed, 1);
#pragma omp taskwait
        atomic_store(&is_done, 1);
    } else {
        /* The other thread leaves the task to the first one. */
        while (!atomic_load(&is_done))
            usleep(100);
    }
    if (child == 0)
        _exit(atomic_load(&executed) == 1 ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    printf("parent: %d, child: %d\n", atomic_load(&executed), WEXITSTATUS(status));
    return 0;
}
