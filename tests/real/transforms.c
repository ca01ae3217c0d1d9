/* Fourier transforms by FFTW's OpenMP library: forth, a sum of what came out, and back. */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>

enum { ROWS = 360, COLUMNS = 256, PLANES = 4 };

static double value(int i) { return sin(0.37 * i) + (double)(i % 101) / 101; }

/* Prints two sums of the spectrum, and fails when the way back does not end where it began. */
static int there_and_back(const char *name, int rank, const int *lengths, int total)
{
    fftw_complex *data = fftw_alloc_complex((size_t)total);
    fftw_plan forth = fftw_plan_dft(rank, lengths, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_plan back = fftw_plan_dft(rank, lengths, data, data, FFTW_BACKWARD, FFTW_ESTIMATE);
    if (data == NULL || forth == NULL || back == NULL) {
        printf("%s: no memory or no plan\n", name);
        return 1;
    }
    for (int i = 0; i < total; i++)
        data[i] = value(i);
    double error = 0;
    for (int turn = 0; turn < 5; turn++) {
        fftw_execute(forth);
        double magnitudes = 0, alternating = 0;
        for (int i = 0; i < total; i++) {
            magnitudes += cabs(data[i]);
            alternating += (i % 2 ? -1 : 1) * (creal(data[i]) + cimag(data[i]));
        }
        printf("%s %.15g %.15g\n", name, magnitudes, alternating);
        fftw_execute(back);
        for (int i = 0; i < total; i++) {
            data[i] /= total;
            error = fmax(error, cabs(data[i] - value(i)));
        }
    }
    fftw_destroy_plan(forth);
    fftw_destroy_plan(back);
    fftw_free(data);
    if (error > 1e-10)
        printf("%s: the way back is wrong by %g\n", name, error);
    return error > 1e-10;
}

int main(void)
{
    if (fftw_init_threads() == 0) {
        printf("fftw_init_threads failed\n");
        return 1;
    }
    fftw_plan_with_nthreads(omp_get_max_threads());
    const int line[] = {ROWS * COLUMNS}, plane[] = {ROWS, COLUMNS}, box[] = {PLANES, ROWS, COLUMNS};
    int wrong = there_and_back("line", 1, line, ROWS * COLUMNS);
    wrong += there_and_back("plane", 2, plane, ROWS * COLUMNS);
    wrong += there_and_back("box", 3, box, PLANES * ROWS * COLUMNS);
    fftw_cleanup_threads();
    return wrong;
}
