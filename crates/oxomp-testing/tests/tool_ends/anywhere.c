/* A program that raises the events that its compiler's code can raise, with its tool inside. The
 * tool ends itself in a callback, twice, and asks every entry point afterwards; no callback may
 * begin after that, on any thread, and the program must go on and be right.
 *
 * Arguments: the number of the event in whose callback the tool ends, or 0: in the initializer;
 * and the thread on which: any, initial (the main thread), worker, foreign (a thread of the
 * program's own), nested (in a region within a region), together (several threads at once). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVENTS = 37, THREADS = 3, ROUNDS = 4 };

static ompt_function_lookup_t look_up;
static ompt_finalize_tool_t finalize_tool;
static ompt_get_parallel_info_t get_parallel_info;
#define ENTRY(name) ((ompt_##name##_t)look_up("ompt_" #name))

static int wanted_event;
static const char *wanted_thread;
/* The calls of ompt_finalize_tool: begun, returned. The calls of the finalizer. */
static atomic_int ending, ended, finalized;
/* Callbacks that began after the tool's end; that ran while the finalizer did. */
static atomic_int late, running, beside;
static atomic_int wrong;
/* Each thread of the program's own sets it; how many callbacks the calling thread is in. */
static _Thread_local int is_foreign, depth;

static void expect(int line, long long got, long long expected) {
    if (got != expected) {
        fprintf(stderr, "line %d: %lld, not %lld\n", line, got, expected);
        atomic_store(&wrong, 1);
    }
}
#define EXPECT(what, expected) expect(__LINE__, (long long)(what), (long long)(expected))

static void nothing(void) {}

/* The answers of the entry points when there is no tool. */
static void ask(void) {
    ompt_callback_t registered = NULL;
    ompt_wait_id_t wait_id = 5;
    uint64_t device = 0;
    ompt_id_t id = 0;
    void *address = NULL;
    size_t size = 0;
    int state = 0;
    const char *name = NULL;
    EXPECT(ENTRY(set_callback)(ompt_callback_flush, nothing), ompt_set_error);
    EXPECT(ENTRY(set_callback)(ompt_callback_flush, NULL), ompt_set_error);
    for (int event = -1; event <= EVENTS + 1; event++)
        EXPECT(ENTRY(get_callback)((ompt_callbacks_t)event, &registered), 0);
    EXPECT(ENTRY(get_parallel_info)(0, NULL, NULL), 0);
    EXPECT(ENTRY(get_task_info)(0, NULL, NULL, NULL, NULL, NULL), 0);
    EXPECT(ENTRY(get_task_memory)(&address, &size, 0), 0);
    EXPECT(ENTRY(get_target_info)(&device, &id, &id), 0);
    EXPECT(ENTRY(get_thread_data)() == NULL, 1);
    EXPECT(ENTRY(get_state)(&wait_id), 0);
    EXPECT(ENTRY(get_place_num)(), -1);
    EXPECT(ENTRY(get_partition_place_nums)(0, NULL), 0);
    /* These are about the machine; they need no tool. */
    EXPECT(ENTRY(enumerate_states)(ompt_state_undefined, &state, &name), 1);
    EXPECT(ENTRY(enumerate_mutex_impls)(ompt_mutex_impl_none, &state, &name), 1);
    EXPECT(ENTRY(get_num_procs)() > 0, 1);
    EXPECT(ENTRY(get_num_devices)() >= 0, 1);
    EXPECT(ENTRY(get_num_places)() >= 0, 1);
    EXPECT(ENTRY(get_place_proc_ids)(-1, 0, NULL), 0);
    EXPECT(ENTRY(get_unique_id)() != ENTRY(get_unique_id)(), 1);
}

static void end_tool(void) {
    /* Other threads may be ending the tool too, as the main thread does when the workers end: then
     * the finalizer is called when this callback has returned. */
    int is_alone = strcmp(wanted_thread, "together") != 0 && wanted_event != ompt_callback_thread_end;
    atomic_fetch_add(&ending, 1);
    finalize_tool();
    atomic_fetch_add(&ended, 1);
    finalize_tool();
    if (is_alone) {
        EXPECT(atomic_load(&finalized), 1);
        ask();
    }
}

static int is_wanted_thread(void) {
    int size;
    int is_initial = gettid() == getpid();
    if (strcmp(wanted_thread, "initial") == 0)
        return is_initial;
    if (strcmp(wanted_thread, "worker") == 0)
        return !is_initial && !is_foreign;
    if (strcmp(wanted_thread, "foreign") == 0)
        return is_foreign;
    if (strcmp(wanted_thread, "nested") == 0)
        return get_parallel_info(2, NULL, &size) == 2;
    return 1;
}

static int raised(int event) {
    if (atomic_load(&ended))
        atomic_store(&late, event);
    if (depth++ == 0)
        atomic_fetch_add(&running, 1);
    if (event == wanted_event && is_wanted_thread() &&
        (!atomic_load(&ending) || strcmp(wanted_thread, "together") == 0)) {
        /* Only one does, except together. */
        static atomic_int first;
        if (strcmp(wanted_thread, "together") == 0 || !atomic_exchange(&first, 1))
            end_tool();
    }
    if (--depth == 0)
        atomic_fetch_sub(&running, 1);
    return 0;
}

#define EACH(DO)                                                                                 \
    DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14)      \
    DO(15) DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23) DO(24) DO(25) DO(26) DO(27)    \
    DO(28) DO(29) DO(30) DO(31) DO(32) DO(33) DO(34) DO(35) DO(36) DO(37)
/* The arguments of the events do not matter here; the callers pass them in registers and on their
 * own stack. */
#define CALLBACK(event)                                                                          \
    static int callback_##event(void) { return raised(event); }
EACH(CALLBACK)

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    look_up = lookup;
    finalize_tool = ENTRY(finalize_tool);
    get_parallel_info = ENTRY(get_parallel_info);
    ompt_set_callback_t set = ENTRY(set_callback);
/* An event of target constructs has two forms, and the old one is raised only without the new. */
#define IS_NEW_FORM(event) (event >= ompt_callback_target_emi && event <= ompt_callback_target_map_emi)
    int wants_old = wanted_event >= ompt_callback_target && wanted_event <= ompt_callback_target_submit;
#define REGISTER(event)                                                                          \
    if (!(wants_old && IS_NEW_FORM(event)))                                                      \
        set((ompt_callbacks_t)event, (ompt_callback_t)(void *)callback_##event);
    EACH(REGISTER)
    if (wanted_event == 0)
        end_tool();
    return 1;
}

static void finalize(ompt_data_t *data) {
    EXPECT(data->value, 7);
    atomic_fetch_add(&finalized, 1);
    /* Those of the thread that ends the tool itself are around this call. */
    if (atomic_load(&running) > (depth > 0))
        atomic_fetch_add(&beside, 1);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {7}};
    (void)omp_version, (void)runtime_version;
    return &result;
}

/* ---- The program ---- */

static long sum, loops;

static void worksharing(void) {
#pragma omp for schedule(dynamic) reduction(+ : loops)
    for (int i = 0; i < 20; i++)
        loops += i;
#pragma omp for schedule(guided) reduction(+ : loops)
    for (int i = 0; i < 20; i++)
        loops += i;
#pragma omp for schedule(static, 2) ordered
    for (int i = 0; i < 6; i++)
#pragma omp ordered
        loops += i;
#pragma omp sections
    {
#pragma omp section
        (void)0;
#pragma omp section
        (void)0;
    }
#pragma omp single
    loops += 1;
#pragma omp master
    loops += 1;
#pragma omp barrier
}

static void tasks(void) {
    int a = 0, b = 0;
    (void)a, (void)b;
#pragma omp taskgroup
    {
#pragma omp task depend(out : a) shared(sum)
#pragma omp atomic
        sum += 1;
#pragma omp task depend(in : a) depend(out : b) shared(sum)
        {
#pragma omp taskyield
#pragma omp atomic
            sum += 1;
        }
#pragma omp task if (0) shared(sum)
#pragma omp atomic
        sum += 1;
    }
#pragma omp task shared(sum)
#pragma omp critical
#pragma omp atomic
    sum += 1;
#pragma omp taskwait
#pragma omp taskloop grainsize(2)
    for (int i = 0; i < 6; i++)
#pragma omp atomic
        sum += 1;
#pragma omp flush
}

static void locks(void) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    EXPECT(omp_test_lock(&lock), 1);
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
}

static void cancelled(void) {
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp cancel parallel
    }
}

static void all(void) {
    typedef int control_t(int, int, void *);
    static control_t *control;
    control = (control_t *)dlsym(RTLD_DEFAULT, "omp_control_tool");
    for (int round = 0; round < ROUNDS; round++) {
        sum = loops = 0;
        control(64, 0, NULL);
        locks();
#pragma omp parallel num_threads(THREADS)
        {
            worksharing();
            tasks();
            locks();
            control(64, 0, NULL);
#pragma omp parallel num_threads(2)
            {
                locks();
                tasks();
#pragma omp for schedule(dynamic) nowait
                for (int i = 0; i < 4; i++)
#pragma omp atomic
                    sum += 1;
            }
        }
        int members = omp_get_max_active_levels() > 1 ? 2 : 1;
        EXPECT(loops, 2 * 190 + 15 + 2);
        EXPECT(sum, THREADS * (10 + members * 10 + 4));
        cancelled();
        int host = 0;
#pragma omp target map(tofrom : host)
        host = 1;
        EXPECT(host, 1);
        omp_target_free(omp_target_alloc(8, omp_get_initial_device()), omp_get_initial_device());
#pragma omp error at(execution) severity(warning) message("asked for")
    }
}

static void *on_foreign_thread(void *unused) {
    is_foreign = 1;
    all();
    return unused;
}

int main(void) {
    omp_set_max_active_levels(2);
    pthread_t foreign;
    if (strcmp(wanted_thread, "foreign") == 0) {
        pthread_create(&foreign, NULL, on_foreign_thread, NULL);
        pthread_join(foreign, NULL);
    }
    all();
    puts("works");
    return 0;
}

/* The tool starts before main. */
static void __attribute__((constructor)) arguments(int argc, char **argv) {
    wanted_event = argc > 1 ? atoi(argv[1]) : -1;
    wanted_thread = argc > 2 ? argv[2] : "any";
}

/* The runtime ends the tool before the destructors run. */
static void __attribute__((destructor)) result(void) {
    printf("happened=%s finalized=%d late=%d beside=%d wrong=%d\n",
           atomic_load(&ending) ? "yes" : "no", atomic_load(&finalized), atomic_load(&late),
           atomic_load(&beside), atomic_load(&wrong));
}
