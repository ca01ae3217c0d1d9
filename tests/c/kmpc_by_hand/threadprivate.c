// Threadprivate variables by calls that ask each time, and arrays of objects.
//#Compilers:clang
//#Threads:1,2,4
//#NoStderr
//#ReferenceFails:libomp does not call what is registered for an array
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <string.h>

typedef void *construct(void *, size_t);
typedef void *copy_construct(void *, void *, size_t);
typedef void destroy(void *, size_t);

extern int __kmpc_global_thread_num(void *);
extern void *__kmpc_threadprivate(void *, int, void *, size_t);
extern void *__kmpc_threadprivate_cached(void *, int, void *, size_t, void ***);
extern void __kmpc_threadprivate_register_vec(void *, void *, construct *, copy_construct *,
                                              destroy *, size_t);

struct Element {
    int value, constructed;
};

enum { LENGTH = 5, PLACE = 64 };

static int plain = 42;
static struct Element array[LENGTH];
static void **cache;
static int place[PLACE];
static void **cache_of_first, **cache_of_second;
static int made, ended;

static void *make(void *memory, size_t length)
{
    CHECK_EQ(length, LENGTH);
    struct Element *elements = memory;
    for (size_t i = 0; i < length; i++)
        elements[i] = (struct Element){.value = (int)(10 * i), .constructed = 1};
    __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
    return memory;
}

static void end(void *memory, size_t length)
{
    CHECK_EQ(length, LENGTH);
    struct Element *elements = memory;
    for (size_t i = 0; i < length; i++)
        CHECK_EQ(elements[i].constructed, 1);
    __atomic_fetch_add(&ended, 1, __ATOMIC_RELAXED);
}

static void *foreign(void *unused)
{
    (void)unused;
    int gtid = __kmpc_global_thread_num(NULL);
    struct Element *mine = __kmpc_threadprivate_cached(NULL, gtid, array, sizeof array, &cache);
    CHECK(mine != array);
    CHECK_EQ(mine[LENGTH - 1].value, 10 * (LENGTH - 1));
    int *own = __kmpc_threadprivate(NULL, gtid, &plain, sizeof plain);
    CHECK(own != &plain);
    CHECK_EQ(*own, 42);

    // As after dlclose and dlopen: another library's variable lies where a smaller one lay.
    int *first = __kmpc_threadprivate_cached(NULL, gtid, place, sizeof place[0], &cache_of_first);
    CHECK_EQ(*first, 0);
    for (int i = 0; i < PLACE; i++)
        place[i] = 100 + i;
    int *second = __kmpc_threadprivate_cached(NULL, gtid, place, sizeof place, &cache_of_second);
    CHECK(second != place && second != first);
    CHECK(second == first || second[PLACE - 1] == 100 + PLACE - 1);
    return NULL;
}

int main(void)
{
    __kmpc_threadprivate_register_vec(NULL, array, make, NULL, end, LENGTH);
    for (int i = 0; i < LENGTH; i++)
        array[i].constructed = 1;
    int most = omp_get_max_threads();
    for (int round = 0; round < 20; round++) {
#pragma omp parallel
        {
            int gtid = __kmpc_global_thread_num(NULL), me = omp_get_thread_num();
            int *mine = __kmpc_threadprivate(NULL, gtid, &plain, sizeof plain);
            CHECK_EQ(mine == &plain, me == 0);
            CHECK_EQ(*mine, 42 + round * me);
            *mine += me;
            CHECK_EQ(mine == __kmpc_threadprivate(NULL, gtid, &plain, sizeof plain), 1);

            struct Element *elements =
                __kmpc_threadprivate_cached(NULL, gtid, array, sizeof array, &cache);
            CHECK_EQ(elements == array, me == 0);
            CHECK_EQ(elements[2].value, (me == 0 ? 0 : 20) + round);
            elements[2].value++;
        }
        CHECK_EQ(made, most - 1);
        CHECK_EQ(ended, 0);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, foreign, NULL);
    pthread_join(thread, NULL);
    CHECK_EQ(made, most);
    // What a thread had ends with it.
    CHECK_EQ(ended, 1);
    return check_result();
}
