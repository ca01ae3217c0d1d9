/* Waiting for the collector's helper thread, without which no call path is followed. It is less
 * important to the system than the program's threads, and begins late on a busy machine. */
#ifndef HELPER_H
#define HELPER_H

#include <dirent.h>
#include <fcntl.h>
#include <omp.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Whether the thread with the helper's name sleeps: before, it reads the tables of all modules. */
static inline int helper_sleeps(void)
{
    DIR *threads = opendir("/proc/self/task");
    if (threads == NULL)
        return 0;
    int sleeps = 0;
    struct dirent *thread;
    while (!sleeps && (thread = readdir(threads)) != NULL) {
        char text[256];
        int folder = openat(dirfd(threads), thread->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        int file = folder < 0 ? -1 : openat(folder, "stat", O_RDONLY | O_CLOEXEC);
        ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
        text[length > 0 ? length : 0] = '\0';
        sleeps = strstr(text, "(oxomp-collect) S") != NULL;
        if (file >= 0)
            close(file);
        if (folder >= 0)
            close(folder);
    }
    closedir(threads);
    return sleeps;
}

/* Makes the runtime begin, with which the helper begins, and waits for that; for ten seconds at
 * most. */
static inline void await_helper(void)
{
    omp_get_max_threads();
    struct timespec length = {0, 5000000};
    for (int look = 0; look < 2000 && !helper_sleeps(); look++)
        nanosleep(&length, NULL);
}

#endif
