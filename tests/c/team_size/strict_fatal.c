// num_threads(strict: 9) severity(fatal), where 4 threads are to be had, ends the program.
//#Compilers:clang
//#Env:OMP_THREAD_LIMIT=4
//#Status:1
//#Stdout:^before\n$
//#Stderr:^OMP: Error: ([^\n]*: )?num_threads\(strict: 9\): the team has 4 threads: no less\n$
//#NotRecorded:the program ends inside a construct
//#ReferenceFails:libomp has this call from version 22 on, and another text
#include <omp.h>
#include <stdio.h>

extern int __kmpc_global_thread_num(void *loc);
extern void __kmpc_push_num_threads_strict(void *loc, int gtid, int threads, int severity,
                                           const char *message);

int main(void)
{
    printf("before\n");
    __kmpc_push_num_threads_strict(NULL, __kmpc_global_thread_num(NULL), 9, 2, "no less");
#pragma omp parallel
    printf("never\n");
    return 0;
}
