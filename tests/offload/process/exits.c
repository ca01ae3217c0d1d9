// The program ends by exit while a kernel runs on another thread: with exit's status, and without waiting.
//#Status:3
//#Repeat:40
//#StockFails:it unloads the image while the kernel runs, and the program may end by a signal
#include "check.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int started;

static void *runs(void *unused)
{
    volatile int *flag = &started;
#pragma omp target is_device_ptr(flag)
    {
        *flag = 1;
        for (;;)
            ;
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    int value = 0;
#pragma omp target map(tofrom : value)
    value = 1;
    CHECK_EQ(value, 1);
    pthread_create(&thread, NULL, runs, NULL);
    while (!started)
        usleep(1000);
    exit(check_result() == 0 ? 3 : 1);
}
