/* Locks and a critical that no thread waits for, taken so often that most acquisitions are only
 * counted: in two regions by the same call, in many locks by the same call, some inside others, not
 * released in the reverse order, while the recording is paused, and in a child of fork(2). Prints
 * how many a profile must count. */
#include <dlfcn.h>
#include <omp.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

enum { MANY = 40, DEEP = 12, TIMES = 20000, FEW = 2000 };

/* A thread's own, in cache lines of their own. */
struct own {
    _Alignas(128) omp_lock_t lock, many[MANY], deep[DEEP];
    long taken;
};

static struct own own[2];

__attribute__((noinline)) static void take(omp_lock_t *lock, long *taken)
{
    omp_set_lock(lock);
    ++*taken;
    omp_unset_lock(lock);
}

static void take_often(struct own *it, int times)
{
    for (int time = 0; time < times; time++)
        take(&it->lock, &it->taken);
}

__attribute__((noinline)) static void take_critical(void)
{
#pragma omp critical
    own[0].taken++;
}

/* All of them at once, and released in the order in which they were taken. */
static void take_deep(struct own *it)
{
    for (int lock = 0; lock < DEEP; lock++) {
        omp_set_lock(&it->deep[lock]);
        it->taken++;
    }
    for (int lock = 0; lock < DEEP; lock++)
        omp_unset_lock(&it->deep[lock]);
}

int main(void)
{
    int (*control)(int, int, void *) =
        (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
    if (control == NULL)
        return 1;
    for (int thread = 0; thread < 2; thread++) {
        omp_init_lock(&own[thread].lock);
        for (int lock = 0; lock < MANY; lock++)
            omp_init_lock(&own[thread].many[lock]);
        for (int lock = 0; lock < DEEP; lock++)
            omp_init_lock(&own[thread].deep[lock]);
    }
#pragma omp parallel num_threads(2)
    {
        struct own *it = &own[omp_get_thread_num()];
        take_often(it, TIMES);
        for (int time = 0; time < FEW; time++) {
            take(&it->many[time % MANY], &it->taken);
            take_deep(it);
        }
    }
#pragma omp parallel num_threads(2)
    {
        struct own *it = &own[omp_get_thread_num()];
        take_often(it, TIMES);
#pragma omp barrier
#pragma omp master
        control(2, 0, NULL);
#pragma omp barrier
        long before = it->taken;
        take_often(it, TIMES);
        it->taken = before;
#pragma omp barrier
#pragma omp master
        control(1, 0, NULL);
#pragma omp barrier
        take_often(it, TIMES);
    }
    /* Outside every region: locks of libomp do not outlive a fork(2), the critical does. */
    for (int time = 0; time < TIMES; time++)
        take_critical();
    pid_t pid = fork();
    if (pid == 0) {
        for (int time = 0; time < TIMES; time++)
            take_critical();
        _exit(0);
    }
    int status = 1;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
        return 1;
    for (int time = 0; time < TIMES; time++)
        take_critical();
    print_fact("acquired", own[0].taken + own[1].taken);
    return 0;
}
