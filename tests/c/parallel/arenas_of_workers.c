// Workers of a program that allocates nothing in its regions get no arena of malloc, which would
// reserve 64 MiB of addresses for each.
//#Threads:4
//#ReferenceFails[clang]:libomp's workers allocate
//#NotRecorded:the recorder allocates on each thread
//#NotJittered:the library that stops threads frees memory on each
#include "check.h"
#include <malloc.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    for (int i = 0; i < 3; i++) {
#pragma omp parallel
        CHECK_EQ(omp_get_num_threads(), 4);
    }
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    CHECK_EQ(malloc_info(0, file), 0);
    fclose(file);
    int heaps = 0;
    for (char *at = text; (at = strstr(at, "<heap nr=")) != NULL; at++)
        heaps++;
    CHECK_EQ(heaps, 1);
    free(text);
    return check_result();
}
