// A child of fork(2) goes on in a doacross loop as a team of one: it waits for no iteration of a
// thread that is gone.
//#Opt:-O1
//#Threads:2,4
//#ReferenceFails:a child hangs on libgomp and libomp
//#NoStderr
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

static long sums[64];

static int child_of(int distance)
{
    int status = -1;
#pragma omp parallel
    {
#pragma omp for ordered(1) schedule(static, 1)
        for (int i = 0; i < 64; i++) {
            if (distance == 1) {
#pragma omp ordered depend(sink : i - 1)
            } else {
#pragma omp ordered depend(sink : i - 2)
            }
            sums[i] = i;
            if (i == 20) {
                pid_t child = fork();
                if (child == 0) {
                    alarm(10);
                    continue;
                }
                waitpid(child, &status, 0);
            }
#pragma omp ordered depend(source)
        }
        // In the child, the forking thread alone comes here.
#pragma omp for ordered(2) schedule(dynamic)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
                sums[i * 4 + j] = 1;
#pragma omp ordered depend(source)
            }
    }
    if (status == -1)
        _exit(sums[15] == 1 ? 7 : 8);
    return status;
}

int main(void)
{
    for (int distance = 1; distance < 3; distance++) {
        int status = child_of(distance);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 7 || WEXITSTATUS(status) == 0);
    }
    return check_result();
}
