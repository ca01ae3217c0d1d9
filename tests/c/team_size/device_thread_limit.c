// KMP_DEVICE_THREAD_LIMIT bounds the threads of the whole process, with one warning.
//#Flags:-D_GNU_SOURCE
//#Env:KMP_DEVICE_THREAD_LIMIT=5
//#Env:OMP_NUM_THREADS=4
//#Stderr:^OMP: Warning: [^\n]*KMP_DEVICE_THREAD_LIMIT[^\n]*\n$
//#ReferenceFails:libgomp does not read it, libomp has other words
//#NotEmulated:the emulator has a thread of its own
#include "check.h"
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

static int threads_of_the_process(void)
{
    int count = -2;
    DIR *folder = opendir("/proc/self/task");
    if (!folder)
        return -1;
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

// The system may list a thread that has been joined for a moment yet.
static int are_five_at_most(void)
{
    for (int waited = 0; threads_of_the_process() > 5 && waited < 5000; waited++)
        usleep(1000);
    return threads_of_the_process() <= 5;
}

static int region(void)
{
    int size = 0;
#pragma omp parallel reduction(+ : size)
    {
        size++;
        CHECK(are_five_at_most());
    }
    return size;
}

static void *root(void *unused)
{
    // The main thread's team has four of the five, and keeps them.
    CHECK_EQ(region(), 1);
    return unused;
}

int main(void)
{
    CHECK_EQ(region(), 4);
    for (int round = 0; round < 3; round++) {
        pthread_t other;
        CHECK_EQ(pthread_create(&other, NULL, root, NULL), 0);
        CHECK_EQ(pthread_join(other, NULL), 0);
        CHECK_EQ(region(), 4);
    }
    return check_result();
}
