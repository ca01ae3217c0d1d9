// Two dependent tasks of one thread, which executes each at once: creation, dependences, switches.
//#Env:OMP_NUM_THREADS=1
//#Opt:-O0
//#NoStderr
//#Trace:2015
//| primary {
//|     start!
//|     fork! $p $root none 1
//|     task! $p $t
//|     taskgroup_begin parallel=$p task=$t codeptr=@GROUP|@PAR
//|     create! $a $t
//|     task_dependences task=$a count=1
//|     + dependence type=inout|out variable=%sum
//|     run! $t $a
//|     create! $b $t
//|     task_dependences task=$b count=1
//|     + dependence type=in variable=%sum
//|     run! $t $b
//|     waits! taskgroup $p $t
//|     taskgroup_end parallel=$p task=$t
//|     task_over! $p $t @PAR
//|     join! $p $root
//|     finish!
//| }
int main(void)
{
    int sum = 0;
#pragma omp parallel //@PAR
    {
#pragma omp taskgroup //@GROUP
        {
#pragma omp task depend(out : sum) shared(sum)
            sum++;
#pragma omp task depend(in : sum) shared(sum)
            sum++;
        }
    }
    return sum == 2 ? 0 : 1;
}
