// Signals interrupt the program every 200 microseconds while it maps, runs kernels and waits for target
// tasks.
//#Timeout:60
//#LibompFails:it ends the program when a signal interrupts sem_wait
#include "check.h"
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static volatile sig_atomic_t signals;

static void caught(int number)
{
    signals += number != 0;
}

int main(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = caught;
    sigaction(SIGALRM, &action, NULL);
    struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, NULL);
    long array[256] = {0};
    int turns = 0;
    for (; turns < 20000 && signals < 500; turns++) {
#pragma omp target map(tofrom : array)
        for (int i = 0; i < 256; i++)
            array[i] += i;
        if (turns % 10 == 0) {
#pragma omp target map(tofrom : array) depend(inout : array) nowait
            array[0]++;
#pragma omp target map(tofrom : array) depend(inout : array) nowait
            array[0]--;
#pragma omp taskwait
        }
    }
    setitimer(ITIMER_REAL, &never, NULL);
    CHECK(signals > 0);
    for (int i = 0; i < 256; i++)
        CHECK_EQ(array[i], (long)turns * i);
    return check_result();
}
