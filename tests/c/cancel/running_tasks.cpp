// A thread that leaves a cancelled region, by whichever construct, destroys its objects only when
// no task that has begun uses them any more. A task whose body is over does not count, whether or
// not its event is fulfilled.
//#Threads:3,6
//#Env:OMP_CANCELLATION=true
//#Opt:-O0,-O2
//#Timeout:60
//#ReferenceFails[gcc]:a thread of libgomp leaves while tasks use its variables
//#ReferenceFails[clang]:libomp waits for an event that is fulfilled later
#include "check.h"
#include <atomic>
#include <omp.h>
#include <unistd.h>

enum Way { BARRIER, CANCEL, POINT, BOTH, WAYS };

static std::atomic<int> begun, over, has_left, used_after, was_fulfilled;

// Of thread 0: when its destructor runs, the thread has left the region.
struct Object {
    bool is_of_interest, has_event;
    omp_event_handle_t event;
    ~Object()
    {
        if (!is_of_interest)
            return;
        has_left = 1;
        if (has_event) {
            omp_fulfill_event(event);
            was_fulfilled = 1;
        }
    }
};

// Uses the object for so long that a thread which does not wait is gone by then.
static void use()
{
    for (int look = 0; look < 20; look++) {
        usleep(500);
        if (has_left)
            used_after++;
    }
}

static void await(const std::atomic<int> &what, int number)
{
    while (what < number)
        usleep(100);
}

// Tasks of thread 0, of which others execute some. One has children, which are begun or discarded.
static void make_tasks(Object &object, bool has_event)
{
    const int executing = omp_get_num_threads() - 2;
    for (int i = 0; i < executing; i++) {
#pragma omp task shared(object)
        {
            begun++;
            await(begun, executing);
            if (i == 0) {
#pragma omp task shared(object)
                use();
#pragma omp task shared(object) if (0)
                use();
#pragma omp taskwait
            }
            use();
            over++;
        }
    }
    if (has_event) {
        omp_event_handle_t event = omp_event_handle_t();
#pragma omp task detach(event) if (0)
        {
        }
        object.event = event;
        object.has_event = true;
    }
    await(begun, executing);
}

static void region(Way way, bool has_event)
{
    begun = over = has_left = was_fulfilled = 0;
    int executing = 0;
#pragma omp parallel
    {
        const int me = omp_get_thread_num(), last = omp_get_num_threads() - 1;
        Object object = {me == 0, false, omp_event_handle_t()};
        if (me == 0) {
            executing = omp_get_num_threads() - 2;
            make_tasks(object, has_event);
            if (way == CANCEL || way == BOTH) {
#pragma omp cancel parallel
            }
        }
        if (me == last) {
            // The other threads are at the barrier, or in tasks there.
            await(begun, omp_get_num_threads() - 2);
            if (way == BOTH || way == BARRIER || way == POINT) {
                usleep(1000);
#pragma omp cancel parallel
            }
        }
        while (me == 0 && way == POINT) {
#pragma omp cancellation point parallel
            usleep(100);
        }
#pragma omp barrier
        CHECK(0);
    }
    CHECK_EQ(over, executing);
    CHECK_EQ(has_left, 1);
    CHECK_EQ(was_fulfilled, has_event);
}

int main()
{
    for (int round = 0; round < 4; round++) {
        for (int way = BARRIER; way < WAYS; way++)
            region(static_cast<Way>(way), round % 2);
    }
    CHECK_EQ(used_after, 0);
    return check_result();
}
