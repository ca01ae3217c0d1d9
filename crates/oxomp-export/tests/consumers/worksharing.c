/* Worksharing constructs one after the other and inside each other. */
#include <omp.h>

static void burn(double seconds)
{
    double end = omp_get_wtime() + seconds;
    while (omp_get_wtime() < end) {
    }
}

int main(void)
{
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 8; i++)
            burn(1e-3);
#pragma omp sections
        {
#pragma omp section
            burn(2e-3);
#pragma omp section
            burn(1e-3);
        }
#pragma omp single
        {
#pragma omp taskloop grainsize(1)
            for (int i = 0; i < 4; i++)
                burn(1e-3);
        }
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(2)
            {
#pragma omp for schedule(dynamic, 1)
                for (int j = 0; j < 2; j++)
                    burn(1e-3);
            }
        }
    }
    return 0;
}
