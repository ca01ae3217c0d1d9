// A mistake must end the program: it is made in a child, before the parent has used OpenMP.
#ifndef MISTAKE_H
#define MISTAKE_H

#include "check.h"
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// The status of a child that goes on after the mistake.
enum { WENT_ON = 77 };

static inline void must_end(void (*mistake)(void))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        mistake();
        _exit(WENT_ON);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFSIGNALED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != WENT_ON));
}

#endif
