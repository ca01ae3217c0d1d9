// Static loops of no iterations as flang asks for them: the last number is one before the first,
// modulo the width, and each thread's part must have the length 0 in the same sense.
//#Compilers:clang
//#Threads:1,2,4
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdint.h>

extern int __kmpc_global_thread_num(void *);
extern void __kmpc_for_static_init_4u(void *, int, int, int *, uint32_t *, uint32_t *, int32_t *,
                                      int32_t, int32_t);
extern void __kmpc_for_static_init_8u(void *, int, int, int *, uint64_t *, uint64_t *, int64_t *,
                                      int64_t, int64_t);
extern void __kmpc_for_static_fini(void *, int);

enum { STATIC = 34 };

// In libomp a location is not optional here.
static struct {
    int32_t words[4];
    const char *source;
} loop = {{0, 0x202, 0, 0}, ";unknown;unknown;0;0;;"};

#define LENGTH(bits, type, signed_type, from, to, part)                                            \
    {                                                                                              \
        int last = 0;                                                                              \
        type lower = from, upper = to;                                                             \
        signed_type stride = 1;                                                                    \
        __kmpc_for_static_init_##bits(&loop, gtid, STATIC, &last, &lower, &upper, &stride, 1, 0);  \
        part = (type)(upper - lower + 1);                                                          \
        __kmpc_for_static_fini(&loop, gtid);                                                       \
        lasts += last;                                                                             \
    }

int main(void)
{
    for (uint32_t count = 0; count <= 9; count++) {
        uint64_t narrow = 0, wide = 0;
        int lasts = 0;
#pragma omp parallel reduction(+ : narrow, wide, lasts)
        {
            int gtid = __kmpc_global_thread_num(&loop);
            LENGTH(4u, uint32_t, int32_t, 0, count - 1, narrow)
            LENGTH(8u, uint64_t, int64_t, 0, (uint64_t)count - 1, wide)
        }
        CHECK_EQ(narrow, count);
        CHECK_EQ(wide, count);
        if (count > 0)
            CHECK_EQ(lasts, 2);
    }
    return check_result();
}
