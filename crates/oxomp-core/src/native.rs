//! Which native thread has a thread's block, as values that change hands.
//!
//! The holder of a [`Vacant`] has a block that no native thread has; a [`Native`] is the right of the
//! native thread that has taken it. Neither can be copied, and only they can enter, leave and recycle:
//! a native thread that has given its block away can neither mark it as its own nor as free. That
//! nobody but the native thread writes the block's cells is still Invariant 2 of `Thread`.

use core::cell::Cell;
use core::ffi::c_void;
use core::marker::PhantomData;

use crate::arch;
use crate::ompt::event::ThreadKind;
use crate::os;
use crate::thread::Thread;

/// How a debugger knows the native thread of a block; zeros while it has none.
#[derive(Debug, Default)]
pub(crate) struct NativeIds {
    /// `pthread_t`.
    pub(crate) pthread: Cell<u64>,
    /// The kernel's id.
    pub(crate) lwp: Cell<i32>,
    /// Native threads that the block has had.
    pub(crate) generation: Cell<u32>,
}

impl NativeIds {
    fn set_to_caller(&self) {
        self.pthread.set(os::native_thread());
        self.lwp.set(os::thread_id());
    }

    fn clear(&self) {
        self.pthread.set(0);
        self.lwp.set(0);
    }
}

/// The right of the calling native thread to a block, from its first moment in the runtime to its
/// last.
#[derive(Debug)]
pub(crate) struct Native {
    thread: &'static Thread,
    stays_on_its_thread: PhantomData<*mut ()>,
}

impl Native {
    /// The calling native thread takes the block.
    pub(crate) fn enter(block: Vacant) -> Self {
        let Vacant(thread) = block;
        thread.native.generation.set(thread.native.generation.get().wrapping_add(1));
        thread.native.set_to_caller();
        arch::set_current_slot(core::ptr::from_ref(thread).cast_mut().cast::<c_void>());
        Native { thread, stays_on_its_thread: PhantomData }
    }

    /// The block, as everybody may see it.
    pub(crate) fn thread(&self) -> &'static Thread {
        self.thread
    }

    /// The calling native thread is no thread of the runtime any more.
    pub(crate) fn leave(self) -> Vacant {
        self.thread.native.clear();
        arch::set_current_slot(core::ptr::null_mut());
        Vacant(self.thread)
    }

    /// Keeps the right in a word of the calling thread's, such as the value of a pthread key.
    pub(crate) fn into_raw(self) -> *const c_void {
        core::ptr::from_ref(self.thread).cast()
    }

    /// Takes it back.
    ///
    /// # Safety
    /// `raw` came from `into_raw` on the calling thread, and has not been taken back.
    pub(crate) unsafe fn from_raw(raw: *mut c_void) -> Self {
        // SAFETY: by contract; blocks are never freed.
        let thread = unsafe { &*raw.cast::<Thread>() };
        Native { thread, stays_on_its_thread: PhantomData }
    }
}

/// A block that no native thread has; one value for each such block. A block whose value is dropped is
/// not used again.
#[derive(Debug)]
pub(crate) struct Vacant(&'static Thread);

impl Vacant {
    /// A new block.
    pub(crate) fn create(number: u32, kind: ThreadKind) -> Self {
        Vacant(Thread::create(number, kind))
    }

    /// The block of a thread that is not in this process, since it stayed behind in a fork(2). Once
    /// for each such block.
    pub(crate) fn left_behind(thread: &'static Thread, _: &Alone) -> Self {
        thread.native.clear();
        Vacant(thread)
    }

    /// The block, as everybody may see it.
    pub(crate) fn thread(&self) -> &'static Thread {
        self.0
    }
}

/// The phase in the child of a fork(2) in which the calling thread is the only one of the process: what
/// other threads of the parent owned is its to mend.
#[derive(Debug)]
pub(crate) struct Alone(());

impl Alone {
    /// # Safety
    /// The caller is the handler that runs in the child of a fork(2), before any other code.
    pub(crate) unsafe fn in_child() -> Self {
        Alone(())
    }

    /// The thread that is left has other ids than in the parent.
    pub(crate) fn identify(&self, left: &Thread) {
        left.native.set_to_caller();
    }
}
