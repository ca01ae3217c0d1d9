/* A tool of the 2015 report that asks the runtime what it answers for every event and entry point,
 * and prints it. The page CONFORMANCE.md is made from what it prints. */

#include <ompt.h>
#include <stdio.h>

static const struct {
    ompt_event_t event;
    const char *name;
} events[] = {
#define EVENT(name) {ompt_event_##name, #name},
#include "events.inc"
#undef EVENT
};

static const char *const entry_points[] = {
#define ENTRY_POINT(name) #name,
#include "entry_points.inc"
#undef ENTRY_POINT
};

static void callback(void)
{
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime_version,
                       unsigned int ompt_version)
{
    (void)runtime_version;
    (void)ompt_version;
    static const char *const results[] = {"0-error", "1-impossible", "2-never", "3-convenient",
                                          "4-always"};
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    if (set_callback == NULL)
        return;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        unsigned result = (unsigned)set_callback(events[i].event, callback);
        printf("event %s %s\n", events[i].name, result < 5 ? results[result] : "unknown");
    }
    for (size_t i = 0; i < sizeof entry_points / sizeof *entry_points; i++)
        printf("entry_point %s %s\n", entry_points[i],
               lookup(entry_points[i]) != NULL ? "present" : "absent");
}

ompt_initialize_fn_t ompt_tool(void)
{
    return initialize;
}

int main(void)
{
    int threads = 0;
#pragma omp parallel num_threads(1)
    threads++;
    return threads != 1;
}
