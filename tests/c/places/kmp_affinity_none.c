// KMP_AFFINITY=none: no thread is bound, and who asks for it elsewhere is told so.
//#Flags:-D_GNU_SOURCE
//#Vary:KMP_AFFINITY=none|disabled
//#Env:OMP_PROC_BIND=close
//#Env:OMP_NUM_THREADS=2
//#Stderr:^OMP: Warning #42: OMP_PROC_BIND=[^\n]*KMP_AFFINITY=[^\n]*\n$
//#ReferenceFails:libgomp does not read it, and libomp has other words
#include "bound.h"

int main(void)
{
    int before = my_processors();
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_false);
#pragma omp parallel
    CHECK_EQ(my_processors(), before);
    return check_result();
}
