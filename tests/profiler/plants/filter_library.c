/* The library of filter.py. */
#include "burn.h"

static double smoothed(double value)
{
    return burn(value, 50);
}

/* Smooths each pixel. */
void smooth(double *pixels, int size)
{

#pragma omp parallel for num_threads(2)
    for (int i = 0; i < size; i++)
        pixels[i] = smoothed(pixels[i]);
}

/* What the script does otherwise. */
void normalise(double *pixels, int size)
{
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < size; i++)
        pixels[i] = (pixels[i] - 0.5) * 0.25;
}
