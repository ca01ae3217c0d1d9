// A task that depends on all memory reads on one thread what a task on the other wrote, which was
// complete before the reader was made: nothing but the dependence on all memory orders the two.

// Outside the runtime, so that the waiting thread runs no task. Relaxed atomics order nothing.
static void wait_for(const int *word)
{
    while (!__atomic_load_n(word, __ATOMIC_RELAXED))
        ;
}

int main(void)
{
    int value = 0, is_over = 0, is_busy = 0, is_read = 0, wrong = 0;
#pragma omp parallel num_threads(2) shared(value, is_over, is_busy, is_read, wrong)
#pragma omp single
    {
#pragma omp task depend(out : value) shared(value)
        value = 1;
        // Begins when the writer is complete.
#pragma omp task depend(in : value) shared(is_over)
        __atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
        wait_for(&is_over);
        // Keeps the other thread, which leaves the reader to the one that generates the tasks.
#pragma omp task shared(is_busy, is_read)
        {
            __atomic_store_n(&is_busy, 1, __ATOMIC_RELAXED);
            wait_for(&is_read);
        }
        wait_for(&is_busy);
#pragma omp task depend(inout : omp_all_memory) shared(value, is_read, wrong)
        {
            wrong = value != 1;
            __atomic_store_n(&is_read, 1, __ATOMIC_RELAXED);
        }
    }
    return wrong;
}
