// Objects of static storage duration use regions when they are made and when they end, locks too.
//#Env:OMP_NUM_THREADS=3
//#Vary:OMP_WAIT_POLICY=active|passive
//#NotRecorded:regions follow the end of the tool
//#Stdout:^made 4950\nmain 4950\nended 4950 3\n$
#include <cstdio>
#include <omp.h>
#include <vector>

static long sum_of(const std::vector<long> &values)
{
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (size_t i = 0; i < values.size(); i++)
        sum += values[i];
    return sum;
}

class Keeper {
public:
    Keeper() : values(100)
    {
        omp_init_lock(&lock);
#pragma omp parallel for
        for (int i = 0; i < 100; i++)
            values[i] = i;
        std::printf("made %ld\n", sum_of(values));
    }

    ~Keeper()
    {
        int members = 0;
#pragma omp parallel
        {
            omp_set_lock(&lock);
            members++;
            omp_unset_lock(&lock);
        }
        omp_destroy_lock(&lock);
        std::printf("ended %ld %d\n", sum_of(values), members);
    }

    std::vector<long> values;

private:
    omp_lock_t lock;
};

static Keeper keeper;

int main()
{
    std::printf("main %ld\n", sum_of(keeper.values));
    return 0;
}
