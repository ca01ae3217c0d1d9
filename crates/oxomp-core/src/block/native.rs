//! The right of a native thread to a thread's block, as values that are moved.
//!
//! The holder of a [`Vacant`] owns a block that no native thread has entered; a [`Native`] is the
//! right of the native thread that has entered it. Neither can be copied, and a native thread can
//! enter, leave and recycle a block through them only. So a native thread that has left its block
//! can mark it neither as its own nor as free.

use core::cell::Cell;
use core::ffi::c_void;
use core::marker::PhantomData;
use core::ops::Deref;
use core::ptr::NonNull;

use crate::ompt::event::ThreadKind;

use super::shared::Shared;
use super::slot::set_current_slot;
use super::{ImplicitTask, Thread};

/// The right of the calling native thread to a block, from its first moment in the runtime to its
/// last.
///
/// ```no_run
/// fn leaves(native: oxomp_core::block::Native) -> oxomp_core::block::Vacant {
///     native.leave()
/// }
/// ```
///
/// A native thread that has left its block has lost the right to it:
///
/// ```compile_fail,E0382
/// fn leaves_twice(native: oxomp_core::block::Native) {
///     let block = native.leave();
///     let again = native.leave();
/// }
/// ```
///
/// The right cannot move to another native thread:
///
/// ```compile_fail,E0277
/// fn sends(native: oxomp_core::block::Native) {
///     std::thread::spawn(move || native.leave());
/// }
/// ```
#[derive(Debug)]
pub struct Native(&'static Thread);

impl Native {
    /// The calling native thread enters the block.
    pub(crate) fn enter(block: Vacant) -> Self {
        // SAFETY: the holder of `block` was the only owner (`Thread`, Invariant 2), and the value
        // is consumed here.
        let thread = unsafe { block.0.own() };
        thread.native.generation.set(thread.native.generation.get().wrapping_add(1));
        thread.native.set_to_caller();
        set_current_slot(block.0.as_ptr().cast::<c_void>());
        Native(thread)
    }

    /// The calling thread.
    pub(crate) fn thread(&self) -> &'static Thread {
        self.0
    }

    /// The calling native thread leaves its block, and is no longer a thread of the runtime.
    pub fn leave(self) -> Vacant {
        self.0.native.clear();
        set_current_slot(core::ptr::null_mut());
        Vacant(Shared::of(self.0), PhantomData)
    }

    /// The calling thread keeps its right, but is unknown to the runtime until `reveal`: its next
    /// call runs the function of `register_by`.
    pub(crate) fn hide() {
        set_current_slot(core::ptr::null_mut());
    }

    /// Makes the calling thread known to the runtime again. Returns the thread whose right became
    /// the word `raw`.
    ///
    /// # Safety
    /// `raw` came from `into_raw` on the calling thread, and has not been taken back.
    pub(crate) unsafe fn reveal(raw: *mut c_void) -> &'static Thread {
        set_current_slot(raw);
        // SAFETY: `raw` is the block that the calling thread has had since `into_raw`; blocks are
        // never freed.
        unsafe { &*raw.cast::<Thread>() }
    }

    /// The right as a word that the calling thread stores, such as the value of a pthread key.
    pub(crate) fn into_raw(self) -> *const c_void {
        core::ptr::from_ref(self.0).cast()
    }

    /// Takes back the right that `into_raw` turned into a word.
    ///
    /// # Safety
    /// `raw` came from `into_raw` on the calling thread, and has not been taken back.
    pub(crate) unsafe fn from_raw(raw: *mut c_void) -> Self {
        // SAFETY: `raw` is the block that the calling thread has had since `into_raw`; blocks are
        // never freed.
        Native(unsafe { &*raw.cast::<Thread>() })
    }
}

/// A block that no native thread has. There is one value for each such block; it can be sent to
/// another thread, but not shared. If a `Vacant` is dropped, its block is not used again.
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
    /// Creates a block.
    pub(super) fn create(number: u32, kind: ThreadKind) -> Self {
        Vacant(Thread::create(number, kind), PhantomData)
    }

    /// In the child of a fork(2): the block of a thread that exists in the parent only. The caller
    /// calls this once for each such block.
    pub(crate) fn left_behind(thread: Shared<Thread>, _: &Alone) -> Self {
        let block = Vacant(thread, PhantomData);
        block.thread().native.clear();
        block
    }

    /// The block, which the holder owns until a native thread enters it.
    pub(crate) fn thread(&self) -> &Thread {
        // SAFETY: no native thread has the block, and `self` is its only `Vacant` (`Thread`,
        // Invariant 2).
        unsafe { self.0.own() }
    }

    /// Resets the block: no state of the native thread that had it remains.
    pub(crate) fn begin_anew(&self) {
        self.thread().begin_anew();
    }

    /// The block in the form that every thread may have.
    pub(crate) fn shared(&self) -> Shared<Thread> {
        self.0
    }

    /// The block as the argument of a new native thread that executes `first` first.
    pub(crate) fn into_argument(self, first: Shared<ImplicitTask>) -> *mut c_void {
        self.thread().first.set(Some(first));
        self.0.as_ptr().cast()
    }

    /// Takes back the block and the implicit task that `into_argument` turned into one word.
    ///
    /// # Safety
    /// `argument` came from `into_argument`, and has not been taken back.
    pub(crate) unsafe fn of_argument(argument: *mut c_void) -> (Self, Shared<ImplicitTask>) {
        let Some(block) = NonNull::new(argument.cast::<Thread>()) else {
            unreachable!("no block is at address 0")
        };
        // SAFETY: `argument` is the address of a block, which is never freed, and the caller has
        // the only right to it (`# Safety`).
        let block = Vacant(unsafe { Shared::at(block) }, PhantomData);
        let Some(first) = block.thread().first.take() else {
            unreachable!("`into_argument` has set the task")
        };
        (block, first)
    }
}

/// The phase in the child of a fork(2) in which the calling thread is the only one that uses the
/// runtime. It owns all that other threads owned in the parent, and repairs it.
///
/// ```no_run
/// fn mends(alone: &oxomp_core::block::Alone) {
///     println!("{alone:?}");
/// }
/// ```
///
/// The value cannot leave the thread:
///
/// ```compile_fail,E0277
/// fn sends(alone: oxomp_core::block::Alone) {
///     std::thread::spawn(move || println!("{alone:?}"));
/// }
/// ```
#[derive(Debug)]
pub struct Alone(oxomp_protocol::Alone);

impl Deref for Alone {
    type Target = oxomp_protocol::Alone;

    fn deref(&self) -> &oxomp_protocol::Alone {
        &self.0
    }
}

impl Alone {
    /// # Safety
    /// The caller is the handler that runs in the child of a fork(2). No thread of the child has
    /// called the runtime before, and none other than the caller calls it while the value lives.
    /// Handlers that were registered before run first: the program sees to it that they keep to
    /// this (`process/fork.rs`).
    pub(crate) unsafe fn in_child() -> Self {
        // SAFETY: the caller is that handler, which enters no lock. The runtime runs no code of
        // others with a lock held. A signal handler that interrupts the runtime there, and forks,
        // breaks this: `process/fork.rs` says so.
        Alone(unsafe { oxomp_protocol::Alone::in_child() })
    }

    /// Any block, whichever thread of the parent owned it.
    pub(crate) fn own<T>(&self, block: Shared<T>) -> &T {
        // SAFETY: no other thread of the process calls the runtime while the `Alone` that is
        // borrowed here lives.
        unsafe { block.own() }
    }

    /// Notes the native ids of the surviving thread, which differ from those in the parent.
    pub(crate) fn identify(&self, left: &Thread) {
        left.native.set_to_caller();
    }
}
