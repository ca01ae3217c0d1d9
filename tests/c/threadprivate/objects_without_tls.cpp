// Threadprivate objects that the runtime keeps: constructed when a thread first asks for its copy,
// destroyed when the thread ends, copied by their own operators with copyin.
//#Compilers:clang
//#Flags:-fnoopenmp-use-tls
//#Opt:-O0,-O2
//#Threads:1,2,4
//#NoStderr
//#ReferenceFails:libomp fails an assertion in objects that are constructed before main
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <string>
#include <vector>

static int constructed, destroyed;

struct Counted {
    int value;
    Counted *self;

    explicit Counted(int value) : value(value), self(this)
    {
        __atomic_fetch_add(&constructed, 1, __ATOMIC_RELAXED);
    }
    Counted &operator=(const Counted &other)
    {
        CHECK(self == this && other.self == &other);
        value = other.value + 1;
        return *this;
    }
    Counted(const Counted &) = delete;
    ~Counted()
    {
        CHECK(self == this);
        self = nullptr;
        __atomic_fetch_add(&destroyed, 1, __ATOMIC_RELAXED);
    }
};

static Counted counted(5);
static std::vector<std::string> words(3, "a word that is too long to be held in a string itself");
static Counted several[2] = {Counted(1), Counted(2)};
#pragma omp threadprivate(counted, words, several)

static void *foreign(void *)
{
    CHECK_EQ(counted.value, 5);
    CHECK_EQ(words.size(), 3);
    CHECK_EQ(several[1].value, 2);
    words.emplace_back("mine");
    counted.value = 6;
    CHECK_EQ(counted.value, 6);
    return nullptr;
}

int main()
{
    int members = omp_get_max_threads();
    CHECK_EQ(constructed, 3);
    for (int round = 0; round < 20; round++) {
#pragma omp parallel
        {
            int me = omp_get_thread_num();
            CHECK_EQ(counted.value, 5 + round);
            CHECK(counted.self == &counted);
            counted.value++;
            CHECK_EQ(words.size(), 3 + (me + 1) * round);
            for (int i = 0; i <= me; i++)
                words.push_back("another word that is longer than what a string holds in itself");
            CHECK_EQ(several[0].value, 1);
            CHECK_EQ(several[1].value, 2);
        }
        CHECK_EQ(constructed, 3 * members);
        CHECK_EQ(destroyed, 0);
    }

    counted.value = 100;
    words.assign(7, "copied");
#pragma omp parallel copyin(counted, words)
    {
        CHECK_EQ(counted.value, omp_get_thread_num() == 0 ? 100 : 101);
        CHECK_EQ(words.size(), 7);
        CHECK(words[6] == "copied");
    }

    for (int round = 1; round <= 5; round++) {
        pthread_t thread;
        pthread_create(&thread, nullptr, foreign, nullptr);
        pthread_join(thread, nullptr);
        CHECK_EQ(constructed, 3 * members + 3 * round);
        CHECK_EQ(destroyed, 3 * round);
    }
    // Workers that are given back end, and their copies with them.
    CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
    CHECK_EQ(destroyed, 15 + 3 * (members - 1));
    CHECK_EQ(counted.value, 100);
#pragma omp parallel
    if (omp_get_thread_num() != 0)
        CHECK_EQ(counted.value, 5);
    return check_result();
}
