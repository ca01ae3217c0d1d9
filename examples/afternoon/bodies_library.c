/* The library of bodies.py: forces by a tree of halves, whose every level is a task. */
#include <math.h>

/* The force of one body on itself: a stand-in for a sum over the bodies around. */
static double force(double place)
{
    double sum = 0;
    for (int near = 1; near <= 8; near++)
        sum += place / (near * near + fabs(place));
    return sum;
}

/* Forces of the bodies from `first` to before `last`; tasks down to the level `cut_off`. */
static void halves(const double *places, double *forces, int first, int last, int level,
                   int cut_off)
{
    if (last - first == 1) {
        forces[first] = force(places[first]);
        return;
    }
    int middle = first + (last - first) / 2;
    if (level >= cut_off) {
        halves(places, forces, first, middle, level + 1, cut_off);
        halves(places, forces, middle, last, level + 1, cut_off);
        return;
    }
#pragma omp task
    halves(places, forces, first, middle, level + 1, cut_off);
#pragma omp task
    halves(places, forces, middle, last, level + 1, cut_off);
#pragma omp taskwait
}

void forces(const double *places, double *forces, int count, int cut_off)
{
#pragma omp parallel
#pragma omp single
    halves(places, forces, 0, count, 0, cut_off);
}

void move(double *places, const double *forces, int count)
{
#pragma omp parallel for
    for (int body = 0; body < count; body++)
        places[body] += 1e-6 * forces[body];
}

double momentum(const double *places, int count)
{
    double sum = 0;
    for (int body = 0; body < count; body++)
        sum += places[body];
    return sum;
}
