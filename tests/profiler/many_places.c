/* Short regions at 400 places, more than a table of sums in one chunk of the file holds, each with
 * a loop whose chunks are handed out. The program counts them itself. */
#include "clock.h"

enum { STEPS = 40, PLACES = 400 };

static volatile double sink;

/* A region of its own, in a function of its own, in each place: a construct is told apart by its
 * address. */
#define STAGE(number)                                                                              \
    static void stage_##number(void)                                                               \
    {                                                                                              \
        double sum = 0;                                                                            \
        _Pragma("omp parallel for num_threads(2) schedule(dynamic, 8) reduction(+ : sum)")         \
        for (int i = 0; i < 32; i++)                                                               \
            sum += i * number;                                                                     \
        sink = sum;                                                                                \
    }
#define TEN(tens)                                                                                  \
    STAGE(tens##0) STAGE(tens##1) STAGE(tens##2) STAGE(tens##3) STAGE(tens##4)                      \
    STAGE(tens##5) STAGE(tens##6) STAGE(tens##7) STAGE(tens##8) STAGE(tens##9)
#define ALL(ten)                                                                                   \
    ten(1) ten(2) ten(3) ten(4) ten(5) ten(6) ten(7) ten(8) ten(9) ten(10) ten(11) ten(12) ten(13) \
    ten(14) ten(15) ten(16) ten(17) ten(18) ten(19) ten(20) ten(21) ten(22) ten(23) ten(24)        \
    ten(25) ten(26) ten(27) ten(28) ten(29) ten(30) ten(31) ten(32) ten(33) ten(34) ten(35)        \
    ten(36) ten(37) ten(38) ten(39) ten(40)
#define NAMES(tens)                                                                                \
    stage_##tens##0, stage_##tens##1, stage_##tens##2, stage_##tens##3, stage_##tens##4,           \
        stage_##tens##5, stage_##tens##6, stage_##tens##7, stage_##tens##8, stage_##tens##9,

ALL(TEN)

static void (*const stages[PLACES])(void) = {ALL(NAMES)};

int main(void)
{
    int64_t regions = 0;
    for (int step = 0; step < STEPS; step++)
        for (int place = 0; place < PLACES; place++, regions++)
            stages[place]();
    print_fact("places", PLACES);
    print_fact("steps", STEPS);
    print_fact("regions", regions);
    print_fact("iterations", 32 * regions);
    return 0;
}
