// C++: templates, lambdas and their captures, members by `this`, references, static members and
// objects made on the device.
#include "check.h"
#include <omp.h>
#include <vector>

template <typename T> static T sum(const T *values, int length)
{
    T total = 0;
#pragma omp target teams distribute parallel for map(to : values[0 : length]) reduction(+ : total)
    for (int i = 0; i < length; i++)
        total += values[i];
    return total;
}

class Field {
public:
    explicit Field(int length) : length(length), values(new double[length])
    {
        double *place = values;
#pragma omp target enter data map(to : this[0 : 1]) map(alloc : place[0 : length])
#pragma omp target enter data map(to : values[0 : length])
    }
    ~Field()
    {
        double *place = values;
#pragma omp target exit data map(release : values[0 : length])
#pragma omp target exit data map(release : place[0 : length]) map(release : this[0 : 1])
        delete[] values;
    }
    void fill(double value)
    {
        double *place = values;
        int most = length;
#pragma omp target teams distribute parallel for map(to : place[0 : most])
        for (int i = 0; i < most; i++)
            place[i] = value * i;
    }
    double last()
    {
        double *place = values;
#pragma omp target update from(place[0 : length])
        return values[length - 1];
    }

private:
    int length;
    double *values;
};

struct Counter {
    int count = 3;
    int operator()(int step)
    {
        return count += step;
    }
};

template <typename F> static int on_device(F function)
{
    int result = 0;
#pragma omp target map(from : result)
    result = function(4);
    return result;
}

int main()
{
    std::vector<int> numbers(1000);
    std::vector<double> reals(1000);
    for (int i = 0; i < 1000; i++) {
        numbers[i] = i;
        reals[i] = i * 0.5;
    }
    CHECK_EQ(sum(numbers.data(), 1000), 499500);
    CHECK(sum(reals.data(), 1000) == 249750);
    {
        Field field(100);
        field.fill(1.5);
        CHECK(field.last() == 99 * 1.5);
        field.fill(2);
        CHECK(field.last() == 198);
    }
    int base = 38;
    CHECK_EQ(on_device([=](int more) { return base + more; }), 42);
    Counter counter;
    int counted = 0;
#pragma omp target map(tofrom : counter) map(from : counted)
    counted = counter(2) + counter(2);
    CHECK_EQ(counted, 12);
    CHECK_EQ(counter.count, 7);

    int value = 5;
    int &reference = value;
#pragma omp target map(tofrom : reference)
    reference += 6;
    CHECK_EQ(value, 11);
    return check_result();
}
