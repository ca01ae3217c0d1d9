// LLVM's own routines: what is set can be read, and has the effect that it says.
//#Compilers:clang
//#NoStderr
//#ReferenceFails:in libomp schedules set so come too late, alignments end at 16K, INT_MAX ms overflow
#define _GNU_SOURCE
#include "check.h"
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern int __kmpc_get_target_offload(void);
extern int kmp_get_num_known_threads(void);
extern int kmp_set_thread_affinity_mask_initial(void);
extern int kmp_get_cancellation_status(int kind);

static size_t stack_of_this_thread(void)
{
    pthread_attr_t attributes;
    size_t bytes = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
    return bytes;
}

static void variables(void)
{
    // Before the runtime starts, and afterwards.
    kmp_set_defaults("OMP_NUM_THREADS=3|OMP_SCHEDULE=dynamic,7");
    CHECK_EQ(omp_get_max_threads(), 3);
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ((unsigned)kind & 0xff, omp_sched_dynamic);
    CHECK_EQ(chunk, 7);
    kmp_set_defaults("OMP_NUM_THREADS=2");
    CHECK_EQ(omp_get_max_threads(), 2);
    kmp_set_defaults("OMP_DYNAMIC=true");
    CHECK(omp_get_dynamic());
    kmp_set_defaults("OMP_DYNAMIC=false");
    CHECK(!omp_get_dynamic());
    kmp_set_defaults("OMP_TARGET_OFFLOAD=disabled");
    CHECK_EQ(__kmpc_get_target_offload(), 0);
    kmp_set_defaults("OMP_TARGET_OFFLOAD=mandatory");
    CHECK_EQ(__kmpc_get_target_offload(), 2);
    kmp_set_defaults("OMP_TARGET_OFFLOAD=default");
    CHECK_EQ(__kmpc_get_target_offload(), 1);
}

static void stacks(void)
{
    kmp_set_stacksize_s(3 << 20);
    CHECK_EQ(kmp_get_stacksize_s(), 3 << 20);
    CHECK_EQ(kmp_get_stacksize(), 3 << 20);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        CHECK_EQ(stack_of_this_thread(), 3 << 20);
    CHECK(kmp_get_num_known_threads() >= 2);
}

static void waiting(void)
{
    CHECK_EQ(kmp_get_blocktime(), 200);
    const int times[] = {0, 1, INT_MAX, 50};
    for (int i = 0; i < 4; i++) {
        kmp_set_blocktime(times[i]);
        CHECK_EQ(kmp_get_blocktime(), times[i]);
#pragma omp parallel num_threads(3)
        CHECK_EQ(omp_get_num_threads(), 3);
    }
    kmp_set_library_serial();
    CHECK_EQ(kmp_get_library(), 1);
    CHECK_EQ(omp_get_max_threads(), 1);
    kmp_set_library(2);
    CHECK_EQ(kmp_get_library(), 2);
    CHECK(omp_get_max_threads() > 1);
    kmp_set_library_throughput();
    CHECK_EQ(kmp_get_library(), 3);
}

static void memory(void)
{
    char *text = kmp_malloc(10);
    strcpy(text, "123456789");
    text = kmp_realloc(text, 100000);
    CHECK(strcmp(text, "123456789") == 0);
    kmp_free(text);
    int *zeros = kmp_calloc(1000, sizeof(int));
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(zeros[i], 0);
    kmp_free(zeros);
    for (size_t alignment = 1; alignment <= 1 << 16; alignment *= 2) {
        char *aligned = kmp_aligned_malloc(100, alignment);
        CHECK_EQ((uintptr_t)aligned % alignment, 0);
        aligned[99] = 1;
        kmp_free(aligned);
    }
    CHECK(kmp_aligned_malloc(100, 24) == NULL);
    kmp_free(NULL);
}

static void masks(void)
{
    cpu_set_t allowed, now;
    sched_getaffinity(0, sizeof allowed, &allowed);
    int first = 0;
    while (!CPU_ISSET(first, &allowed))
        first++;

    kmp_affinity_mask_t mask;
    kmp_create_affinity_mask(&mask);
    CHECK_EQ(kmp_get_affinity(&mask), 0);
    for (int proc = 0; proc < kmp_get_affinity_max_proc(); proc++)
        CHECK_EQ(kmp_get_affinity_mask_proc(proc, &mask), CPU_ISSET(proc, &allowed) != 0);
    CHECK(kmp_set_affinity_mask_proc(-1, &mask) < 0);
    CHECK(kmp_set_affinity_mask_proc(kmp_get_affinity_max_proc(), &mask) < 0);
    for (int proc = 0; proc < kmp_get_affinity_max_proc(); proc++)
        if (CPU_ISSET(proc, &allowed))
            CHECK_EQ(kmp_unset_affinity_mask_proc(proc, &mask), 0);
    CHECK(kmp_set_affinity(&mask) != 0);
    CHECK_EQ(kmp_set_affinity_mask_proc(first, &mask), 0);
    CHECK_EQ(kmp_set_affinity(&mask), 0);
    sched_getaffinity(0, sizeof now, &now);
    CHECK(CPU_COUNT(&now) == 1 && CPU_ISSET(first, &now));
    kmp_destroy_affinity_mask(&mask);

    kmp_set_thread_affinity_mask_initial();
    sched_getaffinity(0, sizeof now, &now);
    CHECK(CPU_EQUAL(&now, &allowed));
}

int main(void)
{
    variables();
    stacks();
    waiting();
    memory();
    masks();
    kmp_set_warnings_off();
    omp_set_num_threads(-1);
    kmp_set_defaults("OMP_NUM_THREADS=many");
    kmp_set_disp_num_buffers(4);
    CHECK_EQ(kmp_get_cancellation_status(omp_get_cancellation()), 0);
    return check_result();
}
