// A million tasks, 200,000 that depend on each other, 100,000 readers of one location: in bounded
// memory, and in time that grows with their number only.
//#Threads:1,2,4
//#Timeout:60
//#ReferenceFails:libomp keeps all dependent tasks, libgomp all that wait
//#NotRecorded:more tasks than a log holds
#include "check.h"
#include "resident.h"
#include <omp.h>
#include <string.h>

static double readers(int count)
{
    int version = 0, found = 0;
    double start = omp_get_wtime();
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < 2; round++) {
#pragma omp task depend(out : version) shared(version)
        version++;
        for (int i = 0; i < count; i++) {
#pragma omp task depend(in : version) shared(version, found) firstprivate(round)
            if (version == round + 1)
                __atomic_fetch_add(&found, 1, __ATOMIC_RELAXED);
        }
    }
    CHECK_EQ(found, 2 * count);
    return omp_get_wtime() - start;
}

int main(void)
{
    int ran = 0;
    // Whatever is made once.
#pragma omp parallel
    for (int i = 0; i < 10000; i++) {
#pragma omp task shared(ran)
        __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
    }
    long before = resident();
    ran = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 1000000; i++) {
#pragma omp task shared(ran)
        __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
    }
    CHECK_EQ(ran, 1000000);
    CHECK(resident() - before < 1024);

    before = resident();
    int value = 0, out_of_order = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 200000; i++) {
#pragma omp task depend(inout : value) shared(value, out_of_order) firstprivate(i)
        if (value++ != i)
            out_of_order++;
    }
    CHECK_EQ(value, 200000);
    CHECK_EQ(out_of_order, 0);
    CHECK(resident() - before < 2048);

    // Each its own location: what is over is forgotten.
    static char places[200000];
    memset(places, 1, sizeof places);
    before = resident();
    ran = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 200000; i++) {
#pragma omp task depend(inout : places[i]) shared(ran)
        __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
    }
    CHECK_EQ(ran, 200000);
    CHECK(resident() - before < 4096);

    readers(1000);
    before = resident();
    // Ten times as many; a quadratic step would take a hundred times as long, in each of the tries,
    // of which others on the machine may slow one down.
    double few = 0, many = 0;
    for (int tries = 0; tries < 4 && (tries == 0 || many > 40 * few + 0.5); tries++) {
        few = readers(10000);
        many = readers(100000);
    }
    CHECK(resident() - before < 4096);
    if (many > 40 * few + 0.5) {
        fprintf(stderr, "%f s for ten times what took %f s\n", many, few);
        CHECK(many <= 40 * few + 0.5);
    }
    return check_result();
}
