/* A program with a tool inside that prints what the runtime answers for each number that may be an
 * event's, and declines. */

#include <omp-tools.h>
#include <stdio.h>

static void nothing(void) {}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device;
    (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    for (int code = -1; code <= 64; code++)
        printf("%d %d\n", code, (int)set((ompt_callbacks_t)code, nothing));
    return 0;
}

static void finalize(ompt_data_t *data) {
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version;
    (void)runtime;
    return &result;
}

int main(void) {
    int members = 0;
#pragma omp parallel num_threads(1)
    members++;
    return members != 1;
}
