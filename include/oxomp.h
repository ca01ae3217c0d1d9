/* oxomp.h: the phases of a program, for `oxomp profile`.
 *
 *     oxomp_phase_begin("solve");
 *     ...
 *     oxomp_phase_end();
 *
 * The report shows what each phase takes, and `oxomp report --phase solve` all of it alone. A phase
 * may begin again and again. One that begins in another is a part of it: "step/solve".
 *
 * Nothing has to be linked, but -ldl where the C library is older than 2.34. Both functions call
 * omp_control_tool, if the process has it: without a profiler that returns at once, on every OpenMP
 * runtime. The first call starts the runtime, as omp_get_max_threads does: set its variables before.
 * Call them outside of parallel regions: a phase that changes inside of one changes with the end of
 * that region. A phase without a name counts as the one around it.
 *
 * Fortran: the module oxomp, in oxomp.f90. Python: oxomp.region, in the module oxomp.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */

#ifndef OXOMP_OXOMP_H
#define OXOMP_OXOMP_H

#include <dlfcn.h>

#ifdef __cplusplus
extern "C" {
#endif

/* omp_control_tool by another name: omp.h may declare it otherwise, or not at all. */
extern int oxomp_control_tool_(int command, int modifier, void *arg)
    __asm__("omp_control_tool") __attribute__((weak));
extern int oxomp_get_max_threads_(void) __asm__("omp_get_max_threads") __attribute__((weak));

/* The commands that the profiler knows beside those of OpenMP. */
enum oxomp_command { oxomp_command_phase_begin = 0x6f78, oxomp_command_phase_end = 0x6f79 };

static inline int oxomp_control_(int command, const char *name) {
    typedef int (*oxomp_control_tool_t)(int, int, void *);
    static oxomp_control_tool_t found;
    static int has_started;
    int heard;
    oxomp_control_tool_t control = oxomp_control_tool_;
    /* The linker may have left a weak name unresolved for good. */
    if (control == 0) {
        control = __atomic_load_n(&found, __ATOMIC_RELAXED);
        if (control == 0) {
            *(void **)&control = dlsym((void *)0 /* RTLD_DEFAULT */, "omp_control_tool");
            __atomic_store_n(&found, control, __ATOMIC_RELAXED);
        }
    }
    if (control == 0) return -2;
    heard = control(command, 0, (void *)name);
    if (heard == -2 && !__atomic_exchange_n(&has_started, 1, __ATOMIC_RELAXED)) {
        /* Some runtimes know their tool only once another routine has started them. */
        int (*start)(void) = oxomp_get_max_threads_;
        if (start == 0) *(void **)&start = dlsym((void *)0, "omp_get_max_threads");
        if (start != 0) start();
        heard = control(command, 0, (void *)name);
    }
    return heard;
}

/* Begins a phase of the program inside those that have begun. Returns 0 if a profiler heard it,
 * else what omp_control_tool returns: -2 without a tool. */
static inline int oxomp_phase_begin(const char *name) {
    return oxomp_control_(oxomp_command_phase_begin, name);
}

/* Ends the phase that began last; returns as oxomp_phase_begin. */
static inline int oxomp_phase_end(void) {
    return oxomp_control_(oxomp_command_phase_end, (const char *)0);
}

#ifdef __cplusplus
}
#endif

#endif
