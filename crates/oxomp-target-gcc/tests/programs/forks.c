/* Uses a device, forks, and uses it in both processes. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void use(const char *who)
{
  int x = 1;
  long place = 0;
#pragma omp target map(tofrom : x) map(from : place)
  {
    place = (long)&x;
    x = 2;
  }
  printf("%s: %s %d\n", who, place == (long)&x ? "host" : "device", x);
  fflush(stdout);
}

int main(void)
{
  int x = 0, status = 1;
#pragma omp target map(tofrom : x)
  x = 1;
  pid_t child = fork();
  if (child == 0) {
    use("child");
    exit(0);
  }
  waitpid(child, &status, 0);
  use("parent");
  return status;
}
