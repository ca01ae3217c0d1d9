// Declared mappers: the default one of a type and a named one, in map clauses, updates, enter and exit
// data, with a mapper inside of a mapper.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

struct vector {
    int length;
    int *values;
};

struct model {
    int version;
    struct vector weights;
    int scratch;
};

#pragma omp declare mapper(struct vector v) map(v.length) map(tofrom : v.values[0 : v.length])
#pragma omp declare mapper(half : struct vector v) map(v.length) map(tofrom : v.values[0 : v.length / 2])
#pragma omp declare mapper(struct model m) map(m.version, m.weights)

static struct vector make(int length)
{
    struct vector vector = {length, malloc(length * sizeof(int))};
    for (int i = 0; i < length; i++)
        vector.values[i] = i;
    return vector;
}

int main(void)
{
    int device = omp_get_default_device();
    struct vector vector = make(20);
    int *kept = vector.values;
#pragma omp target map(mapper(default), tofrom : vector)
    for (int i = 0; i < vector.length; i++)
        vector.values[i] += 100;
    CHECK(vector.values == kept);
    for (int i = 0; i < 20; i++)
        CHECK_EQ(kept[i], i + 100);

#pragma omp target data map(mapper(half), tofrom : vector)
    {
        CHECK(omp_target_is_present(&kept[9], device));
        CHECK(!omp_target_is_present(&kept[10], device));
#pragma omp target map(mapper(half), tofrom : vector)
        vector.values[9] = -9;
        CHECK_EQ(kept[9], 109);
    }
    CHECK_EQ(kept[9], -9);
    CHECK(!omp_target_is_present(kept, device));

#pragma omp target enter data map(to : vector)
    kept[0] = 7;
#pragma omp target update to(mapper(default) : vector)
#pragma omp target map(to : vector)
    vector.values[0] *= 6;
    CHECK_EQ(kept[0], 7);
#pragma omp target update from(mapper(default) : vector)
    CHECK_EQ(kept[0], 42);
#pragma omp target exit data map(release : vector)
    CHECK(!omp_target_is_present(kept, device));
    CHECK(vector.values == kept);

    struct model model = {1, make(5), 50};
    int *weights = model.weights.values;
#pragma omp target map(tofrom : model)
    {
        model.version++;
        for (int i = 0; i < model.weights.length; i++)
            model.weights.values[i] = 10 * i;
    }
    CHECK_EQ(model.version, 2);
    CHECK_EQ(model.scratch, 50);
    CHECK(model.weights.values == weights);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(weights[i], 10 * i);
    free(weights);
    free(kept);
    return check_result();
}
