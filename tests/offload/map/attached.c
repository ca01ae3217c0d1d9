// Pointers inside of structures are attached to what they point to, if that is mapped, and the host's
// pointers stay as they are.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { LENGTH = 50 };

struct vector {
    int length;
    double *values;
};

struct pair {
    struct vector left, right;
};

static double sum(struct vector *vector)
{
    double total = 0;
#pragma omp target map(tofrom : total) map(to : vector[0 : 1])
    for (int i = 0; i < vector->length; i++)
        total += vector->values[i];
    return total;
}

int main(void)
{
    struct vector vector = {LENGTH, malloc(LENGTH * sizeof(double))};
    double *kept = vector.values;
    for (int i = 0; i < LENGTH; i++)
        kept[i] = i;
#pragma omp target map(tofrom : vector, vector.values[0 : LENGTH])
    {
        vector.length = 40;
        for (int i = 0; i < LENGTH; i++)
            vector.values[i] *= 2;
    }
    CHECK(vector.values == kept);
    CHECK_EQ(vector.length, 40);
    for (int i = 0; i < LENGTH; i++)
        CHECK(kept[i] == 2 * i);

    // The member alone.
#pragma omp target map(tofrom : vector.values[10 : 20])
    for (int i = 10; i < 30; i++)
        vector.values[i] = 1;
    CHECK(vector.values == kept);
    CHECK(kept[9] == 18 && kept[10] == 1 && kept[29] == 1 && kept[30] == 60);

    // By stages: first the structure, then what its pointer points to.
    for (int i = 0; i < LENGTH; i++)
        kept[i] = 1;
    vector.length = LENGTH;
#pragma omp target enter data map(to : vector)
#pragma omp target enter data map(to : vector.values[0 : LENGTH])
    CHECK(sum(&vector) == LENGTH);
#pragma omp target map(tofrom : vector)
    vector.values[0] = 11;
    CHECK(sum(&vector) == LENGTH + 10);
    CHECK(kept[0] == 1);
#pragma omp target update from(vector.values[0 : 1])
    CHECK(kept[0] == 11);
#pragma omp target exit data map(from : vector.values[0 : LENGTH])
#pragma omp target exit data map(from : vector)
    CHECK(vector.values == kept);
    CHECK(kept[0] == 11);
    CHECK(!omp_target_is_present(&vector, omp_get_default_device()));
    CHECK(!omp_target_is_present(kept, omp_get_default_device()));

    // Two of them in a structure, through a pointer to it.
    struct pair *pair = malloc(sizeof *pair);
    *pair = (struct pair){{3, malloc(3 * sizeof(double))}, {4, malloc(4 * sizeof(double))}};
    double *left = pair->left.values, *right = pair->right.values;
    for (int i = 0; i < 4; i++) {
        right[i] = 10 + i;
        if (i < 3)
            left[i] = i;
    }
#pragma omp target map(tofrom : pair[0 : 1], pair->left.values[0 : 3], pair->right.values[0 : 4])
    {
        for (int i = 0; i < pair->left.length; i++)
            pair->left.values[i] += pair->right.values[i + 1];
        pair->left.length = 0;
    }
    CHECK_EQ(pair->left.length, 0);
    CHECK(pair->left.values == left && pair->right.values == right);
    for (int i = 0; i < 3; i++)
        CHECK(left[i] == 11 + 2 * i);
    free(left);
    free(right);
    free(pair);
    free(kept);
    return check_result();
}
