// Records of mappings carry every item; one that is larger than the tool's buffer is divided.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

enum { ITEMS = 7 };
static int a[3], b[5], c[7], d[11], e[13], f[17], g[19];
static void *const address[ITEMS] = {a, b, c, d, e, f, g};
static const size_t size[ITEMS] = {sizeof a, sizeof b, sizeof c, sizeof d, sizeof e, sizeof f, sizeof g};
static int seen[ITEMS], parts;
static uint64_t target;

static void check_items(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t at, int is_owned)
{
    ompt_buffer_cursor_t cursor = at;
    do {
        ompt_record_ompt_t *it = trace.ompt(buffer, cursor);
        CHECK_EQ(it->type, ompt_callback_target_map);
        ompt_record_target_map_t *map = &it->record.target_map;
        CHECK(target == 0 || target == it->target_id);
        CHECK_EQ(map->target_id, it->target_id);
        CHECK(map->codeptr_ra != NULL);
        target = it->target_id;
        parts++;
        for (unsigned i = 0; i < map->nitems; i++) {
            int which = 0;
            while (which < ITEMS && address[which] != map->host_addr[i])
                which++;
            CHECK(which < ITEMS);
            if (which == ITEMS)
                continue;
            seen[which]++;
            CHECK_EQ(map->bytes[i], size[which]);
            CHECK_EQ(map->mapping_flags[i] & 7, which % 2 ? ompt_target_map_flag_alloc : ompt_target_map_flag_to);
            CHECK(map->device_addr[i] == omp_get_mapped_ptr(map->host_addr[i], device));
        }
    } while (trace.advance(device_of[device], buffer, bytes, cursor, &cursor));
    complete(device, buffer, bytes, at, is_owned);
}

int main(void)
{
    ompt_device_t *handle = meet_device(find_functions);
    CHECK_EQ(trace.set_ompt(handle, 1, ompt_callback_target_map), ompt_set_always);
    static const size_t sizes[] = {sizeof(ompt_record_ompt_t), 130, 200, 4096};
    static const int most_parts[] = {7, 7, 3, 1};
    for (int round = 0; round < 4; round++) {
        buffer_bytes = sizes[round];
        memset(seen, 0, sizeof seen);
        target = parts = 0;
        CHECK_EQ(trace.start(handle, request, check_items), 1);
#pragma omp target enter data map(to : a, c, e, g) map(alloc : b, d, f)
        CHECK_EQ(trace.stop(handle), 1);
#pragma omp target exit data map(release : a, b, c, d, e, f, g)
        for (int i = 0; i < ITEMS; i++)
            CHECK_EQ(seen[i], 1);
        CHECK(parts >= 1 && parts <= most_parts[round]);
        CHECK(round > 0 || parts > 1);
    }
    return check_result();
}
