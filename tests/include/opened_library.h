// The library that the harness has built for the program, which the program opens by itself.
#ifndef OPENED_LIBRARY_H
#define OPENED_LIBRARY_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Lets the program end if the library cannot be opened.
static inline void *open_library(void)
{
    void *library = dlopen(getenv("TEST_LIBRARY"), RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        _exit(1);
    }
    return library;
}

#endif
