/* A program that holds a thread in each construct, where the sampler asks it. The file that
 * includes this one includes before it the answers of one interface, with the states' names of
 * OpenMP 5.x, and has the functions declared here. */

/* Of the mutex that the holding thread has entered. */
static ompt_wait_id_t last_wait_id(void);
/* Gives the current task something by which the sampler knows it. */
static void name_task(void);
static thread_t own_thread(void);

void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
void __kmpc_atomic_float10_add(void *, int, long double *, long double);

#ifdef __clang__
#define FOR_COMPILER(gcc, clang) (clang)
#else
#define FOR_COMPILER(gcc, clang) (gcc)
#endif

static void barriers(int me) {
    next_construct();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked)
            expect("barrier", ompt_state_wait_barrier_explicit, 0);
        else
            hold();
#pragma omp barrier
        AT_WORK("barrier");
    }
    next_construct();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
#pragma omp for schedule(static, 1)
        for (int i = 0; i < 2; i++) {
            if (is_asked) /* gcc calls the same function as for the directive. */
                expect("static loop", FOR_COMPILER(ompt_state_wait_barrier_explicit,
                                                   ompt_state_wait_barrier_implicit_workshare), 0);
            else
                hold();
        }
        AT_WORK("static loop");
    }
    next_construct();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 2; i++) {
            if (is_asked) {
                wait_for_flag();
                expect("dynamic loop", ompt_state_wait_barrier_implicit_workshare, 0);
            } else {
                raise_flag_and_hold();
            }
        }
        AT_WORK("dynamic loop");
    }
    next_construct();
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
                raise_flag_and_hold();
            }
#pragma omp section
            if (is_asked) {
                wait_for_flag();
                expect("sections", ompt_state_wait_barrier_implicit_workshare, 0);
            } else {
                raise_flag_and_hold();
            }
        }
        AT_WORK("sections");
    }
    next_construct();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
            wait_for_flag();
            expect("single", FOR_COMPILER(ompt_state_wait_barrier_explicit,
                                          ompt_state_wait_barrier_implicit_workshare), 0);
        }
#pragma omp single
        {
            raise_flag_and_hold();
        }
        AT_WORK("single");
    }
    next_construct();
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
            raise_flag_and_hold();
        }
        AT_WORK("copyprivate");
        (void)value;
    }
    next_construct();
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
    next_construct();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
#pragma omp task
            {
                raise_flag_and_hold();
            }
            wait_for_flag();
            expect("taskwait", ompt_state_wait_taskwait, 0);
#pragma omp taskwait
            AT_WORK("taskwait");
        }
    }
    next_construct();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
#pragma omp taskgroup
            {
#pragma omp task
                {
                    raise_flag_and_hold();
                }
                wait_for_flag();
                expect("taskgroup", ompt_state_wait_taskgroup, 0);
            }
            AT_WORK("taskgroup");
        }
    }
    next_construct();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
#pragma omp task depend(out : x)
            {
                raise_flag_and_hold();
            }
            wait_for_flag();
            expect("taskwait depend", ompt_state_wait_taskwait, 0);
#pragma omp taskwait depend(in : x)
            AT_WORK("taskwait depend");
        }
    }
    next_construct();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
#pragma omp task depend(out : x)
            {
                raise_flag_and_hold();
            }
            wait_for_flag();
            expect("undeferred task", ompt_state_wait_taskwait, 0);
#pragma omp task depend(in : x) if (0)
            AT_WORK("the begin of an undeferred task");
            AT_WORK("undeferred task");
        }
    }
    next_construct();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
#pragma omp task depend(out : x)
            {
                raise_flag_and_hold();
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
    next_construct();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
            if (me == 0)
                wait_for_flag();
#pragma omp task
            {
                name_task();
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
    next_construct();
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
    next_construct();
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

/* The other thread enters the mutex, which tells its wait id, before this one asks for it. */
#define MUTEX(what, state, enter, leave)                                                           \
    do {                                                                                           \
        next_construct();                                                                          \
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
    MUTEX("nest lock", STATE_OF_NEST_LOCK, omp_set_nest_lock(&nest_lock),
          omp_unset_nest_lock(&nest_lock));
    next_construct();
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
            raise_flag_and_hold();
            GOMP_atomic_end();
        }
    }
    next_construct();
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
                raise_flag_and_hold();
            }
        }
    }
    next_construct();
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
                    raise_flag_and_hold();
                }
            }
        }
    }
    next_construct();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
#pragma omp for ordered(1) schedule(static, 1)
        for (int i = 0; i < 2; i++) {
            (void)is_asked;
            if (i == 1) {
                wait_for_flag(); /* The other thread may be the one that names the region. */
                expect("doacross", ompt_state_wait_ordered, 0);
            } else {
                raise_flag_and_hold();
            }
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
    next_construct();
#pragma omp parallel num_threads(2)
    {
        int is_asked = in_region(me);
        if (is_asked) {
            wait_for_flag();
            expect("far ahead", ompt_state_overhead, 0);
        } else {
            raise_flag_and_hold();
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
                expect("nested", ompt_state_wait_barrier_explicit, 0);
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
static void expect_of(pid_t tid, thread_t thread, const char *what, int state, int before) {
    next_construct();
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
    thread_t thread = 0;
    pthread_t unknown;
    next_construct();
    here("all", ompt_state_work_serial);
    expect("serial", ompt_state_work_serial, 0);
    hold();
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        tid = gettid();
        thread = own_thread();
    }
    expect_of(tid, thread, "idle", ompt_state_idle, ompt_state_wait_barrier_implicit_parallel);
    /* Asleep, too. */
    usleep(300000);
    expect_of(tid, thread, "idle for long", ompt_state_idle, ompt_state_idle);
    next_construct();
    pthread_create(&unknown, NULL, unknown_thread, &tid);
    wait_for_flag();
    expect_of(tid, 0, "unknown", ompt_state_undefined, ompt_state_undefined);
    atomic_store(&flag, 2);
    pthread_join(unknown, NULL);
}

/* Holds threads everywhere: how many answers were wrong. */
static void hold_everywhere(void) {
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
}
