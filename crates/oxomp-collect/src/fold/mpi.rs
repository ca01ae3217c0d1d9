//! Calls of MPI.

use std::slice;

use oxomp_sys::mpi::{
    BLOCKING, EVENTS_TAKEN, ON_MAIN_THREAD, SUMS_TAKEN, oxomp_mpi_call_t, oxomp_mpi_event_t,
};
use oxomp_trace::fold::mpi;
use oxomp_trace::{FoldKind, MpiEvent, MpiRole};

use crate::log::Log;
use crate::store::Store;

impl Log {
    /// The thread has ended a call of MPI. Returns the bits of what is taken of it: without room
    /// for its sums, or for its events, they are not.
    pub(crate) fn add_mpi_call(&mut self, store: &Store, call: &oxomp_mpi_call_t) -> i32 {
        let Ok(function) = u8::try_from(call.function) else { return 0 };
        let code = self.region_code();
        let key = [code, 0];
        let mut taken = 0;
        if let Some(values) = self.beside(store, FoldKind::Mpi, function, key) {
            let time = call.end_ns.saturating_sub(call.begin_ns);
            values[mpi::CALLS] += 1;
            values[mpi::TIME_NS] += time;
            values[mpi::LONGEST_NS] = values[mpi::LONGEST_NS].max(time);
            values[mpi::BYTES] = values[mpi::BYTES].saturating_add(call.bytes);
            taken |= SUMS_TAKEN;
        }
        if call.event_count > 0 {
            // SAFETY: the library has an array of so many, for the time of the call.
            let events = unsafe { slice::from_raw_parts(call.events, call.event_count) };
            let event = |event| of(event, call, function, code);
            let mut events = events.iter().filter_map(event);
            if events.all(|event| self.mpi_events.push(store, self.number, &event)) {
                taken |= EVENTS_TAKEN;
            }
        }
        taken
    }
}

/// The event as the file has it.
fn of(
    event: &oxomp_mpi_event_t,
    call: &oxomp_mpi_call_t,
    function: u8,
    code: u64,
) -> Option<MpiEvent> {
    Some(MpiEvent {
        begin_ns: call.begin_ns,
        end_ns: call.end_ns.max(call.begin_ns),
        instance: event.instance,
        code,
        peer: event.peer,
        members: event.members,
        function,
        role: MpiRole::ALL.into_iter().find(|role| *role as u8 == event.role)?,
        thinning: event.thinning,
        blocking: event.flags & BLOCKING != 0,
        on_main_thread: event.flags & ON_MAIN_THREAD != 0,
    })
}
