/* A tool that prints the commands that it gets. */
#include <ompt.h>
#include <stdio.h>

static void on_control(uint64_t command, uint64_t modifier) {
    printf("command %llu, modifier %lld\n", (unsigned long long)command, (long long)modifier);
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime_version,
                       unsigned int ompt_version) {
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)runtime_version, (void)ompt_version;
    printf("set_callback: %d\n", set_callback(ompt_event_control, (ompt_callback_t)on_control));
}

ompt_initialize_fn_t ompt_tool(void) {
    return initialize;
}
