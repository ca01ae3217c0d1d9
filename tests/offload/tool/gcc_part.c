//#Part:of gcc_routines.c
// Routines called by code that gcc compiles: its references have no version of libomptarget's.
#include <omp.h>

static char data[100];

int gcc_uses_routines(void)
{
    int host = omp_get_initial_device(), device = 0;
    char *place = omp_target_alloc(sizeof data, device);
    int status = omp_target_memcpy(place, data, sizeof data, 0, 0, device, host);
    omp_target_free(place, device);
    return status;
}
