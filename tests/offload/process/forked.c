// A child of fork has devices: after the parent has used them, with the parent's threads at rest and with
// a thread of the parent that maps and runs kernels all the time.
//#Timeout:60
//#NoStderr
//#StockFails:the child may wait for a lock that a thread of the parent held
#include "child.h"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;

static int kernels(int times)
{
    int wrong = 0;
    for (int i = 0; i < times; i++) {
        int value = i, sums[4] = {0};
#pragma omp target map(tofrom : value)
        value = value * 3;
#pragma omp target enter data map(to : sums)
#pragma omp target teams distribute parallel for map(to : sums)
        for (int k = 0; k < 4; k++)
            sums[k] = k;
#pragma omp target exit data map(from : sums)
        wrong += value != i * 3 || sums[3] != 3;
    }
    return wrong;
}

static void child_works(void)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(kernels(5));
    }
    must_succeed(child);
}

static void *busy(void *unused)
{
    while (!stop)
        kernels(1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    CHECK_EQ(kernels(3), 0);
    child_works();
    CHECK_EQ(kernels(3), 0);
    pthread_create(&thread, NULL, busy, NULL);
    for (int i = 0; i < 50; i++)
        child_works();
    stop = 1;
    pthread_join(thread, NULL);
    CHECK_EQ(kernels(3), 0);
    return check_result();
}
