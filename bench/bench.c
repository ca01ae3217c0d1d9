/* The measurement of one benchmark in one process: `PROGRAM NAME [--samples N] [--sample-us N]`, or
 * its execution for a tool that counts instructions: `PROGRAM NAME --count N --of run`, or `--of
 * reference` for the same work without constructs.
 *
 * Prints a line of `key=value` words, which `cargo xtask bench` reads. */

#define _GNU_SOURCE
#include "bench.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_SAMPLES 101
/* Enough for a sample of constructs that cost less than a nanosecond. */
#define MOST_COUNT 100000000

int threads, processors;

uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void expect(int truth, const char *what)
{
    if (truth)
        return;
    fprintf(stderr, "wrong: %s\n", what);
    exit(1);
}

void no_work(long count)
{
    (void)count;
}

void work_in_turn(long count)
{
    for (long i = 0; i < count; i++)
        work();
}

void work_of_each(long count)
{
    work_in_turn(count * ((threads + processors - 1) / processors));
}

void work_shared_out(long count)
{
    work_in_turn(count / (threads < processors ? threads : processors));
}

static double time_of(void (*function)(long), long count)
{
    uint64_t begin = now_ns();
    function(count);
    return (double)(now_ns() - begin);
}

/* The number that stands behind `key` in a file of /proc, or -1. */
static long number_in(const char *path, const char *key)
{
    char line[256];
    long number = -1;
    FILE *file = fopen(path, "r");
    while (file && number < 0 && fgets(line, sizeof line, file))
        if (!strncmp(line, key, strlen(key)))
            number = atol(line + strlen(key));
    if (file)
        fclose(file);
    return number;
}

static long peak_kb(void)
{
    return number_in("/proc/self/status", "VmHWM:");
}

/* Nanoseconds that the threads of this process were ready to run and did not, or -1. */
static double delay_ns(void)
{
    double sum = -1;
    DIR *folder = opendir("/proc/self/task");
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        char path[300];
        double delay;
        snprintf(path, sizeof path, "/proc/self/task/%s/schedstat", entry->d_name);
        FILE *file = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (!file)
            continue;
        if (fscanf(file, "%*s %lf", &delay) == 1)
            sum = (sum < 0 ? 0 : sum) + delay;
        fclose(file);
    }
    if (folder)
        closedir(folder);
    return sum;
}

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median_of(double *values, int number)
{
    qsort(values, (size_t)number, sizeof *values, ascending);
    return (values[(number - 1) / 2] + values[number / 2]) / 2;
}

/* The least of a few times: an interruption, which may be longer than a sample, makes the others no
 * longer. */
static double least_time_of(void (*function)(long), long count)
{
    double least = time_of(function, count);
    for (int more = 0; more < 2; more++) {
        double time = time_of(function, count);
        least = time < least ? time : least;
    }
    return least;
}

/* The count with which `run` takes `sample_ns`; the thread team exists and is warm afterwards. */
static long calibrated(const struct benchmark *it, long step, double sample_ns)
{
    long count = step;
    for (;;) {
        double took = least_time_of(it->run, count);
        if (took >= sample_ns || count >= MOST_COUNT)
            return count;
        double factor = took > 0 ? 1.1 * sample_ns / took : 10;
        count = ((long)((double)count * (factor < 10 ? factor : 10)) / step + 1) * step;
    }
}

/* Samples with and without the construct take turns, so that both meet the same machine. The
 * reference computes and does nothing else, so its true time is the least that was seen. */
static void measure_time(const struct benchmark *it, int samples, double sample_ns)
{
    double with[MOST_SAMPLES], reference = 1e300;
    long count = calibrated(it, it->step ? it->step : threads, sample_ns);
    double delay = delay_ns(), begin = (double)now_ns(), budget = 4 * samples * sample_ns;
    int taken = 0;
    while (taken < samples && (taken < 3 || (double)now_ns() - begin < budget)) {
        double without = time_of(it->reference, count) / (double)count;
        reference = without < reference ? without : reference;
        with[taken++] = time_of(it->run, count) / (double)count;
    }
    double wall = (double)now_ns() - begin, delayed = delay_ns() - delay;
    double median = median_of(with, taken);
    printf("count=%ld samples=%d min=%.2f median=%.2f reference=%.2f", count, taken,
           with[0] - reference, median - reference, reference);
    if (delay >= 0)
        printf(" disturbed=%.3f", delayed / wall / threads);
}

/* valgrind counts the instructions in this function. `execute` has called `function` once before, so
 * that what happens only once is not counted. The asm keeps the call from being a tail call. */
__attribute__((noinline)) void counted(void (*function)(long), long count)
{
    function(count);
    __asm__ volatile("");
}

static void execute(const struct benchmark *it, long count, const char *part)
{
    void (*function)(long) = strcmp(part, "reference") ? it->run : it->reference;
    long step = it->step ? it->step : threads;
    count = (count + step - 1) / step * step;
    function(count);
    counted(function, count);
    printf("count=%ld", count);
}

static void measure_peak(const struct benchmark *it)
{
    long before = peak_kb();
    expect(before >= 0, "/proc/self/status has no VmHWM");
    it->run(it->step);
    long growth = peak_kb() - before;
    printf("count=%ld samples=1 min=%ld median=%ld", it->step, growth, growth);
}

static const struct benchmark *find(const char *name)
{
    for (const struct benchmark *it = benchmarks; it->name; it++)
        if (!strcmp(it->name, name))
            return it;
    fprintf(stderr, "no benchmark `%s` in this program; it has:\n", name);
    for (const struct benchmark *it = benchmarks; it->name; it++)
        fprintf(stderr, "  %-26s %-14s %s\n", it->name, it->unit, it->about);
    exit(2);
}

static void start(void)
{
    cpu_set_t allowed;
    expect(sched_getaffinity(0, sizeof allowed, &allowed) == 0, "sched_getaffinity has failed");
    processors = CPU_COUNT(&allowed);
    omp_set_dynamic(0);
#pragma omp parallel
#pragma omp master
    threads = omp_get_num_threads();
}

int main(int argc, char **argv)
{
    int samples = 11;
    double sample_us = 2000;
    long count = 0;
    const char *part = "run";
    const struct benchmark *it = find(argc > 1 ? argv[1] : "");
    for (int i = 2; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--samples"))
            samples = atoi(argv[i + 1]);
        if (!strcmp(argv[i], "--sample-us"))
            sample_us = atof(argv[i + 1]);
        if (!strcmp(argv[i], "--count"))
            count = atol(argv[i + 1]);
        if (!strcmp(argv[i], "--of"))
            part = argv[i + 1];
    }
    expect(samples >= 1 && samples <= MOST_SAMPLES, "--samples is not from 1 to 101");
    start();
    Dl_info runtime;
    expect(dladdr((void *)(uintptr_t)omp_get_thread_num, &runtime) != 0, "no runtime");
    printf("name=%s unit=%s threads=%d ", it->name, it->unit, threads);
    if (threads < it->least_threads)
        printf("skipped=%d", it->least_threads);
    else if (count > 0)
        execute(it, count, part);
    else if (!strcmp(it->unit, "KB"))
        measure_peak(it);
    else
        measure_time(it, samples, sample_us * 1e3);
    printf(" runtime=%s\n", runtime.dli_fname);
    return 0;
}
