//! Which native thread has a thread's block, as values that change hands.
//!
//! The holder of a [`Vacant`] has a block that no native thread has; a [`Native`] is the right of the
//! native thread that has taken it. Neither can be copied, and only they can enter, leave and recycle:
//! a native thread that has given its block away can neither mark it as its own nor as free.

use core::cell::Cell;
use core::ffi::c_void;
use core::marker::PhantomData;

use crate::arch;
use crate::ompt::event::ThreadKind;

use super::Thread;
use super::shared::Shared;

/// The right of the calling native thread to a block, from its first moment in the runtime to its
/// last.
///
/// ```no_run
/// fn leaves(native: oxomp_core::block::Native) -> oxomp_core::block::Vacant {
///     native.leave()
/// }
/// ```
///
/// A native thread that has left its block has no right to it any more:
///
/// ```compile_fail,E0382
/// fn leaves_twice(native: oxomp_core::block::Native) {
///     let block = native.leave();
///     let again = native.leave();
/// }
/// ```
///
/// The right stays with the native thread:
///
/// ```compile_fail,E0277
/// fn sends(native: oxomp_core::block::Native) {
///     std::thread::spawn(move || native.leave());
/// }
/// ```
#[derive(Debug)]
pub struct Native(&'static Thread);

impl Native {
    /// The calling native thread takes the block.
    pub(crate) fn enter(block: Vacant) -> Self {
        // SAFETY: nobody had the block but the holder of the value, which ends here (Invariant 2).
        let thread = unsafe { block.0.own() };
        thread.native.generation.set(thread.native.generation.get().wrapping_add(1));
        thread.native.set_to_caller();
        arch::set_current_slot(block.0.as_ptr().cast::<c_void>());
        Native(thread)
    }

    /// The calling thread.
    pub(crate) fn thread(&self) -> &'static Thread {
        self.0
    }

    /// The calling native thread is no thread of the runtime any more.
    pub fn leave(self) -> Vacant {
        self.0.native.clear();
        arch::set_current_slot(core::ptr::null_mut());
        Vacant(Shared::of(self.0), PhantomData)
    }

    /// Keeps the right in a word of the calling thread's, such as the value of a pthread key.
    pub(crate) fn into_raw(self) -> *const c_void {
        core::ptr::from_ref(self.0).cast()
    }

    /// Takes it back.
    ///
    /// # Safety
    /// `raw` came from `into_raw` on the calling thread, and has not been taken back.
    pub(crate) unsafe fn from_raw(raw: *mut c_void) -> Self {
        // SAFETY: the calling thread has the block since `into_raw`; blocks are never freed.
        Native(unsafe { &*raw.cast::<Thread>() })
    }
}

/// A block that no native thread has; one value for each such block, which can go to another thread
/// but not be shared with one. A block whose value is dropped is not used again.
///
/// ```no_run
/// fn sends(block: oxomp_core::block::Vacant) {
///     std::thread::spawn(move || drop(block));
/// }
/// ```
///
/// ```compile_fail,E0277
/// fn shares(block: &'static oxomp_core::block::Vacant) {
///     std::thread::spawn(move || println!("{block:?}"));
/// }
/// ```
#[derive(Debug)]
pub struct Vacant(Shared<Thread>, PhantomData<Cell<()>>);

impl Vacant {
    /// A new block.
    pub(super) fn create(number: u32, kind: ThreadKind) -> Self {
        Vacant(Thread::create(number, kind), PhantomData)
    }

    /// The block of a thread that is not in this process, since it stayed behind in a fork(2). Once
    /// for each such block.
    pub(crate) fn left_behind(thread: Shared<Thread>, _: &Alone) -> Self {
        let block = Vacant(thread, PhantomData);
        block.thread().native.clear();
        block
    }

    /// The block, which is the holder's as long as nobody enters it.
    pub(crate) fn thread(&self) -> &Thread {
        // SAFETY: no native thread has the block, and of the values there is this one (Invariant 2).
        unsafe { self.0.own() }
    }

    /// The block, as everybody may see it.
    pub(crate) fn shared(&self) -> Shared<Thread> {
        self.0
    }
}

/// The phase in the child of a fork(2) in which the calling thread is the only one of the process: what
/// other threads of the parent owned is its to mend.
///
/// ```no_run
/// fn mends(alone: &oxomp_core::block::Alone) {
///     println!("{alone:?}");
/// }
/// ```
///
/// The phase is over when there is another thread:
///
/// ```compile_fail,E0277
/// fn sends(alone: oxomp_core::block::Alone) {
///     std::thread::spawn(move || println!("{alone:?}"));
/// }
/// ```
#[derive(Debug)]
pub struct Alone(PhantomData<*mut ()>);

impl Alone {
    /// # Safety
    /// The caller is the handler that runs in the child of a fork(2), before any other code.
    pub(crate) unsafe fn in_child() -> Self {
        Alone(PhantomData)
    }

    /// A block of whichever thread.
    pub(crate) fn own<T>(&self, block: Shared<T>) -> &T {
        // SAFETY: there is no other thread, and this value ends before there is one.
        unsafe { block.own() }
    }

    /// The thread that is left has other ids than in the parent.
    pub(crate) fn identify(&self, left: &Thread) {
        left.native.set_to_caller();
    }
}
