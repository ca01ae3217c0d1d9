//! The two models of data: the types by which events and entry points show objects, and the
//! reading of the runtime's words.

use core::fmt;

use oxomp_sys::ompt::ompt_data_t;

use crate::{DataWord, TaskStatus};

/// Seals [`Model`]: only this crate implements it.
pub(crate) mod sealed {
    /// A model of this crate.
    pub trait Sealed {}
}

/// How events and entry points show threads, regions and tasks: [`Raw`], or
/// [`Typed`](crate::Typed).
///
/// The trait is sealed: a tool names one of the two in [`Tool::Model`](crate::Tool::Model).
///
/// Each function takes a callback's argument or an entry point's answer: null, or a word of the
/// named object that is alive, and that nothing but this model has written, for `'a`.
pub trait Model: sealed::Sealed + Copy + fmt::Debug + 'static {
    /// The calling thread.
    type Thread<'a>: Copy + fmt::Debug;
    /// The region around the calling task.
    type Region<'a>: Copy + fmt::Debug;
    /// A task of the calling thread.
    type Task<'a>: Copy + fmt::Debug;
    /// A region or task that another thread may be ending.
    type Other<'a>: Copy + fmt::Debug;

    /// # Safety
    /// See the trait; the word is that of the calling thread.
    #[doc(hidden)]
    unsafe fn thread<'a>(word: *mut ompt_data_t) -> Option<Self::Thread<'a>>;

    /// The calling thread; `None` if the word belongs to another thread: a runtime that shuts down
    /// may report the end of another thread.
    ///
    /// # Safety
    /// See the trait.
    #[doc(hidden)]
    unsafe fn own_thread<'a>(word: *mut ompt_data_t) -> Option<Self::Thread<'a>> {
        // SAFETY: as the caller promises.
        unsafe { Self::thread(word) }
    }

    /// # Safety
    /// See the trait; the task runs on the calling thread, or starts, stops or ends there.
    #[doc(hidden)]
    unsafe fn task<'a>(word: *mut ompt_data_t) -> Option<Self::Task<'a>>;

    /// The task that a switch leaves. With `Typed`, it is `None` for a task that another thread may
    /// end meanwhile.
    ///
    /// # Safety
    /// As for [`Model::task`].
    #[doc(hidden)]
    unsafe fn prior<'a>(word: *mut ompt_data_t, status: TaskStatus) -> Option<Self::Task<'a>>;

    /// The region that begins or ends.
    ///
    /// # Safety
    /// See the trait; the calling thread has encountered the region.
    #[doc(hidden)]
    unsafe fn region<'a>(word: *mut ompt_data_t) -> Option<Self::Region<'a>>;

    /// The region around a task, from the region's word or from the task's. `Typed` takes the
    /// task's: a worker that is late may see the word of a region that has ended.
    ///
    /// # Safety
    /// See the trait; the task is as for [`Model::task`].
    #[doc(hidden)]
    unsafe fn region_around<'a>(
        region: *mut ompt_data_t,
        task: *mut ompt_data_t,
    ) -> Option<Self::Region<'a>>;

    /// # Safety
    /// See the trait.
    #[doc(hidden)]
    unsafe fn other<'a>(word: *mut ompt_data_t) -> Option<Self::Other<'a>>;
}

/// The model of tools that use the runtime's words themselves: every object is a [`DataWord`].
#[derive(Clone, Copy, Debug)]
pub struct Raw;

impl sealed::Sealed for Raw {}

impl Model for Raw {
    type Thread<'a> = &'a DataWord;
    type Region<'a> = &'a DataWord;
    type Task<'a> = &'a DataWord;
    type Other<'a> = &'a DataWord;

    #[inline]
    unsafe fn thread<'a>(word: *mut ompt_data_t) -> Option<Self::Thread<'a>> {
        // SAFETY: as the caller promises.
        unsafe { DataWord::from_raw(word) }
    }

    #[inline]
    unsafe fn task<'a>(word: *mut ompt_data_t) -> Option<Self::Task<'a>> {
        // SAFETY: as the caller promises.
        unsafe { DataWord::from_raw(word) }
    }

    #[inline]
    unsafe fn prior<'a>(word: *mut ompt_data_t, _: TaskStatus) -> Option<Self::Task<'a>> {
        // SAFETY: as the caller promises.
        unsafe { DataWord::from_raw(word) }
    }

    #[inline]
    unsafe fn region<'a>(word: *mut ompt_data_t) -> Option<Self::Region<'a>> {
        // SAFETY: as the caller promises.
        unsafe { DataWord::from_raw(word) }
    }

    #[inline]
    unsafe fn region_around<'a>(
        region: *mut ompt_data_t,
        _: *mut ompt_data_t,
    ) -> Option<Self::Region<'a>> {
        // SAFETY: as the caller promises.
        unsafe { DataWord::from_raw(region) }
    }

    #[inline]
    unsafe fn other<'a>(word: *mut ompt_data_t) -> Option<Self::Other<'a>> {
        // SAFETY: as the caller promises.
        unsafe { DataWord::from_raw(word) }
    }
}
