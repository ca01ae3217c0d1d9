// A library is closed while data of its own are still mapped: the program and the library, opened again,
// go on.
//#Library:image.c
#include "check.h"
#include <dlfcn.h>
#include <stdlib.h>

int main(void)
{
    int here = 0;
    for (int turn = 0; turn < 5; turn++) {
        void *library = dlopen(getenv("TEST_LIBRARY"), RTLD_NOW);
        CHECK(library != NULL);
        if (library == NULL)
            return 1;
        int (*count)(int) = (int (*)(int))dlsym(library, "image_count");
        void (*leave)(void) = (void (*)(void))dlsym(library, "image_leave");
        CHECK_EQ(count(1), 101);
        leave();
        dlclose(library);
#pragma omp target map(tofrom : here)
        here++;
    }
    CHECK_EQ(here, 5);
    return check_result();
}
