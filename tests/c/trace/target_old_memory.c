// The event of data operations before OpenMP 5.1, for a tool that registers it.
//#Env:OMP_NUM_THREADS=1
//#Env:OXOMP_RECORD_EVENTS=thread_begin,thread_end,parallel_begin,parallel_end,implicit_task,target_data_op
//#Opt:-O0
//#Flags:-fPIC -Wl,-z,dynamic-undefined-weak
//#ReferenceFails:libgomp has no tools, libomp no such routines
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     target_data_op kind=alloc src=null@0 dest=set@0 bytes=100 codeptr=@ALLOC
//|     target_data_op kind=transfer_to_device src=set@0 dest=set@0 bytes=8 codeptr=@COPY
//|     target_data_op kind=delete src=null@0 dest=set@0 bytes=0 codeptr=@FREE
//|     finish!
//| }
//| callback target_data_op always
#include <omp.h>

// Weak: libomp, with which clang links, does not have them.
#pragma weak omp_target_alloc
#pragma weak omp_target_free
#pragma weak omp_target_memcpy

int main(void)
{
    int host = omp_get_initial_device();
    char text[100] = "the text", *memory = omp_target_alloc(100, host); //@ALLOC
    int failed = omp_target_memcpy(memory, text, 8, 0, 0, host, host); //@COPY
    omp_target_free(memory, host); //@FREE
    return failed;
}
