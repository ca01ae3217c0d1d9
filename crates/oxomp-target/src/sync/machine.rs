//! The machine: its locks, atomics and threads.

pub(crate) use core::sync::atomic::{
    AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
};
pub(crate) use std::thread::yield_now;

pub(crate) use super::forking::{PATIENCE, fork_begins, fork_ends, fork_ends_in_child};
pub(crate) use super::mutex::{Condvar, Mutex, MutexGuard, wait, wait_for};
pub(crate) use super::thread::Thread;

/// The calling thread, as a number that no other running thread has. It is the system's number: std
/// has dropped its data of the thread by the time that the program's exit handlers run, and these
/// may offload.
pub(crate) fn caller() -> usize {
    // SAFETY: pthread_self has no precondition.
    unsafe { libc::pthread_self() as usize }
}

/// A function that makes an atomic: `const`, so that a static can hold it.
macro_rules! const_unless_model {
    ($(#[$meta:meta])* $visibility:vis fn $($rest:tt)*) => {
        $(#[$meta])* $visibility const fn $($rest)*
    };
}

/// An array of values that are made in the same way.
macro_rules! repeated {
    [$value:expr; $count:expr] => { [const { $value }; $count] };
}

/// Statics by which threads meet.
macro_rules! statics {
    ($($(#[$meta:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[$meta])* static $name: $type = $value;)*
    };
}

/// Statics of which each thread has its own.
macro_rules! statics_of_threads {
    ($($(#[$meta:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
        std::thread_local! { $($(#[$meta])* static $name: $type = const { $value };)* }
    };
}
