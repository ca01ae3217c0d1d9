//! One thread at a time calls a plug-in for a device, kernels apart: libgomp holds a lock of the
//! device meanwhile, and plug-ins rely on it.

use oxomp_protocol::lock::OwnerWord;

/// The right to call the plug-in for a device, which one thread has at a time.
///
/// A thread that is gone may hold it in the child of a fork(2). The child does not use a device
/// that its parent has begun to use (`Device::survives_fork`), so nobody waits there.
#[derive(Debug)]
pub(crate) struct Exclusive(OwnerWord);

/// The right, which ends with this value.
#[derive(Debug)]
pub(crate) struct Turn<'a>(&'a OwnerWord);

/// The calling thread.
fn me() -> u32 {
    // SAFETY: gettid has no precondition.
    unsafe { libc::gettid() }.cast_unsigned()
}

impl Exclusive {
    /// A right that no thread has.
    pub(crate) fn new() -> Self {
        Self(OwnerWord::new())
    }

    /// Waits for the right. The caller does not have it.
    pub(crate) fn enter(&self) -> Turn<'_> {
        self.0.own(me());
        Turn(&self.0)
    }

    /// The right, if no thread has it.
    pub(crate) fn enter_if_free(&self) -> Option<Turn<'_>> {
        self.0.try_own(me()).then(|| Turn(&self.0))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.give_up();
    }
}
