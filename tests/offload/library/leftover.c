// A library is closed while data of its own are still mapped: the program and the library, opened again,
// go on.
//#Library:image.c
#include "check.h"
#include "opened_library.h"

int main(void)
{
    int here = 0;
    for (int turn = 0; turn < 5; turn++) {
        void *library = open_library();
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
