// C++: members, references, copies of objects per thread, exceptions that stay inside.
//#Opt:-O0,-O2
//#Threads:1,4
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <atomic>
#include <memory>
#include <numeric>
#include <omp.h>
#include <stdexcept>
#include <string>
#include <vector>

static std::atomic<int> alive, copies;

struct Counted {
    std::string name;
    explicit Counted(std::string text) : name(std::move(text)) { alive++; }
    Counted(const Counted &other) : name(other.name) { alive++, copies++; }
    Counted &operator=(const Counted &) = default;
    ~Counted() { alive--; }
};

class Histogram {
    std::vector<long> bins;

  public:
    explicit Histogram(int size) : bins(size) {}
    void fill(const std::vector<int> &values)
    {
#pragma omp parallel
        {
            std::vector<long> mine(bins.size());
#pragma omp for nowait
            for (std::size_t i = 0; i < values.size(); i++)
                mine[values[i] % bins.size()]++;
#pragma omp critical
            for (std::size_t i = 0; i < bins.size(); i++)
                bins[i] += mine[i];
        }
    }
    long total() const { return std::accumulate(bins.begin(), bins.end(), 0L); }
    long operator[](int i) const { return bins[i]; }
};

int main()
{
    {
        Counted object("a name too long for the small string of any library");
#pragma omp parallel firstprivate(object)
        {
            CHECK(object.name.size() == 51);
            object.name += std::to_string(omp_get_thread_num());
            CHECK(object.name.size() == 52);
        }
        CHECK_EQ(alive, 1);
        CHECK(object.name.size() == 51);
    }
    CHECK_EQ(alive, 0);
    CHECK_EQ(copies, omp_get_max_threads());

    Histogram histogram(10);
    std::vector<int> values(100000);
    std::iota(values.begin(), values.end(), 0);
    histogram.fill(values);
    printf("%ld %ld\n", histogram.total(), histogram[3]);

    std::atomic<int> caught{0};
#pragma omp parallel
    {
        try {
            throw std::runtime_error("inside");
        } catch (const std::runtime_error &error) {
            caught += error.what() == std::string("inside");
        }
    }
    CHECK_EQ(caught, omp_get_max_threads());

    auto shared = std::make_shared<int>(5);
    long uses = 0;
    auto body = [&](int factor) {
#pragma omp parallel for reduction(+ : uses)
        for (int i = 0; i < 1000; i++)
            uses += *shared * factor;
    };
    body(2);
    printf("%ld\n", uses);
    return check_result();
}
