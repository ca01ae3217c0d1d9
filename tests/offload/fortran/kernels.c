//#Part:of the Fortran programs
// Kernels for data that Fortran has mapped: flang 22 cannot make kernels for the host device, its images
// ask for the runtime of a GPU.
void scale(int *values, int length, int factor)
{
#pragma omp target parallel for map(present, tofrom : values[0 : length])
    for (int i = 0; i < length; i++)
        values[i] *= factor;
}

double sum(double *values, int length)
{
    double total = 0;
#pragma omp target teams distribute parallel for map(present, to : values[0 : length]) reduction(+ : total)
    for (int i = 0; i < length; i++)
        total += values[i];
    return total;
}
