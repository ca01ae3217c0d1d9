! Fortran's detachable tasks: fulfilled in the body, before it, after it by another task, and waited for
! by taskwait, by a taskgroup and by tasks that depend on them. flang 22 leaves the event's variable shared,
! so a task has copied it before the next one is made.
!//#Flags[clang]:-fopenmp-version=52
!//#Threads:1,2,4
!//#Repeat:3
!//#ReferenceFails[gcc]:libgomp 12 waits for ever for tasks whose event another thread fulfils
!//#ReferenceFails[clang]:libomp takes no notice of the detach clause of flang's tasks
program task_detach
  use omp_lib
  implicit none
  integer, parameter :: many = 30
  integer(omp_event_handle_kind) :: event, events(many)
  integer :: i, ran, filled, chain
  !$omp parallel
  !$omp single
  ! In the body.
  ran = 0
  !$omp task detach(event) shared(ran)
  ran = 1
  call omp_fulfill_event(event)
  !$omp end task
  !$omp taskwait
  call check(ran == 1, 'in the body')

  ! Perhaps before it.
  !$omp task detach(event) shared(ran)
  ran = 2
  !$omp end task
  call omp_fulfill_event(event)
  !$omp taskwait
  call check(ran == 2, 'by the generating task')

  ! After it, and by tasks.
  filled = 0
  !$omp taskgroup
  do i = 1, many
    !$omp task detach(event) firstprivate(i) shared(events, filled)
    events(i) = event
    !$omp atomic
    filled = filled + 1
    !$omp end task
    call await(filled, i)
  end do
  !$omp task shared(filled, events, ran)
  call fulfil_all(filled, events, ran)
  !$omp end task
  !$omp end taskgroup
  call check(ran == many, 'all of a group')

  ! The next of a chain begins when the event is fulfilled.
  chain = 0
  filled = 0
  do i = 1, many
    !$omp task detach(event) depend(inout: chain) firstprivate(i) shared(chain, filled)
    call check(chain == 2 * (i - 1), 'a chain of events')
    chain = chain + 1
    call later(chain, event)
    !$omp atomic
    filled = filled + 1
    !$omp end task
    call await(filled, i)
  end do
  !$omp taskwait
  call check(chain == 2 * many, 'the end of the chain')
  !$omp end single
  !$omp end parallel
contains
  recursive subroutine fulfil_all(filled, events, ran)
    integer, intent(inout) :: filled, ran
    integer(omp_event_handle_kind), intent(inout) :: events(:)
    integer :: k
    call await(filled, many)
    do k = 1, many
      ran = k
      call omp_fulfill_event(events(k))
    end do
  end subroutine

  recursive subroutine await(filled, wanted)
    integer, intent(inout) :: filled
    integer, intent(in) :: wanted
    integer :: seen
    do
      !$omp atomic read
      seen = filled
      if (seen == wanted) exit
      !$omp taskyield
    end do
  end subroutine

  recursive subroutine later(chain, event)
    integer, intent(inout) :: chain
    integer(omp_event_handle_kind), intent(in) :: event
    integer(omp_event_handle_kind) :: mine
    mine = event
    !$omp task shared(chain) firstprivate(mine)
    chain = chain + 1
    call omp_fulfill_event(mine)
    !$omp end task
  end subroutine

  include "check.inc"
end program
