// A limit of file sizes: an image that is larger ends the program with a message, not by the signal that the
// file would cause; with room for the image the region is executed on the device.
//#StockFails:it ends by the signal
//#Stderr:file_limit-.*: cannot load an image of \d+ bytes: files may have 524288 \(ulimit -f\)
#include "check.h"
#include <omp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// It makes the image larger than what is written of the process otherwise.
static int table[1 << 18] = {[0 ...(1 << 18) - 1] = 1};
#pragma omp declare target to(table)

// How a process with that limit ends.
static int status_with(rlim_t bytes)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {bytes, bytes}, none = {0, 0};
        int on_host = 1;
        setrlimit(RLIMIT_FSIZE, &limit);
        setrlimit(RLIMIT_CORE, &none);
#pragma omp target map(from : on_host)
        {
            table[0]++;
            on_host = omp_is_initial_device() || table[0] != 2;
        }
        _exit(on_host);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    return status;
}

int main(void)
{
    int status = status_with(1 << 19);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    CHECK_EQ(status_with(1 << 26), 0);
    return check_result();
}
