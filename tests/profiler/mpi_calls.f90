! Calls of MPI by a binding of Fortran: five messages of 400 bytes, and a barrier.
program mpi_calls
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer :: rank, error, i
#ifdef F08
  type(MPI_Status) :: status
#else
  integer :: status(MPI_STATUS_SIZE)
#endif
  double precision :: x(50)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  x = rank
  do i = 1, 5
     if (rank == 0) call MPI_Send(x, 50, MPI_DOUBLE_PRECISION, 1, 3, MPI_COMM_WORLD, error)
     if (rank == 1) call MPI_Recv(x, 50, MPI_DOUBLE_PRECISION, 0, 3, MPI_COMM_WORLD, status, error)
  end do
  if (rank == 1 .and. x(50) /= 0) stop 1
  !$omp parallel
  !$omp end parallel
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
end program
