// A routine of the offload library is the first use of OpenMP, each in a process of its own: the tool has been
// initialized when it returns.
//#LibompFails:its tool begins at the first use of a thread
//#StockFails:the tool is initialized when the program's images are registered
#include "check.h"
#include <omp.h>
#include <omp-tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_initialized;

static int start(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *data)
{
    (void)lookup, (void)initial_device, (void)data;
    is_initialized = 1;
    return 1;
}

static void finish(ompt_data_t *data)
{
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {start, finish, {0}};
    (void)version, (void)runtime;
    return &result;
}

extern int omp_target_is_accessible(const void *, size_t, int);
extern void *omp_target_memset(void *, int, size_t, int);
extern const char *omp_get_uid_from_device(int);
extern int omp_get_device_from_uid(const char *);

static int values[4];

// The child that calls the routine.
#define CHILD(call)                                                                                                   \
    do {                                                                                                              \
        pid_t child = fork();                                                                                         \
        if (child == 0) {                                                                                             \
            int before = is_initialized;                                                                              \
            (void)call;                                                                                               \
            _exit(before ? 2 : !is_initialized);                                                                      \
        }                                                                                                             \
        int status = -1;                                                                                              \
        CHECK_EQ(waitpid(child, &status, 0), child);                                                                  \
        if (status != 0)                                                                                              \
            fprintf(stderr, "%s: status %#x\n", #call, status);                                                       \
        CHECK_EQ(status, 0);                                                                                          \
    } while (0)

int main(void)
{
    CHILD(omp_get_num_devices());
    CHILD(omp_get_initial_device());
    CHILD(omp_get_device_num());
    CHILD(omp_get_uid_from_device(0));
    CHILD(omp_get_device_from_uid("HOST"));
    CHILD(omp_target_alloc(0, 0));
    CHILD(omp_target_alloc(16, 0));
    CHILD(omp_target_free(NULL, 0));
    CHILD(omp_target_is_present(values, 0));
    CHILD(omp_target_is_present(NULL, 0));
    CHILD(omp_target_is_accessible(values, sizeof values, 0));
    CHILD(omp_get_mapped_ptr(values, 0));
    CHILD(omp_target_memcpy(values, values + 2, 8, 0, 0, -1, -1));
    CHILD(omp_target_memcpy(NULL, NULL, 0, 0, 0, 0, 0));
    CHILD(omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 0));
    CHILD(omp_target_memset(NULL, 0, 0, 0));
    CHILD(omp_target_associate_ptr(values, NULL, 0, 0, 0));
    CHILD(omp_target_disassociate_ptr(values, 0));
    CHILD(omp_get_interop_name(omp_interop_none, omp_ipr_fr_id));
    int value = 0;
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(value, 1);
    CHECK_EQ(is_initialized, 1);
    return check_result();
}
