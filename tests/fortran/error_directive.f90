! The error directive in Fortran, whose messages have a length and no end: a warning, and the program goes on.
!//#Compilers:gcc
!//#Flags:-g
!//#Stdout:^ on\n after\n$
!//#Stderr:^OMP: Warning: MAIN__\+0x[0-9a-f]+ \(\S+\): Encountered user-directed warning: take care\.\n$
!//#ReferenceFails:libgomp has another text
program error_directive
    character(len=9), parameter :: text = "take care"
    print *, "on"
    flush(6)
    !$omp error at(execution) severity(warning) message(text)
    print *, "after"
end program
