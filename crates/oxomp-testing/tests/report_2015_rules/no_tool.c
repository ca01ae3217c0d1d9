/* A program without a tool asks the runtime's own ompt_tool (section 7.1 of the 2015 report). */
#include <omp.h>
#include <ompt.h>
#include <stdio.h>

int main(void) {
    int is_none = ompt_tool() == NULL;
    omp_get_max_threads();
    printf("none=%d %d\n", is_none, ompt_tool() == NULL);
    return 0;
}
