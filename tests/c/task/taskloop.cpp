// taskloop over random access iterators, with objects as private data, in templates.
//#Threads:1,2,4
//#Repeat:2
//#Flags:-Wno-sign-compare
#include "check.h"
#include <atomic>
#include <deque>
#include <omp.h>
#include <string>
#include <vector>

static std::atomic<int> alive;

struct Object {
    std::string text;
    Object() : text("new") { alive++; }
    explicit Object(const char *with) : text(with) { alive++; }
    Object(const Object &other) : text(other.text + "'") { alive++; }
    Object &operator=(const Object &other)
    {
        text = other.text;
        return *this;
    }
    ~Object() { alive--; }
};

template <typename LIST> static long total(LIST &list, int tasks)
{
    std::atomic<long> sum(0);
#pragma omp taskloop num_tasks(tasks) shared(sum)
    for (auto at = list.begin(); at < list.end(); ++at)
        sum += *at;
#pragma omp taskloop grainsize(3) shared(sum)
    for (auto at = list.end() - 1; at >= list.begin(); at -= 2)
        sum += *at;
    return sum;
}

template <typename T, T STEP> static long count(T from, T to)
{
    std::atomic<long> trips(0);
#pragma omp taskloop firstprivate(from, to) shared(trips)
    for (T i = from; i < to; i += STEP)
        trips++;
    return trips;
}

int main()
{
#pragma omp parallel
#pragma omp single
    {
        std::vector<int> list(1000);
        std::deque<long> other;
        for (int i = 0; i < 1000; i++) {
            list[i] = i;
            other.push_back(i);
        }
        CHECK_EQ(total(list, 7), 499500 + 250000);
        CHECK_EQ(total(other, 1), 499500 + 250000);
        int array[100];
        for (int &at : array)
            at = 2;
        std::atomic<int> sum(0);
#pragma omp taskloop num_tasks(5) shared(sum)
        for (int *at = array; at != array + 100; at++)
            sum += *at;
#pragma omp taskloop num_tasks(5) shared(sum)
        for (int &at : array)
            sum += at;
        CHECK_EQ(sum.load(), 400);
        CHECK_EQ((count<signed char, 3>(-100, 100)), 67);
        CHECK_EQ((count<unsigned char, 1>(0, 200)), 200);
        CHECK_EQ((count<unsigned short, 100>(0, 65000)), 650);
        CHECK_EQ((count<long, 5>(-7, 8)), 3);
#ifndef __clang__
        // clang hands down some 2^32 iterations.
        CHECK_EQ((count<unsigned, 5>(10, 5)), 0);
#endif

        Object object("a"), last("b");
        std::vector<std::string> seen(300);
#pragma omp taskloop shared(seen) firstprivate(object) lastprivate(last) num_tasks(6)
        for (int i = 0; i < 300; i++) {
            seen[i] = object.text;
            last.text = std::to_string(i);
        }
        CHECK(object.text == "a");
        CHECK(last.text == "299");
        for (const std::string &text : seen)
            CHECK(!text.empty() && text[0] == 'a' && text.size() > 1);
        CHECK_EQ(alive.load(), 2);
#pragma omp taskloop private(object) grainsize(20) collapse(2)
        for (int i = 0; i < 30; i++)
            for (int j = 0; j < 10; j++)
                CHECK(object.text == "new");
        CHECK_EQ(alive.load(), 2);
#pragma omp taskloop firstprivate(object) num_tasks(4) if (0)
        for (int i = 0; i < 10; i++)
            CHECK(object.text.size() > 1);
        CHECK_EQ(alive.load(), 2);
        int trips = 0;
#pragma omp taskloop firstprivate(object) shared(trips)
        for (int i = 10; i < 10; i++)
            trips++;
        CHECK_EQ(trips, 0);
        CHECK_EQ(alive.load(), 2);
    }
    CHECK_EQ(alive.load(), 0);
    return check_result();
}
