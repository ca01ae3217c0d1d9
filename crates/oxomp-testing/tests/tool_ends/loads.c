/* A program without OpenMP whose threads exist when it loads a library that uses OpenMP; it closes
 * them all and loads that one again. Arguments: local or global, then the libraries to load, of which
 * the last uses OpenMP. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int region_t(void);
static _Atomic(region_t *) region;
static int of_thread;

static void *early(void *unused) {
    region_t *found;
    while (!(found = atomic_load(&region)))
        usleep(100);
    of_thread = found();
    return unused;
}

static void *load(const char *name, int flags) {
    void *library = dlopen(name, RTLD_NOW | flags);
    if (!library) {
        printf("%s\n", dlerror());
        exit(1);
    }
    return library;
}

int main(int argc, char **argv) {
    int flags = strcmp(argv[1], "local") == 0 ? RTLD_LOCAL : RTLD_GLOBAL;
    pthread_t thread;
    pthread_create(&thread, NULL, early, NULL);
    printf("program: begins\n");
    fflush(stdout);
    void *library = NULL, *others[3];
    int loaded = 0;
    for (int i = 2; i < argc; i++)
        library = others[loaded++] = load(argv[i], flags);
    atomic_store(&region, (region_t *)dlsym(library, "library_region"));
    pthread_join(thread, NULL);
    printf("program: threads=%d\n", of_thread);
    fflush(stdout);
    while (loaded > 0)
        dlclose(others[--loaded]);
    library = load(argv[argc - 1], flags);
    printf("program: threads=%d\n", ((region_t *)dlsym(library, "library_region"))());
    fflush(stdout);
    dlclose(library);
    printf("program: ends\n");
    return 0;
}
