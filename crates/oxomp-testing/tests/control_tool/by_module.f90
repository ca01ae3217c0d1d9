! Controls the tool through the module of LLVM's, which names C's routine.
program by_module
  use omp_lib
  implicit none
  integer(omp_control_tool_kind) :: command
  integer(omp_control_tool_result_kind) :: result
  print '(a,i0)', 'start: ', omp_control_tool(omp_control_tool_start, 0)
  command = 73
  result = omp_control_tool(command, -3)
  print '(a,i0)', 'print: ', result
  !$omp parallel num_threads(2)
  !$omp master
  result = omp_control_tool(64, 2147483647)
  !$omp end master
  !$omp end parallel
  print '(a,i0)', 'answer: ', result
  print '(a,i0)', 'answer: ', omp_control_tool(64, -65)
  print '(a,i0)', 'end: ', omp_control_tool(omp_control_tool_end, 0)
end program
