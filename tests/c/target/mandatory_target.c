// OMP_TARGET_OFFLOAD=mandatory: a target construct ends the program, since there is no device to be the
// default one, and none of the number.
//#Compilers:gcc
//#Env:OMP_TARGET_OFFLOAD=mandatory
//#Vary:CONSTRUCT=target|enter|exit|update|data|number|nowait|set
//#Status:1
//#Stderr:OMP: Error: main\+0x[0-9a-f]+ \(\S+\): target.*: (the default device|device 3|device 1) is not available, and OMP_TARGET_OFFLOAD=mandatory forbids the host
//#ReferenceFails:libgomp 12 takes the host for the default device
#include <omp.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int there = 0;
    const char *construct = getenv("CONSTRUCT");
    if (strcmp(construct, "target") == 0) {
#pragma omp target map(there)
        there = 1;
    } else if (strcmp(construct, "enter") == 0) {
#pragma omp target enter data map(to : there)
    } else if (strcmp(construct, "exit") == 0) {
#pragma omp target exit data map(from : there)
    } else if (strcmp(construct, "update") == 0) {
#pragma omp target update to(there)
    } else if (strcmp(construct, "data") == 0) {
#pragma omp target data map(there)
        there = 1;
    } else if (strcmp(construct, "number") == 0) {
#pragma omp target map(there) device(3)
        there = 1;
    } else if (strcmp(construct, "nowait") == 0) {
#pragma omp target map(there) nowait depend(out : there)
        there = 1;
    } else if (strcmp(construct, "set") == 0) {
        omp_set_default_device(1);
#pragma omp target map(there)
        there = 1;
    }
    return 0;
}
