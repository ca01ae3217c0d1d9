! Reductions of all operators, of arrays, and of several variables at once.
!//#Opt:-O0,-O2
!//#Threads:1,2,4
!//#NoStderr
program reductions
  implicit none
  integer, parameter :: n = 1000
  integer :: i, round, total, product_of, least, most, ones, bits, flips
  integer :: histogram(0:9), wanted(0:9), low(5), high(5)
  integer(8) :: wide
  real(4) :: single_sum
  real(8) :: sums(64), greatest
  complex(8) :: spiral
  logical :: every, some, same, differs
  integer, allocatable :: rows(:)

  do round = 1, 20
    call scalars()
    call arrays()
    call in_constructs()
  end do
contains
  subroutine scalars()
    total = 10
    product_of = 1
    least = huge(least)
    most = -huge(most)
    ones = -1
    bits = 0
    flips = 0
    wide = 0
    single_sum = 0
    greatest = -1
    spiral = 0
    every = .true.
    some = .false.
    same = .true.
    differs = .false.
    !$omp parallel do reduction(+:total, wide, single_sum, spiral) reduction(*:product_of) &
    !$omp&   reduction(min:least) reduction(max:most, greatest) reduction(iand:ones) &
    !$omp&   reduction(ior:bits) reduction(ieor:flips) reduction(.and.:every) &
    !$omp&   reduction(.or.:some) reduction(.eqv.:same) reduction(.neqv.:differs)
    do i = 1, n
      total = total + i
      wide = wide + 2_8**32
      single_sum = single_sum + 0.5
      spiral = spiral + cmplx(i, -i, 8)
      if (i <= 6) product_of = product_of * i
      least = min(least, abs(i - 700))
      most = max(most, mod(i * 37, 1009))
      greatest = max(greatest, dble(i) / 3)
      ones = iand(ones, not(ishft(1, mod(i, 20))))
      bits = ior(bits, ishft(1, mod(i, 17)))
      flips = ieor(flips, i)
      every = every .and. i > 0
      some = some .or. i == 999
      same = same .eqv. (mod(i, 3) /= 0)
      differs = differs .neqv. (mod(i, 7) == 0)
    end do
    if (total /= 10 + n * (n + 1) / 2 .or. product_of /= 720) error stop "sum and product"
    if (wide /= n * 2_8**32 .or. abs(single_sum - n / 2) > 0) error stop "sums of other kinds"
    if (abs(spiral - (1, -1) * (n * (n + 1) / 2)) > 0) error stop "sum of complex numbers"
    if (least /= 0 .or. most /= maxval([(mod(i * 37, 1009), i = 1, n)])) error stop "min and max"
    if (abs(greatest - dble(n) / 3) > 0) error stop "max of real numbers"
    if (ones /= not(2**20 - 1) .or. bits /= 2**17 - 1 .or. flips /= n) error stop "bits"
    if (.not. every .or. .not. some) error stop "and, or"
    ! 333 of the numbers turn the first over, 142 the second.
    if (same .or. differs) error stop "equivalence"
  end subroutine

  subroutine arrays()
    integer :: k
    histogram = 3
    low = 1000
    high = 0
    sums = 0
    allocate (rows(100))
    rows = 0
    !$omp parallel do reduction(+:histogram, sums, rows) reduction(min:low) reduction(max:high) &
    !$omp&   private(k) schedule(dynamic, 7)
    do i = 1, n
      histogram(mod(i * i, 10)) = histogram(mod(i * i, 10)) + 1
      do k = 1, 64
        sums(k) = sums(k) + k
      end do
      rows(mod(i, 100) + 1) = rows(mod(i, 100) + 1) + i
      low(mod(i, 5) + 1) = min(low(mod(i, 5) + 1), i)
      high(mod(i, 5) + 1) = max(high(mod(i, 5) + 1), i)
    end do
    wanted = 3
    do k = 1, n
      wanted(mod(k * k, 10)) = wanted(mod(k * k, 10)) + 1
    end do
    if (any(histogram /= wanted)) error stop "histogram"
    if (any(nint(sums) /= [(n * k, k = 1, 64)])) error stop "sums of an array"
    if (sum(rows) /= n * (n + 1) / 2 .or. rows(1) /= 5500) error stop "an allocatable array"
    if (any(low /= [5, 1, 2, 3, 4]) .or. any(high /= [1000, 996, 997, 998, 999])) then
      error stop "min and max of arrays"
    end if
    deallocate (rows)
  end subroutine

  subroutine in_constructs()
    integer :: threads, halves
    threads = 0
    halves = 0
    total = 0
    !$omp parallel reduction(+:threads)
    threads = threads + 1
    !$omp sections reduction(+:halves)
    !$omp section
    halves = halves + 1
    !$omp section
    halves = halves + 2
    !$omp section
    halves = halves + 4
    !$omp end sections
    !$omp do reduction(+:total)
    do i = 1, n
      total = total + i
    end do
    !$omp end do
    if (total /= n * (n + 1) / 2) error stop "the sum is not complete after the loop"
    !$omp end parallel
    if (halves /= 7 .or. threads < 1) error stop "sections"
  end subroutine
end program
