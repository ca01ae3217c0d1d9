// Target calls that gcc 12 does not emit: those of gcc 4.9 and 5, those of gcc 14 and 15, and those of
// programs with code for devices.
//#Compilers:gcc
//#Threads:4
//#NoStderr
//#ReferenceFails:libgomp 12 does not have all
#include "check.h"
#include <omp.h>

extern void GOMP_target(int, void (*)(void *), const void *, size_t, void **, size_t *, unsigned char *);
extern void GOMP_target_data(int, const void *, size_t, void **, size_t *, unsigned char *);
extern void GOMP_target_end_data(void);
extern void GOMP_target_update(int, const void *, size_t, void **, size_t *, unsigned char *);
extern void GOMP_offload_register(const void *, int, const void *);
extern void GOMP_offload_unregister(const void *, int, const void *);
extern void GOMP_offload_register_ver(unsigned, const void *, int, const void *);
extern void GOMP_offload_unregister_ver(unsigned, const void *, int, const void *);
// Weak: the compiler links with its own libgomp, which does not have them.
extern void *GOMP_target_map_indirect_ptr(void *) __attribute__((weak));
extern void GOMP_interop(int, int, void ***, const void *, const void *, int, void **, int, void ***,
                         unsigned, void **) __attribute__((weak));

static void region(void *data)
{
    int **variables = data;
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    *variables[0] += *variables[1];
}

static void interop(void)
{
    int order = 0;
    void *one = &order, *two = &order, *used = NULL, *gone = &order;
    void **init[] = {&one, &two}, **destroy[] = {&gone};
    void *depend[] = {(void *)1, (void *)1, &order};
    for (int nowait = 0; nowait < 2; nowait++) {
        order = 0;
        one = two = gone = &order;
#pragma omp task depend(out : order) shared(order)
        order = 1;
        GOMP_interop(-1, 2, init, "", NULL, 1, &used, 1, destroy, nowait, depend);
        if (!nowait)
            CHECK_EQ(order, 1);
#pragma omp taskwait
        CHECK(one == NULL && two == NULL && gone == NULL && used == NULL);
    }
    GOMP_interop(5, 0, NULL, NULL, NULL, 0, NULL, 0, NULL, 0, NULL);
    CHECK_EQ(order, 1);
}

int main(void)
{
    int sum = 1, more = 2;
    void *addresses[] = {&sum, &more};
    size_t sizes[] = {sizeof sum, sizeof more};
    unsigned char kinds[] = {3, 1};
    GOMP_target_data(-1, NULL, 2, addresses, sizes, kinds);
    GOMP_target(-1, region, NULL, 2, addresses, sizes, kinds);
    GOMP_target_update(-1, NULL, 1, addresses, sizes, kinds);
    CHECK_EQ(sum, 3);
    GOMP_target_end_data();
#pragma omp parallel num_threads(2)
#pragma omp critical
    GOMP_target(-2, region, NULL, 2, addresses, sizes, kinds);
    CHECK_EQ(sum, 7);
    // Tables of another format are not looked at.
    GOMP_offload_register(&sum, 5, &more);
    GOMP_offload_unregister(&sum, 5, &more);
    GOMP_offload_register_ver(0x10000, &sum, 5, &more);
    GOMP_offload_unregister_ver(0x10000, &sum, 5, &more);
    CHECK(GOMP_target_map_indirect_ptr(&sum) == &sum);
    CHECK(GOMP_target_map_indirect_ptr(NULL) == NULL);
#pragma omp parallel
#pragma omp single
    interop();
    return check_result();
}
