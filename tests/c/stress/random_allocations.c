// Threads take blocks from allocators of random kinds, change their sizes, and give back what others
// took: blocks are aligned, keep their contents, and no pool exceeds its size. Arguments: the
// number of steps of each thread, the seed.
//#Env:OMP_NUM_THREADS=6
//#Args:4000
//#Timeout:120
//#ReferenceFails[clang]:libomp 22 ends with an assertion of its own
//#NoStderr
#include "check.h"
#include "draw.h"
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN, ALIGNED, POOL, POOL_AND_MORE, FAST, CUSTOM, KINDS };
enum { SLOTS = 32, LARGEST = 6000, ALIGNMENT = 256, POOL_SIZE = 1 << 16 };

struct block {
    unsigned char *memory;
    size_t size, alignment;
    int kind;
    unsigned char content;
};

static omp_allocator_handle_t allocators[KINDS];

// Bytes of POOL that the program has: no more than the allocator counts.
static long of_pool;

static void note(const struct block *block, long bytes)
{
    if (block->kind == POOL)
        __atomic_fetch_add(&of_pool, bytes, __ATOMIC_SEQ_CST);
    CHECK(__atomic_load_n(&of_pool, __ATOMIC_SEQ_CST) <= POOL_SIZE);
}

static void check_content(const struct block *block, size_t size)
{
    CHECK_EQ((uintptr_t)block->memory % block->alignment, 0);
    size_t wrong = 0;
    for (size_t i = 0; i < size; i++)
        wrong += block->memory[i] != block->content;
    CHECK_EQ(wrong, 0);
}

// A new block; none from a pool that is empty.
static struct block *take(unsigned long *state)
{
    struct block *block = malloc(sizeof *block);
    block->kind = below(state, KINDS);
    block->size = 1 + (size_t)below(state, LARGEST);
    block->alignment = block->kind == ALIGNED ? ALIGNMENT : sizeof(void *);
    block->content = (unsigned char)draw(state);
    omp_allocator_handle_t allocator = allocators[block->kind];
    size_t more = (size_t)16 << below(state, 6);
    switch (below(state, 4)) {
    case 0:
        block->memory = omp_alloc(block->size, allocator);
        break;
    case 1:
        block->alignment = more > block->alignment ? more : block->alignment;
        block->memory = omp_aligned_alloc(more, block->size, allocator);
        break;
    case 2:
        block->memory = omp_calloc(1, block->size, allocator);
        break;
    default:
        block->alignment = more > block->alignment ? more : block->alignment;
        block->memory = omp_aligned_calloc(more, block->size, 1, allocator);
    }
    if (block->memory == NULL) {
        CHECK_EQ(block->kind, POOL);
        free(block);
        return NULL;
    }
    note(block, (long)block->size);
    memset(block->memory, block->content, block->size);
    return block;
}

static void resize(struct block *block, unsigned long *state)
{
    size_t size = 1 + (size_t)below(state, LARGEST);
    omp_allocator_handle_t allocator = allocators[block->kind];
    if (block->kind == POOL)
        return;
    block->alignment = block->kind == ALIGNED ? ALIGNMENT : sizeof(void *);
    block->memory = omp_realloc(block->memory, size, allocator, allocator);
    CHECK(block->memory != NULL);
    check_content(block, size < block->size ? size : block->size);
    block->size = size;
    memset(block->memory, block->content, size);
}

static void give_back(struct block *block, unsigned long *state)
{
    check_content(block, block->size);
    note(block, -(long)block->size);
    omp_free(block->memory, below(state, 2) ? allocators[block->kind] : omp_null_allocator);
    free(block);
}

static void steps(int count, unsigned long seed, struct block **slots)
{
    unsigned long state = seed;
    for (int i = 0; i < count; i++) {
        struct block **slot = &slots[below(&state, SLOTS)];
        struct block *block = __atomic_exchange_n(slot, NULL, __ATOMIC_ACQ_REL);
        if (block == NULL) {
            block = take(&state);
        } else if (below(&state, 3) == 0) {
            resize(block, &state);
        } else {
            give_back(block, &state);
            block = NULL;
        }
        if (block != NULL)
            block = __atomic_exchange_n(slot, block, __ATOMIC_ACQ_REL);
        if (block != NULL)
            give_back(block, &state);
    }
}

static void make_allocators(void)
{
    omp_alloctrait_t aligned[] = {{omp_atk_alignment, ALIGNMENT}};
    omp_alloctrait_t pool[] = {{omp_atk_pool_size, POOL_SIZE}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_alloctrait_t more[] = {{omp_atk_pool_size, POOL_SIZE / 4},
                               {omp_atk_fallback, omp_atv_allocator_fb},
                               {omp_atk_fb_data, 0}};
    omp_alloctrait_t custom[] = {{omp_atk_sync_hint, omp_atv_contended},
                                 {omp_atk_access, omp_atv_all},
                                 {omp_atk_pool_size, POOL_SIZE},
                                 {omp_atk_fallback, omp_atv_default_mem_fb}};
    allocators[PLAIN] = omp_default_mem_alloc;
    allocators[ALIGNED] = omp_init_allocator(omp_default_mem_space, 1, aligned);
    allocators[POOL] = omp_init_allocator(omp_default_mem_space, 2, pool);
    more[2].value = (omp_uintptr_t)allocators[ALIGNED];
    allocators[POOL_AND_MORE] = omp_init_allocator(omp_default_mem_space, 3, more);
    allocators[FAST] = omp_large_cap_mem_alloc;
    allocators[CUSTOM] = omp_init_allocator(omp_default_mem_space, 4, custom);
    for (int kind = 0; kind < KINDS; kind++)
        CHECK(allocators[kind] != omp_null_allocator);
}

int main(int arguments, char **argument)
{
    int count = arguments > 1 ? atoi(argument[1]) : 4000;
    unsigned long seed = arguments > 2 ? strtoul(argument[2], NULL, 0) : 1;
    struct block *slots[SLOTS] = {0};
    of_pool = 0;
    make_allocators();
#pragma omp parallel
    steps(count, seed + (unsigned long)omp_get_thread_num(), slots);
    for (int i = 0; i < SLOTS; i++)
        if (slots[i] != NULL)
            give_back(slots[i], &seed);
    CHECK_EQ(of_pool, 0);
    // All of the pool can be had again, but for what the allocator notes of a block.
    void *all = omp_alloc(POOL_SIZE - 4096, allocators[POOL]);
    CHECK(all != NULL);
    omp_free(all, allocators[POOL]);
    for (int kind = 0; kind < KINDS; kind++)
        if (kind != PLAIN && kind != FAST)
            omp_destroy_allocator(allocators[kind]);
    return check_result();
}
