// The initial task of a target region on the host starts with the device's initial variables, which the
// environment sets: what the program has set before stays outside, what the region sets stays inside.
//#Compilers:gcc
//#Opt:-O0,-O2
//#Env:OMP_NUM_THREADS=3,2
//#Env:OMP_SCHEDULE=static,4
//#Env:OMP_MAX_ACTIVE_LEVELS=5
//#Vary:OMP_DYNAMIC=true|false
//#Vary:OMP_THREAD_LIMIT=9|2147483647
//#NoStderr
#include "check.h"
#include <omp.h>

struct variables {
    int dynamic, threads, limit, levels, chunk, device;
    omp_sched_t kind;
    omp_allocator_handle_t allocator;
};

static struct variables ask(void)
{
    struct variables it;
    it.dynamic = omp_get_dynamic();
    it.threads = omp_get_max_threads();
    it.limit = omp_get_thread_limit();
    it.levels = omp_get_max_active_levels();
    it.device = omp_get_default_device();
    it.allocator = omp_get_default_allocator();
    omp_get_schedule(&it.kind, &it.chunk);
    return it;
}

static void set(int number)
{
    omp_set_dynamic(number % 2);
    omp_set_num_threads(number);
    omp_set_max_active_levels(number);
    omp_set_default_device(number);
    omp_set_default_allocator(number % 2 ? omp_const_mem_alloc : omp_high_bw_mem_alloc);
    omp_set_schedule(number % 2 ? omp_sched_guided : omp_sched_dynamic, number);
}

static void check_same(struct variables one, struct variables other)
{
    CHECK_EQ(one.dynamic, other.dynamic);
    CHECK_EQ(one.threads, other.threads);
    CHECK_EQ(one.levels, other.levels);
    CHECK_EQ(one.chunk, other.chunk);
    CHECK_EQ(one.kind, other.kind);
    CHECK_EQ(one.device, other.device);
    CHECK_EQ(one.allocator, other.allocator);
}

static struct variables initial;

static void is_initial(void)
{
    check_same(ask(), initial);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_active_level(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK(!omp_in_parallel() && !omp_in_final());
}

// The regions of all kinds that the host executes; each sets variables, and so does a task inside.
static void regions(void)
{
    struct variables before = ask();
#pragma omp target if (0)
    {
        is_initial();
        CHECK_EQ(omp_get_thread_limit(), initial.limit);
        set(7);
        CHECK_EQ(omp_get_max_threads(), 7);
        // The list of OMP_NUM_THREADS goes on at the next level.
#pragma omp parallel num_threads(2)
        CHECK_EQ(omp_get_max_threads(), 2);
#pragma omp task
        set(6);
    }
#pragma omp target device(omp_get_initial_device()) thread_limit(2)
    {
        is_initial();
        CHECK_EQ(omp_get_thread_limit(), 2);
        set(7);
    }
#pragma omp target nowait
    {
        is_initial();
        set(7);
    }
#pragma omp taskwait
#pragma omp target teams num_teams(2) thread_limit(3)
    {
        int chunk;
        omp_sched_t kind;
#pragma omp parallel num_threads(1)
        {
            omp_get_schedule(&kind, &chunk);
            CHECK_EQ(kind, initial.kind);
            CHECK_EQ(chunk, initial.chunk);
            CHECK_EQ(omp_get_max_active_levels(), initial.levels);
        }
    }
    check_same(ask(), before);
    CHECK_EQ(ask().limit, before.limit);
}

int main(void)
{
    initial = ask();
    regions();
    set(5);
    regions();
#pragma omp parallel num_threads(2)
    {
        set(omp_get_thread_num() + 3);
        regions();
#pragma omp task
        {
            set(6);
            regions();
        }
#pragma omp taskwait
#pragma omp task final(1)
        regions();
    }
    return check_result();
}
