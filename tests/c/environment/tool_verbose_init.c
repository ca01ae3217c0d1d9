// A log of the search for a tool that cannot be written is said so, and goes to standard error.
//#Compilers:clang
//#Env:OMP_TOOL_VERBOSE_INIT=/no/such/folder/log
//#Stderr:Warning #42: OMP_TOOL_VERBOSE_INIT="/no/such/folder/log": No such file[^\n]*stderr\n
//#Stderr:Search for OMP tool in current address space
//#ReferenceFails:libomp says nothing
#include "check.h"
#include <omp.h>

int main(void)
{
    CHECK(omp_get_max_threads() >= 1);
    return check_result();
}
