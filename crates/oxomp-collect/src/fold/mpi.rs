//! Calls of MPI.

use oxomp_sys::mpi::oxomp_mpi_call_t;
use oxomp_trace::FoldKind;
use oxomp_trace::fold::mpi;

use crate::log::Log;
use crate::store::Store;

impl Log {
    /// The thread has ended a call of MPI. Returns false if there is no room for its sums.
    pub(crate) fn add_mpi_call(&mut self, store: &Store, call: &oxomp_mpi_call_t) -> bool {
        let Ok(function) = u8::try_from(call.function) else { return false };
        let key = [self.region_code(), 0];
        let Some(values) = self.beside(store, FoldKind::Mpi, function, key) else { return false };
        let time = call.end_ns.saturating_sub(call.begin_ns);
        values[mpi::CALLS] += 1;
        values[mpi::TIME_NS] += time;
        values[mpi::LONGEST_NS] = values[mpi::LONGEST_NS].max(time);
        values[mpi::BYTES] = values[mpi::BYTES].saturating_add(call.bytes);
        true
    }
}
