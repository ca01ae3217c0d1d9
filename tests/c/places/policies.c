// Threads are bound to the places that the policy says, for any number of threads.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Vary:OMP_PLACES={<p0>},{<p1>}|threads|cores
//#Vary:OMP_PROC_BIND=primary|close|spread
//#Threads:1,2,5
//#NoStderr
#include "bound.h"

int main(void)
{
    enum { MOST = 8 };
    int place_of[MOST], partition_of[MOST], size = 0;
    int places = omp_get_num_places(), policy = omp_get_proc_bind();
    CHECK(places >= 1);
    CHECK(policy == omp_proc_bind_master || policy == omp_proc_bind_close
          || policy == omp_proc_bind_spread);
    CHECK_EQ(omp_get_place_num_procs(-1), 0);
    CHECK_EQ(omp_get_place_num_procs(places), 0);
    int own = check_bound();
    CHECK_EQ(omp_get_partition_num_places(), places);

    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            int me = omp_get_thread_num();
            place_of[me] = check_bound();
            partition_of[me] = omp_get_partition_num_places();
            CHECK_EQ(omp_get_proc_bind(), policy);
#pragma omp single
            size = omp_get_num_threads();
        }
        // The primary thread stays where it is; the others are bound as the policy says.
        CHECK_EQ(check_bound(), own);
        CHECK_EQ(place_of[0], own);
        int *threads = calloc(places, sizeof *threads);
        for (int i = 0; i < size; i++) {
            threads[place_of[i]]++;
            if (policy == omp_proc_bind_master)
                CHECK_EQ(place_of[i], own);
            else if (i > 0 && size <= places && policy == omp_proc_bind_close)
                CHECK_EQ(place_of[i], (place_of[i - 1] + 1) % places);
            else if (i > 0 && size > places)
                CHECK(place_of[i] == place_of[i - 1]
                      || place_of[i] == (place_of[i - 1] + 1) % places);
            if (policy != omp_proc_bind_spread)
                CHECK_EQ(partition_of[i], places);
            else
                CHECK(partition_of[i] >= (size <= places ? places / size : 1)
                      && partition_of[i] <= (places + size - 1) / size);
        }
        for (int place = 0; place < places && policy != omp_proc_bind_master; place++)
            CHECK(threads[place] >= size / places && threads[place] <= (size + places - 1) / places);
        free(threads);
    }

    // Threads that share a processor wait for each other without keeping it.
#pragma omp parallel
    for (int i = 0; i < 500; i++) {
#pragma omp barrier
    }
    return check_result();
}
