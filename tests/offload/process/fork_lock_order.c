// A handler of fork(2) that was registered before the runtime was loaded, as a library's may be, waits for
// a lock whose holder uses devices meanwhile. The child has the device, or, if that thread was changing
// it at the fork, the host in its place.
//#Timeout:60
//#NoStderr
//#LibompFails:it holds locks of its own meanwhile
#define _GNU_SOURCE
#include "child.h"
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>

enum { FORKS = 6, USES = 30 };

/* A lock as a library has it: a semaphore, since the thread that uses devices gets it held. */
static sem_t lock;
static int is_watched;
static pthread_t user;

static int kernel(int value)
{
#pragma omp target map(tofrom : value)
    value = value * 3;
    return value;
}

static void *use(void *unused)
{
    int host = omp_get_initial_device(), values[4] = {1, 2, 3, 4};
    for (int i = 0; i < USES; i++) {
        int *there = omp_target_alloc(sizeof values, 0);
        CHECK(there != NULL);
        CHECK_EQ(omp_target_memcpy(there, values, sizeof values, 0, 0, 0, host), 0);
        CHECK_EQ(omp_target_associate_ptr(values, there, sizeof values, 0, 0), 0);
        CHECK(omp_get_mapped_ptr(values, 0) == there);
        CHECK_EQ(omp_target_disassociate_ptr(values, 0), 0);
        omp_target_free(there, 0);
        CHECK_EQ(kernel(i), 3 * i);
    }
    sem_post(&lock);
    return unused;
}

static void take(void)
{
    if (!is_watched)
        return;
    /* The lock is held, and its holder needs the device before it releases it. */
    pthread_create(&user, NULL, use, NULL);
    while (sem_wait(&lock) != 0)
        ;
}

static void watch(void) { pthread_atfork(take, NULL, NULL); }

/* Runs before the libraries' own beginnings. */
__attribute__((section(".preinit_array"), used)) static void (*const before)(void) = watch;

int main(void)
{
    sem_init(&lock, 0, 0);
    CHECK_EQ(kernel(5), 15);
    is_watched = 1;
    for (int i = 0; i < FORKS; i++) {
        alarm(20);
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            _exit(kernel(i) != 3 * i);
        }
        pthread_join(user, NULL);
        must_succeed(child);
    }
    CHECK_EQ(kernel(7), 21);
    return check_result();
}
