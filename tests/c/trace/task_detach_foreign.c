// Events that another thread fulfils, which OpenMP does not know: before the body, and after it.
// Tasks that depend on a detached one wait for its event; an undeferred one keeps its generating
// task for as long as its body runs.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#Flags:-pthread -Wno-uninitialized
//#ReferenceFails[clang]:libomp calls the frame that creates a task one of the runtime
//#ReferenceFails[gcc]:libgomp 12 waits for ever for tasks whose event another thread fulfils
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     create! $early %t explicit 0 EARLY
//|     taskwait! $p %t WAIT
//|     task_schedule prior=%t status=switch next=$early as begins
//|     task_schedule prior=$early status=complete next=%t
//|     waited! taskwait $p %t WAIT
//|
//|     create! $late %t explicit 1 LATE
//|     dependences task=$late count=1
//|     + dependence type=inout variable=%value
//|     create! %next %t explicit 1 NEXT
//|     dependences task=%next count=1
//|     + dependence type=in variable=%value
//|     task_dependence source=$late sink=%next
//|     task_schedule prior=%t status=yield next=$late
//|     task_schedule prior=$late status=detach next=%t as detached
//|     taskwait! $p %t WAIT
//|     task_schedule prior=%t status=switch next=%next as next
//|     task_schedule prior=%next status=complete next=%t
//|     waited! taskwait $p %t WAIT
//|
//|     create! $undeferred %t explicit,undeferred 0 UNDEFERRED
//|     task_schedule prior=%t status=switch next=$undeferred
//|     task_schedule prior=$undeferred status=detach next=%t as undeferred
//|     taskwait! $p %t WAIT
//|     sync_region_wait kind=taskwait endpoint=end parallel=$p task=%t codeptr=@WAIT as waited
//|     sync_region kind=taskwait endpoint=end parallel=$p task=%t codeptr=@WAIT
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     idle_worker! $p 2
//| }
//| root 1 {
//|     task_schedule prior=$early status=early_fulfill next=null as early
//|     task_schedule prior=$late status=late_fulfill next=null as late
//|     task_schedule prior=$undeferred status=late_fulfill next=null as last
//| }
//| team! $p
//| order early < begins
//| order detached < late
//| order late < next
//| order undeferred < last
//| order last < waited
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

static int over, ran, turn, value;
static omp_event_handle_t handle;

static void pass(int to)
{
    __atomic_store_n(&turn, to, __ATOMIC_RELEASE);
}

static void await(int wanted)
{
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != wanted)
        usleep(50);
}

// Fulfils three events; of the first one the other waits for the end, of the others it does not.
static void *foreigner(void *unused)
{
    await(1);
    omp_fulfill_event(handle);
    pass(2);
    for (int i = 3; i < 7; i += 2) {
        await(i);
        usleep(2000);
        omp_fulfill_event(handle);
    }
    return unused;
}

int main(void)
{ //@PAR
    pthread_t thread;
    pthread_create(&thread, NULL, foreigner, NULL); //@PAR
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() != 0) {
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
                usleep(50);
        } else {
            omp_event_handle_t event;
            handle = 0; //@EARLY
#pragma omp task detach(event) //@EARLY
            ran++;
            handle = event;
            pass(1);
            await(2);
#pragma omp taskwait //@WAIT
            ran++; //@LATE
#pragma omp task detach(event) depend(out : value) //@LATE
            ran++;
            handle = event; //@NEXT
#pragma omp task depend(in : value) //@NEXT
            ran++;
#pragma omp taskyield
            pass(3);
#pragma omp taskwait //@WAIT
            ran++; //@UNDEFERRED
#pragma omp task detach(event) if (0) //@UNDEFERRED
            handle = event;
            pass(5);
#pragma omp taskwait //@WAIT
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    pthread_join(thread, NULL);
    return ran == 5 ? 0 : 1;
}
