// parallel for: GCC starts the loop with the region, in one call.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails[gcc]:libomp has no address for the loop in a worker
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     work type=loop_dynamic endpoint=begin parallel=$p task=%t count=12 codeptr=@PAR
//|     many {
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=*
//|     }
//|     work type=loop_dynamic endpoint=end parallel=$p task=%t count=0|12 codeptr=@PAR
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     work type=loop_dynamic endpoint=begin parallel=$p task=%t count=12 codeptr=@PAR
//|     many {
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=*
//|     }
//|     work type=loop_dynamic endpoint=end parallel=$p task=%t count=0|12 codeptr=@PAR
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| total 3 dispatch kind=ws_loop_chunk parallel=$p task=* instance=0+4|4+4|8+4
int main(void)
{
    int times[12] = {0};
#pragma omp parallel for schedule(dynamic, 4) //@PAR
    for (int i = 0; i < 12; i++) //@PAR
        times[i]++; //@PAR
    return times[0] == 1 && times[11] == 1 ? 0 : 1;
}
