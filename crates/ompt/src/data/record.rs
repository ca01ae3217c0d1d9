//! The records behind the runtime's data words of a tool with [`Data`].

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering, compiler_fence, fence};
use core::{mem, ptr};
use std::boxed::Box;

use oxomp_sys::ompt::ompt_data_t;

use super::{Data, ObjectId};
use crate::DataWord;
use crate::thread_number::ThreadNumber;

/// Whether data of this type are made at all.
pub(crate) const fn is_kept<T>() -> bool {
    size_of::<T>() != 0 || mem::needs_drop::<T>()
}

/// Data of a thread. Shared references are given on that thread alone.
#[derive(Debug)]
pub(crate) struct ThreadRecord<T: Data> {
    pub(crate) data: T::Thread,
    /// The thread on which the data were made.
    thread: ThreadNumber,
}

impl<T: Data> ThreadRecord<T> {
    pub(crate) fn new(data: T::Thread) -> Self {
        Self { data, thread: ThreadNumber::current() }
    }

    /// Whether the calling thread is the one that the data belong to: a runtime that shuts down may
    /// report the end of another thread.
    pub(crate) fn is_own(&self) -> bool {
        self.thread == ThreadNumber::current()
    }
}

/// Data of a region, counted by their holders: the encountering thread, from the region's begin to
/// its end, and each implicit task, whose end may come later.
#[derive(Debug)]
pub(crate) struct RegionRecord<T: Data> {
    pub(crate) data: T::Region,
    holders: AtomicUsize,
}

impl<T: Data> RegionRecord<T> {
    /// A record that the encountering thread holds.
    pub(crate) fn new(data: T::Region) -> Self {
        Self { data, holders: AtomicUsize::new(1) }
    }

    /// The record with one more holder.
    pub(crate) fn hold(&self) -> *const Self {
        self.holders.fetch_add(1, Ordering::Relaxed);
        self
    }

    /// Takes one holder away; the last one ends the data, unless they are to be kept.
    ///
    /// # Safety
    /// `region` is null, or the caller is a holder of it and uses it no more.
    pub(crate) unsafe fn release(tool: &T, region: *const Self, keep: bool) {
        // SAFETY: alive, since the caller is a holder.
        let Some(record) = (unsafe { region.as_ref() }) else { return };
        // Data that are kept also keep this holder, so that no holder is the last one.
        if keep || record.holders.fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        fence(Ordering::Acquire);
        // SAFETY: made by `store` from a box, and no other holder is left.
        let record = unsafe { Box::from_raw(region.cast_mut()) };
        tool.end_region(record.data);
    }
}

/// Data of a task.
#[derive(Debug)]
pub(crate) struct TaskRecord<T: Data> {
    pub(crate) data: T::Task,
    /// The region around the task; null if its data are not known.
    pub(crate) region: *const RegionRecord<T>,
    /// Whether the task is a holder of the region: implicit tasks are.
    holds_region: bool,
    /// Whether one of the two events with which a detached task ends has been handled.
    is_half_ended: AtomicBool,
}

impl<T: Data> TaskRecord<T> {
    /// The record of an implicit task, which holds its region.
    pub(crate) fn implicit(region: *const RegionRecord<T>, data: T::Task) -> Self {
        Self { data, region, holds_region: true, is_half_ended: AtomicBool::new(false) }
    }

    /// The record of a task that `task_create` reports.
    pub(crate) fn created(region: *const RegionRecord<T>, data: T::Task) -> Self {
        Self { data, region, holds_region: false, is_half_ended: AtomicBool::new(false) }
    }

    /// A detached task ends when its body has ended and its detach event is fulfilled. The caller
    /// has handled one of these two events; returns whether the other one has been handled before.
    /// Two threads may handle them at once.
    pub(crate) fn is_last_of_two(&self) -> bool {
        self.is_half_ended.swap(true, Ordering::AcqRel)
    }

    /// Ends the data of a task; nothing of the task is used any more.
    ///
    /// # Safety
    /// `task` was stored by `store`, and no thread uses it any more.
    pub(crate) unsafe fn end(tool: &T, task: *mut Self, keep: bool) {
        if keep {
            return;
        }
        // SAFETY: made by `store` from a box, and nobody else uses it.
        let record = unsafe { Box::from_raw(task) };
        let Self { data, region, holds_region, .. } = *record;
        tool.end_task(data);
        if holds_region {
            // SAFETY: this task was a holder.
            unsafe { RegionRecord::release(tool, region, false) };
        }
    }
}

/// The identity of the object with this record.
pub(crate) fn id<R>(record: &R) -> Option<ObjectId> {
    ObjectId::of_word(ptr::from_ref(record).addr() as u64)
}

/// Stores a record behind a word.
pub(crate) fn store<R>(word: &DataWord, record: R) {
    word.set_ptr(Box::into_raw(Box::new(record)));
}

/// The record behind a word; `None` for a null pointer or a word without record.
///
/// # Safety
/// `word` is null, or points to a word that is 0 or has a record of this type that lives for `'a`.
#[inline]
pub(crate) unsafe fn behind<'a, R>(word: *mut ompt_data_t) -> Option<&'a R> {
    // SAFETY: as the caller promises.
    unsafe { DataWord::from_raw(word)?.ptr::<R>().as_ref() }
}

/// Takes the record from a word, which becomes 0; null if the word has no record. So a signal
/// handler on this thread does not see a record that is being ended.
///
/// # Safety
/// As for [`behind`].
pub(crate) unsafe fn take<R>(word: *mut ompt_data_t) -> *mut R {
    // SAFETY: as the caller promises.
    let Some(word) = (unsafe { DataWord::from_raw(word) }) else { return ptr::null_mut() };
    let record = word.ptr::<R>();
    word.set(0);
    compiler_fence(Ordering::SeqCst);
    record
}
