// Signals reach the program while its threads wait; handlers and masks stay the program's own.
//#Env:OMP_NUM_THREADS=4
//#Vary:OMP_WAIT_POLICY=active|passive
//#NoStderr
#include "check.h"
#include <omp.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;

static void tick(int signal)
{
    (void)signal;
    ticks++;
}

int main(void)
{
    struct sigaction action = {.sa_handler = tick};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval period = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &period, NULL);
    long count = 0;
    while (ticks < 100) {
#pragma omp parallel
        {
#pragma omp critical
            count++;
#pragma omp barrier
            usleep(100);
        }
    }
    period.it_value.tv_usec = 0;
    setitimer(ITIMER_REAL, &period, NULL);
    CHECK_EQ(count % 4, 0);
    CHECK(count >= 4);
    return check_result();
}
