// A table whose elements depend on the one above, the one before, and, elsewhere, others: computed
// in order by one thread, and compared with what a doacross loop nest computed.
#ifndef OXOMP_WAVEFRONT_H
#define OXOMP_WAVEFRONT_H

#include <stdlib.h>
#include <string.h>

#define LIMIT 1000003

static inline long mixed(long own, long above, long before)
{
    return (own * 3 + above * 5 + before * 7 + 11) % LIMIT;
}

typedef struct {
    int rows, columns;
    long *found, *wanted;
} Table;

static inline Table new_table(int rows, int columns)
{
    size_t size = (size_t)rows * (size_t)columns;
    Table table = {rows, columns, malloc(size * sizeof(long)), malloc(size * sizeof(long))};
    for (size_t i = 0; i < size; i++)
        table.found[i] = table.wanted[i] = (long)(i * 7919 % LIMIT);
    return table;
}

static inline void free_table(Table table)
{
    free(table.found);
    free(table.wanted);
}

// Element `i, j` from those above and before it.
#define MIX(t, cells, i, j)                                                                        \
    ((cells)[(long)(i) * (t).columns + (j)] =                                                      \
         mixed((cells)[(long)(i) * (t).columns + (j)],                                             \
               (i) > 0 ? (cells)[((long)(i) - 1) * (t).columns + (j)] : 1,                         \
               (j) > 0 ? (cells)[(long)(i) * (t).columns + (j) - 1] : 1))

static inline int is_right(Table table)
{
    return memcmp(table.found, table.wanted,
                  (size_t)table.rows * (size_t)table.columns * sizeof(long))
        == 0;
}

#endif
