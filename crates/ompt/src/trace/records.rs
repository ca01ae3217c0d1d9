//! The records of a buffer.

use core::ffi::c_void;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use oxomp_sys::ompt::{ompt_buffer_cursor_t, ompt_id_t, ompt_record_t};

use super::{Device, NativeRecord, Record};
use crate::device::handle::Handed;

/// The records of one buffer of a device, in the order in which the device has written them.
///
/// They can be read while [`Tool::trace_records`](crate::Tool::trace_records) runs, on its thread.
/// A [`Record`] is the tool's own. Records that are not read are lost.
pub struct Records<'a> {
    device: Device,
    buffer: *mut c_void,
    bytes: usize,
    /// The next record; none after the last one.
    next: Option<ompt_buffer_cursor_t>,
    life: PhantomData<&'a ()>,
}

impl<'a> Records<'a> {
    /// # Safety
    /// The device has completed the records from `begin` on, and they are alive for `'a`.
    pub(super) unsafe fn new(
        device: Device,
        handed: &'a Handed,
        begin: ompt_buffer_cursor_t,
    ) -> Self {
        let (buffer, bytes) = (handed.start(), handed.bytes());
        Self { device, buffer, bytes, next: Some(begin), life: PhantomData }
    }

    /// The device that has recorded them.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The size of the buffer, in bytes.
    pub fn buffer_bytes(&self) -> usize {
        self.bytes
    }

    /// The position after a record; none after the last one.
    fn after(&self, current: ompt_buffer_cursor_t) -> Option<ompt_buffer_cursor_t> {
        let advance = self.device.state.functions.advance_buffer_cursor?;
        let mut next = current;
        // SAFETY: the entry point is the device's, as is the buffer; it writes our variable.
        let is_valid = unsafe {
            advance(self.device.state.raw(), self.buffer, self.bytes, current, &mut next)
        };
        // A cursor that stays where it is would never end.
        (is_valid != 0 && next != current).then_some(next)
    }

    /// The record at a position, in a format that is known; none for another one.
    fn at(&self, current: ompt_buffer_cursor_t, kind: ompt_record_t) -> Option<Record> {
        let functions = &self.device.state.functions;
        match kind {
            ompt_record_t::OMPT => {
                // SAFETY: the entry point is the device's, and a record is there.
                let record = unsafe { functions.get_record_ompt?(self.buffer, current) };
                // SAFETY: null, or a record that stays until the next call.
                (!record.is_null())
                    .then(|| Record::Standard(unsafe { super::read::standard(record) }))
            }
            ompt_record_t::NATIVE => {
                let mut host_op_id: ompt_id_t = 0;
                // SAFETY: the entry point is the device's, and a record is there; it writes our
                // variable.
                let record =
                    unsafe { functions.get_record_native?(self.buffer, current, &mut host_op_id) };
                // SAFETY: a record of the device, that stays until the next call.
                let record = unsafe { NativeRecord::from_raw(functions, record, host_op_id) };
                Some(Record::Native(record))
            }
            other => Some(Record::Unknown(other.0)),
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let get_type = self.device.state.functions.get_record_type?;
        while let Some(current) = self.next {
            // SAFETY: the entry point is the device's, as is the buffer.
            let kind = unsafe { get_type(self.buffer, current) };
            if kind == ompt_record_t::INVALID {
                self.next = None;
                break;
            }
            let record = self.at(current, kind);
            self.next = self.after(current);
            if record.is_some() {
                return record;
            }
        }
        None
    }
}

impl FusedIterator for Records<'_> {}

impl fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("device", &self.device).finish_non_exhaustive()
    }
}
