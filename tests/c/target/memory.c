// Routines for device memory, for the host and for devices that do not exist.
//#Flags[clang]:-fPIC -Wl,-z,dynamic-undefined-weak
//#Threads:2
//#NoStderr
//#ReferenceFails[clang]:libomp does not have them
//#ReferenceFails[gcc]:libgomp 12 returns memory of no bytes, and does not know omp_initial_device
#include "check.h"
#include <limits.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Weak: libomp, with which clang links, has none of these, libgomp 12 has not all.
#pragma weak omp_target_alloc
#pragma weak omp_target_free
#pragma weak omp_target_is_present
#pragma weak omp_target_memcpy
#pragma weak omp_target_memcpy_rect
#pragma weak omp_target_associate_ptr
#pragma weak omp_target_disassociate_ptr
extern int omp_target_is_accessible(const void *, size_t, int) __attribute__((weak));
extern void *omp_target_memset(void *, int, size_t, int) __attribute__((weak));
extern void *omp_get_mapped_ptr(const void *, int) __attribute__((weak));

static void blocks(int host)
{
    char *memory = omp_target_alloc(1000, host);
    CHECK(memory != NULL);
    CHECK(omp_target_memset(memory, 0x15a, 1000, host) == memory);
    CHECK(memory[0] == 0x5a && memory[999] == 0x5a);
    CHECK(omp_target_memset(memory, 1, 0, host) == memory && memory[0] == 0x5a);
    CHECK(omp_target_is_present(memory, host));
    CHECK(omp_target_is_accessible(memory, 1000, host));
    CHECK(omp_get_mapped_ptr(memory, host) == memory);
    CHECK_EQ(omp_target_memcpy(memory, "0123456789", 4, 10, 2, host, host), 0);
    CHECK(memcmp(memory + 9, "\x5a" "2345\x5a", 6) == 0);
    CHECK_EQ(omp_target_memcpy(memory, memory, 0, 0, 0, host, host), 0);
    CHECK_EQ(omp_target_memcpy(memory + 1, memory, 99, 0, 0, host, host), 0);
    CHECK(memcmp(memory + 10, "\x5a" "2345\x5a", 6) == 0);
    CHECK(omp_target_memcpy(NULL, memory, 4, 0, 0, host, host) != 0);
    CHECK(omp_target_associate_ptr(memory, memory, 4, 0, host) != 0);
    CHECK(omp_target_disassociate_ptr(memory, host) != 0);
    omp_target_free(memory, host);
    omp_target_free(NULL, host);
    CHECK(omp_target_alloc(0, host) == NULL);
    CHECK(omp_target_alloc(SIZE_MAX / 2, host) == NULL);
}

static void no_device(int device)
{
    int host = omp_get_initial_device();
    char memory[8] = "abcdefg";
    CHECK(omp_target_alloc(10, device) == NULL);
    omp_target_free(memory, device);
    CHECK(!omp_target_is_present(memory, device));
    CHECK(!omp_target_is_accessible(memory, 4, device));
    CHECK(omp_get_mapped_ptr(memory, device) == NULL);
    CHECK(omp_target_memset(memory, 0, 8, device) == memory);
    CHECK(omp_target_memcpy(memory, memory + 4, 2, 0, 0, device, host) != 0);
    CHECK(omp_target_memcpy(memory, memory + 4, 2, 0, 0, host, device) != 0);
    CHECK(omp_target_associate_ptr(memory, memory, 4, 0, device) != 0);
    CHECK(omp_target_disassociate_ptr(memory, device) != 0);
    size_t one = 1, zero = 0;
    CHECK(omp_target_memcpy_rect(memory, memory + 4, 1, 1, &one, &zero, &zero, &one, &one, device,
                                 host) != 0);
    CHECK(strcmp(memory, "abcdefg") == 0);
}

enum { DIMENSIONS = 5, MOST = 4 };

// A part of an array of up to five dimensions, of elements of three bytes, to another place in another.
static void rectangles(int dimensions, unsigned seed)
{
    size_t volume[DIMENSIONS], to[DIMENSIONS], from[DIMENSIONS], there[DIMENSIONS], here[DIMENSIONS];
    size_t sources = 1, destinations = 1;
    for (int i = 0; i < dimensions; i++) {
        volume[i] = rand_r(&seed) % MOST + (seed % 7 != 0);
        to[i] = rand_r(&seed) % MOST;
        from[i] = rand_r(&seed) % MOST;
        there[i] = to[i] + volume[i] + rand_r(&seed) % 2;
        here[i] = from[i] + volume[i] + rand_r(&seed) % 2;
        sources *= here[i];
        destinations *= there[i];
    }
    unsigned char *source = malloc(3 * sources + 1), *destination = calloc(destinations + 1, 3);
    for (size_t i = 0; i < 3 * sources; i++)
        source[i] = i % 250 + 1;
    int host = omp_get_initial_device();
    CHECK_EQ(omp_target_memcpy_rect(destination, source, 3, dimensions, volume, to, from, there, here,
                                    host, host),
             0);
    for (size_t at = 0; at < destinations; at++) {
        size_t rest = at, place = 0, step = 1;
        int inside = 1;
        for (int i = dimensions - 1; i >= 0; i--) {
            size_t index = rest % there[i];
            rest /= there[i];
            inside &= index >= to[i] && index < to[i] + volume[i];
            place += (index - to[i] + from[i]) * step;
            step *= here[i];
        }
        for (int byte = 0; byte < 3; byte++)
            CHECK_EQ(destination[3 * at + byte], inside ? source[3 * place + byte] : 0);
    }
    free(source);
    free(destination);
}

int main(void)
{
    int host = omp_get_initial_device();
    blocks(host);
    blocks(-1);
    for (int device = 1; device < 4; device++) {
        no_device(host + device);
        no_device(-1 - device);
    }
    for (int dimensions = 1; dimensions <= DIMENSIONS; dimensions++)
        for (unsigned seed = 0; seed < 40; seed++)
            rectangles(dimensions, seed);
    CHECK(omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, host, host) >= 3);
    size_t one = 1, zero = 0, huge[2] = {2, SIZE_MAX}, ones[2] = {1, 1}, zeros[2] = {0, 0};
    char byte = 0;
    CHECK(omp_target_memcpy_rect(&byte, &byte, 1, 0, &one, &zero, &zero, &one, &one, host, host) != 0);
    CHECK(omp_target_memcpy_rect(&byte, NULL, 1, 1, &one, &zero, &zero, &one, &one, host, host) != 0);
    CHECK(omp_target_memcpy_rect(&byte, &byte, 8, 2, ones, zeros, zeros, huge, huge, host, host) != 0);
    return check_result();
}
