/* A plug-in with a region, which the program closes so many microseconds after the region has run.
 * Compiled twice: as the program, whose arguments are the plug-in's path and that number, and with
 * PLUGIN as the plug-in. */
#include <omp.h>

#include "clock.h"

#ifdef PLUGIN

volatile int regions;

void run(void)
{
#pragma omp parallel num_threads(2)
    spin_until(now_ns() + 5000000);
    /* Not the last statement, at which compilers jump to the runtime instead of calling it. */
    regions++;
}

#else
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **words)
{
    omp_get_max_threads();
    void *plugin = count == 3 ? dlopen(words[1], RTLD_NOW) : NULL;
    if (plugin == NULL)
        return 1;
    void (*run)(void) = (void (*)(void))dlsym(plugin, "run");
    if (run == NULL)
        return 1;
    run();
    usleep(atoi(words[2]));
    return dlclose(plugin) != 0;
}

#endif
