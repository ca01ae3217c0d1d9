// omp_target_memcpy_rect: blocks of one to three dimensions with offsets in arrays of other shapes, in
// every direction; with null arrays it answers how many dimensions are possible.
#include "check.h"
#include <limits.h>
#include <omp.h>
#include <string.h>

static int from[4][5][6], to[6][7][8], flat[20];

int main(void)
{
    int host = omp_get_initial_device(), device = omp_get_default_device();
    CHECK(omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, host, host) >= 3);
    for (int i = 0; i < 4 * 5 * 6; i++)
        from[i / 30][i / 6 % 5][i % 6] = i + 1;
    int *place = omp_target_alloc(sizeof to, device);
    CHECK_EQ(omp_target_memcpy(place, to, sizeof to, 0, 0, device, host), 0);
    size_t volume[3] = {2, 3, 4}, to_offset[3] = {1, 2, 3}, from_offset[3] = {1, 1, 2};
    size_t to_shape[3] = {6, 7, 8}, from_shape[3] = {4, 5, 6};
    CHECK_EQ(omp_target_memcpy_rect(place, from, sizeof(int), 3, volume, to_offset, from_offset, to_shape,
                                    from_shape, device, host), 0);
    CHECK_EQ(omp_target_memcpy(to, place, sizeof to, 0, 0, host, device), 0);
    for (int x = 0; x < 6; x++)
        for (int y = 0; y < 7; y++)
            for (int z = 0; z < 8; z++) {
                int inside = x >= 1 && x < 3 && y >= 2 && y < 5 && z >= 3 && z < 7;
                CHECK_EQ(to[x][y][z], inside ? from[x][y - 1][z - 1] : 0);
            }
    // Back, on the device, and between places of the host; elements of other sizes.
    memset(from, 0, sizeof from);
    CHECK_EQ(omp_target_memcpy_rect(from, place, sizeof(int), 3, volume, from_offset, to_offset, from_shape,
                                    to_shape, host, device), 0);
    CHECK_EQ(from[1][1][2], 30 + 6 + 2 + 1);
    CHECK_EQ(from[2][3][5], 60 + 18 + 5 + 1);
    CHECK_EQ(from[0][0][0], 0);
    CHECK_EQ(from[3][3][5], 0);
    size_t columns[2] = {5, 1}, corner[2] = {0, 3}, start[2] = {0, 0}, square[2] = {5, 4};
    for (int i = 0; i < 20; i++)
        flat[i] = i;
    int column[5][4] = {{0}};
    CHECK_EQ(omp_target_memcpy_rect(column, flat, sizeof(int), 2, columns, start, corner, square, square,
                                    host, host), 0);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(column[i][0], 4 * i + 3);
    size_t length = 7, first = 2, none = 0, whole = 20;
    CHECK_EQ(omp_target_memcpy_rect(place, flat, sizeof(int), 1, &length, &none, &first, &whole, &whole, device,
                                    host), 0);
    CHECK_EQ(omp_target_memcpy(flat, place, 7 * sizeof(int), 0, 0, host, device), 0);
    CHECK_EQ(flat[6], 8);
    omp_target_free(place, device);
    return check_result();
}
