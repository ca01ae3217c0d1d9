/* Chapter 4 of the report, and its sections 5.4 to 5.6: threads, regions and tasks have ids, each
 * unique in the run, the same by event and by inquiry, on every thread and at every level. */
#include "../entry_points/expect.h"
#include "tool.h"
#include <pthread.h>

enum { MOST = 400000, TASKS = 100000, ROOTS = 3 };

/* All ids of one kind, as their begins tell them. */
struct ids {
    atomic_int count;
    uint64_t all[MOST];
};
static struct ids thread_ids, region_ids, task_ids;

static void note(struct ids *ids, uint64_t id) {
    EXPECT(id != 0);
    int n = atomic_fetch_add(&ids->count, 1);
    if (n < MOST)
        ids->all[n] = id;
}

static int compare(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

static void sort(struct ids *ids) {
    int count = atomic_load(&ids->count);
    EXPECT(count <= MOST);
    qsort(ids->all, (size_t)count, sizeof *ids->all, compare);
    for (int n = 1; n < count; n++)
        if (ids->all[n] == ids->all[n - 1]) {
            EXPECT(!"an id is that of two");
            return;
        }
}

static int knows(const struct ids *ids, uint64_t id) {
    return bsearch(&id, ids->all, (size_t)atomic_load(&ids->count), sizeof id, compare) != NULL;
}

static __thread ompt_thread_id_t own;
/* A thread that has begun has its id by inquiry, too. */
#define IS_OWN_THREAD() EXPECT(own != 0 && get_thread_id() == own)

static void thread_begin(ompt_thread_type_t type, ompt_thread_id_t id) {
    EXPECT(type >= ompt_thread_initial && type <= ompt_thread_other);
    EXPECT(own == 0);
    note(&thread_ids, id);
    own = id;
    EXPECT(get_thread_id() == id && get_state(NULL) != ompt_state_undefined);
}

static void thread_end(ompt_thread_type_t type, ompt_thread_id_t id) {
    (void)type;
    EXPECT(id == own && get_thread_id() == id);
    own = 0;
}

/* The current task and its region, by every inquiry. */
static void is_current(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id) {
    ompt_task_id_t task = 0;
    ompt_parallel_id_t region = 77;
    IS_OWN_THREAD();
    EXPECT(get_task_info(0, NULL, &task, NULL, &region) == 1);
    EXPECT(task == task_id && region == parallel_id);
    EXPECT(get_parallel_id(0) == parallel_id && get_task_id(0) == task_id);
    EXPECT((get_parallel_team_size(0) > 0) == (parallel_id != 0));
}

static void parallel_begin(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_parallel_id_t id,
                           uint32_t requested, const void *function, ompt_invoker_t invoker) {
    (void)frame, (void)requested, (void)function, (void)invoker;
    note(&region_ids, id);
    EXPECT(get_task_id(0) == parent && parent != 0);
    EXPECT(get_parallel_id(0) != id);
    IS_OWN_THREAD();
}

static void parallel_end(ompt_parallel_id_t id, ompt_task_id_t task, ompt_invoker_t invoker) {
    (void)invoker;
    EXPECT(id != 0 && get_task_id(0) == task && get_parallel_id(0) != id);
}

static void implicit_task_begin(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id) {
    note(&task_ids, task_id);
    EXPECT(parallel_id != 0);
    is_current(parallel_id, task_id);
}

static void implicit_task_end(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id) {
    EXPECT(parallel_id != 0 && task_id != 0);
    is_current(parallel_id, task_id);
}

static void initial_task_begin(ompt_task_id_t task_id) {
    note(&task_ids, task_id);
    is_current(0, task_id);
}

static void task_begin(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_task_id_t task_id,
                       const void *function) {
    (void)frame, (void)function;
    note(&task_ids, task_id);
    EXPECT(get_task_id(0) == parent && parent != task_id);
}

static void task_end(ompt_task_id_t task_id) {
    EXPECT(task_id != 0 && get_task_id(0) == task_id);
}

/* At a barrier the region is still the one of the task that waits. */
static atomic_int barriers;
static void wait_barrier_begin(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id) {
    atomic_fetch_add(&barriers, 1);
    is_current(parallel_id, task_id);
}
static void wait_barrier_end(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id) {
    is_current(parallel_id, task_id);
}

/* While a worker idles it is in no region, and knows itself. */
static atomic_int idles;
static void idle_begin(ompt_thread_id_t id) {
    EXPECT(id == own && get_thread_id() == id);
    EXPECT(get_parallel_id(0) == 0 && get_parallel_team_size(0) == -1);
    EXPECT(get_task_id(0) == 0);
    atomic_fetch_add(&idles, 1);
}
static void idle_end(ompt_thread_id_t id) {
    EXPECT(id == own && get_parallel_id(0) == 0);
}

static void start(void) {
    if (getenv("EVENTS") && strcmp(getenv("EVENTS"), "none") == 0)
        return;
    EXPECT(SET(thread_begin) == 4 && SET(thread_end) == 4);
    EXPECT(SET(parallel_begin) == 4 && SET(parallel_end) == 4);
    EXPECT(SET(task_begin) == 4 && SET(task_end) == 4);
    SET(implicit_task_begin);
    SET(implicit_task_end);
    SET(initial_task_begin);
    if (!getenv("EVENTS"))
        return;
    SET(wait_barrier_begin);
    SET(wait_barrier_end);
    SET(idle_begin);
    SET(idle_end);
}

/* What the program sees by inquiry, to be found among the events in the end. */
static struct ids seen_threads, seen_regions, seen_tasks;

/* Nothing is beyond the outermost of `levels` regions. */
static void nothing_beyond(int levels) {
    for (int level = levels; level < levels + 3; level++)
        EXPECT(get_parallel_id(level) == 0 && get_parallel_team_size(level) == -1);
    EXPECT(get_parallel_id(1000000) == 0 && get_parallel_team_size(1000000) == -1);
}

/* A region, inside of `levels` others whose ids stand in `around`, the innermost first. */
static void region(int levels, const ompt_parallel_id_t *around, int size, int depth) {
    ompt_parallel_id_t of_thread[8] = {0};
    ompt_task_id_t task_of_thread[8] = {0}, parent = get_task_id(0);
#pragma omp parallel num_threads(size)
    {
        int me = omp_get_thread_num(), team = omp_get_num_threads();
        ompt_parallel_id_t now[8] = {get_parallel_id(0)};
        note(&seen_threads, get_thread_id());
        of_thread[me] = now[0];
        task_of_thread[me] = get_task_id(0);
        note(&seen_tasks, task_of_thread[me]);
        EXPECT(get_parallel_team_size(0) == team);
        EXPECT(get_task_id(1) == parent);
        for (int level = 0; level < levels; level++) {
            now[level + 1] = around[level];
            EXPECT(get_parallel_id(level + 1) == around[level]);
            EXPECT(get_parallel_team_size(level + 1) ==
                   omp_get_team_size(omp_get_level() - level - 1));
        }
        nothing_beyond(levels + 1);
#pragma omp barrier
        for (int n = 0; n < team; n++) {
            EXPECT(of_thread[n] == now[0]);
            EXPECT(n == me || task_of_thread[n] != task_of_thread[me]);
        }
        if (me == 0)
            note(&seen_regions, now[0]);
        if (depth > 1)
            region(levels + 1, now, size, depth - 1);
        EXPECT(get_parallel_id(0) == now[0] && get_task_id(0) == task_of_thread[me]);
    }
    EXPECT(get_task_id(0) == parent && get_parallel_id(0) == (levels ? around[0] : 0));
}

/* Each task has an id of its own, and belongs to the region of its team. */
static void tasks(void) {
    ompt_parallel_id_t of_team = 0;
    static atomic_int executed;
#pragma omp parallel num_threads(3)
    {
#pragma omp single
        {
            of_team = get_parallel_id(0);
            for (int n = 0; n < TASKS; n++) {
#pragma omp task
                {
                    ompt_task_id_t task = get_task_id(0);
                    ompt_parallel_id_t of_task = 0;
                    note(&seen_tasks, task);
                    EXPECT(get_task_info(0, NULL, NULL, NULL, &of_task) == 1);
                    EXPECT(of_task == of_team && get_parallel_id(0) == of_team);
                    EXPECT(get_task_id(1) != task);
                    atomic_fetch_add(&executed, 1);
                }
            }
        }
    }
    EXPECT(executed == TASKS);
}

static void *root(void *unused) {
    EXPECT(get_thread_id() == 0 && get_parallel_id(0) == 0 && get_task_id(0) == 0);
    /* The thread becomes OpenMP's. */
    omp_get_max_threads();
    EXPECT(get_thread_id() != 0 && get_task_id(0) != 0);
    for (int n = 0; n < 20; n++)
        region(0, NULL, 2, 1);
    ompt_task_id_t initial = get_task_id(0);
    note(&seen_tasks, initial);
    EXPECT(get_parallel_id(0) == 0 && get_parallel_team_size(0) == -1);
    return unused;
}

/* After a restart there are other threads and tasks: none has an id of before. */
static void again(void) {
    ompt_thread_id_t thread = get_thread_id();
    ompt_task_id_t task = get_task_id(0);
    omp_pause_resource_all(omp_pause_hard);
    EXPECT(get_thread_id() == 0 && get_state(NULL) == ompt_state_undefined);
    omp_get_max_threads();
    for (int n = 0; n < 2; n++) {
        EXPECT(get_thread_id() != 0 && get_thread_id() != thread);
        EXPECT(get_task_id(0) != 0 && get_task_id(0) != task);
        EXPECT(get_state(NULL) == ompt_state_work_serial);
        region(0, NULL, 2, 1);
    }
    note(&seen_tasks, get_task_id(0));
}

static void are_known(struct ids *seen, const struct ids *ids, int are_unique) {
    if (are_unique)
        sort(seen);
    for (int n = 0; n < atomic_load(&seen->count) && n < MOST; n++)
        if (!knows(ids, seen->all[n])) {
            EXPECT(!"an id that no event told");
            return;
        }
}

int main(void) {
    pthread_t threads[ROOTS];
    const char *events = getenv("EVENTS");
    omp_set_dynamic(0);
    omp_set_max_active_levels(3);
    omp_get_max_threads();
    nothing_beyond(0);
    ompt_thread_id_t initial_thread = get_thread_id();
    ompt_task_id_t initial_task = get_task_id(0);
    EXPECT(initial_thread != 0 && initial_task != 0);
    for (int n = 0; n < 100; n++)
        region(0, NULL, 1 + n % 4, 1);
    for (int n = 0; n < 10; n++)
        region(0, NULL, 2, 3);
    region(0, NULL, 1, 4);
    for (int n = 0; n < ROOTS; n++)
        pthread_create(&threads[n], NULL, root, NULL);
    for (int n = 0; n < ROOTS; n++)
        pthread_join(threads[n], NULL);
    tasks();
    nothing_beyond(0);
    EXPECT(get_thread_id() == initial_thread && get_task_id(0) == initial_task);
    note(&seen_tasks, initial_task);
    again();
    int is_told = !(events && strcmp(events, "none") == 0);
    if (is_told) {
        sort(&thread_ids);
        sort(&region_ids);
        sort(&task_ids);
        are_known(&seen_threads, &thread_ids, 0);
        are_known(&seen_regions, &region_ids, 1);
        are_known(&seen_tasks, &task_ids, 1);
        EXPECT(events == NULL || barriers > 100);
        EXPECT(events == NULL || idles > 100);
    } else {
        sort(&seen_regions);
        sort(&seen_tasks);
    }
    printf("regions=%d tasks=%d wrong=%d\n", seen_regions.count, seen_tasks.count, wrong);
    return 0;
}
