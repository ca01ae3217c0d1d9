// Programs started from all threads of a region at once: by vfork(2) and exec(3), by posix_spawn(3)
// and by system(3). Each is this program once more, and has a region of its own.
//#Env:OMP_NUM_THREADS=4
//#Vary:OMP_WAIT_POLICY=active|passive
//#NotRecorded:the programs would share the log
//#Timeout:60
//#NoStderr
//#NotEmulated:the programs that it starts are the machine's own
#define _GNU_SOURCE
#include "check.h"
#include <omp.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int members_of_a_region(void)
{
    int members = 0;
#pragma omp parallel reduction(+ : members)
    members += 1;
    return members;
}

static void finish(pid_t child)
{
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 40 + 4);
}

int main(int count, char **arguments)
{
    if (count > 1)
        return 40 + members_of_a_region();
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    CHECK(length > 0);
    path[length < 0 ? 0 : length] = '\0';
    char *words[] = {arguments[0], "again", NULL};
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            pid_t child = vfork();
            if (child == 0) {
                execv(path, words);
                _exit(1);
            }
            finish(child);
            child = -1;
            CHECK_EQ(posix_spawn(&child, path, NULL, NULL, words, environ), 0);
            finish(child);
#pragma omp barrier
#pragma omp single nowait
            {
                char line[4200];
                snprintf(line, sizeof line, "'%s' again", path);
                int status = system(line);
                CHECK(WIFEXITED(status));
                CHECK_EQ(WEXITSTATUS(status), 44);
            }
        }
        CHECK_EQ(members_of_a_region(), 4);
    }
    return check_result();
}
