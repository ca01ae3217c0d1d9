/* A service: regions one after the other until SIGTERM. Argument: the way. */
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void on_signal(int signal) {
    (void)signal;
    stop = 1;
}

static long request(int size) {
    long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
#pragma omp for schedule(dynamic, 100)
        for (int i = 0; i < size; i++)
            sum += i % 7;
#pragma omp critical
        sum++;
#pragma omp single
        {
#pragma omp task
            sum += 0;
        }
    }
    return sum;
}

/* A region that lasts until the end, in which nothing begins. */
static void one_region(void) {
#pragma omp parallel num_threads(2)
    {
        const struct timespec moment = {0, 1000000};
        while (!stop)
            nanosleep(&moment, NULL);
    }
}

/* Regions in which one thread works for one to two seconds, and the other one waits at the end. */
static void long_region(void) {
#pragma omp parallel num_threads(2)
    {
        time_t end = time(NULL) + 2;
        while (omp_get_thread_num() == 0 && !stop && time(NULL) < end)
            continue;
    }
}

int main(int argc, char **argv) {
    enum { SIZE = 20000 };
    long expected = 2;
    for (int i = 0; i < SIZE; i++)
        expected += i % 7;
    signal(SIGTERM, on_signal);
    if (argc > 1 && strcmp(argv[1], "one-region") == 0)
        one_region();
    time_t end = argc > 1 && strcmp(argv[1], "short") == 0 ? time(NULL) + 3 : 0;
    int wrong = 0, rounds = 0;
    int is_long = argc > 1 && strcmp(argv[1], "long-regions") == 0;
    printf("ready\n");
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "late") == 0)
        sleep(3);
    while (!stop && (end == 0 || time(NULL) < end)) {
        if (is_long)
            long_region();
        wrong += request(SIZE) != expected;
        rounds++;
        if (argc > 1 && strcmp(argv[1], "forks") == 0 && rounds % 100 == 0) {
            pid_t child = fork();
            if (child == 0)
                _exit(request(SIZE) != expected);
            int status = 1;
            wrong += waitpid(child, &status, 0) != child || status != 0;
        }
    }
    printf("wrong %d\n", wrong);
    return wrong != 0;
}
