// Images in a library that is opened and closed many times: each time its variables begin anew on the
// device, its kernels are found, and those of the program go on.
//#Library:image.c
//#Timeout:60
#include "check.h"
#include "opened_library.h"
#include "resident.h"

enum { TURNS = 60 };

int main(void)
{
    int values[100], here = 0, early = 0;
    for (int i = 0; i < 100; i++)
        values[i] = i;
    for (int turn = 0; turn < TURNS; turn++) {
        void *library = open_library();
        int (*count)(int) = (int (*)(int))dlsym(library, "image_count");
        int (*sum)(const int *, int) = (int (*)(const int *, int))dlsym(library, "image_sum");
        CHECK_EQ(count(1), 101);
        CHECK_EQ(count(2), 103);
        CHECK_EQ(sum(values, 100), 4950);
        CHECK_EQ(dlclose(library), 0);
#pragma omp target map(tofrom : here)
        here++;
        CHECK_EQ(here, turn + 1);
        if (turn == 20)
            early = resident();
    }
    int later = resident();
    if (later > early + 4096)
        fprintf(stderr, "%d KiB after 20 turns, %d KiB at the end\n", early, later);
    CHECK(later <= early + 4096);
    return check_result();
}
