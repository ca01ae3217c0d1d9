// Null pointers and arrays of no element in target and data constructs: a region finds them as they are
// on the host, and no construct touches memory for them.
//#Opt:-O0,-O2
//#Threads:4
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stddef.h>

struct record {
    int length;
    int *values;
};

static int empty(int length)
{
    int *null = NULL, seen = 0;
    struct record record = {length, NULL};
#pragma omp target firstprivate(null, record) map(tofrom : seen)
    seen += null == NULL && record.values == NULL;
#pragma omp target map(tofrom : null[0 : length]) map(tofrom : seen)
    seen += null == NULL;
#pragma omp target is_device_ptr(null) map(tofrom : seen)
    seen += null == NULL;
#pragma omp target map(tofrom : record.length, record.values[0 : length]) map(tofrom : seen)
    seen += record.values == NULL && record.length == 0;
#pragma omp target data map(tofrom : null[0 : length]) use_device_ptr(null)
    seen += null == NULL;
#pragma omp target enter data map(to : null[0 : length])
#pragma omp target update to(null[0 : length])
#pragma omp target exit data map(from : null[0 : length])
#pragma omp target nowait depend(inout : seen) firstprivate(null, record) map(tofrom : seen)
    seen += null == NULL;
#pragma omp taskwait
    return seen;
}

int main(void)
{
    CHECK_EQ(empty(0), 6);
    return check_result();
}
