// A tool ends while threads execute constructs: after its finalizer no callback runs, and the program goes on.
//#Repeat:5
//#Timeout:60
//#StockFails:it keeps the callbacks of its start
//#LibompFails:its tool ends while callbacks of other threads run
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 300 };

static atomic_int at_end = -1, rounds;

static void count_events(void)
{
    atomic_store(&at_end, __atomic_load_n(&event_count, __ATOMIC_SEQ_CST));
}

int main(void)
{
    int sum = 0;
    tool_at_end = count_events;
#pragma omp parallel num_threads(THREADS) reduction(+ : sum)
    for (int round = 0; round < ROUNDS; round++) {
        int own[4] = {round};
#pragma omp target map(tofrom : own) device(omp_get_thread_num() % 2)
        own[0]++;
        sum += own[0] - round;
        if (atomic_fetch_add(&rounds, 1) == THREADS * ROUNDS / 2)
            tool_finalize();
    }
    CHECK_EQ(sum, THREADS * ROUNDS);
    CHECK(atomic_load(&at_end) > 0);
    CHECK_EQ(event_count, atomic_load(&at_end));
    CHECK_EQ(count(0, INITIALIZE, 0, 0), count(0, FINALIZE, 0, 0));
    return check_result();
}
