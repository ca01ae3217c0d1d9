// KMP_HW_SUBSET leaves a part of the machine to the process: that is counted, threads run there.
//#Flags:-D_GNU_SOURCE
//#Needs:2 cores
//#Vary:KMP_HW_SUBSET=1s,1c,1t|1t,1S,1Core|:1s,1t|1s x 1c x 1t|:1t@1|1socket@0,*numa,1c@1,1t
//#Vary:OMP_PROC_BIND=false|true
//#ReferenceFails:libgomp does not read it, and libomp has one place too many
#include "../places/bound.h"
#include <pthread.h>
#include <string.h>

static void *root(void *unused)
{
    omp_get_max_threads();
    CHECK(only_processor() >= 0);
    return unused;
}

int main(void)
{
    // Where an offset is 1 the second processor is left.
    int wanted = processor_at(strstr(getenv("KMP_HW_SUBSET"), "@1") != NULL);
    CHECK_EQ(omp_get_num_procs(), 1);
    CHECK_EQ(omp_get_max_threads(), 1);
    CHECK_EQ(only_processor(), wanted);
#pragma omp parallel num_threads(3)
    CHECK_EQ(only_processor(), wanted);
    pthread_t other;
    CHECK_EQ(pthread_create(&other, NULL, root, NULL), 0);
    CHECK_EQ(pthread_join(other, NULL), 0);
    if (strcmp(getenv("OMP_PROC_BIND"), "true") == 0) {
        int processor = -1;
        CHECK_EQ(omp_get_num_places(), 1);
        CHECK_EQ(omp_get_place_num_procs(0), 1);
        omp_get_place_proc_ids(0, &processor);
        CHECK_EQ(processor, wanted);
    }
    return check_result();
}
