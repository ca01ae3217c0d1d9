/* A tool that asks the runtime what it answers for every event and entry point, prints it, and
 * declines. The page CONFORMANCE.md is made from what it prints. */

#include <omp-tools.h>
#include <stdio.h>
#include <string.h>

static const struct {
    ompt_callbacks_t event;
    const char *name;
} events[] = {
#define EVENT(name) {ompt_callback_##name, #name},
#include "events.inc"
#undef EVENT
};

static const char *const entry_points[] = {
#define ENTRY_POINT(name) "ompt_" #name,
#include "entry_points.inc"
#undef ENTRY_POINT
};

static void callback(void)
{
}

static int initialize(ompt_function_lookup_t lookup, int initial_device_num, ompt_data_t *tool_data)
{
    (void)initial_device_num;
    (void)tool_data;
    static const char *const results[] = {"error",     "never",            "impossible",
                                          "sometimes", "sometimes_paired", "always"};
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    if (set_callback == NULL)
        return 0;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        unsigned result = (unsigned)set_callback(events[i].event, callback);
        printf("event %s %s\n", events[i].name, result < 6 ? results[result] : "unknown");
    }
    for (size_t i = 0; i < sizeof entry_points / sizeof *entry_points; i++)
        printf("entry_point %s %s\n", entry_points[i],
               lookup(entry_points[i]) != NULL ? "present" : "absent");
    return 0;
}

static void finalize(ompt_data_t *tool_data)
{
    (void)tool_data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version;
    (void)runtime_version;
    return &result;
}

int main(void)
{
    int threads = 0;
#pragma omp parallel num_threads(1)
    threads++;
    return threads != 1;
}
