// Two tasks on two threads write one variable, one after the other, but nothing orders them: relaxed
// atomics do not.

static void wait_for(const int *word, int wanted)
{
    while (__atomic_load_n(word, __ATOMIC_RELAXED) < wanted)
        ;
}

int main(void)
{
    int begun = 0, written = 0, value = 0;
#pragma omp parallel num_threads(2) shared(begun, written, value)
#pragma omp single
    for (int i = 0; i < 2; i++) {
#pragma omp task shared(begun, written, value)
        {
            __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED);
            wait_for(&begun, 2);
            wait_for(&written, i);
            value = i;
            __atomic_fetch_add(&written, 1, __ATOMIC_RELAXED);
        }
    }
    return 0;
}
