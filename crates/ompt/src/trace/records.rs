//! The records of a buffer.

use core::ffi::c_void;
use core::marker::PhantomData;

use oxomp_sys::ompt::{ompt_id_t, ompt_record_t};

use super::{Device, NativeRecord, Record, read};
use crate::device::records::records;

/// The records of one buffer of a device, in the order in which the device has written them.
///
/// They can be read while [`Tool::trace_records`](crate::Tool::trace_records) runs, on its
/// thread. A [`Record`] is the tool's own. Records that are not read are lost.
pub struct Records<'a> {
    device: Device,
    buffer: *mut c_void,
    bytes: usize,
    next: Option<u64>,
    end: Option<u64>,
    life: PhantomData<&'a ()>,
}

records!(ompt_record_t);

impl Records<'_> {
    /// The position after a record; `None` after the last one.
    fn after(&self, current: u64) -> Option<u64> {
        let state = self.device.state;
        let advance = state.functions.advance_buffer_cursor.function?;
        let mut next = current;
        // SAFETY: the entry point is the device's, as is the buffer; it writes our variable.
        let is_valid = unsafe { advance(state.raw(), self.buffer, self.bytes, current, &mut next) };
        (is_valid != 0).then_some(next)
    }

    /// The record at a position; `None` if the device does not show it.
    fn at(&self, current: u64, format: ompt_record_t) -> Option<Record> {
        let functions = &self.device.state.functions;
        match format {
            ompt_record_t::OMPT => {
                let get = functions.get_record_ompt.function?;
                // SAFETY: the entry point is the device's, and a record is there.
                let record = unsafe { get(self.buffer, current) };
                // SAFETY: null, or a record that stays until the next call.
                (!record.is_null()).then(|| Record::Standard(unsafe { read::standard(record) }))
            }
            ompt_record_t::NATIVE => {
                let get = functions.get_record_native.function?;
                let mut host_op_id: ompt_id_t = 0;
                // SAFETY: the entry point is the device's, and a record is there; it writes our
                // variable.
                let record = unsafe { get(self.buffer, current, &mut host_op_id) };
                // SAFETY: a record of the device, that stays until the next call.
                let record = unsafe { NativeRecord::from_raw(functions, record, host_op_id) };
                Some(Record::Native(record))
            }
            other => Some(Record::Unknown(other.0)),
        }
    }
}
