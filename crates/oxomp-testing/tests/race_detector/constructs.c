/* Constructs that order accesses of two threads to one variable, and the same accesses without that
 * order. Arguments: the construct, and ordered or race. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_race, value;

/* Not seen by the race detector: an order in time, but none that the construct gives. */
static int turn;

static void wait_for_turn(int wanted) {
    while (__atomic_load_n(&turn, __ATOMIC_RELAXED) < wanted)
        ;
}

static void next_turn(void) { __atomic_fetch_add(&turn, 1, __ATOMIC_RELAXED); }

/* Both threads of a team do it, one after the other. */
#define IN_TURN(access)                                                                          \
    do {                                                                                         \
        int self = omp_get_thread_num();                                                         \
        if (is_race)                                                                             \
            wait_for_turn(self);                                                                 \
        access;                                                                                  \
        if (is_race)                                                                             \
            next_turn();                                                                         \
    } while (0)

/* Both threads are here, if nothing keeps them apart, before one of them goes on: Archer has a mutex
 * of its own for its table of the program's, which would order them. */
static void in_region(int *inside) {
    if (is_race) {
        __atomic_fetch_add(inside, 1, __ATOMIC_RELAXED);
        while (__atomic_load_n(inside, __ATOMIC_RELAXED) < 2)
            ;
    }
    IN_TURN(value++);
    if (is_race)
        wait_for_turn(2);
}

/* Each thread enters a critical region of its own name, or sets a lock of its own. */
static void critical(void) {
    int inside = 0;
#pragma omp parallel num_threads(2) shared(inside)
    if (is_race && omp_get_thread_num() == 0) {
#pragma omp critical(other)
        in_region(&inside);
    } else {
#pragma omp critical(one)
        in_region(&inside);
    }
}

static void lock(void) {
    int inside = 0;
    omp_lock_t locks[2];
    omp_init_lock(&locks[0]);
    omp_init_lock(&locks[1]);
#pragma omp parallel num_threads(2) shared(inside)
    {
        omp_lock_t *mine = &locks[is_race ? omp_get_thread_num() : 0];
        omp_set_lock(mine);
        in_region(&inside);
        omp_unset_lock(mine);
    }
    omp_destroy_lock(&locks[0]);
    omp_destroy_lock(&locks[1]);
}

static void nest_lock(void) {
    int inside = 0;
    omp_nest_lock_t locks[2];
    omp_init_nest_lock(&locks[0]);
    omp_init_nest_lock(&locks[1]);
#pragma omp parallel num_threads(2) shared(inside)
    {
        omp_nest_lock_t *mine = &locks[is_race ? omp_get_thread_num() : 0];
        omp_set_nest_lock(mine);
        omp_set_nest_lock(mine);
        in_region(&inside);
        omp_unset_nest_lock(mine);
        omp_unset_nest_lock(mine);
    }
    omp_destroy_nest_lock(&locks[0]);
    omp_destroy_nest_lock(&locks[1]);
}

static void barrier(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            IN_TURN(value++);
        if (!is_race) {
#pragma omp barrier
        }
        if (omp_get_thread_num() == 1)
            IN_TURN(value++);
    }
}

static void region(void) {
#pragma omp parallel num_threads(2)
    if (is_race || omp_get_thread_num() == 1)
        IN_TURN(value++);
    value++;
}

static void ordered(void) {
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
    for (int i = 0; i < 20; i++) {
        if (is_race)
            value++;
#pragma omp ordered
        value++;
    }
}

static void single(void) {
#pragma omp parallel num_threads(2)
    {
        if (is_race) {
#pragma omp single nowait
            value++;
            IN_TURN(value++);
        } else {
#pragma omp single
            value++;
            if (omp_get_thread_num() == 1)
                value++;
        }
    }
}

static void loop(void) {
    static int array[64];
#pragma omp parallel num_threads(2)
    {
        if (is_race) {
#pragma omp for schedule(dynamic, 1) nowait
            for (int i = 0; i < 64; i++)
                array[i]++;
            IN_TURN(array[0]++);
        } else {
#pragma omp for schedule(dynamic, 1)
            for (int i = 0; i < 64; i++)
                array[i]++;
#pragma omp for schedule(static, 3)
            for (int i = 0; i < 64; i++)
                array[i]++;
#pragma omp for schedule(guided)
            for (int i = 0; i < 64; i++)
                array[i]++;
        }
    }
}

static void sections(void) {
#pragma omp parallel num_threads(2)
    {
        if (is_race) {
#pragma omp sections nowait
            {
#pragma omp section
                value++;
            }
            IN_TURN(value++);
        } else {
#pragma omp sections
            {
#pragma omp section
                value++;
            }
            if (omp_get_thread_num() == 1)
                value++;
        }
    }
}

static void reduction(void) {
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        sum++;
        if (is_race)
            IN_TURN(value++);
    }
    value += sum;
    long array[40] = {0};
#pragma omp parallel for num_threads(2) reduction(+ : array, sum)
    for (int i = 0; i < 40; i++) {
        array[i]++;
        sum++;
    }
    value += (int)array[0] + sum;
}

static void atomic(void) {
#pragma omp parallel num_threads(2)
    {
        if (is_race)
            IN_TURN(value++);
        else {
#pragma omp atomic
            value++;
        }
    }
}

/* Two tasks on two threads: each begins when the other thread is busy with the other. */
static void taskwait(void) {
    int begun = 0;
#pragma omp parallel num_threads(2) shared(begun)
#pragma omp single
    {
#pragma omp task shared(begun)
        {
            __atomic_store_n(&begun, 1, __ATOMIC_RELAXED);
            value++;
            next_turn();
        }
        while (!__atomic_load_n(&begun, __ATOMIC_RELAXED))
            ;
        if (is_race)
            wait_for_turn(1);
        else {
#pragma omp taskwait
        }
        value++;
    }
}

static void taskgroup(void) {
    int begun = 0;
#pragma omp parallel num_threads(2) shared(begun)
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task shared(begun)
            {
                __atomic_store_n(&begun, 1, __ATOMIC_RELAXED);
                value++;
                next_turn();
            }
            while (!__atomic_load_n(&begun, __ATOMIC_RELAXED))
                ;
            if (is_race) {
                wait_for_turn(1);
                value++;
            }
        }
        value++;
    }
}

/* Two tasks on two threads, one after the other. */
static void in_two_tasks(int number, int *begun) {
    __atomic_fetch_add(begun, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(begun, __ATOMIC_RELAXED) < 2)
        ;
    wait_for_turn(number);
    value++;
    next_turn();
}

static void depend(void) {
    int first = 0, second = 0, begun = 0;
    (void)first, (void)second;
#pragma omp parallel num_threads(2) shared(first, second, begun)
#pragma omp single
    if (is_race) {
#pragma omp task shared(begun) depend(inout : first)
        in_two_tasks(0, &begun);
#pragma omp task shared(begun) depend(inout : second)
        in_two_tasks(1, &begun);
    } else {
        for (int i = 0; i < 40; i++)
#pragma omp task depend(inout : first)
            value++;
    }
}

/* The generating thread makes the task's data before another executes it. */
static void task_data(void) {
    int begun = 0;
#pragma omp parallel num_threads(2) shared(begun)
#pragma omp single
    {
        int *data = malloc(sizeof *data);
        *data = 1;
#pragma omp task shared(begun) firstprivate(data)
        {
            __atomic_store_n(&begun, 1, __ATOMIC_RELAXED);
            if (is_race)
                wait_for_turn(1);
            (*data)++;
        }
        while (!__atomic_load_n(&begun, __ATOMIC_RELAXED))
            ;
        if (is_race) {
            (*data)++;
            next_turn();
        }
#pragma omp taskwait
        free(data);
    }
}

static void taskloop(void) {
    static int array[64];
    int begun = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    if (is_race) {
#pragma omp taskloop grainsize(1) shared(begun)
        for (int i = 0; i < 2; i++)
            in_two_tasks(i, &begun);
    } else {
#pragma omp taskloop grainsize(4)
        for (int i = 0; i < 64; i++)
            array[i]++;
        for (int i = 0; i < 64; i++)
            array[i]++;
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } constructs[] = {
#define CONSTRUCT(name) {#name, name}
        CONSTRUCT(critical), CONSTRUCT(lock),      CONSTRUCT(nest_lock), CONSTRUCT(barrier),
        CONSTRUCT(region),   CONSTRUCT(ordered),   CONSTRUCT(single),    CONSTRUCT(loop),
        CONSTRUCT(sections), CONSTRUCT(reduction), CONSTRUCT(atomic),    CONSTRUCT(taskwait),
        CONSTRUCT(taskgroup), CONSTRUCT(depend),   CONSTRUCT(task_data), CONSTRUCT(taskloop),
    };
    is_race = argc > 2 && strcmp(argv[2], "race") == 0;
    for (unsigned i = 0; i < sizeof constructs / sizeof *constructs; i++)
        if (argc > 1 && strcmp(argv[1], constructs[i].name) == 0) {
            for (int round = 0; round < 3; round++) {
                turn = 0;
                constructs[i].run();
            }
            return 0;
        }
    return 2;
}
