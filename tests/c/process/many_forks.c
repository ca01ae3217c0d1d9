// Hundreds of children one after the other, and a long line of descendants, each with a team:
// every one works, and none has larger thread numbers or more memory than the one before.
//#Env:OMP_NUM_THREADS=3
//#Vary:OMP_WAIT_POLICY=active|passive
//#ReferenceFails:the child of libgomp and of libomp hangs in its first region
//#NotRecorded:the log is of the program, and would be full of forks
//#Timeout:90
//#NoStderr
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 300, GENERATIONS = 100 };

static int (*number)(void *);
static int highest;

static int region(void)
{
    int members = 0;
#pragma omp parallel reduction(+ : members)
    {
        int mine = number == NULL ? 0 : number(NULL);
        members += 1;
#pragma omp critical
        if (mine > highest)
            highest = mine;
    }
    return members;
}

static void finish(pid_t child)
{
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

static long resident_kilobytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void *foreign(void *unused)
{
    CHECK_EQ(region(), 3);
    return unused;
}

static void descend(int generation)
{
    pid_t child = fork();
    if (child != 0) {
        finish(child);
        return;
    }
    pthread_t thread;
    pthread_create(&thread, NULL, foreign, NULL);
    CHECK_EQ(region(), 3);
    pthread_join(thread, NULL);
    if (generation > 0)
        descend(generation - 1);
    else
        // Two roots with two workers each.
        CHECK(highest < 6);
    _exit(check_result());
}

int main(void)
{
    number = (int (*)(void *))dlsym(RTLD_DEFAULT, "__kmpc_global_thread_num");
    CHECK_EQ(region(), 3);
    long before = 0;
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(region() == 3 && highest < 3 ? 0 : 1);
        finish(child);
        if (i == 100)
            before = resident_kilobytes();
    }
    CHECK(resident_kilobytes() < before + 1024);
    CHECK_EQ(region(), 3);
    descend(GENERATIONS);
    return check_result();
}
