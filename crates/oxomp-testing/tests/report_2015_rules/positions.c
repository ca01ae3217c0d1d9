/* Sections 3.1 and 3.2.2 of the 2015 report say of each event between which pieces of the program it
 * comes. The program keeps in `at` the place that the thread has reached, and the callbacks of the
 * tool, which is in the program, compare it with the place where their event belongs. */
#include <omp.h>
#include <ompt.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum place {
    NOWHERE, /* a worker before its first region */
    BEFORE_PARALLEL,
    BEFORE_LOOP,
    IN_LOOP,
    BEFORE_SECTIONS,
    IN_SECTIONS,
    BEFORE_SINGLE,
    IN_SINGLE,
    BEFORE_MASTER,
    IN_MASTER,
    BEFORE_BARRIER,
    BEFORE_CRITICAL,
    IN_CRITICAL,
    BEFORE_ORDERED,
    IN_ORDERED,
    BEFORE_TASK,
    BEFORE_TASKWAIT,
    BEFORE_TASKGROUP,
    BEFORE_INIT,
    BEFORE_SET,
    BEFORE_UNSET,
    BEFORE_DESTROY,
    BEFORE_FLUSH,
    AT_THE_END,
};

static _Thread_local volatile enum place at;
/* The parts of the region that are executed; the tasks that are generated, and executed; the threads
 * that have come to the barrier. */
static atomic_int bodies, begun, tasks, arrived;
static atomic_int counts[71], wrong;
static int variable;

static void expect(int holds, int line, const char *what) {
    if (!holds) {
        atomic_fetch_add(&wrong, 1);
        printf("line %d, at %d: %s\n", line, (int)at, what);
    }
}
#define EXPECT(holds) expect(holds, __LINE__, #holds)

/* An event with one place. */
#define COMES(event, holds)                                                                        \
    do {                                                                                           \
        atomic_fetch_add(&counts[ompt_event_##event], 1);                                          \
        expect(holds, __LINE__, #event ": " #holds);                                               \
    } while (0)

static void parallel_begin(void) { COMES(parallel_begin, at == BEFORE_PARALLEL && bodies == 0); }
static void parallel_end(void) { COMES(parallel_end, at == AT_THE_END && bodies == 2); }

static void implicit_task_begin(void) {
    COMES(implicit_task_begin, at == NOWHERE || at == BEFORE_PARALLEL);
}

static void implicit_task_end(void) { COMES(implicit_task_end, at == AT_THE_END && bodies == 2); }
static void loop_begin(void) { COMES(loop_begin, at == BEFORE_LOOP || at == BEFORE_ORDERED); }
static void loop_end(void) { COMES(loop_end, at == IN_LOOP || at == IN_ORDERED); }
static void sections_begin(void) { COMES(sections_begin, at == BEFORE_SECTIONS); }
static void sections_end(void) { COMES(sections_end, at == IN_SECTIONS); }
static void single_in_block_begin(void) { COMES(single_in_block_begin, at == BEFORE_SINGLE); }

static void single_in_block_end(void) {
#ifdef __clang__
    COMES(single_in_block_end, at == IN_SINGLE);
#else
    /* gcc's code does not tell where the block ends. */
    COMES(single_in_block_end, at == BEFORE_SINGLE);
#endif
}

static void single_others_begin(void) { COMES(single_others_begin, at == BEFORE_SINGLE); }
static void single_others_end(void) { COMES(single_others_end, at == BEFORE_SINGLE); }
static void master_begin(void) { COMES(master_begin, at == BEFORE_MASTER); }
static void master_end(void) { COMES(master_end, at == IN_MASTER); }

/* Other barriers than that of the directive come, too. */
static void barrier_begin(void) {
    if (at == BEFORE_BARRIER)
        COMES(barrier_begin, arrived >= 1);
}

static void barrier_end(void) {
    if (at == BEFORE_BARRIER)
        COMES(barrier_end, arrived == 2);
}

static void acquired_critical(void) { COMES(acquired_critical, at == BEFORE_CRITICAL); }
static void release_critical(void) { COMES(release_critical, at == IN_CRITICAL); }
static void acquired_ordered(void) { COMES(acquired_ordered, at == BEFORE_ORDERED); }
static void release_ordered(void) { COMES(release_ordered, at == IN_ORDERED); }

static void task_begin(void) {
    COMES(task_begin, at == BEFORE_TASK && tasks == begun);
    atomic_fetch_add(&begun, 1);
}

static void task_end(void) { COMES(task_end, tasks == begun); }
static void taskwait_begin(void) { COMES(taskwait_begin, at == BEFORE_TASKWAIT); }
static void taskwait_end(void) { COMES(taskwait_end, tasks == 1); }
static void taskgroup_begin(void) { COMES(taskgroup_begin, at == BEFORE_TASKGROUP); }
static void taskgroup_end(void) { COMES(taskgroup_end, tasks == 2); }

static void task_dependences(ompt_task_id_t task, const ompt_task_dependence_t *deps, int ndeps) {
    COMES(task_dependences, task != 0 && ndeps == 1 && tasks == 0);
    EXPECT(deps[0].variable_addr == &variable);
    EXPECT(deps[0].dependence_flags == ompt_task_dependence_type_in);
}

static void init_lock(ompt_wait_id_t wait_id, ompt_lock_hint_t hint, ompt_lock_type_t type) {
    COMES(init_lock, at == BEFORE_INIT && wait_id != 0 && type != 0);
    EXPECT(hint == omp_lock_hint_contended);
}

static void init_nest_lock(ompt_wait_id_t wait_id, ompt_lock_hint_t hint, ompt_lock_type_t type) {
    COMES(init_nest_lock, at == BEFORE_INIT && wait_id != 0 && type != 0);
    EXPECT(hint == omp_lock_hint_uncontended);
}

static void acquired_lock(void) { COMES(acquired_lock, at == BEFORE_SET); }
static void release_lock(void) { COMES(release_lock, at == BEFORE_UNSET); }

static void acquired_nest_lock_first(void) { COMES(acquired_nest_lock_first, at == BEFORE_SET); }
static void acquired_nest_lock_next(void) { COMES(acquired_nest_lock_next, at == BEFORE_SET); }
static void release_nest_lock_prev(void) { COMES(release_nest_lock_prev, at == BEFORE_UNSET); }
static void release_nest_lock_last(void) { COMES(release_nest_lock_last, at == BEFORE_UNSET); }
static void destroy_lock(void) { COMES(destroy_lock, at == BEFORE_DESTROY); }
static void destroy_nest_lock(void) { COMES(destroy_nest_lock, at == BEFORE_DESTROY); }
static void flush(void) { COMES(flush, at == BEFORE_FLUSH); }

#define EVENTS(X)                                                                                  \
    X(parallel_begin) X(parallel_end) X(implicit_task_begin) X(implicit_task_end) X(loop_begin)    \
    X(loop_end) X(sections_begin) X(sections_end) X(single_in_block_begin)                         \
    X(single_in_block_end) X(single_others_begin) X(single_others_end) X(barrier_begin)            \
    X(barrier_end) X(acquired_critical) X(release_critical) X(acquired_ordered)                    \
    X(release_ordered) X(task_begin) X(task_end) X(taskwait_begin) X(taskwait_end)                 \
    X(taskgroup_begin) X(taskgroup_end) X(task_dependences) X(init_lock) X(init_nest_lock)         \
    X(acquired_lock) X(release_lock) X(acquired_nest_lock_first) X(acquired_nest_lock_next)        \
    X(release_nest_lock_prev) X(release_nest_lock_last) X(destroy_lock) X(destroy_nest_lock)

/* gcc's code executes these without a call of the runtime. */
#define EVENTS_OF_CLANG(X) X(master_begin) X(master_end) X(flush)

static void initialize(ompt_function_lookup_t lookup, const char *runtime_version,
                       unsigned ompt_version) {
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)runtime_version, (void)ompt_version;
#define SET(event) set_callback(ompt_event_##event, (ompt_callback_t)event);
    EVENTS(SET)
    EVENTS_OF_CLANG(SET)
}

ompt_initialize_fn_t ompt_tool(void) { return initialize; }

static void locks(void) {
    omp_lock_t lock;
    omp_nest_lock_t nest_lock;
    at = BEFORE_INIT;
    omp_init_lock_with_hint(&lock, omp_lock_hint_contended);
    omp_init_nest_lock_with_hint(&nest_lock, omp_lock_hint_uncontended);
    at = BEFORE_SET;
    omp_set_lock(&lock);
    omp_set_nest_lock(&nest_lock);
    omp_set_nest_lock(&nest_lock);
    at = BEFORE_UNSET;
    omp_unset_nest_lock(&nest_lock);
    omp_unset_nest_lock(&nest_lock);
    omp_unset_lock(&lock);
    at = BEFORE_DESTROY;
    omp_destroy_nest_lock(&nest_lock);
    omp_destroy_lock(&lock);
}

/* Both threads are here: each executes one iteration or section. */
static void meet(atomic_int *here) {
    atomic_fetch_add(here, 1);
    while (atomic_load(here) < 2)
        sched_yield();
}

static void worksharing(void) {
    static atomic_int in_loop, in_sections, in_ordered;
    at = BEFORE_LOOP;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 2; i++) {
        at = IN_LOOP;
        meet(&in_loop);
    }
    at = BEFORE_SECTIONS;
#pragma omp sections
    {
#pragma omp section
        {
            at = IN_SECTIONS;
            meet(&in_sections);
        }
#pragma omp section
        {
            at = IN_SECTIONS;
            meet(&in_sections);
        }
    }
    at = BEFORE_SINGLE;
#pragma omp single nowait
    at = IN_SINGLE;
    at = BEFORE_ORDERED;
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered
        at = IN_ORDERED;
        meet(&in_ordered);
    }
}

/* On the primary thread, while the other one is at the barrier: that executes the tasks, or this. */
static void one_thread(void) {
    at = BEFORE_TASK;
#pragma omp task depend(in : variable)
    atomic_fetch_add(&tasks, 1);
    at = BEFORE_TASKWAIT;
#pragma omp taskwait
    at = BEFORE_TASKGROUP;
#pragma omp taskgroup
    {
        at = BEFORE_TASK;
#pragma omp task
        atomic_fetch_add(&tasks, 1);
    }
}

int main(void) {
    omp_set_dynamic(0);
    locks();
    at = BEFORE_PARALLEL;
#pragma omp parallel num_threads(2)
    {
        worksharing();
        at = BEFORE_MASTER;
#pragma omp master
        at = IN_MASTER;
        if (omp_get_thread_num() == 0)
            one_thread();
        at = BEFORE_CRITICAL;
#pragma omp critical
        at = IN_CRITICAL;
        at = BEFORE_FLUSH;
#pragma omp flush
        at = BEFORE_BARRIER;
        atomic_fetch_add(&arrived, 1);
#pragma omp barrier
        at = AT_THE_END;
        atomic_fetch_add(&bodies, 1);
    }
#define HAS_COME(event) expect(counts[ompt_event_##event] > 0, __LINE__, #event " does not come");
    EVENTS(HAS_COME)
#ifdef __clang__
    EVENTS_OF_CLANG(HAS_COME)
#endif
    printf("wrong=%d\n", wrong);
    return 0;
}
