// The allocation calls of clang and icc, some of which no compiler emits, with both numbers of the
// default memory space; and depend objects, whose memory clang asks for.
//#Compilers:clang
//#Threads:1,4
//#NoStderr
//#ReferenceFails:libomp takes a handle by value only under its Fortran names
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <string.h>

extern int __kmpc_global_thread_num(void *);
extern void *__kmpc_alloc(int, size_t, omp_allocator_handle_t);
extern void *__kmpc_aligned_alloc(int, size_t, size_t, omp_allocator_handle_t);
extern void *__kmpc_calloc(int, size_t, size_t, omp_allocator_handle_t);
extern void *__kmpc_realloc(int, void *, size_t, omp_allocator_handle_t, omp_allocator_handle_t);
extern void __kmpc_free(int, void *, omp_allocator_handle_t);
extern omp_allocator_handle_t __kmpc_init_allocator(int, uintptr_t, int, omp_alloctrait_t *);
extern void __kmpc_destroy_allocator(int, omp_allocator_handle_t);
extern void __kmpc_set_default_allocator(int, omp_allocator_handle_t);
extern omp_allocator_handle_t __kmpc_get_default_allocator(int);

// The Fortran names, with a handle by value, as LLVM's library takes it, or by reference.
extern void omp_set_default_allocator_(uintptr_t);
extern void omp_destroy_allocator_(uintptr_t);

static void fortran_names(uintptr_t handle)
{
    uintptr_t before = omp_const_mem_alloc;
    omp_set_default_allocator_(handle);
    CHECK_EQ(omp_get_default_allocator(), handle);
    omp_set_default_allocator_((uintptr_t)&before);
    CHECK_EQ(omp_get_default_allocator(), before);
    omp_set_default_allocator_((uintptr_t)&handle);
    CHECK_EQ(omp_get_default_allocator(), handle);
    omp_set_default_allocator_(before);
    CHECK_EQ(omp_get_default_allocator(), before);
}

static void with(int gtid, omp_allocator_handle_t allocator)
{
    char *block = __kmpc_alloc(gtid, 100, allocator);
    CHECK(block && (uintptr_t)block % 8 == 0);
    strcpy(block, "text");
    block = __kmpc_realloc(gtid, block, 10000, allocator, allocator);
    CHECK(block && !strcmp(block, "text"));
    __kmpc_free(gtid, block, allocator);
    block = __kmpc_aligned_alloc(gtid, 512, 100, allocator);
    CHECK(block && (uintptr_t)block % 512 == 0);
    __kmpc_free(gtid, block, allocator);
    block = __kmpc_calloc(gtid, 100, 20, allocator);
    for (int i = 0; i < 2000; i++)
        CHECK(!block[i]);
    __kmpc_free(gtid, block, allocator);
    __kmpc_free(gtid, NULL, allocator);
    CHECK(!__kmpc_alloc(gtid, 0, allocator));
}

int main(void)
{
#pragma omp parallel
    {
        int gtid = __kmpc_global_thread_num(NULL);
        for (int i = 0; i <= 8; i++)
            with(gtid, (omp_allocator_handle_t)i);
        omp_alloctrait_t traits[] = {{omp_atk_pool_size, 100000}, {omp_atk_fallback, omp_atv_null_fb}};
        // clang 19's number; the one of clang 22 is 99, which older runtimes do not know.
        omp_allocator_handle_t pool = __kmpc_init_allocator(gtid, 0, 2, traits);
        CHECK(pool != omp_null_allocator);
        with(gtid, pool);
        CHECK(!__kmpc_alloc(gtid, 100001, pool));
        __kmpc_set_default_allocator(gtid, omp_const_mem_alloc);
        CHECK_EQ(__kmpc_get_default_allocator(gtid), omp_const_mem_alloc);
        with(gtid, omp_null_allocator);
        fortran_names(pool);
        __kmpc_destroy_allocator(gtid, pool);
        pool = __kmpc_init_allocator(gtid, 0, 2, traits);
        omp_destroy_allocator_(pool);
        CHECK(__kmpc_init_allocator(gtid, 0, 2, traits) != pool);
    }
    int x = 0;
    omp_depend_t object;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp depobj(object) depend(inout : x)
#pragma omp task depend(depobj : object) shared(x)
        x++;
#pragma omp depobj(object) destroy
    }
    CHECK_EQ(x, 100);
    return check_result();
}
