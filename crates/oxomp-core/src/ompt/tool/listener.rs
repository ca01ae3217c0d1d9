//! The listener of events for a tool, of whichever interface: counts its running callbacks, marks
//! the task as inside the runtime, and finds the address in the program to which an event belongs.

use core::ffi::c_void;
use core::marker::PhantomData;

use oxomp_arch::CallSite;

use super::attribution;
use super::enter_frame::enter_frame;
use super::running_callbacks::{Counted, RunningCallback};
use crate::ompt::event::{Endpoint, Event, Hear, ParallelRecord, SyncRegion, TaskRecord};

/// The encoder of an interface: turns events into calls of the tool's callbacks.
pub(super) trait Encode {
    /// Calls the callback that the tool has registered for the event, if any; `code` is the address
    /// in the program to which the event belongs.
    ///
    /// An implementation is `#[inline(always)]`, so that a `match` on the event is resolved where
    /// the event's variant is known.
    fn encode(event: &Event<'_>, code: *const c_void);
}

/// Hears events for a tool of the interface that `E` encodes.
pub(super) struct ForTool<E>(PhantomData<E>);

impl<E: Encode> Hear for ForTool<E> {
    #[inline(always)]
    fn hear(event: &Event<'_>) {
        match *event {
            Event::SyncRegion { kind: SyncRegion::Taskgroup, endpoint, parallel, task, site } => {
                return tell_taskgroup::<E>(endpoint, parallel, task, site);
            }
            Event::SyncRegionWait {
                kind: SyncRegion::Taskgroup,
                endpoint,
                parallel,
                task,
                site,
            } => return tell_taskgroup_wait::<E>(endpoint, parallel, task, site),
            _ => {}
        }
        match Counted::enter() {
            Some(_count) => tell::<E>(event),
            None => {
                // A copy: the fields of `event` itself stay in registers.
                let event = *event;
                tell_elsewhere::<E>(&event);
            }
        }
    }
}

/// Tells of the begin or the end of a taskgroup, apart from the other regions of synchronization:
/// it alone of them is a construct with a call at its begin and one at its end.
#[inline(never)]
fn tell_taskgroup<E: Encode>(
    endpoint: Endpoint,
    parallel: Option<&ParallelRecord>,
    task: &TaskRecord,
    site: CallSite,
) {
    let _running = RunningCallback::enter();
    tell::<E>(&Event::SyncRegion { kind: SyncRegion::Taskgroup, endpoint, parallel, task, site });
}

/// Tells of the begin or the end of the wait at the end of a taskgroup.
#[inline(never)]
fn tell_taskgroup_wait<E: Encode>(
    endpoint: Endpoint,
    parallel: Option<&ParallelRecord>,
    task: &TaskRecord,
    site: CallSite,
) {
    let _running = RunningCallback::enter();
    let kind = SyncRegion::Taskgroup;
    tell::<E>(&Event::SyncRegionWait { kind, endpoint, parallel, task, site });
}

/// Tells of an event of a native thread that the runtime does not know.
#[cold]
#[inline(never)]
fn tell_elsewhere<E: Encode>(event: &Event<'_>) {
    let _running = RunningCallback::enter();
    tell::<E>(event);
}

/// Tells the tool of an event; the calling thread's callbacks are counted.
#[inline(always)]
fn tell<E: Encode>(event: &Event<'_>) {
    let _frame = enter_frame(event);
    match attribution::of_call(event) {
        Some(code) => E::encode(event, code),
        None => {
            let event = *event;
            encode_attributed::<E>(&event);
        }
    }
}

/// Encodes an event whose call the program made by a jump.
#[cold]
#[inline(never)]
fn encode_attributed<E: Encode>(event: &Event<'_>) {
    E::encode(event, attribution::of_jump(event));
}
