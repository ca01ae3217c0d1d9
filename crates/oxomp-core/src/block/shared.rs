//! A block in the form that every thread may have.
//!
//! `Thread`, `ImplicitTask` and `Task` are not `Sync`: a `&'static Thread` is the calling thread,
//! can be copied, and cannot be sent to another thread. A reference to a task belongs to the thread
//! that executes or generates the task. Other threads reach the fields that they may access through
//! a [`Shared`].
//!
//! ```no_run
//! let thread = oxomp_core::Thread::current();
//! println!("{}", thread.number());
//! ```
//! The handle of the calling thread cannot be sent to another:
//!
//! ```compile_fail,E0277
//! let thread = oxomp_core::Thread::current();
//! std::thread::spawn(move || println!("{}", thread.number()));
//! ```
//!
//! Neither can the handle of a task that the thread executes:
//!
//! ```compile_fail,E0277
//! let task = oxomp_core::Thread::current().implicit_task();
//! std::thread::spawn(move || println!("{}", task.thread_num()));
//! ```
//!
//! A `Shared` of it can be sent, and gives access to fewer fields:
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

use oxomp_base::word::Reference;
use oxomp_ompd_layout::{Kind, Nullable, Readable};

/// A block that another thread may own. Blocks are never freed.
pub struct Shared<T: 'static>(NonNull<T>);

// SAFETY: only fields that are `Sync` are reached without `own` (`shared_fields`).
unsafe impl<T> Send for Shared<T> {}
// SAFETY: a `&Shared<T>` gives access to the same `Sync` fields as a copy of it.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// The block in the form that other threads may have.
    #[inline(always)]
    pub(crate) fn of(block: &'static T) -> Self {
        Shared(NonNull::from(block))
    }

    /// The block at an address.
    ///
    /// # Safety
    /// A block is at `address`, and is never freed.
    #[inline(always)]
    pub(crate) unsafe fn at(address: NonNull<T>) -> Self {
        Shared(address)
    }

    /// The block in the form that its owner has.
    ///
    /// # Safety
    /// The calling thread owns the block from now on, until it gives it away. The documentation of
    /// the block's type names the events by which the owner changes.
    #[inline(always)]
    pub(crate) unsafe fn own(self) -> &'static T {
        // SAFETY: blocks are never freed, and the calling thread owns this one (`# Safety`), so no
        // other thread accesses its fields that are not `Sync`.
        unsafe { self.0.as_ref() }
    }

    /// The block, if its whole type is `Sync`.
    #[inline(always)]
    pub(crate) fn get(self) -> &'static T
    where
        T: Sync,
    {
        // SAFETY: blocks are never freed, and `T` is `Sync`.
        unsafe { self.0.as_ref() }
    }

    /// The block's address.
    #[inline(always)]
    pub fn as_ptr(self) -> *mut T {
        self.0.as_ptr()
    }

    /// Whether `one` leads to a block, and that block is `block`.
    #[inline(always)]
    pub(crate) fn leads_to(one: Option<Self>, block: &T) -> bool {
        ptr::eq(one.map_or(ptr::null_mut(), Shared::as_ptr).cast_const(), block)
    }

    /// Whether this is the block `block`.
    #[inline(always)]
    pub(crate) fn is(self, block: &T) -> bool {
        ptr::eq(self.0.as_ptr(), block)
    }
}

/// Defines accessors of a block's fields that any thread may access at any time:
/// `name: field.path: type`.
macro_rules! shared_fields {
    ($block:ty { $($(#[$doc:meta])* $vis:vis $name:ident: $($field:ident).+: $type:ty,)* }) => {
        impl $crate::block::Shared<$block> {
            $(
                $(#[$doc])*
                #[inline(always)]
                $vis fn $name(self) -> &'static $type {
                    const fn is_sync<T: Sync>() {}
                    const { is_sync::<$type>() };
                    // SAFETY: the field lies in a block, which is never freed, and its type is
                    // `Sync`.
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

impl<T> Reference for Shared<T> {
    type To = T;

    #[inline(always)]
    fn address(self) -> NonNull<T> {
        self.0
    }

    #[inline(always)]
    unsafe fn at(address: NonNull<T>) -> Self {
        Shared(address)
    }
}
