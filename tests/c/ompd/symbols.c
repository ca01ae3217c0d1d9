// What debuggers look up: functions of different addresses that do nothing, the OMPD library, and the
// table that says where the runtime's data lie. References are weak since the runtimes that
// programs are linked with do not have them.
//#Compilers:gcc
//#Flags:-fPIC -Wl,-z,dynamic-undefined-weak
//#Vary:OMP_DEBUG=disabled|enabled
//#ReferenceFails:it has no debugger's interface
#include "check.h"
#include <omp.h>
#include <string.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

WEAK extern void ompd_bp_thread_begin(void);
WEAK extern void ompd_bp_thread_end(void);
WEAK extern void ompd_bp_parallel_begin(void);
WEAK extern void ompd_bp_parallel_end(void);
WEAK extern void ompd_bp_task_begin(void);
WEAK extern void ompd_bp_task_end(void);
WEAK extern void ompd_bp_teams_begin(void);
WEAK extern void ompd_bp_teams_end(void);
WEAK extern void ompd_bp_target_begin(void);
WEAK extern void ompd_bp_target_end(void);
WEAK extern void ompd_bp_device_begin(void);
WEAK extern void ompd_bp_device_end(void);
WEAK extern void ompd_dll_locations_valid(void);
WEAK extern const char **ompd_dll_locations;
WEAK extern const char oxomp_ompd_layout[];

int main(void)
{
    void (*functions[])(void) = {
        ompd_bp_thread_begin, ompd_bp_thread_end, ompd_bp_parallel_begin, ompd_bp_parallel_end,
        ompd_bp_task_begin,   ompd_bp_task_end,   ompd_bp_teams_begin,      ompd_bp_teams_end,
        ompd_bp_target_begin, ompd_bp_target_end, ompd_bp_device_begin,     ompd_bp_device_end,
        ompd_dll_locations_valid,
    };
    const int count = sizeof functions / sizeof functions[0];
    int members = 0;
    for (int i = 0; i < count; i++) {
        CHECK(functions[i] != NULL);
        for (int j = 0; j < i; j++)
            CHECK(functions[i] != functions[j]);
    }
#pragma omp parallel num_threads(2) reduction(+ : members)
    {
        members = 1;
        for (int i = 0; i < count; i++)
            functions[i]();
    }
    CHECK_EQ(members, 2);
    CHECK(&ompd_dll_locations != NULL && ompd_dll_locations != NULL);
    CHECK(ompd_dll_locations[0][0] == '/' && ompd_dll_locations[1] == NULL);
    CHECK(strcmp(strrchr(ompd_dll_locations[0], '/'), "/libompd.so") == 0);
    CHECK_EQ(access(ompd_dll_locations[0], R_OK), 0);
    CHECK(memcmp(oxomp_ompd_layout, "OXOMPDLT", 8) == 0);
    return check_result();
}
