/* What the public test suite of the report's drafts checks, and asks for by names that the report
 * has not: its functions, its placeholders, regions with nesting disabled, threads that begin and
 * end, and a shutdown that comes before the exit status is final. */
#include "../entry_points/expect.h"
#include "tool.h"

enum { REGIONS = 10, SIZE = 4, STATUS = 42 };

static atomic_int begins, ends, worker_begins, worker_ends;

/* The current task is the parent of the region that begins or ends. */
static void parallel_begin(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_parallel_id_t id,
                           uint32_t requested, const void *function, ompt_invoker_t invoker) {
    (void)requested, (void)function, (void)invoker;
    EXPECT(parent != 0 && parent == get_task_id(0) && id != 0 && frame == get_task_frame(0));
    atomic_fetch_add(&begins, 1);
}

static void parallel_end(ompt_parallel_id_t id, ompt_task_id_t task, ompt_invoker_t invoker) {
    (void)invoker;
    EXPECT(id != 0 && task == get_task_id(0));
    atomic_fetch_add(&ends, 1);
}

static void thread_begin(ompt_thread_type_t type, ompt_thread_id_t id) {
    EXPECT(id != 0);
    if (type == ompt_thread_worker)
        atomic_fetch_add(&worker_begins, 1);
}

static void thread_end(ompt_thread_type_t type, ompt_thread_id_t id) {
    EXPECT(id != 0);
    if (type == ompt_thread_worker)
        atomic_fetch_add(&worker_ends, 1);
}

static void task_begin(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_task_id_t id,
                       const void *function) {
    (void)frame, (void)function;
    EXPECT(parent == get_task_id(0) && id != parent);
}

static void task_end(ompt_task_id_t id) {
    EXPECT(id != 0);
}

static void control(uint64_t command, uint64_t modifier) {
    (void)command, (void)modifier;
}

/* Ends the process with a status of its own, as the suite's tests do. */
static void runtime_shutdown(void) {
    EXPECT(worker_begins == SIZE - 1 && worker_ends == worker_begins);
    EXPECT(begins == REGIONS * (1 + SIZE) && ends == begins);
    printf("begins=%d wrong=%d\n", begins, wrong);
    fflush(stdout);
    _exit(STATUS);
}

/* Every mandatory event can be registered, with code 4. */
static void start(void) {
    EXPECT(SET(parallel_begin) == 4 && SET(parallel_end) == 4);
    EXPECT(SET(task_begin) == 4 && SET(task_end) == 4);
    EXPECT(SET(thread_begin) == 4 && SET(thread_end) == 4);
    EXPECT(SET(control) == 4 && SET(runtime_shutdown) == 4);
    /* Functions whose addresses a tool shows for time in the runtime. */
    static const char *const PLACEHOLDERS[] = {"ompt_idle", "ompt_overhead", "ompt_barrier_wait",
                                               "ompt_task_wait", "ompt_mutex_wait"};
    for (unsigned n = 0; n < sizeof PLACEHOLDERS / sizeof *PLACEHOLDERS; n++) {
        ompt_interface_fn_t found = look_up(PLACEHOLDERS[n]);
        EXPECT(found != NULL);
        for (unsigned before = 0; before < n; before++)
            EXPECT(found != look_up(PLACEHOLDERS[before]));
        if (found)
            found();
    }
}

static void frames(int levels) {
    EXPECT(get_task_frame(0)->reenter_runtime_frame == NULL);
    EXPECT(get_task_frame(0)->exit_runtime_frame != NULL);
    EXPECT(get_task_frame(levels)->exit_runtime_frame == NULL);
    EXPECT(get_task_frame(levels)->reenter_runtime_frame != NULL);
    EXPECT(get_task_frame(levels + 1) == NULL && get_task_id(levels + 1) == 0);
    EXPECT(get_parallel_team_size(levels) == -1 && get_parallel_id(levels) == 0);
}

int main(void) {
    omp_set_dynamic(0);
    omp_set_max_active_levels(1);
    for (int n = 0; n < REGIONS; n++) {
        ompt_parallel_id_t outer[SIZE];
#pragma omp parallel num_threads(SIZE)
        {
            int me = omp_get_thread_num();
            ompt_parallel_id_t around = outer[me] = get_parallel_id(0);
            frames(1);
            /* Nesting is disabled. */
#pragma omp parallel num_threads(SIZE)
            {
                frames(2);
                EXPECT(get_parallel_id(0) != around && get_parallel_id(1) == around);
                EXPECT(get_parallel_team_size(0) == 1 && get_parallel_team_size(1) == SIZE);
                if (me == 0)
                    EXPECT((uintptr_t)get_task_frame(1)->reenter_runtime_frame >=
                           (uintptr_t)get_task_frame(0)->exit_runtime_frame);
            }
        }
        for (int of = 1; of < SIZE; of++)
            EXPECT(outer[of] == outer[0]);
    }
    return 0;
}
