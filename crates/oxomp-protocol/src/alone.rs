//! The phase in which a process has one thread.

use core::marker::PhantomData;

/// In the child of a fork(2) the calling thread is the only one of the process, until it runs other
/// code. What threads of the parent owned is this thread's to mend: the functions that do so take
/// this token, which cannot be copied or sent to another thread.
#[derive(Debug)]
pub struct Alone(PhantomData<*mut ()>);

impl Alone {
    /// The phase begins.
    ///
    /// # Safety
    /// The caller is the handler that runs in the child of a fork(2), before any other code, and
    /// drops the token before it returns.
    pub unsafe fn in_child() -> Self {
        Alone(PhantomData)
    }
}
