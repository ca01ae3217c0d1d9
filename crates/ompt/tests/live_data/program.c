// Regions, serialized and nested; leagues; tasks that end elsewhere, detached, cancelled, merged.
#include <omp.h>
#include <pthread.h>
#include <stdint.h>

static int sum;

static void *fulfil(void *event) {
  omp_fulfill_event((omp_event_handle_t)(uintptr_t)event);
  return 0;
}

static void *own_regions(void *unused) {
  #pragma omp parallel num_threads(2)
  {
    #pragma omp atomic
    sum++;
  }
  return unused;
}

static void tasks(int depth) {
  for (int i = 0; i < 3 && depth > 0; i++) {
    #pragma omp task depend(inout: sum) final(i == 2) untied
    tasks(depth - 1);
  }
  #pragma omp taskwait
}

int main(void) {
  pthread_t others[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&others[i], 0, own_regions, 0);
  for (int round = 0; round < 40; round++) {
    #pragma omp parallel num_threads(1 + round % 4)
    {
      #pragma omp for schedule(dynamic) reduction(+: sum)
      for (int i = 0; i < 4; i++)
        sum++;
      #pragma omp single
      {
        tasks(3);
        #pragma omp taskloop num_tasks(3)
        for (int i = 0; i < 9; i++)
          ;
      }
      #pragma omp parallel num_threads(2)
      {
        #pragma omp critical
        sum++;
      }
    }
    #pragma omp parallel num_threads(3)
    #pragma omp single
    {
      pthread_t fulfiller;
      omp_event_handle_t event;
      #pragma omp task detach(event) shared(fulfiller)
      pthread_create(&fulfiller, 0, fulfil, (void *)(uintptr_t)event);
      #pragma omp taskwait
      pthread_join(fulfiller, 0);
      #pragma omp taskgroup
      {
        for (int i = 0; i < 8; i++) {
          #pragma omp task
          {
            #pragma omp cancel taskgroup
          }
        }
      }
    }
    #pragma omp teams num_teams(2) thread_limit(2)
    {
      #pragma omp parallel
      {
        #pragma omp flush
      }
    }
  }
  for (int i = 0; i < 2; i++)
    pthread_join(others[i], 0);
  return 0;
}
