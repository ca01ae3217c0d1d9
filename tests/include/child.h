// A child of the program must end well.
#ifndef CHILD_H
#define CHILD_H

#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

static inline void must_succeed(pid_t child)
{
    int status = 1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

#endif
