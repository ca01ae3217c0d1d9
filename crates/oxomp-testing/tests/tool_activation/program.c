/* A program with two parallel regions and calls to its tool between them. Arguments: what else it
 * does, set NAME VALUE...   sets environment variables before it uses OpenMP nothing
 * it does nothing at all The calls to the tool go through the loader, since GCC's library to link
 * with has no such routine. / */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int control_t(int command, int modifier, void *arg);
/* Fortran's form, by reference. */
typedef int control_fortran_t(const int *command, const int *modifier);

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
    control_t *control = (control_t *)dlsym(RTLD_DEFAULT, "omp_control_tool");
    control_fortran_t *control_fortran =
        (control_fortran_t *)dlsym(RTLD_DEFAULT, "omp_control_tool_");
    if (argc == 2 && strcmp(argv[1], "nothing") == 0)
        return 0;
    printf("program: begins\n");
    fflush(stdout);
    for (int i = 1; i + 2 < argc && strcmp(argv[i], "set") == 0; i += 3)
        setenv(argv[i + 1], argv[i + 2], 1);
    region();
    printf("program: control=%d\n", control(64, -1, &argument));
    fflush(stdout);
    printf("program: control_=%d\n", control_fortran(&command, &modifier));
    region();
    printf("program: ends\n");
    return 0;
}
