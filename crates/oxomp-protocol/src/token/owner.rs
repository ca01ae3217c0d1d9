//! The owner's side of a value that many threads share.

use core::marker::PhantomData;
use core::ops::Deref;

/// A reference `R`, held by the thread that owns what it leads to. Each type with an owner says who
/// that is; what only the owner may do are methods of this type, and what any thread may do are
/// methods of the type itself.
///
/// ```no_run
/// use oxomp_protocol::{Owner, task::Deque};
///
/// fn adds(deque: Owner<&Deque<u32>>, entry: *mut u32) {
///     if deque.has_room() {
///         deque.push(entry);
///     }
/// }
/// ```
///
/// A thread that merely shares the value has none of the owner's methods:
///
/// ```compile_fail,E0599
/// fn adds(deque: &oxomp_protocol::task::Deque<u32>, entry: *mut u32) {
///     deque.push(entry);
/// }
/// ```
///
/// The owner's side stays on its thread:
///
/// ```compile_fail,E0277
/// use oxomp_protocol::{Owner, task::Deque};
///
/// fn sends(deque: Owner<&'static Deque<u32>>) {
///     std::thread::spawn(move || deque.has_room());
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Owner<R> {
    reference: R,
    stays_on_its_thread: PhantomData<*mut ()>,
}

impl<R: Copy> Owner<R> {
    /// The owner's side of what `reference` leads to.
    ///
    /// # Safety
    /// As long as the value is used, the calling thread is the owner, as the type that `reference`
    /// leads to defines it.
    #[inline(always)]
    pub const unsafe fn of(reference: R) -> Self {
        Owner { reference, stays_on_its_thread: PhantomData }
    }

    /// The reference.
    #[inline(always)]
    pub fn get(self) -> R {
        self.reference
    }
}

/// The owner may do what any thread may.
impl<T> Deref for Owner<&T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        self.reference
    }
}
