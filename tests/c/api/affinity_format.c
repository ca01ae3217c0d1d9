// The affinity format: set, read back in part, expanded for each thread; all fields, both names of each.
//#Env:OMP_NUM_THREADS=3
//#ReferenceFails[gcc]:to libgomp a field that it does not know is an error
#define _GNU_SOURCE
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK_TEXT(format, wanted)                                                                 \
    do {                                                                                           \
        char found_[200];                                                                          \
        size_t length_ = omp_capture_affinity(found_, sizeof found_, format);                      \
        if (strcmp(found_, wanted) != 0 || length_ != strlen(wanted)) {                            \
            fprintf(stderr, "%s, not %s\n", found_, wanted);                                       \
            CHECK(!"text");                                                                        \
        }                                                                                          \
    } while (0)

int main(void)
{
    char text[100] = "xxxxxxxxxx";
    omp_set_affinity_format("thread %n of %N");
    CHECK_EQ(omp_get_affinity_format(NULL, 0), 15);
    CHECK_EQ(omp_get_affinity_format(text, 7), 15);
    CHECK(strcmp(text, "thread") == 0 && text[7] == 'x');
    CHECK_TEXT(NULL, "thread 0 of 1");
    CHECK_EQ(omp_capture_affinity(text, 1, NULL), 13);
    CHECK(text[0] == 0);

    CHECK_TEXT("<%4n|%.4N|%0.4L>", "<0   |   1|0000>");
    CHECK_TEXT("%a", "-1");
    CHECK_TEXT("100%%", "100%");
    CHECK_TEXT("%X %{no_such}", "undefined undefined");

    char host[200], wanted[300];
    gethostname(host, sizeof host);
    snprintf(wanted, sizeof wanted, "%s %d %d", host, getpid(), gettid());
    CHECK_TEXT("%H %P %i", wanted);
    CHECK_TEXT("%{host} %{process_id} %{native_thread_id}", wanted);

#pragma omp parallel
    {
        char mine[100];
        snprintf(mine, sizeof mine, "0 1 1 %d 3 0", omp_get_thread_num());
        CHECK_TEXT("%t %T %L %n %N %a", mine);
        CHECK_TEXT("%{team_num} %{num_teams} %{nesting_level} %{thread_num} %{num_threads}"
                   " %{ancestor_tnum}",
                   mine);
        snprintf(mine, sizeof mine, "%d", gettid());
        CHECK_TEXT("%i", mine);
    }
    return check_result();
}
