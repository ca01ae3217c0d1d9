! oxomp.f90: the phases of a program, for `oxomp profile`. Compile it with the program.
!
!     use oxomp
!     call oxomp_phase_begin('solve')
!     ...
!     call oxomp_phase_end()
!
! The report shows what each phase takes, and `oxomp report --phase solve` all of it alone. A phase
! that begins in another is a part of it: 'step/solve'. Nothing has to be linked, but -ldl where the C
! library is older than 2.34: both routines call omp_control_tool, if the process has it, which
! returns at once without a profiler. Call them outside of parallel regions. A phase without a name
! counts as the one around it.
!
! SPDX-License-Identifier: MIT OR Apache-2.0
module oxomp
    use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_procpointer, c_funptr, c_int, &
        c_loc, c_null_char, c_null_ptr, c_ptr
    implicit none
    private
    public :: oxomp_phase_begin, oxomp_phase_end

    integer(c_int), parameter :: phase_begin = int(z'6f78', c_int)
    integer(c_int), parameter :: phase_end = int(z'6f79', c_int)

    abstract interface
        integer(c_int) function control_tool(command, modifier, arg) bind(c)
            import :: c_int, c_ptr
            integer(c_int), value :: command, modifier
            type(c_ptr), value :: arg
        end function control_tool
    end interface

    abstract interface
        integer(c_int) function max_threads() bind(c)
            import :: c_int
        end function max_threads
    end interface

    interface
        type(c_funptr) function dlsym(handle, name) bind(c)
            import :: c_char, c_funptr, c_ptr
            type(c_ptr), value :: handle
            character(kind=c_char), intent(in) :: name(*)
        end function dlsym
    end interface

contains

    !> Begins a phase of the program inside those that have begun.
    subroutine oxomp_phase_begin(name)
        character(len=*), intent(in) :: name
        character(len=len_trim(name) + 1, kind=c_char), target :: ended
        ended = trim(name) // c_null_char
        call control(phase_begin, 0_c_int, c_loc(ended))
    end subroutine oxomp_phase_begin

    !> Ends the phase that began last.
    subroutine oxomp_phase_end()
        call control(phase_end, 0_c_int, c_null_ptr)
    end subroutine oxomp_phase_end

    subroutine control(command, modifier, arg)
        integer(c_int), intent(in) :: command, modifier
        type(c_ptr), intent(in) :: arg
        procedure(control_tool), pointer, save :: found => null()
        procedure(max_threads), pointer :: start
        logical, save :: looked = .false.
        type(c_funptr) :: address
        integer(c_int) :: heard
        if (.not. looked) then
            ! No handle: among all libraries of the program.
            address = dlsym(c_null_ptr, 'omp_control_tool' // c_null_char)
            if (c_associated(address)) call c_f_procpointer(address, found)
            ! Some runtimes know their tool only once another routine has started them.
            address = dlsym(c_null_ptr, 'omp_get_max_threads' // c_null_char)
            if (associated(found) .and. c_associated(address)) then
                call c_f_procpointer(address, start)
                heard = start()
            end if
            looked = .true.
        end if
        if (associated(found)) heard = found(command, modifier, arg)
    end subroutine control

end module oxomp
