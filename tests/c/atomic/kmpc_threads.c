// Updates by many threads are not lost, whether an instruction makes them, the atomic lock, or the
// compiler's own function; and routines under the lock exclude each other.
//#Compilers:clang
//#Needs:x87
//#Env:OMP_NUM_THREADS=4
//#Repeat:3
#include "check.h"
#include <complex.h>
#include <omp.h>

typedef void ident;

extern void __kmpc_atomic_fixed1_add(ident *, int, signed char *, signed char);
extern void __kmpc_atomic_fixed2_xor(ident *, int, short *, short);
extern int __kmpc_atomic_fixed4_sub_cpt(ident *, int, int *, int, int);
extern void __kmpc_atomic_fixed8_max(ident *, int, long long *, long long);
extern void __kmpc_atomic_float4_add(ident *, int, float *, float);
extern double __kmpc_atomic_float8_add_cpt(ident *, int, double *, double, int);
extern void __kmpc_atomic_float10_add(ident *, int, long double *, long double);
extern void __kmpc_atomic_cmplx4_add(ident *, int, float _Complex *, float _Complex);
extern double _Complex __kmpc_atomic_cmplx8_sub_cpt(ident *, int, double _Complex *,
                                                    double _Complex, int);
extern void __kmpc_atomic_cmplx10_add(ident *, int, long double _Complex *, long double _Complex);
extern void __kmpc_atomic_4(ident *, int, void *, void *, void (*)(void *, void *, void *));
extern void __kmpc_atomic_32(ident *, int, void *, void *, void (*)(void *, void *, void *));
extern void __kmpc_atomic_start(void);
extern void __kmpc_atomic_end(void);

enum { ROUNDS = 1500 };

typedef struct {
    long part[4];
} wide;

static void plus_int(void *out, void *x, void *e)
{
    *(int *)out = *(int *)x + *(int *)e;
}

static void plus_wide(void *out, void *x, void *e)
{
    for (int i = 0; i < 4; i++)
        ((wide *)out)->part[i] = ((wide *)x)->part[i] + ((wide *)e)->part[i];
}

int main(void)
{
    const int threads = omp_get_max_threads(), all = threads * ROUNDS;
    signed char byte = 0;
    short bits = 0;
    int down = all, own = 0, counted = 0;
    long long greatest = -1;
    float single = 0;
    double twice = 0;
    long double extended = 0;
    float _Complex cf = 0;
    double _Complex cd = 0;
    long double _Complex cl = 0;
    wide sum = {{0}};
    _Alignas(16) char packed[16] = {0};
    double *const unaligned = (double *)(packed + 3);
    long seen = 0;

#pragma omp parallel reduction(+ : seen)
    for (int i = 0; i < ROUNDS; i++) {
        int two = 2;
        wide parts = {{1, 2, 3, 4}};
        __kmpc_atomic_fixed1_add(NULL, 0, &byte, 1);
        __kmpc_atomic_fixed2_xor(NULL, 0, &bits, (short)(1 << (i % 8)));
        seen += __kmpc_atomic_fixed4_sub_cpt(NULL, 0, &down, 1, 1);
        __kmpc_atomic_fixed8_max(NULL, 0, &greatest, (long long)i * omp_get_thread_num());
        __kmpc_atomic_float4_add(NULL, 0, &single, 0.5f);
        (void)__kmpc_atomic_float8_add_cpt(NULL, 0, &twice, 0.25, 0);
        (void)__kmpc_atomic_float8_add_cpt(NULL, 0, unaligned, 1, 0);
        __kmpc_atomic_float10_add(NULL, 0, &extended, 2);
        __kmpc_atomic_cmplx4_add(NULL, 0, &cf, 1 - I);
        (void)__kmpc_atomic_cmplx8_sub_cpt(NULL, 0, &cd, 1 - I, 0);
        __kmpc_atomic_cmplx10_add(NULL, 0, &cl, 3 + I);
        __kmpc_atomic_4(NULL, 0, &own, &two, plus_int);
        __kmpc_atomic_32(NULL, 0, &sum, &parts, plus_wide);
        __kmpc_atomic_start();
        counted += 1;
        __kmpc_atomic_end();
    }

    CHECK_EQ(byte, (signed char)all);
    CHECK_EQ(bits, 0);
    CHECK_EQ(down, 0);
    CHECK_EQ(seen, (long)all * (all - 1) / 2);
    CHECK_EQ(greatest, (long long)(ROUNDS - 1) * (threads - 1));
    CHECK(single == 0.5f * all);
    CHECK(twice == 0.25 * all);
    CHECK(__builtin_memcmp(unaligned, &(double){all}, sizeof(double)) == 0);
    CHECK(extended == 2.0L * all);
    CHECK(cf == all - all * I);
    CHECK(cd == -all + all * I);
    CHECK(cl == 3.0L * all + all * I);
    CHECK_EQ(own, 2 * all);
    CHECK_EQ(sum.part[0], all);
    CHECK_EQ(sum.part[3], 4L * all);
    CHECK_EQ(counted, all);
    return check_result();
}
