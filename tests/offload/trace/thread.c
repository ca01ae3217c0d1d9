// The tool's functions for buffers are called on one thread, which is none of OpenMP's and blocks all
// signals, and which ends with the last trace.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <dirent.h>
#include <omp.h>
#include <signal.h>
#include <unistd.h>

static pthread_t caller;
static int calls;

static void check_thread(void)
{
    ompt_get_thread_data_t thread_data = (ompt_get_thread_data_t)tool_lookup("ompt_get_thread_data");
    ompt_get_state_t state = (ompt_get_state_t)tool_lookup("ompt_get_state");
    CHECK(thread_data() == NULL);
    ompt_wait_id_t wait;
    // LLVM's runtime gives unknown threads the state 0.
    ompt_state_t found = state(&wait);
    CHECK(found == ompt_state_undefined || found == 0);
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    CHECK(sigismember(&blocked, SIGINT) == 1 && sigismember(&blocked, SIGPROF) == 1);
    CHECK(calls == 0 || pthread_equal(caller, pthread_self()));
    caller = pthread_self();
    calls++;
}

static void check_complete(int device)
{
    (void)device;
    check_thread();
}

static int threads(void)
{
    int found = 0;
    DIR *folder = opendir("/proc/self/task");
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        found += entry->d_name[0] != '.';
    closedir(folder);
    return found;
}

// The system may list a thread that has been joined for a moment yet.
static int threads_after_end(int wanted)
{
    for (int waited = 0; threads() != wanted && waited < 10000; waited++)
        usleep(1000);
    return threads();
}

int main(void)
{
    on_request = check_thread;
    on_complete = check_complete;
    buffer_bytes = 2 * sizeof(ompt_record_ompt_t);
    ompt_device_t *handle = meet_device(trace_all);
    CHECK_EQ(trace.flush(handle), 1);
    CHECK(calls >= 4);
    CHECK(!pthread_equal(caller, pthread_self()));
    int traced = threads();
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    CHECK_EQ(sigismember(&blocked, SIGINT), 0);
    CHECK_EQ(trace.stop(handle), 1);
    CHECK_EQ(threads_after_end(traced - 1), traced - 1);
    calls = 0;
    CHECK_EQ(trace.start(handle, request, complete), 1);
    CHECK_EQ(threads(), traced);
    CHECK_EQ(trace.stop(handle), 1);
    CHECK_EQ(calls, 0);
    return check_result();
}
