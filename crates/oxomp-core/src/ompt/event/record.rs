//! What a thread, a region and a task keep for a tool; embedded in those types.
//!
//! A record is written by one thread: the one it belongs to. The fields are cells because entry
//! points read them from a signal handler on that same thread.

use core::cell::Cell;
use core::ffi::c_void;
use core::marker::PhantomData;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU32};

use super::kinds::{State, flags};
use super::mask;
use crate::arch::{CallSite, Caller};

/// Of a thread: the tool's word, the state, and what it waits for in a mutex wait state.
#[derive(Debug)]
pub struct ThreadRecord {
    pub data: Cell<u64>,
    pub state: Cell<State>,
    pub wait_id: Cell<u64>,
    /// A root's first events have been.
    pub is_announced: Cell<bool>,
    /// Callbacks of the tool that run on the thread. The thread writes it, who ends the tool reads it.
    pub callbacks_running: AtomicU32,
    /// A worker has left a region and has not yet reported its ends. Set before it arrives at the
    /// region's barrier, so that the primary thread sees it.
    pub is_reporting: AtomicBool,
}

impl ThreadRecord {
    pub const fn new() -> Self {
        ThreadRecord {
            data: Cell::new(0),
            state: Cell::new(State::Overhead),
            wait_id: Cell::new(0),
            is_announced: Cell::new(false),
            callbacks_running: AtomicU32::new(0),
            is_reporting: AtomicBool::new(false),
        }
    }

    /// The native thread is gone: nothing of it is left for another.
    pub(crate) fn begin_anew(&self) {
        self.data.set(0);
        self.state.set(State::Overhead);
        self.wait_id.set(0);
        self.is_announced.set(false);
        self.callbacks_running.store(0, Relaxed);
        self.is_reporting.store(false, Relaxed);
    }
}

impl Default for ThreadRecord {
    fn default() -> Self {
        Self::new()
    }
}

/// Of a parallel region: the tool's word.
#[derive(Debug, Default)]
pub struct ParallelRecord {
    pub data: Cell<u64>,
}

/// `ompt_frame_t` (5.2 §19.4.4.29): given to tools as it lies here.
#[repr(C)]
#[derive(Debug)]
pub struct Frame {
    pub exit: Cell<*mut c_void>,
    pub enter: Cell<*mut c_void>,
    pub exit_flags: Cell<i32>,
    pub enter_flags: Cell<i32>,
}

impl Frame {
    /// The task enters the runtime from the user function that called at `site`.
    pub(crate) fn enter_from(&self, site: CallSite) {
        let (address, kind) = match site.caller() {
            Caller::Nobody => (ptr::null_mut(), flags::FRAME_APPLICATION),
            Caller::FramePointer(frame) => (frame, flags::FRAME_APPLICATION),
            Caller::StackAddress(address) => (address, flags::STACK_APPLICATION),
        };
        self.enter.set(address);
        self.enter_flags.set(kind);
    }
}

/// Of a task: the tool's word, the frames, the flags of `ompt_task_flag_t`, and the region.
#[derive(Debug)]
pub struct TaskRecord {
    pub data: Cell<u64>,
    pub frame: Frame,
    pub flags: Cell<i32>,
    pub parallel: Cell<*const ParallelRecord>,
}

impl TaskRecord {
    /// The record of a task of the region `parallel`, which lives as long as the task.
    pub const fn new(flags: i32, parallel: *const ParallelRecord) -> Self {
        TaskRecord {
            data: Cell::new(0),
            frame: Frame {
                exit: Cell::new(ptr::null_mut()),
                enter: Cell::new(ptr::null_mut()),
                exit_flags: Cell::new(flags::FRAME_RUNTIME),
                enter_flags: Cell::new(flags::FRAME_APPLICATION),
            },
            flags: Cell::new(flags),
            parallel: Cell::new(parallel),
        }
    }

    /// A new task begins in this record.
    pub fn reset(&self) {
        self.data.set(0);
        self.frame.enter.set(ptr::null_mut());
    }

    /// The region that the task belongs to.
    pub fn parallel(&self) -> Option<&ParallelRecord> {
        // SAFETY: null or the record of the team, which outlives its tasks (see `new`).
        unsafe { self.parallel.get().as_ref() }
    }
}

/// While it lives the task is inside the runtime: its `enter_frame` is the user's frame that called.
///
/// A call of the runtime within another keeps the outermost frame. Nothing is stored while no tool
/// is attached.
#[derive(Debug)]
pub struct EnterFrame<'a> {
    frame: *const Frame,
    task: PhantomData<&'a TaskRecord>,
}

impl<'a> EnterFrame<'a> {
    #[inline(always)]
    pub fn new(task: &'a TaskRecord, site: CallSite) -> Self {
        let mut frame = ptr::null();
        if mask::is_active() && task.frame.enter.get().is_null() {
            task.frame.enter_from(site);
            frame = &raw const task.frame;
        }
        EnterFrame { frame, task: PhantomData }
    }
}

impl Drop for EnterFrame<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if !self.frame.is_null() {
            // SAFETY: the frame of the task that was borrowed for our life.
            unsafe { (*self.frame).enter.set(ptr::null_mut()) };
        }
    }
}
