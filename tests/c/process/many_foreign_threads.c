// Plain threads come and go by the thousand, some with teams: neither memory nor thread numbers are
// used up.
//#Env:OMP_NUM_THREADS=2
//#Vary:OMP_WAIT_POLICY=active|passive
//#Timeout:60
//#NotRecorded:the log would be larger than all others together
//#ReferenceFails[clang]:libomp gives new numbers to threads that follow others
//#NoStderr
//#NotEmulated:the emulator's own memory counts
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { AT_ONCE = 4, WARM = 100, ROUNDS = 1500, MOST_NUMBERS = 60 };

// The number of the calling thread in the process, where the runtime tells it.
static int (*number)(void *);
static int highest;

static void *foreign(void *kind)
{
    int members = 0, sum = 0;
    if (kind != NULL) {
#pragma omp parallel reduction(+ : members, sum)
        {
            members++;
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 4; i++)
                sum += i;
            int mine = number == NULL ? 0 : number(NULL);
#pragma omp critical
            if (mine > highest)
                highest = mine;
        }
        CHECK_EQ(members, 2);
        CHECK_EQ(sum, 6);
    } else {
        CHECK_EQ(omp_get_max_threads(), 2);
        CHECK_EQ(omp_get_level(), 0);
    }
    return NULL;
}

static void rounds(int count)
{
    for (int round = 0; round < count; round++) {
        pthread_t threads[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++)
            CHECK_EQ(pthread_create(&threads[i], NULL, foreign, i % 2 ? &highest : NULL), 0);
        for (int i = 0; i < AT_ONCE; i++)
            pthread_join(threads[i], NULL);
    }
}

static long resident_kilobytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(void)
{
    number = (int (*)(void *))dlsym(RTLD_DEFAULT, "__kmpc_global_thread_num");
    rounds(WARM);
    long before = resident_kilobytes();
    rounds(ROUNDS);
    // A kilobyte a thread that was not given back would be 6 MB.
    CHECK(resident_kilobytes() < before + 2048);
    // Two roots with a worker each and two without, workers that are between two roots, of which
    // there may be some on a machine under load, and main; of thousands of threads.
    CHECK(highest < MOST_NUMBERS);
    return check_result();
}
