// Events of constructs that several threads run at once: each thread's are properly nested, and no id is
// given twice.
//#Timeout:60
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 200 };

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

int main(void)
{
    int done = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : done)
    for (int round = 0; round < ROUNDS; round++) {
        int own[4] = {round};
#pragma omp target map(tofrom : own)
        own[0]++;
        CHECK_EQ(own[0], round + 1);
        done++;
    }
    static uint64_t open_target[THREADS], begun[MOST_EVENTS];
    static pthread_t known[THREADS];
    int threads = 0, begins = 0, kernels = 0;
    for (int i = 0; i < event_count; i++) {
        struct event *event = &events[i];
        if (event->about > SUBMIT)
            continue;
        int me = 0;
        while (me < threads && !pthread_equal(known[me], event->thread))
            me++;
        CHECK(me < THREADS);
        if (me == THREADS)
            break;
        if (me == threads)
            known[threads++] = event->thread;
        if (event->about == TARGET && event->endpoint == ompt_scope_begin) {
            CHECK_EQ(open_target[me], 0);
            open_target[me] = event->target;
        } else {
            CHECK(event->target != 0 && event->target == open_target[me]);
            if (event->about == TARGET)
                open_target[me] = 0;
            else if (event->endpoint == ompt_scope_begin)
                begun[begins++] = event->operation;
            kernels += event->about == SUBMIT && event->endpoint == ompt_scope_end;
        }
    }
    CHECK_EQ(kernels, done);
    qsort(begun, begins, sizeof *begun, compare);
    for (int i = 1; i < begins; i++)
        CHECK(begun[i] != begun[i - 1]);
    return check_result();
}
