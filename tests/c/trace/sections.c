// sections: GCC's code asks for each section, clang's for all sections of the thread at once.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp calls GCC's barriers barrier_implementation, and guesses at clang's sections
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     when gcc {
//|         work type=sections endpoint=begin parallel=$p task=%t count=3 codeptr=@SECTIONS|@PAR
//|         many {
//|             dispatch kind=section parallel=$p task=%t instance=*
//|         }
//|         work type=sections endpoint=end parallel=$p task=%t count=0|3 codeptr=@SECTIONS|@PAR
//|     }
//|     when clang {
//|         work type=sections endpoint=begin parallel=$p task=%t count=3 codeptr=@SECTIONS
//|         dispatch kind=section parallel=$p task=%t instance=*
//|         dispatch kind=section parallel=$p task=%t instance=*
//|         work type=sections endpoint=end parallel=$p task=%t count=0|3 codeptr=@SECTIONS
//|     }
//|     barrier! barrier_implicit_workshare $p %t SECTIONS
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     thread_begin type=worker
//|     task! $p %t 2 %i
//|     when gcc {
//|         work type=sections endpoint=begin parallel=$p task=%t count=3 codeptr=@SECTIONS|@PAR
//|         many {
//|             dispatch kind=section parallel=$p task=%t instance=*
//|         }
//|         work type=sections endpoint=end parallel=$p task=%t count=0|3 codeptr=@SECTIONS|@PAR
//|     }
//|     when clang {
//|         work type=sections endpoint=begin parallel=$p task=%t count=3 codeptr=@SECTIONS
//|         dispatch kind=section parallel=$p task=%t instance=*
//|         work type=sections endpoint=end parallel=$p task=%t count=0|3 codeptr=@SECTIONS
//|     }
//|     barrier! barrier_implicit_workshare $p %t SECTIONS
//|     worker_task_over! $p %t %i
//|     thread_end thread_data=ok
//| }
//| team! $p
//| meet! $p SECTIONS
//| total 3 dispatch kind=section parallel=$p task=* instance=*
int main(void)
{
    int sum = 0;
#pragma omp parallel //@PAR SECTIONS
    {
#pragma omp sections //@SECTIONS
        { //@SECTIONS
#pragma omp atomic //@SECTIONS
            sum++; //@SECTIONS
#pragma omp section //@SECTIONS
#pragma omp atomic //@SECTIONS
            sum++; //@SECTIONS
#pragma omp section //@SECTIONS
#pragma omp atomic //@SECTIONS
            sum++; //@SECTIONS
        } //@SECTIONS
#pragma omp atomic //@SECTIONS
        sum++;
    } //@SECTIONS
    return sum == 5 ? 0 : 1;
}
