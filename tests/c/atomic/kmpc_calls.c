// Every routine __kmpc_atomic_* does what the same expression does in plain C: update, capture of the
// old and of the new value, reversed operands, operands of another type, read, write, exchange and
// compare-and-swap; where words are concerned, on variables that are not aligned as well.
//#Compilers:clang
//#Needs:x87
//#Opt:-O0,-O2
//#Flags:-Wno-unused-function -Wno-incompatible-library-redeclaration -ffp-contract=off
#include "check.h"
#include <complex.h>
#include <float.h>
#include <omp.h>
#include <stdbool.h>
#include <string.h>

typedef void ident;
typedef float _Complex cf;
typedef double _Complex cd;
typedef long double _Complex cl;
typedef long double ld;
typedef signed char i1;
typedef short i2;
typedef int i4;
typedef long long i8;
typedef unsigned char u1;
typedef unsigned short u2;
typedef unsigned int u4;
typedef unsigned long long u8;

// No two operands give an integer overflow that C leaves open, a shift beyond int or a division by 0.
#define VALUES_i1 {1, 2, 3, 5, 7}
#define VALUES_i2 {1, 2, 3, 5, 11}
#define VALUES_i4 {1, 2, 3, 5, 13}
#define VALUES_i8 {1, 2, 3, 5, 17}
#define VALUES_u1 {1, 2, 3, 7, 200}
#define VALUES_u2 {1, 2, 3, 7, 40000}
#define VALUES_u4 {1, 2, 3, 7, 31}
#define VALUES_u8 {1, 2, 3, 7, 63}
#define VALUES_float {1.5f, -2.25f, 3e10f, 0.1f, -7}
#define VALUES_double {1.5, -2.25, 3e100, 0.1, -7}
#define VALUES_ld {1.5L, -2.25L, 3e1000L, 0.1L, -7}
#define VALUES_cf {1 + 2 * I, -3 + 0.5f * I, 8, 0.1f - 4 * I, -1 * I}
#define VALUES_cd {1 + 2 * I, -3 + 0.5 * I, 8, 0.1 - 4 * I, -1 * I}
#define VALUES_cl {1 + 2 * I, -3 + 0.5L * I, 8, 0.1L - 4 * I, -1 * I}

// How far a result may be from the compiler's own, relative to it: libraries divide complex numbers in
// different ways.
#define EPSILON(T)                                                                                 \
    _Generic((T)0, cf: FLT_EPSILON, cd: DBL_EPSILON, cl: LDBL_EPSILON, default: 0.0L)

static ld size(cl number)
{
    return __builtin_fabsl(__real__ number) + __builtin_fabsl(__imag__ number);
}

static bool same(cl found, cl wanted, ld epsilon)
{
    return found == wanted || size(found - wanted) <= 2 * epsilon * size(wanted);
}

#define SAME(T, found, wanted, name)                                                               \
    do {                                                                                           \
        if (!same(found, wanted, EPSILON(T)))                                                      \
            CHECK(!name);                                                                          \
    } while (0)

// A variable with a neighbour on each side, `at` bytes from where it would be aligned.
#define VARIABLE(T, at)                                                                            \
    _Alignas(16) unsigned char room[48 + sizeof(T)];                                               \
    memset(room, 0x5a, sizeof room);                                                               \
    void *const x = room + 16 + (at);                                                                \
    T now;

#define NEIGHBOURS(T, at, name)                                                                    \
    for (size_t i = 0; i < sizeof room; i++)                                                       \
        if ((i < 16 + (at) || i >= 16 + (at) + sizeof(T)) && room[i] != 0x5a)                      \
            CHECK(!"neighbour of " name);

#define UPDATE(name, T, E, expression)                                                             \
    extern void __kmpc_atomic_##name(ident *, int, T *, E);                                        \
    static void name(size_t at)                                                                       \
    {                                                                                              \
        const T values[] = VALUES_##T;                                                             \
        const E operands[] = VALUES_##E;                                                           \
        for (int i = 0; i < 5; i++)                                                                \
            for (int j = 0; j < 5; j++) {                                                          \
                VARIABLE(T, at)                                                                    \
                const T x_ = values[i];                                                            \
                const E e_ = operands[j];                                                          \
                memcpy(x, &x_, sizeof x_);                                                         \
                __kmpc_atomic_##name(NULL, 0, x, e_);                                              \
                memcpy(&now, x, sizeof now);                                                       \
                SAME(T, now, (T)(expression), #name);                                                 \
                NEIGHBOURS(T, at, #name)                                                           \
            }                                                                                      \
    }

#define CAPTURE_BODY(name, T, expression, call)                                                    \
    static void name(size_t at)                                                                       \
    {                                                                                              \
        const T values[] = VALUES_##T;                                                             \
        for (int i = 0; i < 5; i++)                                                                \
            for (int j = 0; j < 5; j++)                                                            \
                for (int flag = 0; flag < 2; flag++) {                                             \
                    VARIABLE(T, at)                                                                \
                    const T x_ = values[i], e_ = values[j];                                        \
                    memcpy(x, &x_, sizeof x_);                                                     \
                    T result;                                                                      \
                    call;                                                                          \
                    memcpy(&now, x, sizeof now);                                                   \
                    SAME(T, now, (T)(expression), #name);                                             \
                    SAME(T, result, flag ? (T)(expression) : x_, "result of " #name);                 \
                    NEIGHBOURS(T, at, #name)                                                       \
                }                                                                                  \
    }

#define CAPTURE(name, T, expression)                                                               \
    extern T __kmpc_atomic_##name(ident *, int, T *, T, int);                                      \
    CAPTURE_BODY(name, T, expression, result = __kmpc_atomic_##name(NULL, 0, x, e_, flag))
#define CAPTURE_TO(name, T, expression)                                                            \
    extern void __kmpc_atomic_##name(ident *, int, T *, T, T *, int);                              \
    CAPTURE_BODY(name, T, expression, __kmpc_atomic_##name(NULL, 0, x, e_, &result, flag))

#define BOTH(type, op, T, expression)                                                              \
    UPDATE(type##_##op, T, T, expression)                                                          \
    CAPTURE(type##_##op##_cpt, T, expression)
#define REVERSED(type, op, T, expression)                                                          \
    UPDATE(type##_##op##_rev, T, T, expression)                                                    \
    CAPTURE(type##_##op##_cpt_rev, T, expression)

#define ACCESS(type, T)                                                                            \
    extern T __kmpc_atomic_##type##_rd(ident *, int, T *);                                         \
    extern void __kmpc_atomic_##type##_wr(ident *, int, T *, T);                                   \
    extern T __kmpc_atomic_##type##_swp(ident *, int, T *, T);                                     \
    static void type##_access(size_t at)                                                              \
    {                                                                                              \
        const T values[] = VALUES_##T;                                                             \
        VARIABLE(T, at)                                                                            \
        __kmpc_atomic_##type##_wr(NULL, 0, x, values[1]);                                          \
        memcpy(&now, x, sizeof now);                                                               \
        SAME(T, now, values[1], #type "_wr");                                                         \
        SAME(T, __kmpc_atomic_##type##_rd(NULL, 0, x), values[1], #type "_rd");                       \
        SAME(T, __kmpc_atomic_##type##_swp(NULL, 0, x, values[3]), values[1], #type "_swp");          \
        SAME(T, __kmpc_atomic_##type##_rd(NULL, 0, x), values[3], #type "_swp");                      \
        NEIGHBOURS(T, at, #type " access")                                                         \
    }

#define ARITHMETIC(X, type, T)                                                                     \
    X(BOTH, type, add, T, x_ + e_)                                                                 \
    X(BOTH, type, sub, T, x_ - e_)                                                                 \
    X(REVERSED, type, sub, T, e_ - x_)                                                             \
    X(BOTH, type, mul, T, x_ * e_)                                                                 \
    X(BOTH, type, div, T, x_ / e_)                                                                 \
    X(REVERSED, type, div, T, e_ / x_)
#define BITS(X, type, T)                                                                           \
    X(BOTH, type, andb, T, x_ & e_)                                                                \
    X(BOTH, type, orb, T, x_ | e_)                                                                 \
    X(BOTH, type, xor, T, x_ ^ e_)                                                                 \
    X(BOTH, type, neqv, T, x_ ^ e_)                                                                \
    X(BOTH, type, eqv, T, ~(x_ ^ e_))                                                              \
    X(BOTH, type, andl, T, x_ && e_)                                                               \
    X(BOTH, type, orl, T, x_ || e_)                                                                \
    X(BOTH, type, shl, T, x_ << e_)                                                                \
    X(REVERSED, type, shl, T, e_ << x_)                                                            \
    X(BOTH, type, shr, T, x_ >> e_)                                                                \
    X(REVERSED, type, shr, T, e_ >> x_)
#define ORDER(X, type, T)                                                                          \
    X(BOTH, type, min, T, x_ < e_ ? x_ : e_)                                                       \
    X(BOTH, type, max, T, x_ > e_ ? x_ : e_)
#define UNSIGNED(X, type, T)                                                                       \
    X(BOTH, type, div, T, x_ / e_)                                                                 \
    X(REVERSED, type, div, T, e_ / x_)                                                             \
    X(BOTH, type, shr, T, (x_ >> (e_ & COUNT(T))))                                                 \
    X(REVERSED, type, shr, T, (e_ >> (x_ & COUNT(T))))
#define COUNT(T) (sizeof(T) == 8 ? 63 : 31)

#define WORDS(X)                                                                                     \
    ARITHMETIC(X, fixed1, i1) BITS(X, fixed1, i1) ORDER(X, fixed1, i1)                             \
    ARITHMETIC(X, fixed2, i2) BITS(X, fixed2, i2) ORDER(X, fixed2, i2)                             \
    ARITHMETIC(X, fixed4, i4) BITS(X, fixed4, i4) ORDER(X, fixed4, i4)                             \
    ARITHMETIC(X, fixed8, i8) BITS(X, fixed8, i8) ORDER(X, fixed8, i8)                             \
    UNSIGNED(X, fixed1u, u1) UNSIGNED(X, fixed2u, u2)                                              \
    UNSIGNED(X, fixed4u, u4) UNSIGNED(X, fixed8u, u8)                                              \
    ARITHMETIC(X, float4, float) ORDER(X, float4, float)                                           \
    ARITHMETIC(X, float8, double) ORDER(X, float8, double)

#define LARGER(X)                                                                                  \
    ARITHMETIC(X, float10, ld) ORDER(X, float10, ld)                                               \
    ARITHMETIC(X, cmplx8, cd) ARITHMETIC(X, cmplx10, cl)

#define DEFINE(form, type, op, T, expression) form(type, op, T, expression)
WORDS(DEFINE)
LARGER(DEFINE)

UPDATE(cmplx4_add, cf, cf, x_ + e_)
UPDATE(cmplx4_sub, cf, cf, x_ - e_)
UPDATE(cmplx4_sub_rev, cf, cf, e_ - x_)
UPDATE(cmplx4_mul, cf, cf, x_ * e_)
UPDATE(cmplx4_div, cf, cf, x_ / e_)
UPDATE(cmplx4_div_rev, cf, cf, e_ / x_)
CAPTURE_TO(cmplx4_add_cpt, cf, x_ + e_)
CAPTURE_TO(cmplx4_sub_cpt, cf, x_ - e_)
CAPTURE_TO(cmplx4_sub_cpt_rev, cf, e_ - x_)
CAPTURE_TO(cmplx4_mul_cpt, cf, x_ * e_)
CAPTURE_TO(cmplx4_div_cpt, cf, x_ / e_)
CAPTURE_TO(cmplx4_div_cpt_rev, cf, e_ / x_)

#undef VALUES_double
#define VALUES_double {1.5, -2.25, 3.5, 0.125, -7}
UPDATE(fixed1_mul_float8, i1, double, x_ * e_)
UPDATE(fixed1_div_float8, i1, double, x_ / e_)
UPDATE(fixed2_mul_float8, i2, double, x_ * e_)
UPDATE(fixed2_div_float8, i2, double, x_ / e_)
UPDATE(fixed4_mul_float8, i4, double, x_ * e_)
UPDATE(fixed4_div_float8, i4, double, x_ / e_)
UPDATE(fixed8_mul_float8, i8, double, x_ * e_)
UPDATE(fixed8_div_float8, i8, double, x_ / e_)
UPDATE(float4_add_float8, float, double, x_ + e_)
UPDATE(float4_sub_float8, float, double, x_ - e_)
UPDATE(float4_mul_float8, float, double, x_ * e_)
UPDATE(float4_div_float8, float, double, x_ / e_)
UPDATE(cmplx4_add_cmplx8, cf, cd, x_ + e_)
UPDATE(cmplx4_sub_cmplx8, cf, cd, x_ - e_)
UPDATE(cmplx4_mul_cmplx8, cf, cd, x_ * e_)
UPDATE(cmplx4_div_cmplx8, cf, cd, x_ / e_)

ACCESS(fixed1, i1)
ACCESS(fixed2, i2)
ACCESS(fixed4, i4)
ACCESS(fixed8, i8)
ACCESS(float4, float)
ACCESS(float8, double)
ACCESS(float10, ld)
ACCESS(cmplx8, cd)
ACCESS(cmplx10, cl)

extern cf __kmpc_atomic_cmplx4_rd(ident *, int, cf *);
extern void __kmpc_atomic_cmplx4_wr(ident *, int, cf *, cf);
extern void __kmpc_atomic_cmplx4_swp(ident *, int, cf *, cf, cf *);

static void cmplx4_access(void)
{
    cf x, old;
    __kmpc_atomic_cmplx4_wr(NULL, 0, &x, 1 - 2 * I);
    SAME(cf, __kmpc_atomic_cmplx4_rd(NULL, 0, &x), 1 - 2 * I, "cmplx4_rd");
    __kmpc_atomic_cmplx4_swp(NULL, 0, &x, 5 * I, &old);
    SAME(cf, old, 1 - 2 * I, "cmplx4_swp");
    SAME(cf, x, 5 * I, "cmplx4_swp");
}

#define COMPARE(size, T)                                                                           \
    extern bool __kmpc_atomic_bool_##size##_cas(ident *, int, T *, T, T);                          \
    extern bool __kmpc_atomic_bool_##size##_cas_cpt(ident *, int, T *, T, T, T *);                 \
    extern T __kmpc_atomic_val_##size##_cas(ident *, int, T *, T, T);                              \
    extern T __kmpc_atomic_val_##size##_cas_cpt(ident *, int, T *, T, T, T *);                     \
    static void compare_##size(size_t at)                                                             \
    {                                                                                              \
        VARIABLE(T, at)                                                                            \
        T v = 99;                                                                                  \
        now = 5;                                                                                   \
        memcpy(x, &now, sizeof now);                                                               \
        CHECK(!__kmpc_atomic_bool_##size##_cas(NULL, 0, x, 4, 6));                                 \
        CHECK(__kmpc_atomic_bool_##size##_cas(NULL, 0, x, 5, 6));                                  \
        CHECK(!__kmpc_atomic_bool_##size##_cas_cpt(NULL, 0, x, 5, 7, &v));                         \
        CHECK_EQ(v, 6);                                                                            \
        v = 99;                                                                                    \
        CHECK(__kmpc_atomic_bool_##size##_cas_cpt(NULL, 0, x, 6, 7, &v));                          \
        CHECK_EQ(v, 99);                                                                           \
        CHECK_EQ(__kmpc_atomic_val_##size##_cas(NULL, 0, x, 6, 8), 7);                             \
        CHECK_EQ(__kmpc_atomic_val_##size##_cas(NULL, 0, x, 7, 8), 7);                             \
        CHECK_EQ(__kmpc_atomic_val_##size##_cas_cpt(NULL, 0, x, 7, 9, &v), 8);                     \
        CHECK_EQ(v, 8);                                                                            \
        CHECK_EQ(__kmpc_atomic_val_##size##_cas_cpt(NULL, 0, x, 8, 9, &v), 8);                     \
        CHECK_EQ(v, 9);                                                                            \
        NEIGHBOURS(T, at, "compare")                                                               \
    }
COMPARE(1, i1)
COMPARE(2, i2)
COMPARE(4, i4)
COMPARE(8, i8)

#define RUN(form, type, op, T, expression) RUN_##form(type, op)
#define RUN_BOTH(type, op) type##_##op(at), type##_##op##_cpt(at);
#define RUN_REVERSED(type, op) type##_##op##_rev(at), type##_##op##_cpt_rev(at);

// On variables that lie `at` bytes from where they would be aligned.
static void check_words(size_t at)
{
    WORDS(RUN)
    fixed1_mul_float8(at), fixed2_mul_float8(at), fixed4_mul_float8(at), fixed8_mul_float8(at);
    fixed1_div_float8(at), fixed2_div_float8(at), fixed4_div_float8(at), fixed8_div_float8(at);
    float4_add_float8(at), float4_sub_float8(at), float4_mul_float8(at), float4_div_float8(at);
    fixed1_access(at), fixed2_access(at), fixed4_access(at), fixed8_access(at);
    float4_access(at), float8_access(at);
    compare_1(at), compare_2(at), compare_4(at), compare_8(at);
}

static void check_complex_float(size_t at)
{
    cmplx4_add(at), cmplx4_sub(at), cmplx4_mul(at), cmplx4_div(at);
    cmplx4_sub_rev(at), cmplx4_div_rev(at);
    cmplx4_add_cpt(at), cmplx4_sub_cpt(at), cmplx4_mul_cpt(at), cmplx4_div_cpt(at);
    cmplx4_sub_cpt_rev(at), cmplx4_div_cpt_rev(at);
    cmplx4_add_cmplx8(at), cmplx4_sub_cmplx8(at), cmplx4_mul_cmplx8(at), cmplx4_div_cmplx8(at);
}

static void check_larger(size_t at)
{
    LARGER(RUN)
    float10_access(at), cmplx8_access(at), cmplx10_access(at);
}

int main(void)
{
    (void)omp_get_max_threads(); // libomp wants to be awake
    check_words(0);
    check_words(1);
    check_complex_float(0);
    check_complex_float(4);
    cmplx4_access();
    check_larger(0);
    return check_result();
}
