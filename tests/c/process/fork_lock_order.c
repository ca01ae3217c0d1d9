// A handler of fork(2) that was registered before the runtime was loaded, as a library's may be,
// waits for a lock whose holder uses OpenMP meanwhile: it becomes a root, hires threads, sets the
// affinity format, and uses a threadprivate variable.
//#NoStderr
//#NotRecorded:the recorder has handlers and locks of its own
//#ReferenceFails:libgomp has no such functions of clang's; a child of libomp hangs
//#NotEmulated:the emulator may hang in the child of a process with threads
#define _GNU_SOURCE
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern void *__kmpc_threadprivate(void *, int, void *, size_t) __attribute__((weak));
extern int __kmpc_global_thread_num(void *) __attribute__((weak));

enum { FORKS = 5 };

/* A lock as a library has it: a semaphore, since the thread that uses OpenMP gets it held. */
static sem_t lock;
static int is_watched, variables[FORKS];
static pthread_t user;

static int __attribute__((noinline)) region(int threads)
{
    int members = 0;
#pragma omp parallel num_threads(threads) reduction(+ : members)
    members += 1;
    return members;
}

static void *use(void *variable)
{
    int round = (int)((int *)variable - variables);
    CHECK_EQ(region(2 + round), 2 + round);
    char format[40];
    snprintf(format, sizeof format, "round %d", round);
    omp_set_affinity_format(format);
    if (__kmpc_threadprivate != NULL) {
        int me = __kmpc_global_thread_num(NULL);
        int *copy = __kmpc_threadprivate(NULL, me, variable, sizeof *copy);
        CHECK(copy != variable);
    }
    sem_post(&lock);
    return NULL;
}

static void take(void)
{
    static int round;
    if (!is_watched)
        return;
    /* The lock is held, and its holder needs the runtime before it releases it. */
    pthread_create(&user, NULL, use, &variables[round++]);
    while (sem_wait(&lock) != 0)
        ;
}

static void watch(void) { pthread_atfork(take, NULL, NULL); }

/* Runs before the libraries' own beginnings. */
__attribute__((section(".preinit_array"), used)) static void (*const before)(void) = watch;

int main(void)
{
    sem_init(&lock, 0, 0);
    CHECK_EQ(region(2), 2);
    is_watched = 1;
    for (int i = 0; i < FORKS; i++) {
        alarm(10);
        pid_t child = fork();
        if (child == 0) {
            alarm(10);
            char format[40];
            omp_get_affinity_format(format, sizeof format);
            CHECK(strncmp(format, "round ", 6) == 0);
            CHECK_EQ(region(3), 3);
            _exit(check_result());
        }
        int status = -1;
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK_EQ(status, 0);
        pthread_join(user, NULL);
    }
    return check_result();
}
