// A child of fork(2) that a league's worker made leaves the league, and then has no thread with
// work left: it ends by itself, although its initial task had regions with workers of their own.
//#ReferenceFails:the child of libgomp hangs, that of libomp ends by a signal
//#Vary:OMP_WAIT_POLICY=active|passive
//#Timeout:90
//#NoStderr
#include "check.h"
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEAMS = 2, WANTED = 3, LONGEST_SECONDS = 60 };

// The children's numbers of threads; the end of the pipe is the end of its writers.
static int results[2];

static void region_of_child(void)
{
    int members = 0;
#pragma omp parallel num_threads(WANTED) reduction(+ : members)
    members++;
    CHECK_EQ(write(results[1], &members, sizeof members), sizeof members);
}

// Makes a child, which SIGALRM ends if it does not end by itself.
static pid_t make_child(void)
{
    pid_t child = fork();
    if (child == 0)
        alarm(LONGEST_SECONDS);
    return child;
}

static void check_child(pid_t child, int regions)
{
    int members = 0, found = 0, status = -1;
    CHECK(child > 0);
    close(results[1]);
    while (read(results[0], &members, sizeof members) == sizeof members) {
        CHECK_EQ(members, WANTED);
        found++;
    }
    close(results[0]);
    CHECK_EQ(found, regions);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

// The child has so many regions of its own in the league.
static void fork_in_initial_task(int regions)
{
    pid_t child = -1;
    CHECK_EQ(pipe(results), 0);
#pragma omp teams num_teams(TEAMS) shared(child)
    if (omp_get_team_num() == TEAMS - 1) {
        pid_t made = make_child();
        if (made == 0) {
            for (int region = 0; region < regions; region++)
                region_of_child();
        } else {
            child = made;
        }
    }
    check_child(child, regions);
}

// The child is made in a region of the league's team, and has another after it.
static void fork_in_region(void)
{
    pid_t child = -1;
    CHECK_EQ(pipe(results), 0);
#pragma omp teams num_teams(TEAMS) shared(child)
    if (omp_get_team_num() == TEAMS - 1) {
        pid_t made = -1;
#pragma omp parallel num_threads(2) shared(made)
        if (omp_get_thread_num() == 0)
            made = make_child();
        if (made == 0)
            region_of_child();
        else
            child = made;
    }
    check_child(child, 1);
}

int main(void)
{
    fork_in_initial_task(0);
    fork_in_initial_task(1);
    fork_in_initial_task(2);
    fork_in_region();
    return check_result();
}
