/* A program with its tool inside, which asks for the memory of tasks: where the variable of a task
 * itself lies in the data that the compiler laid out, it lies in the one block that the tool is
 * told of; elsewhere the block holds its value. */
#include "tool.h"

static ompt_get_task_memory_t get_task_memory;
static int tasks, failures;

struct block {
    char *address;
    size_t size;
};

static void fails(const char *what, const char *why) {
    printf("%s: %s\n", what, why);
    __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
}

/* The one block of the current task. */
static struct block the_block(const char *what) {
    struct block block = {NULL, 0};
    void *address = NULL;
    if (get_task_memory(&address, &block.size, 0) != 0)
        fails(what, "there are more blocks");
    block.address = address;
    size_t more = 99;
    if (get_task_memory(&address, &more, 1) != 0 || more != 0)
        fails(what, "there is a second block");
    if (get_task_memory(NULL, NULL, 0) != 0 || get_task_memory(NULL, &more, -1) != 0 || more != 0)
        fails(what, "null pointers or a negative number are not taken");
    return block;
}

static void has_none(const char *what) {
    if (the_block(what).size != 0)
        fails(what, "has memory");
}

/* The array is the task's private variable, which both compilers keep in its data. */
static void has(const char *what, const int *array, size_t bytes) {
    struct block block = the_block(what);
    const char *first = (const char *)array;
    if (first < block.address || first + bytes > block.address + block.size)
        fails(what, "the variable is outside of the block");
    if (block.size > bytes + 256)
        fails(what, "the block is larger than the data");
    __atomic_fetch_add(&tasks, 1, __ATOMIC_RELAXED);
}

enum { LARGE = 5000 };

static void generate(void) {
    int array[16], large[LARGE];
    __attribute__((aligned(256))) int aligned[64];
    memset(array, 1, sizeof array);
    memset(large, 2, sizeof large);
    memset(aligned, 3, sizeof aligned);
#pragma omp task firstprivate(array)
    has("task", array, sizeof array);
#pragma omp task firstprivate(array) untied
    has("untied task", array, sizeof array);
#pragma omp task firstprivate(large)
    has("large task", large, sizeof large);
#pragma omp task firstprivate(array) if (0)
    has("undeferred task", array, sizeof array);
#pragma omp task firstprivate(array) final(1)
    {
        has("final task", array, sizeof array);
#pragma omp task firstprivate(array)
        has("included task", array, sizeof array);
        has("final task again", array, sizeof array);
    }
#pragma omp task firstprivate(array) depend(out : array)
    has("dependent task", array, sizeof array);
#pragma omp task firstprivate(array) depend(in : array)
    has("second dependent task", array, sizeof array);
#pragma omp taskwait
#pragma omp taskloop firstprivate(array) num_tasks(3)
    for (int i = 0; i < 3; i++)
        has("taskloop", array, sizeof array);
#pragma omp task firstprivate(aligned)
    {
        struct block block = the_block("aligned task");
        if ((char *)aligned < block.address || (char *)(aligned + 64) > block.address + block.size)
            fails("aligned task", "the variable is outside of the block");
    }
#pragma omp taskwait
}

static void start(ompt_set_callback_t set) {
    (void)set;
    get_task_memory = ENTRY(get_task_memory);
}

int main(void) {
    has_none("unknown thread");
    omp_get_max_threads();
    has_none("initial task");
    generate();
#pragma omp parallel num_threads(2)
    {
        has_none("implicit task");
#pragma omp barrier
        generate();
        has_none("implicit task after tasks");
    }
    printf("tasks=%d failures=%d\n", tasks, failures);
    return 0;
}
