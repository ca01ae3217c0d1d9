// exec(3) from within a region: the new program has the process to itself and a runtime of its own.
//#Env:OMP_NUM_THREADS=4
//#Vary:OMP_WAIT_POLICY=active|passive
//#Vary:WHO=0|2
//#NotRecorded:the first program has no end
//#Stdout:^before 4\nafter 4\n$
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    int members = 0;
#pragma omp parallel reduction(+ : members)
    members++;
    printf("%s %d\n", count == 1 ? "before" : "after", members);
    fflush(stdout);
    if (count > 1)
        return 0;
    int who = atoi(getenv("WHO"));
#pragma omp parallel
    {
        if (omp_get_thread_num() == who) {
            execl("/proc/self/exe", arguments[0], "again", (char *)NULL);
            exit(1);
        }
#pragma omp barrier
    }
    return 2;
}
