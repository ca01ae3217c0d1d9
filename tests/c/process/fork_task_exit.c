// A worker forks in a task that it runs at the end of its region, and so has no more of its own to do
// in the child: the child ends by exit(3), and its handlers find a working runtime.
//#Env:OMP_NUM_THREADS=3
//#Vary:OMP_WAIT_POLICY=active|passive
//#ReferenceFails:the child of libgomp and of libomp waits for tasks of threads that are gone
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// Shared with the child.
static int *tasks_of_handler;
static pid_t program;
static int has_forked;

static int now(int *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void handler(void)
{
    if (getpid() == program)
        return;
    int tasks = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : tasks) shared(tasks)
            tasks++;
        }
    }
    *tasks_of_handler = tasks + 100 * omp_get_num_threads();
}

static void fork_once(void)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        return;
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    __atomic_store_n(&has_forked, 1, __ATOMIC_RELEASE);
}

int main(void)
{
    program = getpid();
    tasks_of_handler =
        mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    atexit(handler);
    for (int round = 0; round < 10; round++) {
        *tasks_of_handler = has_forked = 0;
#pragma omp parallel
        {
            if (omp_get_thread_num() == 0) {
#pragma omp task
                fork_once();
                // The others are at the region's end, or on the way there.
                while (!now(&has_forked))
                    usleep(100);
            }
        }
        CHECK_EQ(*tasks_of_handler, 110);
    }
    return check_result();
}
