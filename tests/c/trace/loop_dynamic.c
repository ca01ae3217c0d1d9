// Dynamic and guided loops: chunks in both compilers, barriers known as worksharing ones.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails[gcc]:libomp calls GCC's barriers barrier_implementation
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     work type=loop_dynamic endpoint=begin parallel=$p task=%t count=12 codeptr=@DYNAMIC|@PAR
//|     many {
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=*
//|     }
//|     work type=loop_dynamic endpoint=end parallel=$p task=%t count=0|12 codeptr=@DYNAMIC|@PAR
//|     barrier! barrier_implicit_workshare $p %t DYNAMIC
//|
//|     work type=loop_guided endpoint=begin parallel=$p task=%t count=40 codeptr=@GUIDED|@PAR
//|     many {
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=*
//|     }
//|     work type=loop_guided endpoint=end parallel=$p task=%t count=0|40 codeptr=@GUIDED|@PAR
//|     barrier! barrier_implicit_workshare $p %t GUIDED
//|
//|     work type=loop_dynamic endpoint=begin parallel=$p task=%t count=7 codeptr=@NOWAIT|@PAR
//|     many {
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=*
//|     }
//|     work type=loop_dynamic endpoint=end parallel=$p task=%t count=0|7 codeptr=@NOWAIT|@PAR
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     work type=loop_dynamic endpoint=begin parallel=$p task=%t count=12 codeptr=@DYNAMIC|@PAR
//|     many {
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=*
//|     }
//|     work type=loop_dynamic endpoint=end parallel=$p task=%t count=0|12 codeptr=@DYNAMIC|@PAR
//|     barrier! barrier_implicit_workshare $p %t DYNAMIC
//|
//|     work type=loop_guided endpoint=begin parallel=$p task=%t count=40 codeptr=@GUIDED|@PAR
//|     many {
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=*
//|     }
//|     work type=loop_guided endpoint=end parallel=$p task=%t count=0|40 codeptr=@GUIDED|@PAR
//|     barrier! barrier_implicit_workshare $p %t GUIDED
//|
//|     work type=loop_dynamic endpoint=begin parallel=$p task=%t count=7 codeptr=@NOWAIT|@PAR
//|     many {
//|         dispatch kind=ws_loop_chunk parallel=$p task=%t instance=*
//|     }
//|     work type=loop_dynamic endpoint=end parallel=$p task=%t count=0|7 codeptr=@NOWAIT|@PAR
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p DYNAMIC
//| meet! $p GUIDED
//| total 3 dispatch kind=ws_loop_chunk parallel=$p task=* instance=0+4|4+4|8+4
//| total 7 dispatch kind=ws_loop_chunk parallel=$p task=* instance=0+1|1+1|2+1|3+1|4+1|5+1|6+1
int main(void)
{
    int times[40] = {0};
#pragma omp parallel //@PAR
    {
#pragma omp for schedule(dynamic, 4) //@DYNAMIC
        for (int i = 0; i < 12; i++) //@DYNAMIC
            times[i]++; //@DYNAMIC GUIDED
#pragma omp for schedule(guided, 5) //@GUIDED
        for (int i = 0; i < 40; i++) //@GUIDED
            times[i]++; //@GUIDED NOWAIT
#pragma omp for schedule(dynamic) nowait //@NOWAIT
        for (unsigned long i = 0; i < 7; i++) { //@NOWAIT
#pragma omp atomic //@NOWAIT
            times[i]++; //@NOWAIT
        }
#pragma omp atomic
        times[39]++;
    }
    return times[0] == 3 && times[11] == 2 && times[39] == 3 ? 0 : 1;
}
