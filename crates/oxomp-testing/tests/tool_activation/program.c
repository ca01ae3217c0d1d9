/* A program with one parallel region, and a call to its tool. Its argument says what else it does:
 *   set NAME VALUE...   sets environment variables before it uses OpenMP
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fortran's form, by reference. */
int omp_control_tool_(const int *command, const int *modifier);

static void region(void) {
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += 1 + omp_get_thread_num();
    printf("program: sum=%d\n", sum);
    fflush(stdout);
}

int main(int argc, char **argv) {
    const int command = 65, modifier = -3;
    int argument = 0;
    printf("program: begins\n");
    fflush(stdout);
    for (int i = 1; i + 2 < argc && strcmp(argv[i], "set") == 0; i += 3)
        setenv(argv[i + 1], argv[i + 2], 1);
    region();
    printf("program: control=%d\n", omp_control_tool(64, -1, &argument));
    fflush(stdout);
    printf("program: control_=%d\n", omp_control_tool_(&command, &modifier));
    region();
    printf("program: ends\n");
    return 0;
}
