// Dependences of every kind, as the clauses give them, and who waits for whom: for every member of
// a set before, for one task before, or for all; iterators; the same location twice.
//#Env:OMP_NUM_THREADS=2
//#Opt:-O0
//#ReferenceFails:libomp calls the frame that creates a task one of the runtime
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     fork! $p $root none 2 PAR
//|     task! $p %t 2 0
//|     create! %out %t explicit 1 OUT
//|     dependences task=%out count=1
//|     # Compilers say of it what they say of inout.
//|     + dependence type=inout variable=%a
//|     # Readers wait for the writer, not for each other.
//|     create! %in1 %t explicit 1 IN
//|     dependences task=%in1 count=1
//|     + dependence type=in variable=%a
//|     task_dependence source=%out sink=%in1
//|     create! %in2 %t explicit 1 IN
//|     dependences task=%in2 count=1
//|     + dependence type=in variable=%a
//|     task_dependence source=%out sink=%in2
//|     # Those that exclude each other wait for all readers.
//|     create! %mutex1 %t explicit 1 MUTEX
//|     dependences task=%mutex1 count=1
//|     + dependence type=mutexinoutset variable=%a
//|     task_dependence source=%in1 sink=%mutex1
//|     task_dependence source=%in2 sink=%mutex1
//|     create! %mutex2 %t explicit 1 MUTEX
//|     dependences task=%mutex2 count=1
//|     + dependence type=mutexinoutset variable=%a
//|     task_dependence source=%in1 sink=%mutex2
//|     task_dependence source=%in2 sink=%mutex2
//|     # So do the members of the other set.
//|     create! %set1 %t explicit 1 SET
//|     dependences task=%set1 count=1
//|     + dependence type=inoutset variable=%a
//|     task_dependence source=%mutex1 sink=%set1
//|     task_dependence source=%mutex2 sink=%set1
//|     create! %set2 %t explicit 1 SET
//|     dependences task=%set2 count=1
//|     + dependence type=inoutset variable=%a
//|     task_dependence source=%mutex1 sink=%set2
//|     task_dependence source=%mutex2 sink=%set2
//|     create! %inout %t explicit 1 INOUT
//|     dependences task=%inout count=2
//|     clang: + dependence type=inout variable=%a
//|     + dependence type=inout variable=%b
//|     gcc: + dependence type=inout variable=%a
//|     task_dependence source=%set1 sink=%inout
//|     task_dependence source=%set2 sink=%inout
//|     create! %other %t explicit 1 OTHER
//|     dependences task=%other count=1
//|     + dependence type=inout variable=%c
//|     # All memory: after the last of each location.
//|     create! %all %t explicit 1 ALL
//|     dependences task=%all count=1
//|     + dependence type=out_all_memory variable=*
//|     either {
//|         task_dependence source=%inout sink=%all
//|         task_dependence source=%inout sink=%all
//|         task_dependence source=%other sink=%all
//|     } or {
//|         task_dependence source=%inout sink=%all
//|         task_dependence source=%other sink=%all
//|         task_dependence source=%inout sink=%all
//|     } or {
//|         task_dependence source=%other sink=%all
//|         task_dependence source=%inout sink=%all
//|         task_dependence source=%inout sink=%all
//|     }
//|     create! %after %t explicit 1 AFTER
//|     dependences task=%after count=1
//|     + dependence type=in variable=*
//|     task_dependence source=%all sink=%after
//|     taskwait! $p %t WAIT
//|     many {
//|         task_schedule prior=%t status=switch next=* as begins
//|         task_schedule prior=* status=complete next=%t
//|     }
//|     waited! taskwait $p %t WAIT
//|
//|     # An iterator's elements; nothing is left to wait for.
//|     create! %each %t explicit 1 EACH
//|     dependences task=%each count=4
//|     + dependence type=in variable=%first
//|     + dependence type=in variable=%first
//|     + dependence type=in variable=%second
//|     + dependence type=in variable=%third
//|     create! %writer %t explicit 1 WRITER
//|     dependences task=%writer count=1
//|     + dependence type=inout variable=%second
//|     task_dependence source=%each sink=%writer
//|     taskwait! $p %t WAIT
//|     run! %t %each
//|     run! %t %writer
//|     waited! taskwait $p %t WAIT
//|     task_over! $p %t 0 PAR
//|     join! $p $root PAR
//|     finish!
//| }
//| worker 1 {
//|     idle_worker! $p 2
//| }
//| team! $p
//| total 13 task_schedule prior=* status=complete next=*
#include <omp.h>
#include <stdint.h>
#include <string.h>

static int over, a, b, c, cells[3], made, ran;

#ifdef __clang__
#define INOUTSET(location) depend(inoutset : location)
#define ALL_MEMORY depend(inout : omp_all_memory)
#else
// What gcc makes of depend objects; version 12 does not know these kinds.
static omp_depend_t object(void *location, intptr_t kind)
{
    omp_depend_t made;
    intptr_t words[2] = {(intptr_t)location, kind};
    memcpy(&made, words, sizeof made);
    return made;
}
#define INOUTSET(location) depend(depobj : set)
#define ALL_MEMORY depend(depobj : all)
#endif
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define TASK(clause) PRAGMA(omp task clause)

int main(void)
{ //@PAR
#ifndef __clang__
    omp_depend_t set = object(&a, 5), all = object(NULL, 3);
    (void)set, (void)all;
#endif
#pragma omp parallel //@PAR
    {
        if (omp_get_thread_num() != 0) {
            while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
            }
        } else {
            made++; //@OUT
#pragma omp task depend(out : a) //@OUT
            ran++;
            made++; //@IN
#pragma omp task depend(in : a) //@IN
            ran++;
            made++; //@IN
#pragma omp task depend(in : a) //@IN
            ran++;
            made++; //@MUTEX
#pragma omp task depend(mutexinoutset : a) //@MUTEX
            ran++;
            made++; //@MUTEX
#pragma omp task depend(mutexinoutset : a) //@MUTEX
            ran++;
            made++; //@SET
            TASK(INOUTSET(a)) //@SET
            ran++;
            made++; //@SET
            TASK(INOUTSET(a)) //@SET
            ran++;
            made++; //@INOUT
#pragma omp task depend(inout : a, b) //@INOUT
            ran++;
            made++; //@OTHER
#pragma omp task depend(out : c) //@OTHER
            ran++;
            made++; //@ALL
            TASK(ALL_MEMORY) //@ALL
            ran++;
            made++; //@AFTER
#pragma omp task depend(in : c) //@AFTER
            ran++;
#pragma omp taskwait //@WAIT
            made++; //@EACH
#pragma omp task depend(iterator(i = 0 : 3), in : cells[i]) depend(in : cells[0]) //@EACH
            ran++;
            made++; //@WRITER
#pragma omp task depend(out : cells[1]) //@WRITER
            ran++;
#pragma omp taskwait //@WAIT
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
    }
    return made == 13 && ran == 13 ? 0 : 1;
}
