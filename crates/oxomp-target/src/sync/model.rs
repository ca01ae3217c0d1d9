//! The machine of the models: loom's locks, atomics and threads. Every interleaving of a model has
//! statics and thread-locals of its own.

pub(crate) use loom::sync::atomic::{
    AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
};
pub(crate) use loom::sync::{
    Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard,
};
pub(crate) use loom::thread::yield_now;

/// A thread; dropped, it is detached.
#[derive(Debug)]
pub(crate) struct Thread(loom::thread::JoinHandle<()>);

impl Thread {
    /// A thread that does `run`.
    pub(crate) fn spawn(run: fn(), _at_exit: fn()) -> Option<Self> {
        Some(Self(loom::thread::spawn(run)))
    }

    /// Models have no fork.
    pub(crate) fn forget_end() {}

    /// Waits for the end of the thread.
    pub(crate) fn join(self) {
        self.0.join().expect("the thread does not panic");
    }
}

/// The calling thread, as a number that no other thread of the model has.
pub(crate) fn caller() -> usize {
    super::thread_number() as usize
}

/// An array of values that are made in the same way.
macro_rules! repeated {
    [$value:expr; $count:expr] => { core::array::from_fn::<_, $count, _>(|_| $value) };
}

/// Statics by which threads meet.
macro_rules! statics {
    ($($(#[$meta:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
        loom::lazy_static! { $($(#[$meta])* static ref $name: $type = $value;)* }
    };
}

/// Statics of which each thread has its own.
macro_rules! statics_of_threads {
    ($($(#[$meta:meta])* static $name:ident: $type:ty = $value:expr;)*) => {
        loom::thread_local! { $($(#[$meta])* static $name: $type = $value;)* }
    };
}
