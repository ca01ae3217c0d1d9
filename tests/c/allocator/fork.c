// A child of fork(2) has the blocks, the pools and the allocators of its parent, and goes on with
// them, whatever other threads were doing with allocators at that moment.
//#Threads:1,4
//#NoStderr
//#ReferenceFails:libomp hangs in the child
#include "check.h"
#include <omp.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static omp_alloctrait_t traits[] = {{omp_atk_pool_size, 100000}, {omp_atk_fallback, omp_atv_null_fb}};

static void use(omp_allocator_handle_t shared)
{
    omp_allocator_handle_t own = omp_init_allocator(omp_default_mem_space, 2, traits);
    void *most = omp_alloc(90000, own);
    CHECK(most && !omp_alloc(90000, own));
    omp_free(most, own);
    omp_destroy_allocator(own);
    void *some = omp_alloc(100, shared);
    omp_free(some, omp_null_allocator);
}

int main(void)
{
    omp_allocator_handle_t shared = omp_init_allocator(omp_default_mem_space, 2, traits);
    char *block = omp_alloc(50000, shared);
    strcpy(block, "the parent's");
#pragma omp parallel
    {
#pragma omp master
        for (int i = 0; i < 20; i++) {
            pid_t child = fork();
            if (!child) {
                CHECK(!strcmp(block, "the parent's") && !omp_alloc(60000, shared));
                omp_free(block, shared);
                for (int k = 0; k < 100; k++)
                    use(shared);
                _exit(check_result());
            }
            int status;
            waitpid(child, &status, 0);
            CHECK_EQ(status, 0);
        }
        if (omp_get_thread_num())
            for (int i = 0; i < 3000; i++)
                use(shared);
    }
    CHECK(!strcmp(block, "the parent's"));
    omp_free(block, shared);
    omp_destroy_allocator(shared);
    return check_result();
}
