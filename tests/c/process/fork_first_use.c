// fork(2) while a thread is in the middle of the process's first use of OpenMP, which is stopped
// where the runtime shows what it has read from the environment. Another thread forks; or a thread
// is already in fork(2) when the use begins; or the thread itself forks, as a signal handler might.
//#Env:OMP_DISPLAY_ENV=true
//#Vary:WHO=another|under_way|itself
//#Flags:-rdynamic
//#ReferenceFails:libgomp and libomp show the environment elsewhere, or by no call of write
#define _GNU_SOURCE
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int stops;
static sem_t inside, go;
static pthread_t user;
static pid_t child = -1;

static int is(const char *who) { return strcmp(getenv("WHO"), who) == 0; }

static void wait_for(sem_t *event)
{
    while (sem_wait(event) != 0)
        ;
}

/* A function of its own: clang calls the runtime where a function begins that has a construct. */
static int __attribute__((noinline)) region(void)
{
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
    members += 1;
    return members;
}

/* Called by the runtime, in place of the C library's. */
ssize_t write(int file, const void *bytes, size_t length)
{
    if (file == STDERR_FILENO && __atomic_exchange_n(&stops, 0, __ATOMIC_SEQ_CST)) {
        if (is("itself")) {
            child = fork();
            if (child == 0)
                alarm(10);
        } else {
            sem_post(&inside);
            wait_for(&go);
        }
    }
    return syscall(SYS_write, file, bytes, length);
}

static void *first_use(void *unused)
{
    __atomic_store_n(&stops, 1, __ATOMIC_SEQ_CST);
    CHECK(omp_get_max_threads() > 0);
    if (child == 0) {
        CHECK_EQ(region(), 2);
        _exit(check_result());
    }
    return unused;
}

static void begin_first_use(void)
{
    pthread_create(&user, NULL, first_use, NULL);
    wait_for(&inside);
}

int main(void)
{
    sem_init(&inside, 0, 0);
    sem_init(&go, 0, 0);
    if (is("itself")) {
        pthread_create(&user, NULL, first_use, NULL);
        pthread_join(user, NULL);
    } else {
        if (is("under_way"))
            pthread_atfork(begin_first_use, NULL, NULL);
        else
            begin_first_use();
        child = fork();
        if (child == 0) {
            alarm(10);
            CHECK_EQ(region(), 2);
            _exit(check_result());
        }
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    if (!is("itself")) {
        sem_post(&go);
        pthread_join(user, NULL);
    }
    CHECK_EQ(region(), 2);
    return check_result();
}
