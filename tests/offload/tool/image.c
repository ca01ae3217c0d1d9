//#Part:of opened.c
// A library with an image and a variable on the device.
#pragma omp begin declare target
int image_variable[10];
#pragma omp end declare target

int image_run(int value)
{
#pragma omp target map(tofrom : value)
    value += ++image_variable[0];
    return value;
}
