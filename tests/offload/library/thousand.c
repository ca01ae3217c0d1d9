// A library with an image is opened and closed a thousand times, with kernels of it and of the program in
// between: the process has as many mappings afterwards, and memory does not grow.
//#Library:image.c
//#Timeout:60
//#StockFails:mappings of the images stay
#include "check.h"
#include "opened_library.h"
#include "resident.h"

enum { TURNS = 1000, EARLY = 100 };

static int mappings(void)
{
    int lines = 0, c;
    FILE *maps = fopen("/proc/self/maps", "r");
    while ((c = fgetc(maps)) != EOF)
        lines += c == '\n';
    fclose(maps);
    return lines;
}

int main(void)
{
    int here = 0, maps_early = 0;
    long early = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        void *library = open_library();
        int (*count)(int) = (int (*)(int))dlsym(library, "image_count");
        CHECK_EQ(count(turn), 100 + turn);
        CHECK_EQ(dlclose(library), 0);
#pragma omp target map(tofrom : here)
        here++;
        if (turn == EARLY) {
            early = resident();
            maps_early = mappings();
        }
    }
    CHECK_EQ(here, TURNS);
    long later = resident();
    if (later > early + 1024)
        fprintf(stderr, "%ld KiB after %d turns, %ld KiB at the end\n", early, EARLY, later);
    CHECK(later <= early + 1024);
    CHECK_EQ(mappings(), maps_early);
    return check_result();
}
