// The allocate clause on every construct that has one, with predefined allocators and one of the
// program, whose alignment the variables have; the memory goes back to its pool.
//#Threads:1,4
//#Opt:-O0,-O2
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdint.h>

struct item {
    double values[20];
};

static void clauses(omp_allocator_handle_t from, uintptr_t alignment)
{
    int a = 1, sum = 0, last = 0, wrong = 0;
    struct item item = {{3}};
    long array[100];
    for (int i = 0; i < 100; i++)
        array[i] = i;
#pragma omp parallel private(a) firstprivate(item, array) reduction(+ : wrong)                     \
    allocate(from : a, item, array)
    {
        a = omp_get_thread_num();
        wrong += (uintptr_t)&a % alignment || (uintptr_t)&item % alignment;
        wrong += (uintptr_t)array % alignment != 0;
        wrong += item.values[0] != 3 || item.values[19] != 0 || array[99] != 99;
        item.values[0] = a;
        array[99] = a;
#pragma omp barrier
        wrong += a != omp_get_thread_num() || item.values[0] != a || array[99] != a;
    }
#pragma omp parallel for firstprivate(a) lastprivate(last) reduction(+ : sum)                      \
    allocate(from : a, last, sum)
    for (int i = 0; i < 1000; i++) {
        sum += a;
        last = i;
    }
    CHECK_EQ(sum, 1000);
    CHECK_EQ(last, 999);
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(item, i) shared(wrong) allocate(from : item)
            if (item.values[0] != 3 || (uintptr_t)&item % alignment) {
#pragma omp atomic
                wrong++;
            }
        }
#pragma omp taskgroup allocate(from : sum) task_reduction(+ : sum)
        for (int i = 0; i < 50; i++) {
#pragma omp task in_reduction(+ : sum)
            sum++;
        }
    }
    CHECK_EQ(sum, 1050);
    CHECK_EQ(wrong, 0);
}

int main(void)
{
    clauses(omp_default_mem_alloc, 8);
    clauses(omp_thread_mem_alloc, 8);
    omp_alloctrait_t traits[] = {
        {omp_atk_alignment, 64}, {omp_atk_pool_size, 1 << 20}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 3, traits);
    for (int i = 0; i < 20; i++)
        clauses(pool, 1);
    void *most = omp_alloc((1 << 20) - 4096, pool);
    CHECK(most);
    omp_free(most, pool);
    omp_destroy_allocator(pool);
    return check_result();
}
