// Merge sort and quicksort of numbers, with parallel merges.
//#Threads:1,2,4,8
//#NotRecorded:more tasks than a log holds
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 200000, SMALL = 256 };

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// Elements of the sorted list that are less than `value`.
static long below(const int *list, long length, int value)
{
    long low = 0;
    while (low < length) {
        long middle = (low + length) / 2;
        if (list[middle] < value)
            low = middle + 1;
        else
            length = middle;
    }
    return low;
}

static void merge(const int *a, long m, const int *b, long n, int *out)
{
    if (m + n < SMALL) {
        while (m > 0 && n > 0) {
            if (*b < *a) {
                *out++ = *b++;
                n--;
            } else {
                *out++ = *a++;
                m--;
            }
        }
        memcpy(out, a, m * sizeof *a);
        memcpy(out + m, b, n * sizeof *b);
        return;
    }
    if (m < n) {
        merge(b, n, a, m, out);
        return;
    }
    long half = m / 2, other = below(b, n, a[half]);
#pragma omp task
    merge(a, half, b, other, out);
#pragma omp task
    merge(a + half, m - half, b + other, n - other, out + half + other);
#pragma omp taskwait
}

static void sort(int *list, int *room, long length)
{
    if (length < SMALL) {
        qsort(list, length, sizeof *list, by_value);
        return;
    }
    long half = length / 2;
#pragma omp task
    sort(list, room, half);
#pragma omp task
    sort(list + half, room + half, length - half);
#pragma omp taskwait
    merge(list, half, list + half, length - half, room);
    memcpy(list, room, length * sizeof *list);
}

// No task waits: the end of the group does.
static void split(int *list, long length)
{
    while (length >= SMALL) {
        int middle = list[length / 2];
        long left = 0, right = length - 1;
        while (left <= right) {
            while (list[left] < middle)
                left++;
            while (list[right] > middle)
                right--;
            if (left <= right) {
                int other = list[left];
                list[left++] = list[right];
                list[right--] = other;
            }
        }
        int *rest = list + left;
        long count = length - left;
#pragma omp task firstprivate(rest, count)
        split(rest, count);
        length = right + 1;
    }
    qsort(list, length, sizeof *list, by_value);
}

int main(void)
{
    int *list = malloc(LENGTH * sizeof *list), *room = malloc(LENGTH * sizeof *list);
    int *again = malloc(LENGTH * sizeof *list), *wanted = malloc(LENGTH * sizeof *list);
    unsigned seed = 12345;
    for (int i = 0; i < LENGTH; i++) {
        seed = seed * 1103515245 + 12345;
        list[i] = again[i] = wanted[i] = (int)(seed >> 8) % 100000;
    }
    qsort(wanted, LENGTH, sizeof *wanted, by_value);
#pragma omp parallel
#pragma omp single
    {
        sort(list, room, LENGTH);
#pragma omp taskgroup
        split(again, LENGTH);
    }
    CHECK_EQ(memcmp(list, wanted, LENGTH * sizeof *list), 0);
    CHECK_EQ(memcmp(again, wanted, LENGTH * sizeof *list), 0);
    free(list);
    free(room);
    free(again);
    free(wanted);
    return check_result();
}
