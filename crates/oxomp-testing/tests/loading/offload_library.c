/* An offload library with routines of its own, which say that they were called. */
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

int theirs_memory;

EXPORT void __tgt_register_lib(void *description);
void __tgt_register_lib(void *description)
{
    (void)description;
}

EXPORT int omp_get_num_devices(void);
int omp_get_num_devices(void)
{
    return 3;
}

EXPORT void *omp_target_alloc(size_t size, int device);
void *omp_target_alloc(size_t size, int device)
{
    return size == 8 && device == 2 ? &theirs_memory : NULL;
}

EXPORT void omp_target_free(void *memory, int device);
void omp_target_free(void *memory, int device)
{
    theirs_memory = memory == &theirs_memory ? device : -1;
}

EXPORT int omp_target_is_present(const void *address, int device);
int omp_target_is_present(const void *address, int device)
{
    return address == &theirs_memory && device == 1;
}

EXPORT int omp_target_memcpy(void *to, const void *from, size_t length, size_t to_offset,
                             size_t from_offset, int to_device, int from_device);
int omp_target_memcpy(void *to, const void *from, size_t length, size_t to_offset, size_t from_offset,
                      int to_device, int from_device)
{
    (void)to;
    (void)from;
    return (int)(length * 10000 + to_offset * 1000 + from_offset * 100) + to_device * 10 + from_device;
}

EXPORT const char *omp_get_interop_name(const void *interop, int property);
const char *omp_get_interop_name(const void *interop, int property)
{
    return interop == NULL && property == -1 ? "theirs" : NULL;
}
