/* A loop over time with 34 regions of about 30 us each, as codes of hydrodynamics have them. */
#include "overhead.h"

enum { TIMES = 1500, SIZE = 64, STEPS = 450 };

static struct cell field[SIZE];

#define REGION(name)                                                                               \
    static void name(void)                                                                         \
    {                                                                                              \
        _Pragma("omp parallel for") for (int i = 0; i < SIZE; i++)                                 \
            field[i].value = work(STEPS, field[i].value);                                          \
    }
#define FIVE(name)                                                                                 \
    REGION(name##1) REGION(name##2) REGION(name##3) REGION(name##4) REGION(name##5)
#define CALL(name) name##1(), name##2(), name##3(), name##4(), name##5()

FIVE(a)
FIVE(b)
FIVE(c)
FIVE(d)
FIVE(e)
FIVE(f)
REGION(g1)
REGION(g2)
REGION(g3)
REGION(g4)

int main(void)
{
    int64_t begin = now_ns();
    for (int time = 0; time < TIMES; time++) {
        CALL(a), CALL(b), CALL(c), CALL(d), CALL(e), CALL(f);
        g1(), g2(), g3(), g4();
    }
    return told(begin, 34 * TIMES, field[0].value);
}
