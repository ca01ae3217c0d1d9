// Each thread waits in another function of the C library; thread 1 says so when all of them do.
//#Verdict:none
//#Says:thread\s+0\s[^:]*@READS in main, in read\(\d+\) of pipe:
//#Says:thread\s+2\s[^:]*@NAPS in main, in usleep\(\)
//#Says:thread\s+3\s[^:]*@LOCKS in main: waits\s+for\s+pthread\s+mutex\s+mutex,\s+which\s+thread\s+2\s+holds
//#Says:thread\s+4\s[^:]*@AWAITS in main, in pthread_cond_wait\(\) on condition
//#Says:thread\s+5\s[^:]*@FUTEX in main, in futex\(\) on word
//#Says:thread\s+6\s[^:]*@SEMAPHORE in main, in sem_wait\(\) on semaphore
//#Says:thread\s+7\s[^:]*@POLLS in main, in poll\(\)
//#Says:thread\s+8\s[^:]*@INPUT in main, in getchar\(\), by\s+read\(0\)\s+of
//#Says:thread\s+9\s[^:]*@JOINS in main: waits\s+for\s+the\s+end\s+of\s+other\s+thread\s+\(lwp\s+\d+\)
#include "../planted.h"
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>

enum { THREADS = 10, LONG = 600 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static unsigned word;
static int threads[THREADS];

// Whether the kernel has the thread asleep.
static int sleeps(int thread)
{
    char name[64], state = 0;
    snprintf(name, sizeof name, "/proc/self/task/%d/stat", thread);
    FILE *stat = fopen(name, "r");
    if (stat) {
        if (fscanf(stat, "%*d (%*[^)]) %c", &state) != 1)
            state = 0;
        fclose(stat);
    }
    return state == 'S';
}

static void *nap(void *argument)
{
    sleep(LONG);
    return argument;
}

int main(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return 1;
    sem_init(&semaphore, 0, 0);
#pragma omp parallel num_threads(THREADS)
    {
        int number = omp_get_thread_num();
        char byte;
        pthread_t thread;
        if (number == 2)
            pthread_mutex_lock(&mutex);
        if (number == 9)
            pthread_create(&thread, NULL, nap, NULL);
        threads[number] = (int)syscall(SYS_gettid);
        meet(THREADS);
        switch (number) {
        case 0:
            (void)!read(ends[0], &byte, 1); //@READS
            break;
        case 1:
            // Twenty times in a row, since a thread may sleep in meet() too.
            for (int looks = 0; looks < 20; looks++) {
                usleep(10000);
                for (int it = 0; it < THREADS; it++)
                    if (it != number && !sleeps(threads[it]))
                        looks = 0;
            }
            puts("ready");
            fflush(stdout);
            sleep(LONG);
            break;
        case 2:
            for (int naps = 0; naps < LONG; naps++)
                usleep(999999); //@NAPS
            break;
        case 3:
            pthread_mutex_lock(&mutex); //@LOCKS
            break;
        case 4:
            pthread_mutex_lock(&other);
            pthread_cond_wait(&condition, &other); //@AWAITS
            break;
        case 5:
            syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL); //@FUTEX
            break;
        case 6:
            sem_wait(&semaphore); //@SEMAPHORE
            break;
        case 7:
            poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, LONG * 1000); //@POLLS
            break;
        case 8:
            getchar(); //@INPUT
            break;
        default:
            pthread_join(thread, NULL); //@JOINS
        }
    }
    return 0;
}
