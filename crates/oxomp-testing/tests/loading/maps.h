/* What of OpenMP runtimes the process has mapped. */
#ifndef MAPS_H
#define MAPS_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Checks what must hold, or the program is over. */
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not true: %s: %s\n", __FILE__, __LINE__, #condition,           \
                    dlerror());                                                                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* How many files are mapped whose names begin as those of runtimes do; with symbolic links seen
 * through by the kernel one file is one runtime. */
static inline int mapped_runtimes(void)
{
    char seen[16][256];
    int count = 0;
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    MUST(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL) {
        char *path = strchr(line, '/');
        char *name = path == NULL ? NULL : strrchr(path, '/') + 1;
        if (name == NULL
            || (strncmp(name, "libomp.", 7) != 0 && strncmp(name, "libgomp", 7) != 0
                && strncmp(name, "libiomp", 7) != 0))
            continue;
        int i = 0;
        while (i < count && strcmp(seen[i], path) != 0)
            i++;
        MUST(i < 16 && strlen(path) < 256);
        if (i == count)
            strcpy(seen[count++], path);
    }
    fclose(maps);
    return count;
}

/* Whether `address` lies in the runtime's file. */
static inline const char *file_of(const void *address)
{
    Dl_info info;
    MUST(dladdr(address, &info) != 0);
    return info.dli_fname;
}

/* Threads of the process. */
static inline int threads(void)
{
    int count = -1;
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    MUST(status != NULL);
    while (fgets(line, sizeof line, status) != NULL)
        sscanf(line, "Threads: %d", &count);
    fclose(status);
    return count;
}

#endif
