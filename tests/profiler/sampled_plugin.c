/* A plug-in that works, serially and in a region, in turns, and is closed at the end. Compiled
 * twice: as the program, whose argument is the plug-in's path, and with PLUGIN as the plug-in. */
#include <omp.h>

#include "burn.h"
#include "helper.h"

#ifdef PLUGIN

__attribute__((noinline)) void hot(long steps)
{
    burn(steps);
}

void run(void)
{
    /* In turns, since the first samples have no path until the collector has seen the plug-in. */
    long steps = burn_steps(10);
    for (int round = 0; round < 20; round++) {
        hot(steps);
#pragma omp parallel num_threads(2)
        {
            hot(steps);
            /* Neither function ends with a call, at which compilers jump. */
            burn_sink = 1;
        }
        burn_sink = 0;
    }
}

#else
#include <dlfcn.h>

int main(int count, char **words)
{
    await_helper();
    void *plugin = count == 2 ? dlopen(words[1], RTLD_NOW) : NULL;
    if (plugin == NULL)
        return 1;
    void (*run)(void) = (void (*)(void))dlsym(plugin, "run");
    if (run == NULL)
        return 1;
    run();
    return dlclose(plugin) != 0;
}

#endif
