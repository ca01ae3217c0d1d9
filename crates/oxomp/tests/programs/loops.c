/* Twenty regions whose first thread works ten times as long as the others; then what DO says. */
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double work(double seconds) {
  double end = omp_get_wtime() + seconds;
  while (omp_get_wtime() < end) {}
  return end;
}

__attribute__((noinline)) static double sweep(int parts) {
  double last = 0;
#pragma omp parallel for schedule(static) reduction(max : last) num_threads(2)
  for (int part = 0; part < parts; part++) {
    double end = work(part == 0 ? 0.005 : 0.0005);
    last = end > last ? end : last;
  }
  return last;
}

int main(void) {
  double last = 0;
  for (int i = 0; i < 20; i++) last += sweep(2);
  printf("done%s\n", last > 0 ? "" : " nothing");
  fflush(stdout);
  const char *what = getenv("DO") ? getenv("DO") : "";
  if (!strncmp(what, "die:", 4)) kill(getpid(), atoi(what + 4));
  return 7;
}
