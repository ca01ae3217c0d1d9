/* The common parts of the tools that shift blame: a clock, and a lock that is not OpenMP's. */
#define _GNU_SOURCE
#include <ompt.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4 };

static const int64_t MILLISECOND = 1000000;

static atomic_flag tool_lock = ATOMIC_FLAG_INIT;

static void lock_tool(void) {
    while (atomic_flag_test_and_set(&tool_lock))
        sched_yield();
}

static void unlock_tool(void) { atomic_flag_clear(&tool_lock); }

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
}

/* A tool's program may do nothing useful for a while. */
static void work_for(int64_t time) {
    for (int64_t end = now() + time; now() < end;)
        usleep(200);
}

static ompt_set_callback_t set_callback;

/* Registers `name`, which the runtime always reports. */
#define SET(event, function)                                                                       \
    if (set_callback(ompt_event_##event, (ompt_callback_t)function) < 3)                           \
        abort();

static void start(void);

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned number) {
    (void)runtime, (void)number;
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    start();
}

ompt_initialize_fn_t ompt_tool(void) { return initialize; }
