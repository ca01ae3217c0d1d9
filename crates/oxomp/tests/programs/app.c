/* Prints which runtime it got and its arguments, then does what the variable DO says. */
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t count;
static void on_signal(int number) { count++; }

int main(int argc, char **argv) {
  printf("procs %d\n", omp_get_num_procs());
  for (int i = 0; i < argc; i++) printf("argument %zu:%s\n", strlen(argv[i]), argv[i]);
  fflush(stdout);
  const char *what = getenv("DO") ? getenv("DO") : "";
  if (!strncmp(what, "die:", 4)) {
    kill(getpid(), atoi(what + 4));
    pause();
  }
  if (!strncmp(what, "wait:", 5)) {
    /* Counts the signals that arrive until some time after the first. */
    signal(atoi(what + 5), on_signal);
    printf("ready\n");
    fflush(stdout);
    for (int i = 0; i < 1000 && !count; i++) usleep(10000);
    usleep(300000);
    printf("signals %d\n", (int)count);
    return 3;
  }
  return 7;
}
