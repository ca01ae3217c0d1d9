// Loops in a team of one: one chunk each; a guided schedule is static work there.
//#Env:OMP_NUM_THREADS=1
//#Opt:-O0
//#ReferenceFails:libomp tells the frames of serialized regions otherwise, and gives dynamic chunks
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 1 PAR
//|     task! $p %t 1 0
//|     work type=loop_dynamic endpoint=begin parallel=$p task=%t count=12 codeptr=@DYNAMIC|@PAR
//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=0+12
//|     work type=loop_dynamic endpoint=end parallel=$p task=%t count=12 codeptr=@DYNAMIC|@PAR
//|     work type=loop_static endpoint=begin parallel=$p task=%t count=40 codeptr=@GUIDED|@PAR
//|     dispatch kind=ws_loop_chunk parallel=$p task=%t instance=0+40
//|     work type=loop_static endpoint=end parallel=$p task=%t count=40 codeptr=@GUIDED|@PAR
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
int main(void)
{
    int times = 0;
#pragma omp parallel //@PAR
    {
#pragma omp for schedule(dynamic, 4) nowait //@DYNAMIC
        for (int i = 0; i < 12; i++) //@DYNAMIC
            times++; //@DYNAMIC GUIDED
#pragma omp for schedule(guided) nowait //@GUIDED
        for (long i = 0; i < 40; i++) //@GUIDED
            times++; //@GUIDED
        times++; //@GUIDED
    }
    return times == 53 ? 0 : 1;
}
