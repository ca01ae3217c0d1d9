/* A library with a target region of its own. */
int triple(int value)
{
#pragma omp target map(tofrom : value)
  value = 3 * value;
  return value;
}
