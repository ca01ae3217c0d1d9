/* Plain threads that come and go with teams of their own, nested regions, and a child with a
 * team. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int members_of_nested_regions(void)
{
    int members = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : members)
    {
#pragma omp parallel num_threads(2) reduction(+ : members)
        members += 1;
    }
    return members;
}

static void *foreign(void *found)
{
    *(int *)found = members_of_nested_regions();
    return NULL;
}

int main(void)
{
    int sum = 0, status = -1;
    for (int round = 0; round < 5; round++) {
        pthread_t threads[3];
        int found[3] = {0};
        for (int i = 0; i < 3; i++)
            pthread_create(&threads[i], NULL, foreign, &found[i]);
        for (int i = 0; i < 3; i++) {
            pthread_join(threads[i], NULL);
            sum += found[i];
        }
    }
    pid_t child = fork();
    if (child == 0)
        return members_of_nested_regions();
    waitpid(child, &status, 0);
    printf("%d %d\n", sum, WEXITSTATUS(status));
    return 0;
}
