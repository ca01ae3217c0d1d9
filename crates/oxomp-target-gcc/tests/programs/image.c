/* A library with an image, in the form of tests/offload/tool/image.c that gcc 12 compiles. */
#pragma omp declare target
int image_variable[10] = {100};
#pragma omp end declare target

int image_run(int value)
{
#pragma omp target map(tofrom : value)
  value++;
  return value;
}
