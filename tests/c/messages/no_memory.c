// The runtime has no memory for a team: one line with the call and the number of bytes, and status 1.
//#Flags:-g
//#Opt:-O0
//#Status:1
//#Stderr:^OMP: Error: no memory: \d+ bytes are not to be had, in (GOMP_parallel|__kmpc_serialized_parallel|__kmpc_fork_call) called at \S+\+0x[0-9a-f]+\n$
//#NotRecorded:the recorder wants memory too
//#ReferenceFails:another text, or a crash
//#NotEmulated:RLIMIT_AS limits the emulator, not the program
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void fill(size_t bytes)
{
    while (bytes >= 16) {
        if (!malloc(bytes))
            bytes /= 2;
    }
}

static void deeper(int left)
{
    if (left == 0)
        return;
#pragma omp parallel num_threads(1)
    deeper(left - 1);
}

int main(void)
{
    deeper(1);
    struct rlimit narrow = { 1 << 20, 1 << 20 };
    setrlimit(RLIMIT_AS, &narrow);
    fill(1 << 20);
    deeper(200);
    return 0;
}
