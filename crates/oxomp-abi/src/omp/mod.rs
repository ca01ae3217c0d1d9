//! The user's routines `omp_*` of OpenMP 5.2 chapter 18, for C and for Fortran.

pub mod timing;
