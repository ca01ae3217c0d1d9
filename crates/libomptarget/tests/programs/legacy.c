// Calls by hand, as older compilers make them, and functions that no compiler calls.
#include <stdint.h>
#include <stdio.h>

int __tgt_target(int64_t, void *, int32_t, void **, void **, int64_t *, int64_t *);
void __tgt_target_data_begin(int64_t, int32_t, void **, void **, int64_t *, int64_t *);
void __tgt_target_data_update(int64_t, int32_t, void **, void **, int64_t *, int64_t *);
void __tgt_target_data_end(int64_t, int32_t, void **, void **, int64_t *, int64_t *);
void __kmpc_push_target_tripcount(int64_t, uint64_t);
int __tgt_activate_record_replay(void);
int omp_target_is_present(const void *, int);

int main(void)
{
    int numbers[10] = {1};
    void *base[] = {numbers};
    int64_t size[] = {sizeof numbers}, to[] = {1}, from[] = {2}, none[] = {0};
    // A construct that makes an image of this program, for devices to be there.
#pragma omp target
    {
    }
    __tgt_target_data_begin(0, 1, base, base, size, to);
    numbers[0] = 2;
    printf("%d", omp_target_is_present(numbers, 0));
    __tgt_target_data_update(0, 1, base, base, size, from);
    printf(" %d", numbers[0]);
    __tgt_target_data_end(0, 1, base, base, size, none);
    __kmpc_push_target_tripcount(0, 10);
    printf(" %d", omp_target_is_present(numbers, 0));
    printf(" %d", __tgt_target(0, numbers, 0, base, base, size, to) != 0);
    printf(" %d\n", __tgt_activate_record_replay());
    return 0;
}
