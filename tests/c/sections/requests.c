// Sections as Intel's compilers call them: each is asked for.
//#Compilers:clang
//#Threads:1,2,4
//#ReferenceFails:libomp can do it in teams of more than one only
//#NoStderr
#include "check.h"
#include <omp.h>

enum { ROUNDS = 200, COUNT = 5 };

int __kmpc_global_thread_num(void *location);
int __kmpc_sections_init(void *location, int thread);
int __kmpc_next_section(void *location, int thread, int count);
void __kmpc_end_sections(void *location, int thread);

int main(void)
{
    static int times[ROUNDS][COUNT];
#pragma omp parallel
    {
        int thread = __kmpc_global_thread_num(NULL);
        for (int round = 0; round < ROUNDS; round++) {
            CHECK_EQ(__kmpc_sections_init(NULL, thread) != 0, omp_get_num_threads() > 1);
            int section;
            while ((section = __kmpc_next_section(NULL, thread, COUNT)) < COUNT) {
#pragma omp atomic
                times[round][section]++;
            }
            __kmpc_end_sections(NULL, thread);
        }
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int section = 0; section < COUNT; section++)
            CHECK_EQ(times[round][section], 1);
    return check_result();
}
