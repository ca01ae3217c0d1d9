/* What constructs that concern a device cost: `cargo xtask offload-cost` runs this program on pairs
 * of libomptarget and runtime, in turn, and compares.
 *
 * It prints a line for each: name, nanoseconds for one of the construct (the median of the samples,
 * and the least). */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MEGABYTE = 1 << 20,
    ITEM = 64,
    TASKS = 100,
    LENGTH = 100000,
    SAMPLES = 15,
    SAMPLE_NS = 2000000,
};

static char data[MEGABYTE];
static double numbers[LENGTH];
static void *device_memory;

static uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void expect(int truth, const char *what)
{
    if (!truth) {
        fprintf(stderr, "cost: %s is wrong\n", what);
        exit(1);
    }
}

/* An empty target region. */
static void target(long count)
{
    for (long i = 0; i < count; i++) {
#pragma omp target
        {
        }
    }
}

/* A target region with an item that is mapped to the device and back. */
static void target_item(long count)
{
    long sum = 0;
    for (long i = 0; i < count; i++) {
#pragma omp target map(tofrom : sum)
        sum++;
    }
    expect(sum == count, "a kernel's sum");
}

/* A target region with an item that is on the device already. */
static void target_present(long count)
{
    long sum = 0;
#pragma omp target data map(tofrom : sum)
    for (long i = 0; i < count; i++) {
#pragma omp target map(tofrom : sum)
        sum++;
    }
    expect(sum == count, "a kernel's sum in target data");
}

/* Target regions with nowait, and a taskwait for each hundred. */
static void target_nowait(long count)
{
    for (long i = 0; i < count; i += TASKS) {
        for (int task = 0; task < TASKS; task++) {
#pragma omp target nowait
            {
            }
        }
#pragma omp taskwait
    }
}

/* A small item is entered and left. */
static void enter_exit(long count)
{
    for (long i = 0; i < count; i++) {
#pragma omp target enter data map(to : data[0 : ITEM])
#pragma omp target exit data map(from : data[0 : ITEM])
    }
}

/* A megabyte goes to the device and comes back, in target data. */
static void data_megabyte(long count)
{
    for (long i = 0; i < count; i++) {
        data[0] = (char)i;
#pragma omp target data map(tofrom : data)
        {
        }
    }
}

/* A megabyte that is on the device goes there once more. */
static void update_to_megabyte(long count)
{
#pragma omp target data map(alloc : data)
    for (long i = 0; i < count; i++) {
#pragma omp target update to(data)
    }
}

/* A megabyte that is on the device comes back. */
static void update_from_megabyte(long count)
{
#pragma omp target data map(to : data)
    for (long i = 0; i < count; i++) {
#pragma omp target update from(data)
    }
}

/* 64 bytes by the routine. */
static void memcpy_item(long count)
{
    int device = omp_get_default_device(), host = omp_get_initial_device();
    for (long i = 0; i < count; i++)
        expect(omp_target_memcpy(device_memory, data, ITEM, 0, 0, device, host) == 0, "a copy");
}

/* A megabyte by the routine. */
static void memcpy_megabyte(long count)
{
    int device = omp_get_default_device(), host = omp_get_initial_device();
    for (long i = 0; i < count; i++)
        expect(omp_target_memcpy(device_memory, data, MEGABYTE, 0, 0, device, host) == 0, "a copy");
}

/* A loop over 100000 numbers in a kernel, by teams and threads. */
static void loop_on_device(long count)
{
    for (long i = 0; i < count; i++) {
#pragma omp target teams distribute parallel for map(alloc : numbers)
        for (int at = 0; at < LENGTH; at++)
            numbers[at] = numbers[at] * 0.5 + 1.0;
    }
}

/* The same loop on the host. */
static void loop_on_host(long count)
{
    for (long i = 0; i < count; i++) {
#pragma omp teams distribute parallel for
        for (int at = 0; at < LENGTH; at++)
            numbers[at] = numbers[at] * 0.5 + 1.0;
    }
}

static const struct {
    const char *name;
    void (*run)(long count);
    /* Counts are multiples of this. */
    long step;
} constructs[] = {
    {"target", target, 1},
    {"target_item", target_item, 1},
    {"target_present", target_present, 1},
    {"target_nowait", target_nowait, TASKS},
    {"enter_exit", enter_exit, 1},
    {"data_megabyte", data_megabyte, 1},
    {"update_to_megabyte", update_to_megabyte, 1},
    {"update_from_megabyte", update_from_megabyte, 1},
    {"memcpy_item", memcpy_item, 1},
    {"memcpy_megabyte", memcpy_megabyte, 1},
    {"loop_on_device", loop_on_device, 1},
    {"loop_on_host", loop_on_host, 1},
};

static double sample(void (*run)(long count), long count)
{
    uint64_t begin = now_ns();
    run(count);
    return (double)(now_ns() - begin) / (double)count;
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

int main(int argument_count, char **arguments)
{
    expect(omp_get_num_devices() > 0, "the number of devices");
    device_memory = omp_target_alloc(MEGABYTE, omp_get_default_device());
    expect(device_memory != NULL, "an allocation");
    memset(data, 1, sizeof data);
#pragma omp target enter data map(to : numbers)
    for (size_t i = 0; i < sizeof constructs / sizeof constructs[0]; i++) {
        if (argument_count > 1 && strcmp(arguments[1], constructs[i].name) != 0)
            continue;
        long count = constructs[i].step;
        double samples[SAMPLES], one = sample(constructs[i].run, count);
        for (one = sample(constructs[i].run, count); one * (double)count < SAMPLE_NS; count *= 2)
            one = sample(constructs[i].run, count);
        for (int at = 0; at < SAMPLES; at++)
            samples[at] = sample(constructs[i].run, count);
        qsort(samples, SAMPLES, sizeof samples[0], by_value);
        printf("%s\t%.1f\t%.1f\n", constructs[i].name, samples[SAMPLES / 2], samples[0]);
    }
#pragma omp target exit data map(delete : numbers)
    omp_target_free(device_memory, omp_get_default_device());
    return 0;
}
