// A child of fork(2) has working leagues: after leagues of its parent, and from within one, on the
// encountering thread and on others, in an initial task and in a region of a team.
//#ReferenceFails:the child of libgomp hangs, that of libomp cannot go on from within a region
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEAMS = 3 };

static void use(void)
{
    for (int round = 0; round < 5; round++) {
        int teams = 0, threads = 0;
#pragma omp teams num_teams(TEAMS + round % 2) reduction(+ : teams, threads)
        {
            teams++;
#pragma omp parallel num_threads(2) reduction(+ : threads)
            {
                threads++;
#pragma omp barrier
            }
        }
        CHECK_EQ(teams, TEAMS + round % 2);
        CHECK_EQ(threads, 2 * teams);
        int members = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
        members++;
        CHECK_EQ(members, 3);
    }
}

static void end_child(void)
{
    _exit(check_result());
}

static void await(pid_t child)
{
    int status = -1;
    CHECK(child > 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

// The child goes on as its team of the league; its parallel regions have new threads.
static void fork_in_team(int team)
{
    pid_t child = fork();
    if (child != 0)
        return await(child);
    CHECK_EQ(omp_get_team_num(), team);
    CHECK_EQ(omp_get_num_teams(), TEAMS);
    CHECK_EQ(omp_get_level(), 0);
    int members = 0, tasks = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
    {
        members++;
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(tasks)
            __atomic_fetch_add(&tasks, 1, __ATOMIC_RELAXED);
        }
    }
    CHECK_EQ(members, 3);
    CHECK_EQ(tasks, 10);
    end_child();
}

int main(void)
{
    use();
    pid_t child = fork();
    if (child == 0) {
        use();
        end_child();
    }
    await(child);
#pragma omp teams num_teams(TEAMS)
    fork_in_team(omp_get_team_num());
#pragma omp teams num_teams(TEAMS)
    {
        int team = omp_get_team_num();
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == team % 2) {
            pid_t of_region = fork();
            if (of_region == 0) {
                CHECK_EQ(omp_get_team_num(), team);
                CHECK_EQ(omp_get_level(), 1);
                end_child();
            }
            await(of_region);
        }
    }
    // The child of the encountering thread leaves the league, and encounters others.
    child = 1;
#pragma omp teams num_teams(TEAMS) shared(child)
    if (omp_get_team_num() == 0)
        child = fork();
    use();
    if (child == 0)
        end_child();
    await(child);
    return check_result();
}
