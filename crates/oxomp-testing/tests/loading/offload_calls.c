/* Routines for devices, before and after an offload library has been loaded: the library has the
 * answers from then on. Argument: the library. */
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#ifdef __clang__
/* As programs of clang refer to them that were linked with LLVM's or an older libomp. */
__asm__(".symver omp_target_alloc, omp_target_alloc@VERSION");
__asm__(".symver omp_target_free, omp_target_free@VERSION");
__asm__(".symver omp_target_is_present, omp_target_is_present@VERSION");
__asm__(".symver omp_target_memcpy, omp_target_memcpy@VERSION");
#endif

static void say(const char *when)
{
    char bytes[4] = "abc";
    void *memory = omp_target_alloc(8, 2);
    const char *name = omp_get_interop_name(omp_interop_none, omp_ipr_fr_id);
    printf("%s: %d devices, the host is %d, memory %d, present %d, copied %d, name %s\n", when,
           omp_get_num_devices(), omp_get_initial_device(), memory != NULL,
           omp_target_is_present(memory, 1), omp_target_memcpy(bytes, bytes, 4, 3, 2, 1, 0), name);
    omp_target_free(memory, 2);
}

int main(int count, char **arguments)
{
    say("before");
    void *library = count > 1 ? dlopen(arguments[1], RTLD_LAZY | RTLD_GLOBAL) : NULL;
    if (library == NULL)
        return 2;
    say("after");
    printf("freed on %d\n", *(int *)dlsym(library, "theirs_memory"));
    /* The runtime keeps the library. */
    dlclose(library);
    say("closed");
    return 0;
}
