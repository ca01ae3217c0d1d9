// Two regions: a worker is idle before, between and after them; each has its own number.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#NoStderr
//#Trace:2015
//| primary {
//|     start!
//|     parallel_begin parallel=$p parent=$root exit_frame=none reenter_frame=set requested=2 function=&FIRST invoker=runtime as begin:$p
//|     + task_info level=0 type=serial task=$root parallel=zero exit_frame=none reenter_frame=set
//|     task! $p %t
//|     + parallel_info level=0 parallel=$p size=2
//|     + task_info level=0 type=implicit task=%t parallel=$p exit_frame=none reenter_frame=none
//|     + task_info level=1 type=serial task=$root parallel=zero exit_frame=none reenter_frame=set
//|     barrier! $p %t MIDDLE
//|     task_over! $p %t @FIRST
//|     join! $p $root
//|     parallel_begin parallel=$q parent=$root exit_frame=none reenter_frame=set requested=2 function=&SECOND invoker=runtime as begin:$q
//|     task! $q %u
//|     task_over! $q %u @SECOND
//|     join! $q $root
//|     finish!
//| }
//| worker 1 {
//|     worker_start!
//|     work! $p %t
//|     barrier! $p %t MIDDLE
//|     work_over! $p %t @FIRST
//|     work! $q %u
//|     work_over! $q %u @SECOND
//|     worker_finish!
//| }
//| team! $p
//| team! $q
//| meet! MIDDLE
//| order end:$p < begin:$q
//| total 2 parallel_end ..
//| callback parallel_begin always
//| callback idle_begin always
int main(void)
{
    int sum = 0;
#pragma omp parallel //@FIRST
    {
#pragma omp atomic
        sum++;
#pragma omp barrier //@MIDDLE
    }
#pragma omp parallel //@SECOND
    {
#pragma omp atomic
        sum++;
    }
    return sum == 4 ? 0 : 1;
}
