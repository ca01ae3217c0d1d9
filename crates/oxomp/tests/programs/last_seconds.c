// A program of two threads that executes one region for a while, then another one until SIGTERM;
// between these what its arguments say: `slow`, a region of 0.6 s; `flush`, it asks for the last
// seconds; `serial`, it sleeps outside of regions; `crash`, it dies; `hang`, a region without end,
// in which one thread waits for the other.
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FLUSH = 3 };

int omp_control_tool(int command, int modifier, void *argument) __attribute__((weak));

static volatile sig_atomic_t is_over;

static void end(int signal)
{
    (void)signal;
    is_over = 1;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void early(void)
{
#pragma omp parallel num_threads(2)
    usleep(4000);
}

__attribute__((noinline)) static void late(void)
{
#pragma omp parallel num_threads(2)
    usleep(omp_get_thread_num() == 0 ? 6000 : 2000);
}

__attribute__((noinline)) static void relax(double seconds)
{
    double begin = now();
#pragma omp parallel num_threads(2)
    while (omp_get_thread_num() == 0 && now() - begin < seconds && !is_over)
        usleep(1000);
}

static int is_asked(int count, char **words, const char *word)
{
    for (int i = 1; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return 1;
    return 0;
}

int main(int count, char **words)
{
    signal(SIGTERM, end);
    puts("ready");
    fflush(stdout);
    for (double begin = now(); now() - begin < 1.5;)
        early();
    if (is_asked(count, words, "slow"))
        relax(0.6);
    if (is_asked(count, words, "flush") && (!omp_control_tool || omp_control_tool(FLUSH, 0, NULL) != 0))
        return 1;
    for (double begin = now(); !is_over && now() - begin < 1.5;)
        late();
    if (is_asked(count, words, "serial"))
        usleep(2500000);
    if (is_asked(count, words, "crash"))
        *(volatile int *)0 = 1;
    if (is_asked(count, words, "hang"))
        relax(1e9);
    while (!is_over && is_asked(count, words, "stay"))
        late();
    puts("wrong 0");
    return 0;
}
