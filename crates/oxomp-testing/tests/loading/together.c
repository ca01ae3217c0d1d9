/* Without OpenMP itself, but linked to three libraries with OpenMP, each of which asks for a
 * runtime of another name: there is one runtime, with one set of threads, numbers, locks and
 * settings. */
#include "maps.h"
#include "part.h"
#include <pthread.h>

extern const struct part of_gomp, of_omp, of_iomp;
static const struct part *const parts[] = {&of_gomp, &of_omp, &of_iomp};

enum { SIZE = 3, TIMES = 2000 };

static union {
    long word;
    char room[64];
} lock;
static long counter;

static void inside(void *part)
{
    const struct part *other = part;
    MUST(other->level() == 1);
    MUST(other->num_threads() == SIZE);
    MUST(other->thread_num() == parts[0]->thread_num());
    __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED);
    /* An inner region of another library. */
    int native = 0;
    MUST(other->team(1, &native) == 1);
}

static void *counting(void *part)
{
    const struct part *own = part;
    own->count(&lock, &counter, SIZE, TIMES);
    return NULL;
}

static void count_at_once(void)
{
    pthread_t threads[3];
    counter = 0;
    for (int i = 0; i < 3; i++)
        MUST(pthread_create(&threads[i], NULL, counting, (void *)parts[i]) == 0);
    for (int i = 0; i < 3; i++)
        MUST(pthread_join(threads[i], NULL) == 0);
    MUST(counter == 3L * SIZE * TIMES);
}

int main(void)
{
    MUST(mapped_runtimes() == 1);
    int first[SIZE], natives[SIZE];
    MUST(parts[0]->team(SIZE, first) == SIZE);
    for (int i = 0; i < 3; i++) {
        MUST(strcmp(file_of(parts[i]->runtime()), file_of(parts[0]->runtime())) == 0);
        MUST(parts[i]->runtime() == parts[0]->runtime());
        MUST(parts[i]->team(SIZE, natives) == SIZE);
        MUST(memcmp(first, natives, sizeof first) == 0);
    }
    MUST(threads() == SIZE);
    for (int i = 0; i < 3; i++) {
        counter = 0;
        parts[i]->each(SIZE, inside, (void *)parts[(i + 1) % 3]);
        MUST(counter == SIZE);
        parts[i]->set_num_threads(5 + i);
        MUST(parts[(i + 1) % 3]->max_threads() == 5 + i);
    }
    MUST(threads() == SIZE);
    parts[0]->init_lock(&lock);
    parts[1]->set_lock(&lock);
    parts[2]->unset_lock(&lock);
    count_at_once();
    printf("together\n");
    return 0;
}
