// Workers report the end of each region before the next one begins, five times.
//#Vary:OMP_WAIT_POLICY=active|passive
//#Opt:-O0
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     repeat 5 {
//|         fork! $p# $root none 3 PAR
//|         task! $p# %t# 3 0
//|         task_over! $p# %t# 0 PAR
//|         join! $p# $root PAR
//|     }
//|     finish!
//| }
//| worker 2 {
//|     thread_begin type=worker
//|     repeat 5 {
//|         task! $p# %t# 3 %i
//|         worker_task_over! $p# %t# %i
//|     }
//|     thread_end thread_data=ok
//| }
//| repeat 5 {
//|     team! $p#
//| }
//| repeat 4 {
//|     then! $p# $p#+1
//| }
#include <unistd.h>

int main(void)
{
    int sum = 0;
    for (int region = 0; region < 5; region++) {
        // Time for the workers to report, even if they sleep and the machine is busy.
        if (region > 0)
            usleep(1000000);
#pragma omp parallel num_threads(3) //@PAR
        {
#pragma omp atomic
            sum++;
        }
    }
    return sum == 15 ? 0 : 1;
}
