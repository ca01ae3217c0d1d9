// Each thread of each team of a league prints its numbers, and stays in its region.
//#NotRecorded:it prints what differs from run to run
//#ReferenceFails[gcc]:libgomp runs the teams one after the other
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
#include "ompd_facts.h"

enum { TEAMS = 3, THREADS = 2 };

static int arrived;

static void in_team(void)
{
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp critical
        {
            printf("thread lwp=%ld team=%d thread=%d limit=%d\n", syscall(SYS_gettid),
                   omp_get_team_num(), omp_get_thread_num(), omp_get_thread_limit());
            fflush(stdout);
        }
        __atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL);
        if (omp_get_team_num() != 0 || omp_get_thread_num() != 0) {
            wait_for_end();
        } else {
            while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < TEAMS * THREADS)
                usleep(1000);
            wait_for_reader();
        }
    }
}

int main(void)
{
#pragma omp teams num_teams(TEAMS) thread_limit(THREADS)
    in_team();
    return check_result();
}
