/* A program that uses OpenMP, and controls its tool by both routines. Arguments: `nothing`, it does
 * not use OpenMP; `set NAME VALUE`, it sets a variable before. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* GCC's own library has neither. */
extern void ompt_control(uint64_t command, uint64_t modifier) __attribute__((weak));
extern int omp_control_tool(int command, int modifier, void *arg) __attribute__((weak));

/* Not in main, where clang's code calls the runtime first of all. */
static __attribute__((noinline)) int region(void) {
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += 1 + omp_get_thread_num();
    return sum;
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("program: begins\n");
    if (argc > 3 && strcmp(argv[1], "set") == 0)
        setenv(argv[2], argv[3], 1);
    if (argc > 1 && strcmp(argv[1], "nothing") == 0)
        return 0;
    printf("program: sum=%d\n", region());
    ompt_control(64, UINT64_C(1) << 40);
    printf("program: control=%d\n", omp_control_tool(65, -1, NULL));
    printf("program: ends\n");
    return 0;
}
