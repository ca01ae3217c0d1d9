// The program has set a limit of malloc before the runtime starts: it stays.
//#Threads:2
#include "check.h"
#include <malloc.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 10, BYTES = 60000 };

int main(void)
{
    CHECK(mallopt(M_TRIM_THRESHOLD, 65536));
#pragma omp parallel
    CHECK(omp_get_num_threads() >= 1);
    char *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        CHECK(blocks[i] = malloc(BYTES));
        memset(blocks[i], i, BYTES);
    }
    char *end = sbrk(0);
    for (int i = BLOCKS; i-- > 0;)
        free(blocks[i]);
    CHECK((char *)sbrk(0) < end);
    return check_result();
}
