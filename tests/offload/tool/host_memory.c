// LLVM's libomp asks the library for memory of the host that devices may use, on behalf of an allocator: the
// events are from the call in the program. oxomp's libomp has such memory by itself.
//#Flags:-rdynamic
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

enum { BYTES = 12345 };

__attribute__((noinline)) void allocates(void)
{
    for (int i = 0; i < 100; i++) {
        char *memory = omp_alloc(BYTES, llvm_omp_target_host_mem_alloc);
        CHECK(memory != NULL);
        if (memory == NULL)
            return;
        memory[0] = 1;
        memory[BYTES - 1] = 1;
        omp_free(memory, llvm_omp_target_host_mem_alloc);
    }
}

int main(void)
{
    int value = 0, operations = 0, is_oxomp = dlsym(RTLD_DEFAULT, "oxomp_ompd_layout") != NULL;
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(value, 1);
    int before = event_count;
    allocates();
    for (int i = before; i < event_count; i++) {
        if (events[i].about != DATA_OP)
            continue;
        operations++;
        CHECK(is_in(events[i].code, "allocates"));
        CHECK(events[i].kind != ompt_target_data_alloc || events[i].bytes == BYTES);
    }
    CHECK_EQ(operations, is_oxomp ? 0 : 400);
    if (check_failures)
        fprintf(stderr, "%d operations\n", operations);
    return check_result();
}
