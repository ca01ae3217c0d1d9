/* A child of fork(2) that is made within a region, has one more there, and another one after its
 * end. Prints the status of the child. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int members_of_a_region(void)
{
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
    members += 1;
    return members;
}

int main(void)
{
    pid_t child = -1;
    int status = -1, members = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            child = fork();
            if (child == 0)
                members = members_of_a_region();
            else
                waitpid(child, &status, 0);
        }
    }
    if (child == 0)
        exit(members + members_of_a_region());
    printf("%d\n", WEXITSTATUS(status));
    return 0;
}
