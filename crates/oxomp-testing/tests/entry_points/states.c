/* A program with its tool inside: a thread is held in each construct by the others, and another
 * native thread signals it. What the entry points tell in the handler is known beforehand.
 *
 * The word "events" has the tool register the events of the ends of regions, for which a worker
 * waits; without it the tool registers only what the program needs itself. */
#define _GNU_SOURCE
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
void __kmpc_atomic_float10_add(void *, int, long double *, long double);

#ifdef __clang__
#define FOR_COMPILER(gcc, clang) (clang)
#else
#define FOR_COMPILER(gcc, clang) (gcc)
#endif

/* gcc calls one function for the directive and at the end of worksharing constructs, so the runtime
   cannot know more. */
#define BARRIER FOR_COMPILER(ompt_state_wait_barrier, ompt_state_wait_barrier_explicit)

static ompt_get_thread_data_t get_thread_data;
static ompt_get_state_t get_state;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;

enum { LEVELS = 4, SAMPLES = 20 };

/* What the entry points tell about one level. */
struct level {
    int has_task, has_region, flags, thread_num, size;
    ompt_data_t *task, *region, *region_of_task;
    uint64_t task_word, region_word;
    int is_inside; /* The enter frame is set. */
};

struct answer {
    int state;
    ompt_wait_id_t wait_id;
    ompt_data_t *thread;
    struct level levels[LEVELS];
};

static void ask(struct answer *answer) {
    memset(answer, 0, sizeof *answer);
    answer->state = get_state(&answer->wait_id);
    answer->thread = get_thread_data();
    for (int n = 0; n < LEVELS; n++) {
        struct level *level = &answer->levels[n];
        ompt_frame_t *frame = NULL;
        level->has_region = get_parallel_info(n, &level->region, &level->size);
        level->has_task = get_task_info(n, &level->flags, &level->task, &frame,
                                        &level->region_of_task, &level->thread_num);
        if (level->has_region == 2)
            level->region_word = level->region->value;
        if (level->has_task == 2) {
            level->task_word = level->task->value;
            level->is_inside = frame->enter_frame.ptr != NULL;
        }
    }
}

/* The thread that is asked, and what it should answer. */
static struct {
    pid_t tid;
    const char *what;
    struct answer answer;
    /* The states in which it may be on its way. */
    int before[2];
    int has_copy, is_outside;
} asked;

static struct answer told;
static atomic_int answered, armed, checked, failures;
static uint64_t wait_ids;

static void on_signal(int number) {
    (void)number;
    ask(&told);
    atomic_fetch_add(&answered, 1);
}

static void sample(void) {
    int before = atomic_load(&answered);
    if (tgkill(getpid(), asked.tid, SIGUSR1) != 0) {
        printf("%s: the thread is gone\n", asked.what);
        exit(1);
    }
    while (atomic_load(&answered) == before)
        sched_yield();
}

static int line_of(const char *what, unsigned long long got, unsigned long long wanted) {
    if (got != wanted)
        printf("%s: %s is %#llx, not %#llx\n", asked.what, what, got, wanted);
    return got != wanted;
}
#define DIFFERS(field) line_of(#field, (unsigned long long)told.field, \
                               (unsigned long long)asked.answer.field)

static int differs(void) {
    int lines = DIFFERS(state) + DIFFERS(thread);
    if (asked.answer.wait_id != 0)
        lines += DIFFERS(wait_id);
    if (told.levels[0].region != told.levels[0].region_of_task)
        lines += line_of("whether region and task agree", 0, 1);
    for (int n = 0; n < LEVELS; n++) {
        lines += DIFFERS(levels[n].has_task) + DIFFERS(levels[n].has_region);
        lines += DIFFERS(levels[n].flags) + DIFFERS(levels[n].thread_num);
        lines += DIFFERS(levels[n].size) + DIFFERS(levels[n].task);
        lines += DIFFERS(levels[n].task_word) + DIFFERS(levels[n].region_word);
        if (!asked.has_copy || n != 0)
            lines += DIFFERS(levels[n].region);
        lines += line_of("is inside", told.levels[n].is_inside, asked.answer.levels[n].is_inside);
    }
    return lines;
}

/* The sampler: finds the thread in the state in the end, and from then on always, with the same
 * answers. */
static void *sampler(void *unused) {
    for (;;) {
        while (!atomic_load(&armed))
            sched_yield();
        if (atomic_load(&armed) < 0)
            return unused;
        long looks = 0;
        do {
            sample();
            if (told.state == asked.answer.state)
                break;
            if (told.state != asked.before[0] && told.state != asked.before[1])
                line_of("state on the way", (unsigned)told.state, (unsigned)asked.answer.state);
            usleep(100);
        } while (++looks < 200000);
        /* A state that it had on the way, too, counts once the thread has come to rest. */
        int lines = 0;
        if (asked.answer.state == ompt_state_work_parallel)
            usleep(1000);
        for (int n = 0; n < SAMPLES && !lines; n++) {
            sample();
            lines = differs();
        }
        atomic_fetch_add(&failures, lines);
        atomic_store(&armed, 0);
        atomic_fetch_add(&checked, 1);
    }
}

/* The calling thread is about to wait in `state`. */
static void expect(const char *what, int state, ompt_wait_id_t wait_id) {
    while (atomic_load(&armed))
        sched_yield();
    memset(&asked, 0, sizeof asked);
    asked.tid = gettid();
    asked.what = what;
    ask(&asked.answer);
    asked.before[0] = asked.answer.state;
    asked.before[1] = ompt_state_overhead;
    asked.answer.state = state;
    asked.answer.wait_id = wait_id;
    for (int n = 0; n < LEVELS; n++)
        if (asked.answer.levels[n].has_task != 2)
            memset(&asked.answer.levels[n], 0, sizeof asked.answer.levels[n]);
    /* In a closing barrier the task has no frame any more. */
    asked.answer.levels[0].is_inside |=
        state >= ompt_state_wait_barrier && state < ompt_state_idle &&
        state != ompt_state_wait_barrier_implicit_parallel &&
        state != ompt_state_wait_barrier_teams;
    asked.has_copy = state == ompt_state_wait_barrier_implicit_parallel ||
                     state == ompt_state_wait_barrier_teams;
    atomic_store(&armed, 1);
}

/* Returns when `count` threads in all have been asked. */
static void hold_until(int count) {
    while (atomic_load(&checked) < count)
        sched_yield();
}

static int asked_so_far;
/* Holds the other thread until it has been asked. */
static void hold(void) {
    hold_until(asked_so_far + 1);
}

static void here(const char *what, int state) {
    int now = get_state(NULL);
    if (now != state && atomic_fetch_add(&failures, 1) >= 0)
        printf("after %s: state is %#x, not %#x\n", what, (unsigned)now, (unsigned)state);
}
#define AT_WORK(what) here(what, ompt_state_work_parallel)

static atomic_int flag;
static void raise_flag(void) {
    atomic_store(&flag, 1);
}
static void wait_for_flag(void) {
    while (!atomic_load(&flag))
        sched_yield();
}

/* Each construct is in a region of two threads, of which `me` is asked and the other one holds it.
 */
static void start(void) {
    asked_so_far = atomic_load(&checked);
    atomic_store(&flag, 0);
}

/* Whether the calling thread is the one to be asked. */
static int in_region(int me) {
    ompt_data_t *task, *region;
    get_task_info(0, NULL, &task, NULL, &region, NULL);
    task->value = 100 + (uint64_t)omp_get_thread_num();
    if (omp_get_thread_num() == me)
        region->value = 1000 + (uint64_t)asked_so_far;
    return omp_get_thread_num() == me;
}

static void barriers(int me) {
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked)
            expect("barrier", BARRIER, 0);
        else
            hold();
#pragma omp barrier
        AT_WORK("barrier");
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
#pragma omp for schedule(static, 1)
        for (int i = 0; i < 2; i++) {
            if (is_asked) /* gcc calls the same function as for the directive. */
                expect("static loop", FOR_COMPILER(ompt_state_wait_barrier,
                                                   ompt_state_wait_barrier_implicit_workshare), 0);
            else
                hold();
        }
        AT_WORK("static loop");
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 2; i++) {
            if (is_asked) {
                wait_for_flag();
                expect("dynamic loop", ompt_state_wait_barrier_implicit_workshare, 0);
            } else {
                raise_flag();
                hold();
            }
        }
        AT_WORK("dynamic loop");
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
#pragma omp sections
        {
#pragma omp section
            if (is_asked) {
                wait_for_flag();
                expect("sections", ompt_state_wait_barrier_implicit_workshare, 0);
            } else {
                raise_flag();
                hold();
            }
#pragma omp section
            if (is_asked) {
                wait_for_flag();
                expect("sections", ompt_state_wait_barrier_implicit_workshare, 0);
            } else {
                raise_flag();
                hold();
            }
        }
        AT_WORK("sections");
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
            wait_for_flag();
            expect("single", FOR_COMPILER(ompt_state_wait_barrier,
                                          ompt_state_wait_barrier_implicit_workshare), 0);
        }
#pragma omp single
        {
            raise_flag();
            hold();
        }
        AT_WORK("single");
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        int value;
        if (is_asked) {
            wait_for_flag();
            expect("copyprivate", ompt_state_wait_barrier_implementation, 0);
        }
#pragma omp single copyprivate(value)
        {
            value = 1;
            raise_flag();
            hold();
        }
        AT_WORK("copyprivate");
        (void)value;
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked)
            expect("end of parallel", ompt_state_wait_barrier_implicit_parallel, 0);
        else
            hold();
    }
}

static void tasks(int me) {
    int x = 0;
    (void)x;
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
#pragma omp task
            {
                raise_flag();
                hold();
            }
            wait_for_flag();
            expect("taskwait", ompt_state_wait_taskwait, 0);
#pragma omp taskwait
            AT_WORK("taskwait");
        }
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
#pragma omp taskgroup
            {
#pragma omp task
                {
                    raise_flag();
                    hold();
                }
                wait_for_flag();
                expect("taskgroup", ompt_state_wait_taskgroup, 0);
            }
            AT_WORK("taskgroup");
        }
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
#pragma omp task depend(out : x)
            {
                raise_flag();
                hold();
            }
            wait_for_flag();
            expect("taskwait depend", ompt_state_wait_taskwait, 0);
#pragma omp taskwait depend(in : x)
            AT_WORK("taskwait depend");
        }
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
#pragma omp task depend(out : x)
            {
                raise_flag();
                hold();
            }
            wait_for_flag();
            expect("undeferred task", ompt_state_wait_taskwait, 0);
#pragma omp task depend(in : x) if (0)
            AT_WORK("the begin of an undeferred task");
            AT_WORK("undeferred task");
        }
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
#pragma omp task depend(out : x)
            {
                raise_flag();
                hold();
            }
            wait_for_flag();
            expect("target depend", FOR_COMPILER(ompt_state_wait_target, ompt_state_wait_taskwait),
                   0);
#pragma omp target depend(in : x) map(x)
            x++;
            AT_WORK("target depend");
        }
    }
    /* At work again in a task that the thread executes while it waits. */
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
            if (me == 0)
                wait_for_flag();
#pragma omp task
            {
                ompt_data_t *word;
                get_task_info(0, NULL, &word, NULL, NULL, NULL);
                word->value = 77;
                expect("task in taskwait", ompt_state_work_parallel, 0);
                hold();
            }
#pragma omp taskwait
        } else {
            raise_flag();
            /* It executes no task: the asked thread does. */
            hold();
        }
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (!is_asked) {
#pragma omp task
            {
                expect("task in barrier", ompt_state_work_parallel, 0);
                hold();
            }
            hold();
        }
#pragma omp barrier
        AT_WORK("barrier with a task");
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (!is_asked) {
#pragma omp task
            {
                expect("task at the end", ompt_state_work_parallel, 0);
                hold();
            }
            hold();
        }
    }
}

static ompt_wait_id_t last_wait_id(void) {
    return __atomic_load_n(&wait_ids, __ATOMIC_SEQ_CST);
}

/* The other thread enters the mutex, which tells its wait id, before this one asks for it. */
#define MUTEX(what, state, enter, leave)                                                           \
    do {                                                                                           \
        start();                                                                                   \
        _Pragma("omp parallel num_threads(2)") {                                                   \
            if (in_region(me)) {                                                                   \
                wait_for_flag();                                                                   \
                expect(what, state, last_wait_id());                                               \
                enter;                                                                             \
                AT_WORK(what);                                                                     \
                leave;                                                                             \
            } else {                                                                               \
                enter;                                                                             \
                raise_flag();                                                                      \
                hold();                                                                            \
                leave;                                                                             \
            }                                                                                      \
        }                                                                                          \
    } while (0)

static void mutexes(int me) {
    static omp_lock_t lock;
    static omp_nest_lock_t nest_lock;
    static long double sum;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    MUTEX("lock", ompt_state_wait_lock, omp_set_lock(&lock), omp_unset_lock(&lock));
    MUTEX("nest lock", ompt_state_wait_lock, omp_set_nest_lock(&nest_lock),
          omp_unset_nest_lock(&nest_lock));
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
            wait_for_flag();
            expect("atomic", ompt_state_wait_atomic, last_wait_id());
#ifdef __clang__
            __kmpc_atomic_float10_add(NULL, 0, &sum, 1);
#else
#pragma omp atomic
            sum += 1;
#endif
            AT_WORK("atomic");
        } else {
            GOMP_atomic_start();
            raise_flag();
            hold();
            GOMP_atomic_end();
        }
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
            wait_for_flag();
            expect("critical", ompt_state_wait_critical, last_wait_id());
        }
#pragma omp critical(some)
        {
            if (is_asked) {
                AT_WORK("critical");
            } else {
                raise_flag();
                hold();
            }
        }
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        (void)is_asked;
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < 2; i++) {
            if (i == 1) {
                wait_for_flag();
                expect("ordered", ompt_state_wait_ordered, last_wait_id());
            }
#pragma omp ordered
            {
                if (i == 1) {
                    AT_WORK("ordered");
                } else {
                    raise_flag();
                    hold();
                }
            }
        }
    }
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
#pragma omp for ordered(1) schedule(static, 1)
        for (int i = 0; i < 2; i++) {
            (void)is_asked;
            if (i == 1)
                expect("doacross", ompt_state_wait_ordered, 0);
            else
                hold();
#pragma omp ordered depend(sink : i - 1)
            if (i == 1)
                AT_WORK("doacross");
#pragma omp ordered depend(source)
        }
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest_lock);
}

struct sum {
    long value;
};

static int is_asked_in_combine;
static void combine(struct sum *into, struct sum *from) {
    into->value += from->value;
    if (__atomic_exchange_n(&is_asked_in_combine, 0, __ATOMIC_SEQ_CST)) {
        expect("reduction", FOR_COMPILER(ompt_state_work_parallel, ompt_state_work_reduction), 0);
        hold();
    }
}
#pragma omp declare reduction(plus : struct sum : combine(&omp_out, &omp_in))

static int is_asked_in_task_combine;
static void combine_of_tasks(struct sum *into, struct sum *from) {
    into->value += from->value;
    if (__atomic_exchange_n(&is_asked_in_task_combine, 0, __ATOMIC_SEQ_CST)) {
        /* gcc's code combines the copies itself. */
        expect("task reduction", FOR_COMPILER(ompt_state_work_parallel, ompt_state_work_reduction),
               0);
        hold();
    }
}
#pragma omp declare reduction(plus_of_tasks : struct sum : combine_of_tasks(&omp_out, &omp_in)) \
    initializer(omp_priv = (struct sum){0})

static void reductions(void) {
    struct sum all = {0};
    asked_so_far = atomic_load(&checked);
    __atomic_store_n(&is_asked_in_combine, 1, __ATOMIC_SEQ_CST);
#pragma omp parallel num_threads(2) reduction(plus : all)
    all.value += 1;
    if (all.value != 2)
        printf("reduction: the sum is %ld\n", all.value);
    asked_so_far = atomic_load(&checked);
    __atomic_store_n(&is_asked_in_task_combine, 1, __ATOMIC_SEQ_CST);
#pragma omp parallel num_threads(2)
#pragma omp masked
#pragma omp taskgroup task_reduction(plus_of_tasks : all)
    for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(plus_of_tasks : all)
        all.value += 1;
    }
    if (all.value != 6)
        printf("task reduction: the sum is %ld\n", all.value);
}

/* A thread that is too far ahead in loops without a barrier waits for the others. */
static void far_ahead(int me) {
    start();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
            wait_for_flag();
            expect("far ahead", ompt_state_overhead, 0);
        } else {
            raise_flag();
            hold();
        }
        for (int loop = 0; loop < 20; loop++) {
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < 2; i++)
                __asm__ volatile("");
        }
        AT_WORK("loops");
    }
}

static void nested(void) {
    asked_so_far = atomic_load(&checked);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 1)
                expect("nested", BARRIER, 0);
            else
                hold();
#pragma omp barrier
        }
        asked_so_far++;
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 1)
                expect("end of a nested region", ompt_state_wait_barrier_implicit_parallel, 0);
            else
                hold();
        }
    }
    asked_so_far = atomic_load(&checked);
    /* Regions of one thread, and a task in them. */
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(1)
#pragma omp task
    {
        expect("a task in serialized regions", ompt_state_work_parallel, 0);
        hold();
    }
}

static void leagues(void) {
    asked_so_far = atomic_load(&checked);
    pid_t of_team[2];
#pragma omp teams num_teams(2) thread_limit(1)
    of_team[omp_get_team_num()] = gettid();
    if (of_team[0] != of_team[1]) {
#pragma omp teams num_teams(2) thread_limit(1)
        {
            if (omp_get_team_num() == 1)
                expect("end of teams", ompt_state_wait_barrier_teams, 0);
            else
                hold();
        }
    }
}

/* Another thread is asked, which is in no task. */
static void expect_of(pid_t tid, ompt_data_t *thread, const char *what, int state, int before) {
    start();
    while (atomic_load(&armed))
        sched_yield();
    memset(&asked, 0, sizeof asked);
    asked.tid = tid;
    asked.what = what;
    asked.answer.thread = thread;
    asked.answer.state = state;
    asked.before[0] = before;
    asked.before[1] = ompt_state_overhead;
    atomic_store(&armed, 1);
    hold();
}

static void *unknown_thread(void *tid) {
    *(pid_t *)tid = gettid();
    raise_flag();
    while (atomic_load(&flag) != 2)
        sched_yield();
    return NULL;
}

/* Outside of all regions. */
static void serial(void) {
    pid_t tid = 0;
    ompt_data_t *thread = NULL;
    pthread_t unknown;
    start();
    here("all", ompt_state_work_serial);
    expect("serial", ompt_state_work_serial, 0);
    hold();
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        tid = gettid();
        thread = get_thread_data();
    }
    expect_of(tid, thread, "idle", ompt_state_idle, ompt_state_wait_barrier_implicit_parallel);
    /* Asleep, too. */
    usleep(300000);
    expect_of(tid, thread, "idle for long", ompt_state_idle, ompt_state_idle);
    start();
    pthread_create(&unknown, NULL, unknown_thread, &tid);
    wait_for_flag();
    expect_of(tid, NULL, "unknown", ompt_state_undefined, ompt_state_undefined);
    atomic_store(&flag, 2);
    pthread_join(unknown, NULL);
}

static void acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t wait_id,
                    const void *codeptr) {
    (void)kind, (void)hint, (void)impl, (void)codeptr;
    if (!atomic_load(&flag))
        __atomic_store_n(&wait_ids, wait_id, __ATOMIC_SEQ_CST);
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                        ompt_data_t *parallel, ompt_data_t *task, const void *codeptr) {
    (void)kind, (void)endpoint, (void)parallel, (void)task, (void)codeptr;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_mutex_acquire, (ompt_callback_t)acquire);
    if (getenv("WITH_EVENTS"))
        set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}

int main(void) {
    pthread_t thread;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    setvbuf(stdout, NULL, _IOLBF, 0);
    omp_set_dynamic(0);
    pthread_create(&thread, NULL, sampler, NULL);
    serial();
    for (int me = 0; me < 2; me++) {
        barriers(me);
        tasks(me);
        mutexes(me);
        far_ahead(me);
    }
    reductions();
    nested();
    leagues();
    serial();
    while (atomic_load(&armed))
        sched_yield();
    atomic_store(&armed, -1);
    pthread_join(thread, NULL);
    printf("asked=%s failures=%d\n", atomic_load(&checked) > 50 ? "all" : "few",
           atomic_load(&failures));
    return 0;
}
