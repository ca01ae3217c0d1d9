/* A user's tool of the 2015 report, in a library or in the program: at the end it says how many
 * parallel regions there were. */
#include <stdint.h>
#include <stdio.h>

typedef void (*function_t)(void);
typedef void (*initialize_t)(function_t (*lookup)(const char *), const char *version, unsigned);

static uint64_t begun;

static void parallel_begin(uint64_t task, const void *frame, uint64_t region, uint32_t requested,
                           const void *function, int invoker) {
    (void)task, (void)frame, (void)region, (void)requested, (void)function, (void)invoker;
    begun++;
}

static void shutdown(void) {
    fprintf(stderr, "old tool: %s\n", begun > 19 ? "regions" : "no regions");
}

static void initialize(function_t (*lookup)(const char *), const char *version, unsigned number) {
    (void)version, (void)number;
    int (*set_callback)(int, function_t) = (int (*)(int, function_t))lookup("ompt_set_callback");
    set_callback(1, (function_t)parallel_begin);
    set_callback(8, (function_t)shutdown);
}

initialize_t ompt_tool(void) { return initialize; }
