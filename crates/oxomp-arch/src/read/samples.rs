//! The registers of samples in recordings.
//!
//! A sample has sixteen general registers, by the numbers that instructions of x86_64 have for
//! them. The collector takes no such samples on other processors.

/// The number of registers of a sample.
pub const REGISTERS: usize = 16;

/// The number of the stack pointer.
pub const STACK_POINTER: usize = 4;
