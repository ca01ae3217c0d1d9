// Every reduction operator, across threads, teams and both; array sections; a declared reduction.
//#Opt:-O0,-O2
#include "check.h"
#include <limits.h>

enum { LENGTH = 1000, BINS = 5 };

struct extent {
    int low, high;
};

#pragma omp declare reduction(widen : struct extent : omp_out.low = omp_in.low < omp_out.low       \
    ? omp_in.low                                                                                   \
    : omp_out.low,                                                                                 \
    omp_out.high = omp_in.high > omp_out.high ? omp_in.high : omp_out.high)                        \
    initializer(omp_priv = {INT_MAX, INT_MIN})

static int value(int i)
{
    return (i * 37 + 11) % 1009;
}
#pragma omp declare target to(value)

int main(void)
{
    long sum = 5, wanted = 5;
    double product = 3;
    int low = INT_MAX, high = INT_MIN, low_wanted = INT_MAX, high_wanted = INT_MIN;
    unsigned all = ~0u, any = 0, odd = 0, all_wanted = ~0u, any_wanted = 0, odd_wanted = 0;
    int every = 1, some = 0, none = 0;
    for (int i = 0; i < LENGTH; i++) {
        wanted += value(i);
        low_wanted = value(i) < low_wanted ? value(i) : low_wanted;
        high_wanted = value(i) > high_wanted ? value(i) : high_wanted;
        all_wanted &= value(i) | 0x300;
        any_wanted |= value(i) & 0x55;
        odd_wanted ^= value(i);
    }
#pragma omp target teams distribute parallel for num_teams(3) reduction(+ : sum)                   \
    reduction(* : product) reduction(min : low) reduction(max : high) reduction(& : all)           \
    reduction(| : any) reduction(^ : odd) reduction(&& : every) reduction(|| : some, none)
    for (int i = 0; i < LENGTH; i++) {
        sum += value(i);
        product *= i % 100 == 0 ? 2 : 1;
        low = value(i) < low ? value(i) : low;
        high = value(i) > high ? value(i) : high;
        all &= value(i) | 0x300;
        any |= value(i) & 0x55;
        odd ^= value(i);
        every = every && value(i) >= 0;
        some = some || i == LENGTH - 1;
        none = none || i == LENGTH;
    }
    CHECK_EQ(sum, wanted);
    CHECK(product == 3 * 1024);
    CHECK_EQ(low, low_wanted);
    CHECK_EQ(high, high_wanted);
    CHECK_EQ(all, all_wanted);
    CHECK_EQ(any, any_wanted);
    CHECK_EQ(odd, odd_wanted);
    CHECK_EQ(every, 1);
    CHECK_EQ(some, 1);
    CHECK_EQ(none, 0);

    long threads = 0, teams = 0;
#pragma omp target parallel for reduction(+ : threads)
    for (int i = 0; i < LENGTH; i++)
        threads += i;
#pragma omp target teams distribute reduction(+ : teams)
    for (int i = 0; i < LENGTH; i++)
        teams += i;
    CHECK_EQ(threads, LENGTH * (LENGTH - 1) / 2);
    CHECK_EQ(teams, LENGTH * (LENGTH - 1) / 2);

    int bins[BINS] = {1, 2, 3, 4, 5};
#pragma omp target teams distribute parallel for num_teams(2) map(tofrom : bins) reduction(+ : bins[0 : BINS])
    for (int i = 0; i < LENGTH; i++)
        bins[i % BINS] += i;
    for (int bin = 0; bin < BINS; bin++)
        CHECK_EQ(bins[bin], bin + 1 + 200 * bin + 5 * 199 * 200 / 2);

    struct extent extent = {INT_MAX, INT_MIN};
#pragma omp target parallel for map(tofrom : extent) reduction(widen : extent)
    for (int i = 0; i < LENGTH; i++) {
        extent.low = value(i) < extent.low ? value(i) : extent.low;
        extent.high = value(i) > extent.high ? value(i) : extent.high;
    }
    CHECK_EQ(extent.low, low_wanted);
    CHECK_EQ(extent.high, high_wanted);
    return check_result();
}
