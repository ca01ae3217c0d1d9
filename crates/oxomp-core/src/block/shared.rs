//! A block as every thread may see it.
//!
//! `Thread`, `ImplicitTask` and `Task` are not `Sync`: a `&'static Thread` is the calling thread's
//! own, can be copied, and can be sent to no other thread, and a reference to a task is that of the
//! thread which executes or generates it. What others may touch of such a block they reach through
//! a [`Shared`], field by field.
//!
//! ```no_run
//! let thread = oxomp_core::Thread::current();
//! println!("{}", thread.number());
//! ```
//!
//! A thread's handle stays with the thread:
//!
//! ```compile_fail,E0277
//! let thread = oxomp_core::Thread::current();
//! std::thread::spawn(move || println!("{}", thread.number()));
//! ```
//!
//! So does the handle of a task that the thread executes:
//!
//! ```compile_fail,E0277
//! let task = oxomp_core::Thread::current().implicit_task();
//! std::thread::spawn(move || println!("{}", task.thread_num()));
//! ```
//!
//! What others may have is made of it, and has less to offer:
//!
//! ```no_run
//! let task = oxomp_core::Thread::current().implicit_task().shared();
//! std::thread::spawn(move || println!("{}", task.thread_num()));
//! ```
//!
//! ```compile_fail,E0599
//! let task = oxomp_core::Thread::current().implicit_task().shared();
//! std::thread::spawn(move || println!("{:?}", task.partition()));
//! ```

use core::fmt;
use core::ptr::{self, NonNull};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{Acquire, Release};

use oxomp_ompd_layout::{Kind, Nullable, Readable};

use crate::word::Atom;

/// A block that may be another thread's; blocks are never freed.
pub struct Shared<T: 'static>(NonNull<T>);

// SAFETY: only fields that are `Sync` are reached without `own` (`shared_fields`).
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// The block, for others.
    #[inline(always)]
    pub(crate) fn of(block: &'static T) -> Self {
        Shared(NonNull::from(block))
    }

    /// The block at an address.
    ///
    /// # Safety
    /// There is one, and it is never freed.
    #[inline(always)]
    pub(crate) unsafe fn at(address: NonNull<T>) -> Self {
        Shared(address)
    }

    /// The block as its owner has it.
    ///
    /// # Safety
    /// The block is the calling thread's from now on, until it gives it away; the block's type says
    /// by what events that changes.
    #[inline(always)]
    pub(crate) unsafe fn own(self) -> &'static T {
        // SAFETY: a block, never freed; by contract no other thread uses what is not `Sync` of it.
        unsafe { self.0.as_ref() }
    }

    /// The block, of a type that is made for sharing.
    #[inline(always)]
    pub(crate) fn get(self) -> &'static T
    where
        T: Sync,
    {
        // SAFETY: a block, which is never freed.
        unsafe { self.0.as_ref() }
    }

    /// Its address.
    #[inline(always)]
    pub fn as_ptr(self) -> *mut T {
        self.0.as_ptr()
    }

    /// Whether `block` is the one that there is, if any.
    #[inline(always)]
    pub(crate) fn leads_to(one: Option<Self>, block: &T) -> bool {
        ptr::eq(one.map_or(ptr::null_mut(), Shared::as_ptr).cast_const(), block)
    }

    /// Whether this is that block.
    #[inline(always)]
    pub(crate) fn is(self, block: &T) -> bool {
        ptr::eq(self.0.as_ptr(), block)
    }
}

/// Accessors of a block's fields that any thread may touch at any time: `name: field.path: type`.
macro_rules! shared_fields {
    ($block:ty { $($(#[$doc:meta])* $vis:vis $name:ident: $($field:ident).+: $type:ty,)* }) => {
        impl $crate::block::Shared<$block> {
            $(
                $(#[$doc])*
                #[inline(always)]
                $vis fn $name(self) -> &'static $type {
                    const fn is_sync<T: Sync>() {}
                    const { is_sync::<$type>() };
                    // SAFETY: a field of a block, which is never freed, of a type that is `Sync`.
                    unsafe { &(*self.as_ptr()).$($field).+ }
                }
            )*
        }
    };
}

pub(crate) use shared_fields;

impl<T> Clone for Shared<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<T> {}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for Shared<T> {}

impl<T> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> Readable for Shared<T> {
    const KIND: Kind = Kind::Pointer;
}

impl<T> Nullable for Shared<T> {}

/// A word that leads to a block.
impl<T> Atom for Option<Shared<T>> {
    type Word = AtomicPtr<T>;

    #[inline(always)]
    fn word(value: Self) -> Self::Word {
        AtomicPtr::new(value.map_or(ptr::null_mut(), Shared::as_ptr))
    }

    #[inline(always)]
    fn load(word: &Self::Word) -> Self {
        // Acquire: what the writer knew of the block is seen.
        NonNull::new(word.load(Acquire)).map(Shared)
    }

    #[inline(always)]
    fn store(word: &Self::Word, value: Self) {
        let address = value.map_or(ptr::null_mut(), Shared::as_ptr);
        // Release: pairs with the Acquire in `load`.
        word.store(address, Release);
    }
}
