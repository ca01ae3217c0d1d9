// KMP_AFFINITY=verbose tells what each thread is bound to.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Vary:KMP_AFFINITY=verbose,compact|verbose,explicit,proclist=[{<p0>},<p1>]
//#Env:OMP_NUM_THREADS=2
//#Stderr:KMP_AFFINITY: pid [0-9]+ tid [0-9]+ thread 0 bound to OS proc set <p0>\n
//#Stderr:KMP_AFFINITY: pid [0-9]+ tid [0-9]+ thread 1 bound to OS proc set <p1>\n
//#ReferenceFails:libgomp does not read it, and libomp numbers threads otherwise
#include "bound.h"

int main(void)
{
#pragma omp parallel
    CHECK_EQ(only_processor(), processor_at(omp_get_thread_num()));
    return check_result();
}
