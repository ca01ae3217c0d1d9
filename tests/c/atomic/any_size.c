// Updates by a function of the caller's, for each size that has a routine: none is lost.
//#Compilers:clang
//#Needs:x87
//#Threads:1,2,4
//#NoStderr
#include "check.h"
#include <omp.h>
#include <string.h>

enum { LARGEST = 32, ROUNDS = 3000 };

typedef void update(void *result, void *x, void *operand);

#define SIZES(use) use(1) use(2) use(4) use(8) use(10) use(16) use(20) use(32)

// Each byte counts up by the operand's; a torn or lost update makes bytes differ.
#define SIZE(size)                                                                                 \
    extern void __kmpc_atomic_##size(void *, int, void *, void *, update *);                       \
    static void add_##size(void *result, void *x, void *operand)                                   \
    {                                                                                              \
        unsigned char sum[size];                                                                   \
        for (int i = 0; i < size; i++)                                                             \
            sum[i] = ((unsigned char *)x)[i] + ((unsigned char *)operand)[i];                      \
        memcpy(result, sum, size);                                                                 \
    }                                                                                              \
    static void check_##size(int gtid, int members)                                                \
    {                                                                                              \
        static struct {                                                                            \
            _Alignas(32) unsigned char x[size];                                                    \
            unsigned char beside[8];                                                               \
        } shared;                                                                                  \
        unsigned char operand[LARGEST];                                                            \
        for (int i = 0; i < LARGEST; i++)                                                          \
            operand[i] = (unsigned char)(i + 1);                                                   \
        for (int round = 0; round < ROUNDS; round++)                                               \
            __kmpc_atomic_##size(NULL, gtid, shared.x, operand, add_##size);                       \
        _Pragma("omp barrier") for (int i = 0; i < size; i++)                                      \
            CHECK_EQ(shared.x[i], (unsigned char)((i + 1) * ROUNDS * members));                    \
        for (int i = 0; i < 8; i++)                                                                \
            CHECK_EQ(shared.beside[i], 0);                                                         \
    }

SIZES(SIZE)

extern int __kmpc_global_thread_num(void *);

int main(void)
{
#pragma omp parallel
    {
        int gtid = __kmpc_global_thread_num(NULL), members = omp_get_num_threads();
#define CHECK_SIZE(size) check_##size(gtid, members);
        SIZES(CHECK_SIZE)
    }
    return check_result();
}
