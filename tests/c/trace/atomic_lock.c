// An atomic routine that takes the lock of atomics is a mutex of that kind, whether the program takes it or
// the routine does; one that is an instruction is nothing.
//#Compilers:clang
//#Needs:x87
//#Env:OMP_NUM_THREADS=1
//#Opt:-O0
//#ReferenceFails:libomp has a lock for each type, and tells tools of those that it calls itself
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     mutex_acquire kind=atomic hint=0 impl=* wait_id=$w codeptr=@START
//|     mutex_acquired kind=atomic wait_id=$w codeptr=@START
//|     mutex_released kind=atomic wait_id=$w codeptr=@END
//|     mutex_acquire kind=atomic hint=0 impl=* wait_id=$w codeptr=@COMPLEX
//|     mutex_acquired kind=atomic wait_id=$w codeptr=@COMPLEX
//|     mutex_released kind=atomic wait_id=$w codeptr=@COMPLEX
//|     mutex_acquire kind=atomic hint=0 impl=* wait_id=$w codeptr=@LONG
//|     mutex_acquired kind=atomic wait_id=$w codeptr=@LONG
//|     mutex_released kind=atomic wait_id=$w codeptr=@LONG
//|     finish!
//| }
#include <complex.h>
#include <omp.h>
#include <stddef.h>

extern void __kmpc_atomic_fixed4_add(void *, int, int *, int);
extern void __kmpc_atomic_cmplx8_add(void *, int, double _Complex *, double _Complex);
extern void __kmpc_atomic_float10_add(void *, int, long double *, long double);
extern void __kmpc_atomic_start(void);
extern void __kmpc_atomic_end(void);

int main(void)
{
    int sum = omp_get_level();
    double _Complex complex_sum = 0;
    long double long_sum = 0;
    __kmpc_atomic_fixed4_add(NULL, 0, &sum, 1);
    __kmpc_atomic_start(); //@START
    sum++; //@START
    __kmpc_atomic_end(); //@END
    __kmpc_atomic_cmplx8_add(NULL, 0, &complex_sum, 1 + 2 * I); //@COMPLEX @END
    __kmpc_atomic_float10_add(NULL, 0, &long_sum, 1); //@LONG @COMPLEX
    return sum == 2 && complex_sum == 1 + 2 * I && long_sum == 1 ? 0 : 1; //@LONG
}
