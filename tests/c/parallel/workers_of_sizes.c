// The workers of regions of all threads are there after any others: regions of one thread, leagues,
// regions that reduce for their tasks, and outer regions of other sizes. None of them gets workers
// in addition.
//#Opt:-O2
//#Threads:2,4
//#Env:OMP_DYNAMIC=false
//#ReferenceFails:libgomp ends threads where sizes change; libomp limits those of a league
//#NoStderr
//#NotEmulated:the emulator has a thread of its own
#include "check.h"
#include <dirent.h>
#include <omp.h>

static int native_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    CHECK(tasks != NULL);
    for (struct dirent *entry; tasks != NULL && (entry = readdir(tasks)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

static void region(int size)
{
    int members = 0;
#pragma omp parallel num_threads(size) reduction(+ : members)
    members++;
    CHECK_EQ(members, size);
}

static void reduce(int size)
{
    long sum = 0;
#pragma omp parallel num_threads(size) reduction(task, + : sum)
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += i;
    }
    CHECK_EQ(sum, 45);
}

static void league(int teams)
{
    int ran = 0;
#pragma omp teams num_teams(teams) reduction(+ : ran)
    ran++;
    CHECK(ran >= 1 && ran <= teams);
}

static void outer(int size, int inner)
{
#pragma omp parallel num_threads(size)
    {
        region(inner);
        region(1);
        region(inner);
    }
}

static void sequence(int threads)
{
    static void (*const steps[])(int) = {region, reduce, league};
    enum { STEPS = sizeof steps / sizeof steps[0] };
    for (int first = 0; first < STEPS; first++)
        for (int second = 0; second < STEPS; second++) {
            steps[first](1);
            steps[second](threads);
            steps[first](threads);
            steps[second](1);
            region(threads);
        }
}

int main(void)
{
    int threads = omp_get_max_threads();
    region(threads);
    CHECK_EQ(native_threads(), threads);
    for (int round = 0; round < 3; round++) {
        sequence(threads);
        CHECK_EQ(native_threads(), threads);
    }
    // Inner regions, in outer ones of two sizes.
    omp_set_max_active_levels(2);
    outer(threads, 2);
    outer(2, 2);
    int with_inner = native_threads();
    for (int round = 0; round < 3; round++) {
        outer(threads, 2);
        outer(2, 2);
        region(1);
        outer(threads, 2);
        CHECK_EQ(native_threads(), with_inner);
    }
    return check_result();
}
