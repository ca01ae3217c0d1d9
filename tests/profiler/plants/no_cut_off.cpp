// A recursive sum over a tree with a task for each node, down to the leaves.
//#Says:cut-off
//#Advises:cut-off
//#Repair:no tasks below depth 8
#include "burn.h"

constexpr int DEPTH = 18;

#ifdef REPAIRED
constexpr int CUT_OFF = 8;
#else
constexpr int CUT_OFF = DEPTH;
#endif

static double visit(int depth)
{
    if (depth == DEPTH)
        return burn(depth, 10);
    double left, right;
    if (depth >= CUT_OFF)
        return visit(depth + 1) + visit(depth + 1);
#pragma omp task shared(left) firstprivate(depth) // PLANT
    left = visit(depth + 1);
#pragma omp task shared(right) firstprivate(depth) // PLANT
    right = visit(depth + 1);
#pragma omp taskwait
    return left + right;
}

int main()
{
    double sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    sum = visit(0);
    return sum > 0 ? 0 : 1;
}
