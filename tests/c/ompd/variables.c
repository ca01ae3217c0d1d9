// The program sets variables of the device, prints the values that the routines return, and waits.
//#NotRecorded:it prints what differs from run to run
#include "ompd_facts.h"

int main(void)
{
    omp_set_num_teams(3);
    omp_set_teams_thread_limit(5);
    printf("variables lwp=%ld nteams=%d teams_limit=%d priority=%d procs=%d cancel=%d devices=%d "
           "device=%d level=%d dynamic=%d\n",
           syscall(SYS_gettid), omp_get_max_teams(), omp_get_teams_thread_limit(),
           omp_get_max_task_priority(), omp_get_num_procs(), omp_get_cancellation(),
           omp_get_num_devices(), omp_get_device_num(), omp_get_max_active_levels(),
           omp_get_dynamic());
    fflush(stdout);
    wait_for_reader();
    return check_result();
}
