//#Part:of reopened.c, leftover.c, closed_names.c, at_end_of_thread.c
// A library with an image: a variable of its own on the device, a kernel, and data that it may leave
// there.
#pragma omp begin declare target
int library_count = 100;
#pragma omp end declare target

static int table[8];

int image_count(int step)
{
    int count = -1;
#pragma omp target map(from : count)
    {
        library_count += step;
        count = library_count;
    }
    return count;
}

int image_sum(const int *values, int length)
{
    int sum = 0;
#pragma omp target teams distribute parallel for map(to : values[0 : length]) reduction(+ : sum)
    for (int i = 0; i < length; i++)
        sum += values[i];
    return sum;
}

void image_leave(void)
{
#pragma omp target enter data map(to : table)
}
