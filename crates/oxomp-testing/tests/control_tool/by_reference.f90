! Controls the tool without a module: by reference, without a third argument.
program by_reference
  implicit none
  integer, external :: omp_control_tool
  integer :: command, result
  print '(a,i0)', 'start: ', omp_control_tool(1, 0)
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
  print '(a,i0)', 'end: ', omp_control_tool(4, 0)
end program
