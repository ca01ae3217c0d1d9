// KMP_SETTINGS prints what the user has set and what holds.
//#Compilers:clang
//#Env:KMP_SETTINGS=1
//#Env:OMP_NUM_THREADS=3,2
//#Env:OMP_PLACES=threads()
//#Stderr:User settings:\n\n   KMP_SETTINGS=1\n   OMP_NUM_THREADS=3,2\n   OMP_PLACES=threads\(\)\n
//#Stderr:Effective settings:\n\n(   [A-Z_]+(=[^\n]*|: value is not defined)\n)+
//#Stderr:   KMP_SETTINGS=true\n(.*\n)*   OMP_NUM_THREADS='3,2'\n   OMP_PLACES='threads'\n
//#ReferenceFails:libomp has more
#include "check.h"
#include <omp.h>

int main(void)
{
    CHECK_EQ(omp_get_max_threads(), 3);
    return check_result();
}
