/* A service: regions one after the other until SIGTERM. Argument: the way. */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* gcc's header lacks it, and so does its runtime. */
__attribute__((weak)) int omp_control_tool(int command, int modifier, void *argument);
enum { END = 4 };

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

/* Regions of a thread with a small stack, of which it uses a part. */
static void *on_small_stack(void *wrong) {
    volatile char used[16 << 10];
    used[0] = 1;
    while (!stop)
        *(int *)wrong += request(100) != 2 + 295 || used[0] != 1;
    return NULL;
}

static int small_stack(void) {
    int wrong = 0;
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    pthread_create(&thread, &attributes, on_small_stack, &wrong);
    pthread_join(thread, NULL);
    return wrong;
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
    if (argc > 1 && strcmp(argv[1], "small-stack") == 0)
        wrong += small_stack();
    /* The library's constructor has regions, below the loader's lock. */
    if (argc > 2 && strcmp(argv[1], "constructor") == 0)
        wrong += dlopen(argv[2], RTLD_NOW) == NULL;
    int ends_recording = argc > 1 && strcmp(argv[1], "ends-recording") == 0;
    while (!stop && (end == 0 || time(NULL) < end)) {
        if (ends_recording && rounds % 500 == 499)
            omp_control_tool(END, 0, NULL);
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
