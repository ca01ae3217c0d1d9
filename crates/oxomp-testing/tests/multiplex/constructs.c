/* Constructs of all kinds, on a thread of the program's own too. With OMP_NUM_THREADS=1, no region
 * has a second thread, so that all is in one order. With an argument, omp_control_tool(77, ...) in
 * the middle; the program prints its result. */
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int value, sum;

static void tasks(void) {
    int chain = 0;
    for (int at = 0; at < 4; at++) {
#pragma omp task depend(inout : chain)
        chain += at;
#pragma omp task if (0)
        value += at;
#pragma omp task final(1) untied
        {
#pragma omp task
            value += at;
        }
    }
#pragma omp taskwait
#pragma omp taskgroup
    {
        for (int at = 0; at < 4; at++) {
#pragma omp task
            {
#pragma omp atomic
                sum += at;
#pragma omp taskyield
#pragma omp cancel taskgroup if (at == 1)
            }
        }
    }
#pragma omp taskloop grainsize(2)
    for (int at = 0; at < 8; at++) {
#pragma omp atomic
        sum += at;
    }
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event)
    omp_fulfill_event(event);
#pragma omp taskwait
}

static void team(int threads) {
    int inner = threads > 1 ? 2 : 1;
    omp_lock_t lock;
    omp_nest_lock_t nest_lock;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
#pragma omp parallel num_threads(threads) reduction(+ : value)
    {
        value += 1;
#pragma omp for schedule(dynamic, 2) ordered
        for (int at = 0; at < 6; at++) {
#pragma omp ordered
            sum += at;
        }
#pragma omp sections
        {
#pragma omp section
            value += 2;
#pragma omp section
            value += 3;
        }
#pragma omp critical(named)
        sum += 1;
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest_lock);
        omp_set_nest_lock(&nest_lock);
        omp_unset_nest_lock(&nest_lock);
        omp_unset_nest_lock(&nest_lock);
#pragma omp masked
        value += 4;
#pragma omp barrier
#pragma omp flush
#pragma omp single
        tasks();
#pragma omp parallel num_threads(inner)
        {
#pragma omp for schedule(static)
            for (int at = 0; at < 4; at++) {
#pragma omp atomic
                sum += at;
            }
#pragma omp parallel if (0)
            {
#pragma omp atomic
                sum += 1;
            }
        }
#pragma omp target map(tofrom : sum)
        sum += 0;
    }
#pragma omp teams num_teams(inner)
    {
#pragma omp parallel num_threads(inner)
        {
#pragma omp atomic
            sum += 1;
        }
    }
    omp_destroy_nest_lock(&nest_lock);
    omp_destroy_lock(&lock);
}

static void *foreign(void *unused) {
    team(1);
    return unused;
}

int main(int count, char **words) {
    (void)words;
    int threads = omp_get_max_threads();
    omp_set_max_active_levels(3);
    team(threads);
    if (count > 1)
        printf("control=%d\n", omp_control_tool((omp_control_tool_t)77, 0, NULL));
    team(threads);
    pthread_t thread;
    pthread_create(&thread, NULL, foreign, NULL);
    pthread_join(thread, NULL);
#pragma omp error at(execution) severity(warning) message("said")
    printf("done\n");
    return 0;
}
