//! What stands for the calling thread.

use core::convert::Infallible;

/// A type whose values stand for threads: a reference to a value is the calling thread's name.
///
/// # Safety
/// A thread has a reference to the value that stands for itself, and to one that stands for another
/// thread only while that thread does not run. Two values that exist at one time have different
/// addresses.
pub unsafe trait ThisThread {}

// SAFETY: there is no value. The type is for callers that name no thread.
unsafe impl ThisThread for Infallible {}
