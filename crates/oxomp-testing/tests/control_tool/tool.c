/* A tool of either generation that a program controls. TEST_CALLBACK says what it does with the
 * callback: set (the default), never, declines (there is no tool); and of OpenMP 5 alone removed,
 * initializer (the tool calls the routine itself, when it has set the callback), unset-initializer
 * (the same before). */
#include "../generation.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* After the interface's header, whose names it does not need. */
#include "tool.h"

struct seen seen;
static ompt_get_task_info_t get_task_info;
static ompt_get_state_t get_state;

int state(void) { return get_state(NULL); }

static int wants(const char *what) {
    const char *wanted = getenv("TEST_CALLBACK");
    return wanted && strcmp(wanted, what) == 0;
}

static int asked(void) { return !wants("declines"); }

static void receive(uint64_t command, uint64_t modifier, void *arg, const void *codeptr) {
    struct seen now = {seen.calls + 1, command, modifier, arg, codeptr, has_enter_frame(), state()};
    seen = now;
}

#if NEWER
static ompt_finalize_tool_t finalize_tool;

int has_enter_frame(void) {
    ompt_frame_t *frame = NULL;
    return get_task_info(0, NULL, NULL, &frame, NULL, NULL) == 2 && frame->enter_frame.ptr;
}

static int control_tool(uint64_t command, uint64_t modifier, void *arg, const void *codeptr) {
    receive(command, modifier, arg, codeptr);
    switch ((int64_t)command) {
    case COMMAND_ANSWER:
        return (int)modifier;
    case COMMAND_NEST:
        return omp_control_tool(COMMAND_ANSWER, 70, NULL);
    case COMMAND_FINALIZE:
        finalize_tool();
        return omp_control_tool(COMMAND_ANSWER, 70, NULL);
    case COMMAND_PRINT:
        printf("modifier=%lld arg=%s codeptr=%s\n", (long long)modifier, arg ? "set" : "NULL",
               codeptr ? "set" : "NULL");
        fflush(stdout);
        return 66;
    default:
        return 0;
    }
}

static void registers(ompt_function_lookup_t look_up, ompt_set_callback_t set) {
    finalize_tool = (ompt_finalize_tool_t)look_up("ompt_finalize_tool");
    if (wants("unset-initializer"))
        printf("initializer: %d\n", omp_control_tool(COMMAND_ANSWER, 5, NULL));
    if (set(ompt_callback_control_tool, (ompt_callback_t)control_tool) != ompt_set_always)
        abort();
    if (wants("removed"))
        set(ompt_callback_control_tool, NULL);
    if (wants("initializer"))
        printf("initializer: %d\n", omp_control_tool(COMMAND_ANSWER, 5, NULL));
    fflush(stdout);
}
#else
int has_enter_frame(void) {
    ompt_frame_t *frame = NULL;
    return get_task_info(0, NULL, NULL, &frame, NULL) == 1 && frame->reenter_runtime_frame;
}

static void control(uint64_t command, uint64_t modifier) {
    receive(command, modifier, NULL, NULL);
    if (command == COMMAND_PRINT) {
        printf("modifier=%lld\n", (long long)modifier);
        fflush(stdout);
    }
}

static void registers(ompt_function_lookup_t look_up, ompt_set_callback_t set) {
    (void)look_up;
    if (set(ompt_event_control, (ompt_callback_t)control) != 4)
        abort();
}
#endif

static void begins(ompt_function_lookup_t look_up) {
    get_task_info = (ompt_get_task_info_t)look_up("ompt_get_task_info");
    get_state = (ompt_get_state_t)look_up("ompt_get_state");
    if (!wants("never"))
        registers(look_up, (ompt_set_callback_t)look_up("ompt_set_callback"));
}
