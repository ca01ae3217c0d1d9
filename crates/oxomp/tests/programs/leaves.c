/* The program loops.c on a thread that outlives the main thread; with a word, in a child of fork(2)
 * of which a worker is the first thread. */
#define main loops
#include "loops.c"
#undef main

#include <pthread.h>
#include <sys/wait.h>

static void *other(void *unused) {
  usleep(20000);
  loops();
  return unused;
}

static void leave(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_exit(NULL);
}

static void fork_in_worker(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    pid_t child = fork();
    if (child == 0) sweep(2);
    else waitpid(child, NULL, 0);
  }
}

int main(int words, char **arguments) {
  (void)arguments;
  if (words > 1) fork_in_worker();
  leave();
}
