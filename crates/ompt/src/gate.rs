//! The state of a tool's slot that does not depend on the tool's type: whether a runtime has the
//! tool, which of the tool's methods are called, and which thread finalizes the tool.

use core::ffi::{CStr, c_char};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};

use crate::device::list::DeviceList;
use crate::owner::Owner;
use crate::thread_number::ThreadNumber;
use crate::trace::DeviceState;
use crate::{Event, EventSet, Runtime};

/// The state of a slot.
#[derive(Debug)]
pub(crate) struct Gate {
    /// The process in which a runtime has called `initialize`.
    owner: Owner,
    omp_version: AtomicU32,
    version: AtomicPtr<c_char>,
    /// Whether the tool's `finalize` was called since the last start.
    is_finalized: AtomicBool,
    /// The number of the thread that is in `ompt_finalize_tool`.
    finalizer: AtomicU64,
    /// The events that the SDK listens to whether the tool does or not.
    lifecycle: EventSet,
    /// Finalizes the tool of the slot and takes it away. A function, since the gate does not know
    /// the tool's type.
    end: fn(),
    /// The events of `lifecycle` whose methods are called, as bits.
    listening: AtomicU64,
    /// The events for which the runtime has the tool's callbacks, as bits.
    registered: AtomicU64,
    /// Whether the runtime lets a callback be unregistered while the event happens.
    takes_null: AtomicBool,
    /// The devices that have begun.
    devices: DeviceList<DeviceState>,
}

impl Gate {
    pub(crate) const fn new(lifecycle: EventSet, end: fn()) -> Self {
        Self {
            owner: Owner::nobody(),
            omp_version: AtomicU32::new(0),
            version: AtomicPtr::new(null_mut()),
            is_finalized: AtomicBool::new(false),
            finalizer: AtomicU64::new(ThreadNumber::NONE),
            lifecycle,
            end,
            listening: AtomicU64::new(0),
            registered: AtomicU64::new(0),
            takes_null: AtomicBool::new(false),
            devices: DeviceList::new(),
        }
    }

    /// Whether a runtime of this process has the tool.
    pub(crate) fn is_taken(&self) -> bool {
        self.owner.is_this_process()
    }

    /// Keeps the runtime's description of itself for `initialize`.
    pub(crate) fn announce(&self, runtime: &Runtime) {
        self.omp_version.store(runtime.omp_version, Ordering::Relaxed);
        self.version.store(runtime.version.as_ptr().cast_mut(), Ordering::Release);
    }

    /// Gives the tool to the runtime that calls; `None` if another runtime has it.
    pub(crate) fn open(&self) -> Option<Runtime> {
        if !self.owner.take() {
            return None;
        }
        self.is_finalized.store(false, Ordering::Relaxed);
        self.finalizer.store(ThreadNumber::NONE, Ordering::Relaxed);
        self.listening.store(0, Ordering::Relaxed);
        self.registered.store(0, Ordering::Relaxed);
        let version = self.version.load(Ordering::Acquire);
        let version = match version.is_null() {
            true => c"",
            // SAFETY: a string that stays, as `announce` got it.
            false => unsafe { CStr::from_ptr(version) },
        };
        // Other runtimes test whether an event is registered, and then load the callback again to
        // call it.
        self.takes_null.store(version.to_bytes().starts_with(b"oxomp"), Ordering::Relaxed);
        Some(Runtime { omp_version: self.omp_version.load(Ordering::Relaxed), version })
    }

    /// Whether entry points may be used.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.owner.is_there()
    }

    /// The tool has ended: no method is called any more. This includes the method of an event for
    /// which the calling thread is just making the model's data.
    pub(crate) fn close(&self) {
        self.listening.store(0, Ordering::Relaxed);
        self.owner.leave();
        // A later start of the tool has devices of its own.
        self.devices.iter().for_each(|device| device.calls.close());
    }

    /// The process whose runtime has the tool.
    pub(crate) fn owner(&self) -> &Owner {
        &self.owner
    }

    /// The events that the SDK listens to whether the tool does or not.
    pub(crate) fn lifecycle(&self) -> EventSet {
        self.lifecycle
    }

    /// The devices that have begun, in any start of the tool.
    pub(crate) fn devices(&self) -> &DeviceList<DeviceState> {
        &self.devices
    }

    /// Whether the caller is the first to finalize the tool since its start.
    pub(crate) fn begin_finalize(&self) -> bool {
        self.is_open() && !self.is_finalized.swap(true, Ordering::AcqRel)
    }

    /// Ends the tool without the runtime.
    pub(crate) fn end_tool(&self) {
        (self.end)();
    }

    /// Whether the caller is the first to ask the runtime to finalize the tool, which has not
    /// ended yet.
    pub(crate) fn claim_finalizer(&self) -> bool {
        let me = ThreadNumber::current().get();
        self.is_open()
            && self
                .finalizer
                .compare_exchange(ThreadNumber::NONE, me, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }

    /// Whether the calling thread has asked the runtime to finalize the tool: further down the
    /// stack, a callback may have references to objects that end now.
    #[inline]
    pub(crate) fn is_finalizing_here(&self) -> bool {
        let finalizer = self.finalizer.load(Ordering::Relaxed);
        finalizer != ThreadNumber::NONE && finalizer == ThreadNumber::current().get()
    }

    /// Whether the tool's method for an event of [`Gate::lifecycle`] is called.
    #[inline]
    pub(crate) fn is_listening(&self, event: Event) -> bool {
        self.listening.load(Ordering::Relaxed) & EventSet::of(&[event]).bits() != 0
    }

    /// Whether a callback may be unregistered by a null pointer at any time.
    pub(crate) fn takes_null(&self) -> bool {
        self.takes_null.load(Ordering::Relaxed)
    }

    /// Notes whether the runtime has the tool's callback for an event. Returns whether it had the
    /// callback before.
    pub(crate) fn note_registered(&self, event: Event, is_registered: bool) -> bool {
        let bit = EventSet::of(&[event]).bits();
        let before = match is_registered {
            true => self.registered.fetch_or(bit, Ordering::Relaxed),
            false => self.registered.fetch_and(!bit, Ordering::Relaxed),
        };
        before & bit != 0
    }

    /// Whether the runtime has the tool's callback for an event.
    pub(crate) fn has_registered(&self, event: Event) -> bool {
        self.registered.load(Ordering::Relaxed) & EventSet::of(&[event]).bits() != 0
    }

    /// Sets whether the tool's method for an event is called. Returns whether the SDK itself
    /// listens to the event.
    pub(crate) fn listen(&self, event: Event, is_called: bool) -> bool {
        let bit = EventSet::of(&[event]).bits();
        match is_called {
            true => self.listening.fetch_or(bit, Ordering::Relaxed),
            false => self.listening.fetch_and(!bit, Ordering::Relaxed),
        };
        self.lifecycle.contains(event)
    }
}
