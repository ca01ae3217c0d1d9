/* A program that controls its tool, in C's way and in Fortran's, with every kind of command.
 * Arguments: first, the result of every call that a tool without the callback, or no tool, gives
 * (-1, -2), or 0 where the tool answers. */
#include "program.h"

static __attribute__((noinline)) int by_value(int command, int modifier, void *arg) {
    int result = omp_control_tool(command, modifier, arg);
    __asm__ volatile("" ::: "memory");
    begin = (const char *)by_value;
    return result;
}

static __attribute__((noinline)) int by_reference(int command, int modifier) {
    int result = omp_control_tool_(&command, &modifier);
    __asm__ volatile("" ::: "memory");
    begin = (const char *)by_reference;
    return result;
}

/* A call that the tool has received as it was made. */
static void received(int calls, int command, int modifier, void *arg) {
    EXPECT(seen.calls, calls + 1);
    EXPECT(seen.command, (uint64_t)(int64_t)command);
    EXPECT(seen.modifier, (uint64_t)(int64_t)modifier);
    EXPECT(seen.arg == arg, 1);
    const char *codeptr = seen.codeptr;
    EXPECT(codeptr > begin && codeptr < begin + CODE, 1);
    EXPECT(seen.has_enter_frame, 1);
    EXPECT(has_enter_frame(), 0);
    EXPECT(seen.state, state());
}

static void commands(void) {
    static const int commands[] = {0, 1, 2, 3, 4, 5, 63, 65, INT_MAX, -1, -64, INT_MIN};
    static const int modifiers[] = {0, 7, INT_MAX, -1, INT_MIN};
    int something;
    void *args[] = {NULL, &something, (void *)1};
    for (unsigned c = 0; c < sizeof commands / sizeof *commands; c++)
        for (unsigned m = 0; m < sizeof modifiers / sizeof *modifiers; m++) {
            int command = commands[c], modifier = modifiers[m];
            for (int again = 0; again < 2; again++) {
                void *arg = args[(c + m) % 3];
                int calls = seen.calls;
                EXPECT(by_value(command, modifier, arg), expected);
                if (expected == 0)
                    received(calls, command, modifier, arg);
                calls = seen.calls;
                EXPECT(by_reference(command, modifier), expected);
                if (expected == 0)
                    received(calls, command, modifier, NULL);
            }
        }
    if (expected != 0)
        EXPECT(seen.calls, 0);
}

static void results(void) {
    static const int results[] = {0, 1, 65, 1000, INT_MAX, -1, -2, -65, INT_MIN};
    for (unsigned r = 0; r < sizeof results / sizeof *results; r++) {
        EXPECT(by_value(COMMAND_ANSWER, results[r], NULL), results[r]);
        EXPECT(by_reference(COMMAND_ANSWER, results[r]), results[r]);
    }
    EXPECT(by_value(COMMAND_NEST, 0, NULL), 70);
    EXPECT(has_enter_frame(), 0);
}

/* The tool ends before: nobody is there to be called. */
static void __attribute__((destructor)) after_the_end(void) {
    int command = 1, modifier = 0;
    int result = omp_control_tool(1, 0, NULL), result_ = omp_control_tool_(&command, &modifier);
    printf("%s after=%d after_=%d\n", wrong ? "wrong" : "right", result, result_);
}

int main(int argc, char **argv) {
    expected = argc > 1 ? atoi(argv[1]) : 0;
    everywhere();
    if (expected == 0) {
        results();
        /* The tool ends in the callback. */
        EXPECT(by_value(COMMAND_FINALIZE, 0, NULL), -2);
        expected = -2;
        seen.calls = 0;
        commands();
#pragma omp parallel num_threads(2)
#pragma omp critical
        commands();
    }
    return wrong;
}
