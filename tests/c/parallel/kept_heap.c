// Once the runtime has started, the heap keeps memory that the program frees, and arrays of half a
// megabyte lie in it: they are not given back to the system and got anew, page by page, between two
// regions. A limit that the program has set before stays.
//#Threads:1,2
//#Vary:LIMIT=none|65536
//#ReferenceFails[gcc]:libgomp leaves the limits of malloc as they are
#include "check.h"
#include <malloc.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 10, BYTES = 60000, LARGE = 500000 };

int main(void)
{
    int limit = atoi(getenv("LIMIT"));
    if (limit != 0)
        CHECK(mallopt(M_TRIM_THRESHOLD, limit));
#pragma omp parallel
    CHECK(omp_get_num_threads() >= 1);
    char *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        CHECK(blocks[i] = malloc(BYTES));
        memset(blocks[i], i, BYTES);
    }
    char *end = sbrk(0);
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    if (limit != 0) {
        CHECK((char *)sbrk(0) < end);
        return check_result();
    }
    CHECK((char *)sbrk(0) == end);
    char *large = malloc(LARGE);
    CHECK(large != NULL && large < (char *)sbrk(0) && (char *)sbrk(0) - large < 4 * LARGE);
    free(large);
    return check_result();
}
