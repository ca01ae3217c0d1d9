/* A tool that a program controls. TEST_CALLBACK says what it does with the callback: set (the
 * default), never, removed, initializer (it calls the routine itself, when it has set the callback),
 * unset-initializer (the same before), declines (there is no tool). */
#include "tool.h"
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct seen seen;
static ompt_get_task_info_t get_task_info;
static ompt_get_state_t get_state;
static ompt_finalize_tool_t finalize_tool;

int has_enter_frame(void) {
    ompt_frame_t *frame = NULL;
    return get_task_info(0, NULL, NULL, &frame, NULL, NULL) == 2 && frame->enter_frame.ptr;
}

int state(void) { return get_state(NULL); }

static int control_tool(uint64_t command, uint64_t modifier, void *arg, const void *codeptr) {
    struct seen now = {seen.calls + 1, command, modifier, arg, codeptr, has_enter_frame(), state()};
    seen = now;
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

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    const char *wanted = getenv("TEST_CALLBACK");
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
    if (wanted && strcmp(wanted, "never") == 0)
        return 1;
    if (wanted && strcmp(wanted, "unset-initializer") == 0)
        printf("initializer: %d\n", omp_control_tool(COMMAND_ANSWER, 5, NULL));
    if (set(ompt_callback_control_tool, (ompt_callback_t)control_tool) != ompt_set_always)
        abort();
    if (wanted && strcmp(wanted, "removed") == 0)
        set(ompt_callback_control_tool, NULL);
    if (wanted && strcmp(wanted, "initializer") == 0)
        printf("initializer: %d\n", omp_control_tool(COMMAND_ANSWER, 5, NULL));
    fflush(stdout);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    const char *wanted = getenv("TEST_CALLBACK");
    return wanted && strcmp(wanted, "declines") == 0 ? NULL : &result;
}
