/* A tool of the 2015 report that a program controls. TEST_CALLBACK says what it does with the
 * callback: set (the default), never, declines (there is no tool). */
#include <ompt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* After the report's header, whose names it does not need. */
#include "tool.h"

struct seen seen;
static ompt_get_task_info_t get_task_info;
static ompt_get_state_t get_state;

int has_enter_frame(void) {
    ompt_frame_t *frame = NULL;
    return get_task_info(0, NULL, NULL, &frame, NULL) == 1 && frame->reenter_runtime_frame;
}

int state(void) { return get_state(NULL); }

static void control(uint64_t command, uint64_t modifier) {
    struct seen now = {seen.calls + 1, command, modifier, NULL, NULL, has_enter_frame(), state()};
    seen = now;
    if (command == COMMAND_PRINT) {
        printf("modifier=%lld\n", (long long)modifier);
        fflush(stdout);
    }
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version) {
    (void)runtime, (void)version;
    const char *wanted = getenv("TEST_CALLBACK");
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    if (wanted && strcmp(wanted, "never") == 0)
        return;
    if (set(ompt_event_control, (ompt_callback_t)control) != 4)
        abort();
}

ompt_initialize_fn_t ompt_tool(void) {
    const char *wanted = getenv("TEST_CALLBACK");
    return wanted && strcmp(wanted, "declines") == 0 ? NULL : initialize;
}
