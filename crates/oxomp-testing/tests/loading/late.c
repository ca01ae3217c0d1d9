/* Without OpenMP, until a thread loads a library that has it, for itself alone and as late as can
 * be: the library is closed with its workers idle, opened again, and joined by others of other
 * runtimes' names. The runtime stays, and so do its workers. Arguments: the libraries. */
#include "maps.h"
#include "part.h"
#include <pthread.h>

enum { SIZE = 3, ROUNDS = 20 };

static int first[SIZE];

static const struct part *open_part(const char *path, const char *name, void **handle)
{
    *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    MUST(*handle != NULL);
    const struct part *part = dlsym(*handle, name);
    MUST(part != NULL);
    return part;
}

static void *foreign(void *path)
{
    void *handle;
    const struct part *part = open_part(path, "of_gomp", &handle);
    MUST(mapped_runtimes() == 1);
    MUST(part->team(SIZE, first) == SIZE);
    /* Its workers are idle now, this thread ends, and the code that they ran is gone. */
    MUST(dlclose(handle) == 0);
    MUST(dlopen(path, RTLD_LAZY | RTLD_NOLOAD) == NULL);
    return NULL;
}

static void round_of(char **paths)
{
    static const char *const names[] = {"of_gomp", "of_omp", "of_iomp"};
    void *handles[3], *runtime = NULL;
    int before[SIZE], natives[SIZE];
    for (int i = 0; i < 3; i++) {
        const struct part *part = open_part(paths[i], names[i], &handles[i]);
        MUST(part->team(SIZE, natives) == SIZE);
        if (i > 0)
            MUST(memcmp(before, natives, sizeof natives) == 0 && part->runtime() == runtime);
        memcpy(before, natives, sizeof natives);
        runtime = part->runtime();
        /* The last of two is still there when the next comes. */
        if (i > 0)
            MUST(dlclose(handles[i - 1]) == 0);
    }
    MUST(dlclose(handles[2]) == 0);
    MUST(dlopen(paths[2], RTLD_LAZY | RTLD_NOLOAD) == NULL);
    /* Nobody needs it, and it has not been unloaded: its workers run its code. */
    MUST(mapped_runtimes() == 1);
    MUST(strcmp(file_of(runtime), "") != 0);
}

int main(int count, char **paths)
{
    MUST(count == 4);
    MUST(mapped_runtimes() == 0);
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, foreign, paths[1]) == 0);
    MUST(pthread_join(thread, NULL) == 0);
    for (int round = 0; round < ROUNDS; round++)
        round_of(paths + 1);
    MUST(threads() <= 1 + 2 * (SIZE - 1));
    printf("late\n");
    return 0;
}
