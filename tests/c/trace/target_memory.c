// Operations on device memory of the host, at once and in a target task.
//#Env:OMP_NUM_THREADS=1
//#Opt:-O0
//#Flags:-fPIC -Wl,-z,dynamic-undefined-weak
//#ReferenceFails:libgomp has no tools, libomp no such routines
//#NoStderr
//#Trace
//| def operation kind src dest bytes at {
//|     target_data_op_emi endpoint=begin target_task=null kind={kind} src={src}@0 dest={dest}@0 bytes={bytes} codeptr=@{at}
//|     target_data_op_emi endpoint=end target_task=null kind={kind} src={src}@0 dest={dest}@0 bytes={bytes} codeptr=@{at}
//| }
//| primary {
//|     start!
//|     target_data_op_emi endpoint=begin target_task=null kind=alloc src=null@0 dest=null@0 bytes=100 codeptr=@ALLOC
//|     target_data_op_emi endpoint=end target_task=null kind=alloc src=null@0 dest=set@0 bytes=100 codeptr=@ALLOC
//|     operation! transfer_to_device set set 8 COPY
//|     operation! transfer_to_device set set 12 RECT
//|     operation! memset null set 100 FILL
//|     task_create task=%async encountering_task=$root exit_frame=none enter_frame=set:application,framepointer flags=target,undeferred,untied has_dependences=0 codeptr=@ASYNC
//|     task_schedule prior=$root status=switch next=%async
//|     target_data_op_emi endpoint=begin target_task=%async kind=transfer_to_device_async src=set@0 dest=set@0 bytes=4 codeptr=@ASYNC
//|     target_data_op_emi endpoint=end target_task=%async kind=transfer_to_device_async src=set@0 dest=set@0 bytes=4 codeptr=@ASYNC
//|     task_schedule prior=%async status=complete next=$root
//|     task_create task=%filled encountering_task=$root exit_frame=none enter_frame=set:application,framepointer flags=target,undeferred,untied has_dependences=0 codeptr=@ASYNC_FILL
//|     task_schedule prior=$root status=switch next=%filled
//|     target_data_op_emi endpoint=begin target_task=%filled kind=memset_async src=null@0 dest=set@0 bytes=4 codeptr=@ASYNC_FILL
//|     target_data_op_emi endpoint=end target_task=%filled kind=memset_async src=null@0 dest=set@0 bytes=4 codeptr=@ASYNC_FILL
//|     task_schedule prior=%filled status=complete next=$root
//|     operation! delete null set 0 FREE
//|     finish!
//| }
#include <omp.h>
#include <stddef.h>

// Weak: the runtimes that the compilers link with have not all of them.
#pragma weak omp_target_alloc
#pragma weak omp_target_free
#pragma weak omp_target_memcpy
#pragma weak omp_target_memcpy_rect
extern int omp_target_memcpy_async(void *, const void *, size_t, size_t, size_t, int, int, int,
                                   omp_depend_t *) __attribute__((weak));
extern void *omp_target_memset(void *, int, size_t, int) __attribute__((weak));
extern void *omp_target_memset_async(void *, int, size_t, int, int, omp_depend_t *)
    __attribute__((weak));

int main(void)
{
    int host = omp_get_initial_device(), failed = 0;
    size_t volume[2] = {2, 6}, zeros[2] = {0, 0}, size[2] = {5, 20};
    char text[100] = "the text", *memory = omp_target_alloc(100, host); //@ALLOC
    failed |= omp_target_memcpy(memory, text, 8, 0, 0, host, host); //@COPY
    failed |= omp_target_memcpy_rect(memory, text, 1, 2, volume, zeros, zeros, size, size, host, host); //@RECT
    omp_target_memset(memory, 0, 100, host); //@FILL
    failed |= omp_target_memcpy_async(memory, text, 4, 0, 0, host, host, 0, NULL); //@ASYNC
    omp_target_memset_async(memory, 0, 4, host, 0, NULL); //@ASYNC_FILL
    omp_target_free(memory, host); //@FREE
    return failed;
}
