! Controls the tool by the routine of the 2015 report, whose arguments have eight bytes.
program by_reference_2015
  implicit none
  external :: ompt_control
  integer*8 command, modifier
  command = 1
  modifier = 0
  call ompt_control(command, modifier)
  call ompt_control(73_8, -3_8)
  modifier = ishft(1_8, 40)
  command = 73
  !$omp parallel num_threads(2)
  !$omp master
  call ompt_control(command, modifier)
  !$omp end master
  !$omp end parallel
  call ompt_control(4_8, 0_8)
  print '(a)', 'ends'
end program
