// What a program with jitter must not notice: its descriptors, threads, errno, sleep, system calls
// that wait and its timers are what they are without.
#define _GNU_SOURCE
#include "check.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 300, SPIN_MS = 50, NAPS = 150, LONGEST_MS = 30000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

// How often the thread has given its processor back: where it makes no system call that waits, it
// was stopped so often.
static long naps(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

static void errno_stays(void)
{
    long enough = naps() + NAPS;
    for (double end = now() + LONGEST_MS; naps() < enough && now() < end;) {
        errno = 12345;
        for (volatile int i = 0; i < 1000; i++)
            ;
        CHECK_EQ(errno, 12345);
    }
}

static void *write_late(void *descriptor)
{
    usleep(SPIN_MS * 1000);
    CHECK_EQ(write(*(int *)descriptor, "x", 1), 1);
    return NULL;
}

static void calls_are_whole(void)
{
    double start = now();
    struct timespec length = {0, SPIN_MS * 1000000L};
    CHECK_EQ(nanosleep(&length, NULL), 0);
    CHECK_EQ(clock_nanosleep(CLOCK_MONOTONIC, 0, &length, NULL), 0);
    CHECK_EQ(usleep(SPIN_MS * 1000), 0);
    CHECK(now() - start >= 3 * SPIN_MS);

    int ends[2];
    char byte;
    pthread_t writer;
    CHECK_EQ(pipe(ends), 0);
    CHECK_EQ(pthread_create(&writer, NULL, write_late, &ends[1]), 0);
    CHECK_EQ(read(ends[0], &byte, 1), 1);
    CHECK_EQ(pthread_join(writer, NULL), 0);
    close(ends[0]);
    close(ends[1]);
}

static int timers(void)
{
    char line[256];
    int count = 0;
    FILE *file = fopen("/proc/self/timers", "r");
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file))
        count += strncmp(line, "ID:", 3) == 0;
    fclose(file);
    return count;
}

// Ends in one of three ways.
static void *end(void *way)
{
    switch (*(int *)way % 3) {
    case 0:
        pthread_exit(NULL);
    case 1:
        pthread_cancel(pthread_self());
        pthread_testcancel();
        CHECK(0);
    }
    return NULL;
}

static void threads_leave_nothing(void)
{
    int before = timers();
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, NULL, end, &i), 0);
        CHECK_EQ(pthread_join(thread, NULL), 0);
    }
    CHECK_EQ(timers(), before);
}

static void nothing_is_added(void)
{
    int descriptor = open("/dev/null", O_RDONLY), entries = 0;
    CHECK_EQ(descriptor, 3);
    close(descriptor);
    DIR *folder = opendir("/proc/self/task");
    while (readdir(folder))
        entries++;
    closedir(folder);
    CHECK_EQ(entries, 3); // one thread, and two names of folders
}

static volatile sig_atomic_t heard;

static void hear(int number)
{
    heard += number;
}

static void signals_are_the_programs(void)
{
    struct sigaction action = {.sa_handler = hear}, found;
    for (int number = SIGRTMIN; number < SIGRTMIN + 4; number++) {
        heard = 0;
        CHECK_EQ(sigaction(number, &action, NULL), 0);
        CHECK_EQ(sigaction(number, NULL, &found), 0);
        CHECK(found.sa_handler == hear);
        CHECK_EQ(raise(number), 0);
        CHECK_EQ(heard, number);
    }
    sigset_t mask;
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, NULL, &mask), 0);
    for (int number = 1; number <= SIGRTMAX; number++)
        CHECK(sigismember(&mask, number) != 1);
}

int main(void)
{
    nothing_is_added();
    errno_stays();
    calls_are_whole();
    threads_leave_nothing();
    signals_are_the_programs();
    return check_result();
}
