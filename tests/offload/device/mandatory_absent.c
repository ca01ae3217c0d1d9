// OMP_TARGET_OFFLOAD=mandatory: a construct for a device that is not there ends the program with a
// message.
//#Env:OMP_TARGET_OFFLOAD=mandatory
//#Stderr:(?i)device
#include "check.h"
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        int ran = 0;
#pragma omp target device(omp_get_num_devices() + 5) map(tofrom : ran)
        ran = 1;
        _exit(ran ? 0 : 3);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFSIGNALED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 3));
    return check_result();
}
