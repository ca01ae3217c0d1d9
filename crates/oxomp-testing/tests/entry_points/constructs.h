/* A program that goes through all constructs, of which it checks the results. Cancellation has to
 * be enabled. The file that includes this one defines CHECK before. */
#include <pthread.h>
#include <sys/wait.h>

/* Called in a child process, before its first construct. */
static void in_the_child(void);

enum { N = 64, SUM = N * (N - 1) / 2 };

#define LOOP(clauses)                                                                              \
    do {                                                                                           \
        long sum = 0;                                                                              \
        _Pragma("omp parallel num_threads(3) reduction(+ : sum)")                                  \
        PRAGMA(omp for clauses) for (int i = 0; i < N; i++) sum += i;                              \
        CHECK(sum == SUM, sum);                                                                    \
    } while (0)
#define PRAGMA(words) _Pragma(#words)

static void loops(void) {
    LOOP(schedule(static));
    LOOP(schedule(static, 3));
    LOOP(schedule(dynamic));
    LOOP(schedule(monotonic : dynamic, 2) nowait);
    LOOP(schedule(guided));
    LOOP(schedule(runtime));
    LOOP(schedule(auto));
    long last = -1, sum = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < N; i++) {
#pragma omp ordered
            {
                CHECK(last == i - 1, last);
                last = i;
            }
        }
#pragma omp for ordered(1) schedule(static, 1)
        for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
            sum += i;
#pragma omp ordered depend(source)
        }
    }
    CHECK(sum == SUM, sum);
}

static void worksharing(void) {
    int count[4] = {0}, value = 0;
#pragma omp parallel num_threads(3)
    {
        int mine = 0;
#pragma omp sections
        {
#pragma omp section
            count[0]++;
#pragma omp section
            count[1]++;
        }
#pragma omp single
        count[2]++;
#pragma omp single copyprivate(mine)
        mine = 7;
        CHECK(mine == 7, mine);
#pragma omp masked
        count[3]++;
#pragma omp barrier
#pragma omp critical
        value++;
#pragma omp critical(named)
        count[3]++;
#pragma omp flush
    }
    CHECK(count[0] == 1 && count[1] == 1 && count[2] == 1 && count[3] == 4, count[3]);
    CHECK(value == 3, value);
}

static void nested(void) {
    int count = 0;
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(1)
#pragma omp task
#pragma omp atomic
    count++;
    CHECK(count == 4, count);
    count = 0;
#pragma omp parallel num_threads(2)
#pragma omp masked
#pragma omp task
    {
        /* A region that an explicit task encounters. */
#pragma omp parallel num_threads(2)
#pragma omp atomic
        count++;
    }
    CHECK(count == 2, count);
    count = 0;
#pragma omp teams num_teams(2) thread_limit(2)
#pragma omp parallel num_threads(2)
#pragma omp atomic
    count++;
    CHECK(count >= 2, count);
}

static long fib(int n) {
    long x, y;
    if (n < 2)
        return n;
#pragma omp task shared(x)
    x = fib(n - 1);
#pragma omp task shared(y) untied
    y = fib(n - 2);
#pragma omp taskwait
    return x + y;
}

static void tasks(void) {
    long result = 0, order = 0, sum = 0, detached = 0, large[2000] = {1};
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        result = fib(8);
        for (int i = 0; i < 8; i++) {
#pragma omp task depend(inout : order)
            order = order * 2 + 1;
        }
#pragma omp task depend(in : order) if (0)
        CHECK(order == 255, order);
#pragma omp task depend(inout : order)
        order++;
#pragma omp taskwait depend(in : order)
        CHECK(order == 256, order);
#pragma omp taskgroup
        {
#pragma omp task firstprivate(large)
            {
#pragma omp task
#pragma omp atomic
                sum += large[0];
            }
#pragma omp taskyield
        }
        CHECK(sum == 1, sum);
#pragma omp taskloop num_tasks(5) shared(sum)
        for (int i = 0; i < N; i++)
#pragma omp atomic
            sum += i;
        CHECK(sum == SUM + 1, sum);
        omp_event_handle_t event;
#pragma omp task detach(event) shared(detached)
#pragma omp atomic
        detached++;
#pragma omp task firstprivate(event) shared(detached)
        {
#pragma omp atomic
            detached++;
            omp_fulfill_event(event);
        }
#pragma omp taskwait
        CHECK(detached == 2, detached);
#pragma omp task final(1) mergeable
        result += fib(4);
    }
    CHECK(result == 21 + 3, result);
    sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp masked
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += i;
    }
    CHECK(sum == 45, sum);
}

static void locks(void) {
    omp_lock_t simple;
    omp_nest_lock_t nest;
    int count = 0, tested = 0;
    long double sum = 0;
    omp_init_lock(&simple);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(3)
    for (int i = 0; i < 10; i++) {
        omp_set_lock(&simple);
        count++;
        omp_unset_lock(&simple);
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        sum += 1;
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        if (omp_test_lock(&simple)) {
            tested++;
            omp_unset_lock(&simple);
        }
    }
    CHECK(count == 30 && sum == 30 && tested <= 30, sum);
    omp_destroy_lock(&simple);
    omp_destroy_nest_lock(&nest);
}

static void cancellation(void) {
    int found = 0, discarded = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
            if (i == 5) {
#pragma omp atomic
                found++;
#pragma omp cancel for
            }
#pragma omp cancellation point for
        }
#pragma omp masked
#pragma omp taskgroup
        for (int i = 0; i < 10; i++) {
#pragma omp task
            {
#pragma omp atomic
                discarded++;
#pragma omp cancel taskgroup
            }
        }
    }
    CHECK(found == 1 && discarded >= 1, found);
#pragma omp parallel num_threads(3)
    {
#pragma omp cancel parallel if (omp_get_thread_num() == 0)
#pragma omp barrier
    }
}

static void target(void) {
    int value = 0, later = 0;
#pragma omp target map(value)
#pragma omp parallel num_threads(2) reduction(+ : value)
    value++;
    CHECK(value == 2, value);
#pragma omp parallel num_threads(2)
#pragma omp masked
    {
#pragma omp target map(later) nowait depend(out : later)
        later = 1;
#pragma omp target map(later) depend(inout : later)
        later++;
    }
    CHECK(later == 2, later);
}

static void *foreign(void *unused) {
    int count = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
    count++;
    CHECK(count == 2, count);
    return unused;
}

/* Native threads begin and end: roots, and their workers. */
static void native_threads(void) {
    pthread_t roots[2];
    int count = 0;
    for (int n = 0; n < 2; n++)
        pthread_create(&roots[n], NULL, foreign, NULL);
    for (int n = 0; n < 2; n++)
        pthread_join(roots[n], NULL);
    omp_pause_resource_all(omp_pause_soft);
#pragma omp parallel num_threads(5)
#pragma omp atomic
    count++;
    CHECK(count == 5, count);
    omp_pause_resource_all(omp_pause_hard);
}

static void in_child(void) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        in_the_child();
        int count = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
        count++;
        _exit(count == 2 ? 0 : 4);
    }
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, status);
}

static void all_constructs(int round) {
    loops();
    worksharing();
    nested();
    tasks();
    locks();
    cancellation();
    target();
    if (round % 4 == 0) {
        native_threads();
        in_child();
    }
}
