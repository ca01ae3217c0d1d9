//! A phase in which one thread uses a value that many threads share.

use core::marker::PhantomData;
use core::ops::Deref;

/// A reference `R` to what no other thread uses meanwhile, though others have references to it.
/// What would disturb a thread inside of the value are methods of this type.
///
/// ```no_run
/// use oxomp_protocol::{Sole, task::Unfinished};
///
/// fn begins(group: Sole<&Unfinished>) {
///     group.begin::<core::convert::Infallible>(None);
/// }
/// ```
///
/// A thread that merely shares the value has none of these methods:
///
/// ```compile_fail,E0599
/// fn begins(group: &oxomp_protocol::task::Unfinished) {
///     group.begin::<core::convert::Infallible>(None);
/// }
/// ```
///
/// No other thread can have the value:
///
/// ```compile_fail,E0277
/// use oxomp_protocol::{Sole, task::Unfinished};
///
/// fn sends(group: Sole<&'static Unfinished>) {
///     std::thread::spawn(move || drop(group));
/// }
/// ```
#[derive(Debug)]
pub struct Sole<R> {
    reference: R,
    stays_on_its_thread: PhantomData<*mut ()>,
}

impl<R: Copy> Sole<R> {
    /// The reference of the only thread that uses what it leads to.
    ///
    /// # Safety
    /// As long as the value is used, no other thread uses what `reference` leads to, and the
    /// calling thread uses nothing that was lent out of it. What other threads did there before
    /// comes before the call, and what they do afterwards comes after the last use.
    #[inline(always)]
    pub const unsafe fn of(reference: R) -> Self {
        Sole { reference, stays_on_its_thread: PhantomData }
    }
}

/// The only user may do what any user may.
impl<T> Deref for Sole<&T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        self.reference
    }
}
