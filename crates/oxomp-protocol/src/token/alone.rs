//! The phase in which one thread owns what several had.

use core::marker::PhantomData;

/// In the child of a fork(2) the calling thread is the only one that uses the state of the parent's
/// threads, until it runs other code. What threads of the parent owned is this thread's to mend:
/// the functions that do so take this token, which cannot be copied or sent to another thread.
///
/// ```compile_fail,E0277
/// fn sends(alone: oxomp_protocol::Alone) {
///     std::thread::spawn(move || drop(alone));
/// }
/// ```
#[derive(Debug)]
pub struct Alone(PhantomData<*mut ()>);

impl Alone {
    /// The phase begins.
    ///
    /// # Safety
    /// The caller is the handler that runs in the child of a fork(2), and drops the token before it
    /// returns. No other thread of the child uses that state meanwhile, or has used it before. The
    /// fork came outside of `Guarded::with`, so the calling thread is in none, and it enters none
    /// while the token lives.
    pub unsafe fn in_child() -> Self {
        Alone(PhantomData)
    }
}
