// The routines under the names that Intel's headers and C-only conventions give them: the same.
//#Compilers:clang
//#Threads:4
//#NoStderr
//#ReferenceFails:libomp's ompc_set_nested(1) sets nothing
#define _GNU_SOURCE
#include "check.h"
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

extern void *kmpc_malloc(size_t);
extern void *kmpc_calloc(size_t, size_t);
extern void *kmpc_realloc(void *, size_t);
extern void *kmpc_aligned_malloc(size_t, size_t);
extern void kmpc_free(void *);
extern void kmpc_set_blocktime(int);
extern void kmpc_set_defaults(const char *);
extern void kmpc_set_disp_num_buffers(int);
extern void kmpc_set_library(int);
extern void kmpc_set_stacksize(int);
extern void kmpc_set_stacksize_s(size_t);
extern int kmpc_set_affinity_mask_proc(int, kmp_affinity_mask_t *);
extern int kmpc_unset_affinity_mask_proc(int, kmp_affinity_mask_t *);
extern int kmpc_get_affinity_mask_proc(int, kmp_affinity_mask_t *);
extern int ompc_get_ancestor_thread_num(int);
extern int ompc_get_team_size(int);
extern void ompc_set_dynamic(int);
extern void ompc_set_max_active_levels(int);
extern void ompc_set_nested(int);
extern void ompc_set_num_threads(int);
extern void ompc_set_schedule(omp_sched_t, int);

static void memory(void)
{
    char *text = kmpc_malloc(8);
    strcpy(text, "1234567");
    text = kmpc_realloc(text, 1 << 20);
    CHECK(strcmp(text, "1234567") == 0);
    kmpc_free(text);
    int *zeros = kmpc_calloc(1000, sizeof *zeros);
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(zeros[i], 0);
    kmpc_free(zeros);
    void *aligned = kmpc_aligned_malloc(100, 1024);
    CHECK(aligned && (uintptr_t)aligned % 1024 == 0);
    kmpc_free(aligned);
    kmpc_free(NULL);
}

static void masks(void)
{
    kmp_affinity_mask_t own, one;
    kmp_create_affinity_mask(&own);
    kmp_create_affinity_mask(&one);
    CHECK_EQ(kmp_get_affinity(&own), 0);
    int mine = sched_getcpu();
    CHECK_EQ(kmpc_get_affinity_mask_proc(mine, &own), 1);
    CHECK_EQ(kmpc_get_affinity_mask_proc(mine, &one), 0);
    CHECK_EQ(kmpc_set_affinity_mask_proc(mine, &one), 0);
    CHECK_EQ(kmp_set_affinity(&one), 0);
    CHECK_EQ(sched_getcpu(), mine);
    CHECK_EQ(kmpc_unset_affinity_mask_proc(mine, &one), 0);
    CHECK_EQ(kmpc_get_affinity_mask_proc(mine, &one), 0);
    CHECK_EQ(kmp_set_affinity(&own), 0);
    kmp_destroy_affinity_mask(&own);
    kmp_destroy_affinity_mask(&one);
}

static void variables(void)
{
    ompc_set_num_threads(3);
    CHECK_EQ(omp_get_max_threads(), 3);
    ompc_set_dynamic(1);
    CHECK(omp_get_dynamic());
    ompc_set_dynamic(0);
    CHECK(!omp_get_dynamic());
    kmp_set_warnings_off();
    ompc_set_nested(1);
    CHECK(omp_get_nested());
    ompc_set_nested(0);
    CHECK(!omp_get_nested());
    kmp_set_warnings_on();
    ompc_set_max_active_levels(2);
    CHECK_EQ(omp_get_max_active_levels(), 2);
    ompc_set_schedule(omp_sched_dynamic, 13);
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ((unsigned)kind & 0xff, omp_sched_dynamic);
    CHECK_EQ(chunk, 13);
#pragma omp parallel num_threads(3)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
            CHECK_EQ(ompc_get_ancestor_thread_num(1), outer);
            CHECK_EQ(ompc_get_ancestor_thread_num(3), -1);
            CHECK_EQ(ompc_get_team_size(1), 3);
            CHECK_EQ(ompc_get_team_size(2), 2);
        }
    }
}

int main(void)
{
    // Before the runtime starts.
    kmpc_set_stacksize_s(3 << 20);
    CHECK_EQ(kmp_get_stacksize_s(), 3 << 20);
    kmpc_set_stacksize(2 << 20);
    CHECK_EQ(kmp_get_stacksize(), 2 << 20);
    kmp_set_stacksize(4 << 20);
    CHECK_EQ(kmp_get_stacksize(), 4 << 20);
    kmpc_set_disp_num_buffers(16);
    kmpc_set_defaults("OMP_NUM_THREADS=2");
    CHECK_EQ(omp_get_max_threads(), 2);
    kmpc_set_blocktime(20);
    CHECK_EQ(kmp_get_blocktime(), 20);
    kmpc_set_library(2);
    CHECK_EQ(kmp_get_library(), 2);
    kmp_set_library_turnaround();
    CHECK_EQ(kmp_get_library(), 2);
    memory();
    masks();
    variables();
    return check_result();
}
