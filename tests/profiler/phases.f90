! Phases in Fortran: three outer ones, each with two inner ones, each with a region.
program phases
    use oxomp
    implicit none
    integer :: i, j, k
    real :: x(1000)
    do i = 1, 3
        call oxomp_phase_begin('outer')
        do j = 1, 2
            call oxomp_phase_begin('inner loop   ')
            !$omp parallel do num_threads(2)
            do k = 1, 1000
                x(k) = sqrt(real(k * i * j))
            end do
            call oxomp_phase_end()
        end do
        call oxomp_phase_end()
    end do
    call oxomp_phase_end()
    print *, sum(x) > 0
end program phases
