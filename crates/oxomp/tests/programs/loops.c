/* Twenty regions whose first thread works ten times as long as the second, and only when that is
 * done, however late it begins; then what DO says. */
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
  int is_other_done = 0;
#pragma omp parallel for schedule(static) reduction(max : last) num_threads(2)
  for (int part = 0; part < parts; part++) {
    /* A team of one thread has nobody to wait for: a region inside another one. */
    for (int go = part > 0 || omp_get_num_threads() < 2; !go;) {
#pragma omp atomic read
      go = is_other_done;
    }
    double end = work(part == 0 ? 0.005 : 0.0005);
    last = end > last ? end : last;
    if (part > 0) {
#pragma omp atomic write
      is_other_done = 1;
    }
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
  if (!strncmp(what, "stay:", 5)) usleep(atoi(what + 5));
  return 7;
}
