// A task that runs at once costs little stack, so that programs may nest them deeply: tasks outside
// of regions, undeferred and final ones, with and without dependences, and tasks beyond a full deque.
//#Compilers:gcc,clang
//#Threads:2
//#ReferenceFails:libgomp takes 512 bytes and more a level, libomp up to 864
//#NotRecorded:a tool's callbacks take stack of their own
#include "check.h"
#include <float.h>
#include <omp.h>
#include <string.h>

// Processors without x87 have more registers that a call keeps.
enum { LEVELS = 1000, MOST_BYTES = LDBL_MANT_DIG == 64 ? 400 : 448, KINDS = 5 };

static const char *above;
static long bytes, levels;

// Runs a task in a task, `depth` times; notes how far apart the stack frames are.
__attribute__((noinline)) static void nest(int kind, int depth)
{
    char here;
    const char *volatile frame = &here;
    if (above != NULL && above > frame) {
        bytes += above - frame;
        levels++;
    }
    above = frame;
    if (depth == 0)
        return;
    int location = depth;
    (void)location;
    switch (kind) {
    case 0:
#pragma omp task
        nest(kind, depth - 1);
        break;
    case 1:
#pragma omp task if (0)
        nest(kind, depth - 1);
        break;
    case 2:
#pragma omp task depend(inout : location)
        nest(kind, depth - 1);
        break;
    case 3:
#pragma omp task if (0) depend(inout : location)
        nest(kind, depth - 1);
        break;
    case 4:
#pragma omp task final(1) untied
        nest(kind, depth - 1);
        break;
    }
#pragma omp taskwait
}

static void measure(const char *where, int kind, int depth)
{
    above = NULL;
    bytes = levels = 0;
    nest(kind, depth);
    CHECK(levels > 0);
    if (levels > 0 && bytes / levels > MOST_BYTES) {
        fprintf(stderr, "kind %d %s: %ld bytes a level\n", kind, where, bytes / levels);
        CHECK(!"more than MOST_BYTES");
    }
}

int main(void)
{
    for (int kind = 0; kind < KINDS; kind++)
        measure("outside of regions", kind, LEVELS);
    for (int kind = 0; kind < KINDS; kind++) {
        int is_full = 0;
#pragma omp parallel
        {
            if (omp_get_thread_num() == 0) {
                // More than a deque holds, while the other thread takes none.
                for (int i = 0; i < 400; i++) {
#pragma omp task
                    (void)i;
                }
                measure("beyond a full deque", kind, LEVELS);
                __atomic_store_n(&is_full, 1, __ATOMIC_RELEASE);
            } else {
                while (!__atomic_load_n(&is_full, __ATOMIC_ACQUIRE)) {
                }
            }
        }
    }
    return check_result();
}
