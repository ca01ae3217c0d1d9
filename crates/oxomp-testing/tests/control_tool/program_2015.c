/* A program that controls its tool by the routine of the 2015 report and by OpenMP's, in C's way
 * and in Fortran's. NEWER: the tool is one of OpenMP 5. Argument: the result of every call of
 * omp_control_tool that the tool does not answer (-1, -2), or 0 where it does. */
#include "program.h"

#ifndef NEWER
#define NEWER 0
#endif

extern void ompt_control(uint64_t command, uint64_t modifier);
extern void ompt_control_(const uint64_t *command, const uint64_t *modifier);

static __attribute__((noinline)) void by_value(uint64_t command, uint64_t modifier) {
    ompt_control(command, modifier);
    __asm__ volatile("" ::: "memory");
    begin = (const char *)by_value;
}

static __attribute__((noinline)) void by_reference(uint64_t command, uint64_t modifier) {
    ompt_control_(&command, &modifier);
    __asm__ volatile("" ::: "memory");
    begin = (const char *)by_reference;
}

static void received(int calls, uint64_t command, uint64_t modifier) {
    EXPECT(seen.calls, calls + (expected == 0));
    if (expected != 0)
        return;
    EXPECT(seen.command, command);
    EXPECT(seen.modifier, modifier);
    EXPECT(seen.arg == NULL, 1);
    EXPECT(seen.has_enter_frame, 1);
    EXPECT(has_enter_frame(), 0);
    EXPECT(seen.state, state());
}

static void commands(void) {
    static const uint64_t commands[] = {
        0,         1,           2, 3, 4, 5, 63, 65, INT_MAX, UINT64_C(1) << 32,
        INT64_MAX, UINT64_MAX};
    static const uint64_t modifiers[] = {0, 7, INT_MAX, UINT64_C(1) << 40, UINT64_MAX};
    for (unsigned c = 0; c < sizeof commands / sizeof *commands; c++)
        for (unsigned m = 0; m < sizeof modifiers / sizeof *modifiers; m++) {
            uint64_t command = commands[c], modifier = modifiers[m];
            int calls = seen.calls;
            by_value(command, modifier);
            received(calls, command, modifier);
            if (NEWER && expected == 0)
                EXPECT((char *)seen.codeptr > begin && (char *)seen.codeptr < begin + CODE, 1);
            calls = seen.calls;
            by_reference(command, modifier);
            received(calls, command, modifier);
            if (NEWER && expected == 0)
                EXPECT((char *)seen.codeptr > begin && (char *)seen.codeptr < begin + CODE, 1);
        }
    static const int narrow[] = {0, 1, 4, 65, INT_MAX, -1, -INT_MAX};
    for (unsigned c = 0; !NEWER && c < sizeof narrow / sizeof *narrow; c++) {
        int command = narrow[c], modifier = -command, calls = seen.calls;
        /* The report's callback has no third argument. */
        EXPECT(omp_control_tool(command, modifier, &calls), expected);
        received(calls, (uint64_t)(int64_t)command, (uint64_t)(int64_t)modifier);
        calls = seen.calls;
        EXPECT(omp_control_tool_(&command, &modifier), expected);
        received(calls, (uint64_t)(int64_t)command, (uint64_t)(int64_t)modifier);
    }
    if (expected != 0)
        EXPECT(seen.calls, 0);
}

/* The tool has ended before: nobody is there to be called. */
static void __attribute__((destructor)) after_the_end(void) {
    int calls = seen.calls;
    by_value(1, 0);
    by_reference(1, 0);
    EXPECT(seen.calls, calls);
    EXPECT(omp_control_tool(1, 0, NULL), -2);
    printf("%s\n", wrong ? "wrong" : "right");
}

int main(int argc, char **argv) {
    expected = argc > 1 ? atoi(argv[1]) : 0;
    everywhere();
    return wrong;
}
