//! The trace of a device: what the constructs report to it ([`record`]), what the tool asks of it
//! ([`control`]), and what the delivery thread does ([`deliver`]).

mod control;
mod deliver;
mod record;

use core::ffi::c_int;
use core::ops::ControlFlow;
use core::sync::atomic::Ordering::Relaxed;

use super::callbacks::Buffer;
use super::operation::Maker;
use super::phase::Phase;
use super::queue::{RecordQueue, Session};
use super::selection::Selection;
use super::unfinished::List;
use crate::plugin::Device;
use crate::sync::{AtomicU64, Child, Condvar, IS_MODEL, Mutex, Visit};

/// The records that wait before the delivery thread is woken for them: a wake costs as much as some
/// records. In models each record wakes it, so that buffers stay open.
const WAKE_AFTER: usize = if IS_MODEL { 1 } else { 256 };

/// The trace of a device. The crate's README has the protocol between its threads.
#[derive(Debug)]
pub(crate) struct Tracer {
    /// The number of the device.
    number: c_int,
    device: &'static dyn Device,
    /// The number of the trace in which operations are recorded; 0 if they are not recorded.
    /// Written with the state locked.
    recording: AtomicU64,
    state: Mutex<State>,
    /// `handed` has grown.
    changed: Condvar,
}

/// What the threads share.
#[derive(Debug, Default)]
pub(super) struct State {
    phase: Phase,
    selection: Selection,
    /// The trace that is on, paused or starved, or the last one.
    session: Option<Session>,
    queue: RecordQueue,
    unfinished: List,
    /// What the delivery thread has begun. The thread takes this value for as long as it works.
    progress: Progress,
    /// The records, in the order of their creation, that the tool has got or will not get.
    handed: u64,
    /// The records that the tool is to get soon, though its buffer is not full.
    due: u64,
    /// The number of the last trace whose tool has ended: the tool's functions are not called any
    /// more.
    discarded: u64,
    /// The number of records that were dropped with such a trace and that `progress` does not
    /// count.
    dropped: u64,
    /// Whether the delivery thread works for this device, or is going to.
    is_scheduled: bool,
}

/// When a construct or an operation began, and in which trace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begin {
    /// The device's time.
    pub(crate) time: u64,
    /// The number of the trace.
    pub(super) session: u64,
}

/// How far the delivery has come.
#[derive(Debug, Default)]
struct Progress {
    open: Option<(Session, Buffer)>,
    /// The records that are in buffers, or were dropped.
    written: u64,
}

impl State {
    /// The maker of the present trace's records, the trace, and the queue of the records; `None`
    /// without a trace.
    fn parts(&mut self, device: c_int) -> Option<(Maker, Session, &mut RecordQueue)> {
        let session = self.session.filter(|_| self.phase == Phase::On)?;
        let maker = Maker {
            selection: self.selection,
            is_report_2015: session.callbacks.is_report_2015(),
            device,
        };
        Some((maker, session, &mut self.queue))
    }

    /// Forgets the operations that the device has not done: they will not be in the trace.
    fn forget_unfinished(&mut self) {
        self.unfinished = List::default();
        self.queue.unfinished = 0;
    }
}

impl Tracer {
    /// The trace of the device `number`.
    pub(crate) fn new(number: c_int, device: &'static dyn Device) -> Self {
        Self {
            number,
            device,
            recording: AtomicU64::new(0),
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    pub(super) fn device(&self) -> &'static dyn Device {
        self.device
    }

    /// Calls `visit` with the lock (`fork`).
    pub(crate) fn each_lock(&self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        visit(&self.state)
    }

    /// In the child of a fork: the delivery thread and the trace are gone.
    pub(crate) fn after_fork(&self, child: &Child) {
        if let Some(mut state) = self.state.after_fork(child, State::default).guard() {
            let session = state.session;
            *state = State { session, ..State::default() };
            self.publish(&state);
        }
    }

    /// Shows reporting threads whether operations are recorded.
    fn publish(&self, state: &State) {
        let is_recording = state.phase == Phase::On && !state.selection.is_empty();
        let session = state.session.filter(|_| is_recording);
        // Relaxed: `emit` looks at the state again.
        self.recording.store(session.map_or(0, |session| session.number), Relaxed);
    }
}
