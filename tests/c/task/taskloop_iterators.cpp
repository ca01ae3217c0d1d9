// taskloop over iterators of the program's own: steps in both directions, collapsed with each other and
// with integers of other widths, strict shares, last values, reductions.
//#Threads:1,2,4
//#Repeat:2
//#Flags:-Wno-sign-compare
#include "check.h"
#include <iterator>
#include <omp.h>
#include <vector>

// clang destroys more copies of an iterator than it makes, on every runtime: they are not counted.
class Position {
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = int;
    using difference_type = long;
    using pointer = const int *;
    using reference = int;

    explicit Position(long at = 0) : at(at) {}
    Position(const Position &other) : Position(other.at) {}
    Position &operator=(const Position &other)
    {
        at = other.at;
        return *this;
    }
    int operator*() const { return (int)at; }
    Position &operator++() { return *this += 1; }
    Position &operator--() { return *this += -1; }
    Position &operator+=(long by)
    {
        at += by;
        return *this;
    }
    Position &operator-=(long by) { return *this += -by; }
    Position operator+(long by) const { return Position(at + by); }
    Position operator-(long by) const { return Position(at - by); }
    long operator-(const Position &other) const { return at - other.at; }
    bool operator<(const Position &other) const { return at < other.at; }
    bool operator>(const Position &other) const { return at > other.at; }
    bool operator<=(const Position &other) const { return at <= other.at; }
    bool operator>=(const Position &other) const { return at >= other.at; }
    bool operator!=(const Position &other) const { return at != other.at; }

private:
    long at;
};

enum { LENGTH = 120 };
static int hits[LENGTH];

static void hit(long at)
{
    if (at < 0 || at >= LENGTH)
        CHECK_EQ(at, 0);
    else
        __atomic_fetch_add(&hits[at], 1, __ATOMIC_RELAXED);
}

// Every `step`th from `from` on was hit once, and no other.
static void check_hits(int from, int step)
{
    for (int i = 0; i < LENGTH; i++) {
        CHECK_EQ(hits[i], i >= from && (i - from) % step == 0);
        hits[i] = 0;
    }
}

static void one_loop()
{
    Position first(0), end(LENGTH);
#pragma omp taskloop num_tasks(7)
    for (Position at = first; at < end; ++at)
        hit(*at);
    check_hits(0, 1);
#pragma omp taskloop grainsize(9)
    for (Position at = end - 1; at >= first; --at)
        hit(*at);
    check_hits(0, 1);
    long step = 7;
#pragma omp taskloop num_tasks(3)
    for (Position at = first + 2; at <= end - 1; at += step)
        hit(*at);
    check_hits(2, 7);
#pragma omp taskloop
    for (Position at = end - 1; at > first; at -= 4)
        hit(*at);
    check_hits(3, 4);
#pragma omp taskloop num_tasks(5)
    for (Position at = first; at != end; ++at)
        hit(*at);
    check_hits(0, 1);
#pragma omp taskloop
    for (Position at = end; at < first; ++at)
        hit(-1);
    check_hits(LENGTH, 1);
#pragma omp taskloop if (0) num_tasks(4)
    for (Position at = first; at < end; at += 3)
        hit(*at);
    check_hits(0, 3);

    // Strict: all shares but the last are of ten iterations of one task.
    int began[LENGTH] = {0}, mine = -1;
#pragma omp taskloop grainsize(strict : 10) firstprivate(mine) shared(began)
    for (Position at = first; at < end - 5; ++at) {
        if (mine < 0)
            mine = *at;
        began[mine]++;
    }
    for (int i = 0; i < LENGTH; i++)
        CHECK_EQ(began[i], i % 10 != 0 ? 0 : i == 110 ? 5 : 10);
}

static void two_loops()
{
    // With a narrow unsigned integer inside, and with another iterator.
#pragma omp taskloop collapse(2) num_tasks(7)
    for (Position row = Position(0); row < Position(12); ++row)
        for (unsigned char column = 10; column > 0; column--)
            hit(*row * 10 + column - 1);
    check_hits(0, 1);
    std::vector<short> columns(8);
    for (int i = 0; i < 8; i++)
        columns[i] = (short)i;
#pragma omp taskloop collapse(2) grainsize(4)
    for (auto column = columns.begin(); column < columns.end(); ++column)
        for (Position row = Position(14); row >= Position(0); --row)
            hit(*row * 8 + *column);
    check_hits(0, 1);
#pragma omp taskloop collapse(3) num_tasks(11)
    for (long long a = -1; a < 2; a++)
        for (auto column = columns.rbegin(); column < columns.rend(); ++column)
            for (unsigned long b = 5; b > 0; b--)
                hit((a + 1) * 40 + *column * 5 + (long)b - 1);
    check_hits(0, 1);
}

static void results()
{
    int last = -1;
#pragma omp taskloop lastprivate(last) num_tasks(6)
    for (Position at = Position(0); at < Position(LENGTH); ++at)
        last = *at;
    CHECK_EQ(last, LENGTH - 1);
    long sum = 1000;
    int most = 0;
#pragma omp taskloop reduction(+ : sum) reduction(max : most) grainsize(8)
    for (Position at = Position(0); at < Position(LENGTH); at += 2) {
        sum += *at;
        most = *at > most ? *at : most;
    }
    CHECK_EQ(sum, 1000 + 60 * 59);
    CHECK_EQ(most, LENGTH - 2);
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp taskloop in_reduction(+ : sum) nogroup num_tasks(3)
        for (Position at = Position(LENGTH); at > Position(0); --at)
            sum += 1;
    }
    CHECK_EQ(sum, 1000 + 60 * 59 + LENGTH);
}

int main()
{
    for (int i = 0; i < 5; i++) {
#pragma omp parallel
#pragma omp single
        {
            one_loop();
            two_loops();
            results();
        }
    }
    return check_result();
}
