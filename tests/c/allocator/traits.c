// Every trait with every value, alone and with its default, in both numberings of the headers.
//#Threads:1
//#NoStderr
//#ReferenceFails:libgomp 12 and libomp refuse some of these traits, or abort
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <string.h>

static void use(int space, int count, const omp_alloctrait_t *traits, size_t alignment)
{
    omp_allocator_handle_t allocator =
        omp_init_allocator((omp_memspace_handle_t)space, count, (omp_alloctrait_t *)traits);
    CHECK(allocator != omp_null_allocator && (uintptr_t)allocator > 1024);
    char *block = omp_alloc(1000, allocator), *zeroed = omp_calloc(3, 5000, allocator);
    CHECK(block && zeroed && block != zeroed);
    CHECK((uintptr_t)block % alignment == 0 && (uintptr_t)zeroed % alignment == 0);
    memset(block, 1, 1000);
    for (int i = 0; i < 15000; i++)
        CHECK(zeroed[i] == 0);
    block = omp_realloc(block, 30000, allocator, allocator);
    CHECK(block && block[0] == 1 && block[999] == 1 && (uintptr_t)block % alignment == 0);
    omp_free(block, allocator);
    omp_free(zeroed, omp_null_allocator);
    omp_destroy_allocator(allocator);
}

int main(void)
{
    const uintptr_t by_default = -1;
    static const struct {
        int key;
        uintptr_t values[9];
    } all[] = {
        {1, {3, 4, 5, 6}},                       // sync_hint
        {2, {1, 8, 16, 64, 4096, 1 << 20}},      // alignment
        {3, {7, 8, 9, 10, 19, 20, 21, 22}},      // access: all is 7 or 19
        {4, {1, 1 << 20, (uintptr_t)1 << 62}},   // pool_size; the fallback has memory
        {5, {11, 12}},                           // fallback
        {6, {1, 2, 8}},                          // fb_data
        {7, {1}},                                // pinned
        {8, {15, 16, 17, 18}},                   // partition
        {9, {1, 5}},                             // pin_device
        {10, {1, 3}},                            // preferred_device
        {11, {20, 21}},                          // device_access
        {12, {20, 21}},                          // target_access
        {13, {19, 7}},                           // atomic_scope
        {14, {1, 100, 1 << 16}},                 // part_size
    };
    const int spaces[] = {0, 99, 1, 2, 3, 4};
    for (int s = 0; s < 6; s++) {
        use(spaces[s], 0, NULL, 16);
        for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
            omp_alloctrait_t trait = {(omp_alloctrait_key_t)all[i].key, by_default};
            use(spaces[s], 1, &trait, 16);
            for (const uintptr_t *value = all[i].values; *value; value++) {
                trait.value = *value;
                use(spaces[s], 1, &trait, all[i].key == 2 && *value > 16 ? *value : 16);
            }
        }
    }
    omp_alloctrait_t many[] = {
        {omp_atk_alignment, 128},           {omp_atk_pinned, omp_atv_true},
        {omp_atk_partition, omp_atv_interleaved}, {omp_atk_pool_size, 1 << 20},
        {omp_atk_fallback, omp_atv_null_fb}, {omp_atk_sync_hint, omp_atv_contended},
        {omp_atk_pinned, omp_atv_false},
    };
    use(0, 7, many, 128);
    use(0, 3, many, 128);
    return check_result();
}
