//! What fork(2) does with a lock: before it, and in the child.

use core::ops::ControlFlow;
use std::time::Instant;

use oxomp_protocol::Alone;

/// A lock, for the thread that is about to fork the process.
pub(crate) trait Lock {
    /// Takes the lock for the calling thread, if it is free before the deadline.
    fn hold(&self, deadline: Instant) -> Held;

    /// Frees the lock after `Held::Now`.
    fn release(&self);
}

/// What is done with a lock.
pub(crate) type Visit<'a> = dyn FnMut(&dyn Lock) -> ControlFlow<()> + 'a;

/// Whether the thread that forks holds a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// It holds the lock from now on.
    Now,
    /// It has held the lock before: it forks in a handler of a signal, or of another fork.
    Before,
    /// Another thread holds the lock.
    Never,
}

/// The child of a fork(2), in which the calling thread is the only one that uses this library.
#[derive(Debug)]
pub(crate) struct Child {
    /// Whether no thread was changing what a lock guards when the process forked.
    pub(crate) is_quiescent: bool,
    _alone: Alone,
}

impl Child {
    /// The child.
    pub(crate) fn new(is_quiescent: bool, alone: Alone) -> Self {
        Self { is_quiescent, _alone: alone }
    }
}

/// A lock in the child of a fork(2).
#[derive(Debug)]
pub(crate) enum AfterFork<Guard> {
    /// The calling thread has forked with the lock held, and goes on with its change.
    Held,
    /// The value is as the parent left it.
    Whole(Guard),
    /// The value is new: a thread that is gone was changing the parent's.
    Remade(Guard),
}

impl<Guard> AfterFork<Guard> {
    /// Whether the value is as the parent left it.
    pub(crate) fn is_whole(&self) -> bool {
        !matches!(self, Self::Remade(_))
    }

    /// The value, if the calling thread may change it.
    pub(crate) fn guard(self) -> Option<Guard> {
        match self {
            Self::Held => None,
            Self::Whole(guard) | Self::Remade(guard) => Some(guard),
        }
    }
}
