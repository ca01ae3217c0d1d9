// What the kernel says about the caller's processors, and whether the place routines say the same.
#ifndef OXOMP_BOUND_H
#define OXOMP_BOUND_H

#include "check.h"
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

// The processor that the caller is bound to; -1 if it may run on several.
static inline int only_processor(void)
{
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0 || CPU_COUNT(&mask) != 1)
        return -1;
    for (int processor = 0; processor < CPU_SETSIZE; processor++)
        if (CPU_ISSET(processor, &mask))
            return processor;
    return -1;
}

// Processor `n` of those that the test was given (the directive `Needs`).
static inline int processor_at(int n)
{
    const char *given = getenv("TEST_PROCESSORS");
    while (given && n-- > 0)
        given = strchr(given, ',') ? strchr(given, ',') + 1 : NULL;
    CHECK(given != NULL);
    return given ? atoi(given) : -1;
}

// The caller may run on that processor only, from now on.
static inline void run_only_on(int processor)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
}

// How many processors the caller may run on.
static inline int my_processors(void)
{
    cpu_set_t mask;
    return sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : -1;
}

// The caller is bound to its place, which is in its partition: the number of the place.
static inline int check_bound(void)
{
    cpu_set_t mask;
    int place = omp_get_place_num(), count = omp_get_place_num_procs(place), in_partition = 0;
    CHECK_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
    CHECK(place >= 0 && place < omp_get_num_places());
    CHECK(count > 0);
    CHECK_EQ(CPU_COUNT(&mask), count);
    int *processors = calloc(count > 0 ? count : 1, sizeof *processors);
    omp_get_place_proc_ids(place, processors);
    for (int i = 0; i < count; i++)
        CHECK(CPU_ISSET(processors[i], &mask));
    free(processors);
    CHECK(sched_getcpu() >= 0 && CPU_ISSET(sched_getcpu(), &mask));

    int size = omp_get_partition_num_places();
    CHECK(size > 0 && size <= omp_get_num_places());
    int *places = calloc(size > 0 ? size : 1, sizeof *places);
    omp_get_partition_place_nums(places);
    for (int i = 0; i < size; i++)
        in_partition += places[i] == place;
    free(places);
    CHECK_EQ(in_partition, 1);
    return place;
}

#endif
