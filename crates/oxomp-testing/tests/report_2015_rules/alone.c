/* A program that raises the events of the 2015 report that its compiler's code can raise, with its
 * tool inside. The tool registers the event that the variable EVENT names, or all; each callback
 * writes a line with its event's name. With one event, a piece of the program is repeated until
 * that event has happened, ROUNDS times at most: it needs a wait that begins in time. */
#include <omp.h>
#include <ompt.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVENTS(X)                                                                                  \
    X(parallel_begin) X(parallel_end) X(task_begin) X(task_end) X(thread_begin) X(thread_end)      \
    X(control) X(runtime_shutdown) X(idle_begin) X(idle_end) X(wait_barrier_begin)                 \
    X(wait_barrier_end) X(wait_taskwait_begin) X(wait_taskwait_end) X(wait_taskgroup_begin)        \
    X(wait_taskgroup_end) X(release_lock) X(release_nest_lock_last) X(release_critical)            \
    X(release_atomic) X(release_ordered) X(implicit_task_begin) X(implicit_task_end)               \
    X(initial_task_begin) X(initial_task_end) X(task_switch) X(loop_begin) X(loop_end)             \
    X(sections_begin) X(sections_end) X(single_in_block_begin) X(single_in_block_end)              \
    X(single_others_begin) X(single_others_end) X(workshare_begin) X(workshare_end)                \
    X(master_begin) X(master_end) X(barrier_begin) X(barrier_end) X(taskwait_begin)                \
    X(taskwait_end) X(taskgroup_begin) X(taskgroup_end) X(release_nest_lock_prev) X(wait_lock)     \
    X(wait_nest_lock) X(wait_critical) X(wait_atomic) X(wait_ordered) X(acquired_lock)             \
    X(acquired_nest_lock_first) X(acquired_nest_lock_next) X(acquired_critical)                    \
    X(acquired_atomic) X(acquired_ordered) X(init_lock) X(init_nest_lock) X(destroy_lock)          \
    X(destroy_nest_lock) X(flush) X(target_task_begin) X(target_task_end) X(target_data_begin)     \
    X(target_data_end) X(target_data_map_begin) X(target_data_map_end) X(task_dependences)         \
    X(task_dependence_pair)

enum { LAST = 70, ROUNDS = 2000 };

static atomic_int happened[LAST + 1];
/* The callbacks that the thread is in. */
static _Thread_local int depth;
static int registered;
/* The registered event, if it is one; and whether it has happened. */
static int wanted;
static int is_done(void) { return !wanted || atomic_load(&happened[wanted]) > 0; }

static void happens(int event, const char *line) {
    if (depth++)
        line = "a callback in a callback\n";
    atomic_fetch_add(&happened[event], 1);
    if (write(STDOUT_FILENO, line, strlen(line)) < 0)
        abort();
    depth--;
}

#define CALLBACK(name)                                                                             \
    static void on_##name(void) { happens(ompt_event_##name, #name "\n"); }
EVENTS(CALLBACK)

static void initialize(ompt_function_lookup_t lookup, const char *runtime_version,
                       unsigned ompt_version) {
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    const char *name = getenv("EVENT");
    (void)runtime_version;
    (void)ompt_version;
#define REGISTER(event)                                                                            \
    if (!strcmp(name, "all") || !strcmp(name, #event)) {                                           \
        set_callback(ompt_event_##event, on_##event);                                              \
        wanted = ompt_event_##event;                                                               \
        registered++;                                                                              \
    }
    EVENTS(REGISTER)
    if (registered > 1)
        wanted = 0;
}

ompt_initialize_fn_t ompt_tool(void) { return initialize; }

/* Executes a piece, and repeats it until the one registered event has happened, if that is `first`
 * or `second`. */
static void until(int first, int second, void (*piece)(void)) {
    int is_wanted = wanted == first || wanted == second;
    int round = 0;
    do
        piece();
    while (is_wanted && !is_done() && ++round < ROUNDS);
}

/* Entry points for atomic constructs that take a lock. */
#ifdef __clang__
void __kmpc_atomic_start(void);
void __kmpc_atomic_end(void);
#define ATOMIC_START __kmpc_atomic_start
#define ATOMIC_END __kmpc_atomic_end
#else
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
#define ATOMIC_START GOMP_atomic_start
#define ATOMIC_END GOMP_atomic_end
#endif

static atomic_int sum;

static void worksharing(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; i++)
            atomic_fetch_add(&sum, i);
#pragma omp sections
        {
#pragma omp section
            atomic_fetch_add(&sum, 6);
#pragma omp section
            atomic_fetch_add(&sum, 6);
        }
#pragma omp single
        atomic_fetch_add(&sum, 6);
#pragma omp master
        atomic_fetch_add(&sum, 6);
#pragma omp barrier
#pragma omp flush
    }
}

static void barrier(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        usleep(1000);
}

/* Generates a task and waits until the other thread executes it. */
static void delegate(void) {
    static atomic_int has_begun;
    atomic_store(&has_begun, 0);
#pragma omp task
    {
        atomic_store(&has_begun, 1);
        usleep(1000);
    }
    while (!atomic_load(&has_begun))
        usleep(50);
}

static void taskwait(void) {
#pragma omp parallel num_threads(2)
#pragma omp master
    {
        delegate();
#pragma omp taskwait
    }
}

static void taskgroup(void) {
#pragma omp parallel num_threads(2)
#pragma omp master
    {
#pragma omp taskgroup
        delegate();
    }
}

/* A task that begins to wait for another one, and the other. */
static void depend(void) {
    atomic_int created = 0;
    int variable = 0;
#pragma omp parallel num_threads(2) shared(created, variable)
#pragma omp master
    {
#pragma omp task depend(out : variable) shared(created, variable)
        {
            while (!atomic_load(&created))
                usleep(50);
            variable = 1;
        }
#pragma omp task depend(in : variable) shared(variable)
        (void)variable;
        atomic_store(&created, 1);
    }
}

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static atomic_int held;

/* Called by two threads: one has the mutex when the other asks for it. */
static void ask_later(void) {
    if (omp_get_thread_num() == 1)
        while (!atomic_load(&held))
            usleep(50);
}

static void hold(void) {
    atomic_store(&held, 1);
    usleep(1000);
}

static void locks(void) {
    atomic_store(&held, 0);
#pragma omp parallel num_threads(2)
    {
        ask_later();
        omp_set_lock(&lock);
        hold();
        omp_unset_lock(&lock);
    }
}

static void nest_locks(void) {
    atomic_store(&held, 0);
#pragma omp parallel num_threads(2)
    {
        ask_later();
        omp_set_nest_lock(&nest_lock);
        omp_set_nest_lock(&nest_lock);
        hold();
        omp_unset_nest_lock(&nest_lock);
        omp_unset_nest_lock(&nest_lock);
    }
}

static void atomic(void) {
    atomic_store(&held, 0);
#pragma omp parallel num_threads(2)
    {
        ask_later();
        ATOMIC_START();
        hold();
        ATOMIC_END();
    }
}

static void critical(void) {
    atomic_store(&held, 0);
#pragma omp parallel num_threads(2)
    {
        ask_later();
#pragma omp critical
        hold();
    }
}

static void ordered(void) {
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered
        usleep(1000);
    }
}

static int value;

static void target(void) {
#pragma omp target data map(tofrom : value)
    {
#pragma omp target map(tofrom : value)
        value++;
    }
}

int main(void) {
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    until(ompt_event_idle_begin, ompt_event_idle_end, worksharing);
    until(ompt_event_wait_barrier_begin, ompt_event_wait_barrier_end, barrier);
    until(ompt_event_wait_taskwait_begin, ompt_event_wait_taskwait_end, taskwait);
    until(ompt_event_wait_taskgroup_begin, ompt_event_wait_taskgroup_end, taskgroup);
    until(ompt_event_wait_lock, ompt_event_wait_lock, locks);
    until(ompt_event_wait_nest_lock, ompt_event_wait_nest_lock, nest_locks);
    until(ompt_event_wait_critical, ompt_event_wait_critical, critical);
    until(ompt_event_wait_atomic, ompt_event_wait_atomic, atomic);
    until(ompt_event_wait_ordered, ompt_event_wait_ordered, ordered);
    depend();
    target();
    ompt_control(1, 2);
    omp_destroy_nest_lock(&nest_lock);
    omp_destroy_lock(&lock);
    return !(registered && sum > 0 && sum % 6 == 0 && value == 1);
}
