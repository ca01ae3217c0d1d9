// Without OMP_PROC_BIND and OMP_PLACES no thread is bound, whatever the clause says.
//#Flags:-D_GNU_SOURCE
//#Env:OMP_NUM_THREADS=3
//#NoStderr
#include "bound.h"

int main(void)
{
    int before = my_processors();
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_false);
    CHECK_EQ(my_processors(), before);
#pragma omp parallel proc_bind(close)
    CHECK_EQ(my_processors(), before);
#pragma omp parallel proc_bind(primary)
    CHECK_EQ(my_processors(), before);
    CHECK_EQ(my_processors(), before);
    return check_result();
}
