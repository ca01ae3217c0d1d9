// A program that has nothing but target constructs which name their devices: the thread that meets the
// first one is known by then, and its task has the tool's word.
#define TARGET_TOOL 1
#include "target_tool.h"

int main(void)
{
    int value = 0;
    for (int device = 0; device < 2; device++)
#pragma omp target map(tofrom : value) device(device)
        value++;
    CHECK_EQ(value, 2);
    CHECK_EQ(count(0, TARGET, ompt_scope_begin, ompt_target), 2);
    struct event *first = find(0, TARGET, ompt_scope_begin, ompt_target);
    CHECK(first != NULL && first->task != 0);
    CHECK(find(0, TARGET, ompt_scope_end, ompt_target)->task == first->task);
    return check_result();
}
