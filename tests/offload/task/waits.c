// taskwait, taskgroup, barriers and the end of a region wait for target tasks; taskwait with depend for
// those that it names.
//#Threads:1,3
#include "check.h"
#include <omp.h>

enum { COUNT = 50 };

static int results[COUNT], late[COUNT];

static void launch(int *place, int from)
{
    for (int i = 0; i < COUNT; i++) {
        int *one = &place[i];
#pragma omp target map(from : one[0 : 1]) firstprivate(i, from) nowait
        {
            int sum = 0;
            for (int k = 0; k < 1000; k++)
                sum += (k ^ i) & 1;
            one[0] = from + i + (sum == 500 ? 0 : 1000);
        }
    }
}

static void all_are(const int *place, int from)
{
    for (int i = 0; i < COUNT; i++)
        CHECK_EQ(place[i], from + i);
}

int main(void)
{
    launch(results, 100);
#pragma omp taskwait
    all_are(results, 100);
#pragma omp taskgroup
    launch(results, 200);
    all_are(results, 200);
#pragma omp parallel
    {
#pragma omp single nowait
        launch(results, 300);
#pragma omp barrier
        all_are(results, 300);
#pragma omp barrier
#pragma omp master
        {
#pragma omp taskgroup
            {
#pragma omp task
                launch(results, 400);
            }
            all_are(results, 400);
        }
#pragma omp barrier
#pragma omp single nowait
        launch(late, 500);
    }
    all_are(late, 500);

    // Some are waited for by name.
#pragma omp parallel
#pragma omp single
    {
        int first = 0, second = 0;
#pragma omp target map(tofrom : first) depend(out : first) nowait
        first = 1;
#pragma omp target map(tofrom : second) depend(out : second) nowait
        second = 2;
#pragma omp taskwait depend(in : first)
        CHECK_EQ(first, 1);
#pragma omp taskwait
        CHECK_EQ(second, 2);
    }

    // Variables that are firstprivate in a deferred construct have the values of its creation.
    int value = 1, found = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp target firstprivate(value) map(tofrom : found) nowait
        found = value;
        value = 2;
#pragma omp taskwait
    }
    CHECK_EQ(found, 1);
    return check_result();
}
