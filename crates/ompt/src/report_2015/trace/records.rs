//! The records of a buffer.

use core::ffi::c_void;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use oxomp_sys::report_2015::{ompt_record_type_t, ompt_target_buffer_cursor_t};

use super::{Correlation, Device, NativeRecord, Record, read};
use crate::device::handle::Handed;
use crate::report_2015::{ActivityId, TaskId};

/// The records of one buffer of a device, in the order in which the device has written them.
///
/// They can be read while [`Tool::trace_records`](crate::report_2015::Tool::trace_records) runs, on
/// its thread. A [`Record`] is the tool's own. Records that are not read are lost.
pub struct Records<'a> {
    device: Device,
    buffer: *mut c_void,
    bytes: usize,
    /// The next record; the end behind the last one.
    next: ompt_target_buffer_cursor_t,
    end: ompt_target_buffer_cursor_t,
    life: PhantomData<&'a ()>,
}

impl<'a> Records<'a> {
    /// # Safety
    /// The device has completed the records from `begin` to `end`, and they are alive for `'a`.
    pub(super) unsafe fn new(
        device: Device,
        handed: &'a Handed,
        begin: ompt_target_buffer_cursor_t,
        end: ompt_target_buffer_cursor_t,
    ) -> Self {
        let (buffer, bytes) = (handed.start(), handed.bytes());
        Self { device, buffer, bytes, next: begin, end, life: PhantomData }
    }

    /// The device that has recorded them.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The size of the buffer, in bytes.
    pub fn buffer_bytes(&self) -> usize {
        self.bytes
    }

    /// The position after a record; the end after the last one.
    fn after(&self, current: ompt_target_buffer_cursor_t) -> ompt_target_buffer_cursor_t {
        let Some(advance) = self.device.state.functions.advance_buffer_cursor else {
            return self.end;
        };
        let mut next = current;
        // SAFETY: the entry point is the device's, as is the buffer; it writes our variable.
        let is_invalid = unsafe { advance(self.buffer, current, &mut next) };
        // A cursor that stays where it is would never end.
        if is_invalid == 0 && next != current { next } else { self.end }
    }

    /// The record at a position, in a format that is known; none for another one.
    fn at(&self, at: ompt_target_buffer_cursor_t, kind: ompt_record_type_t) -> Option<Record> {
        let functions = &self.device.state.functions;
        match kind {
            ompt_record_type_t::OMPT => {
                // SAFETY: the entry point is the device's, and a record is there.
                let record = unsafe { functions.get_record_ompt?(self.buffer, at) };
                // SAFETY: null, or a record that stays until the next call.
                (!record.is_null()).then(|| Record::Standard(unsafe { read::standard(record) }))
            }
            ompt_record_type_t::CORRELATION => {
                // SAFETY: the entry point is the device's, and a record is there.
                let record = unsafe { functions.get_record_correlation?(self.buffer, at) };
                if record.is_null() {
                    return None;
                }
                // SAFETY: a record that stays until the next call.
                let record = unsafe { record.read_unaligned() };
                Some(Record::Correlation(Correlation {
                    task: TaskId::new(record.host_task_id),
                    activity: ActivityId::new(record.dev_task_id),
                }))
            }
            ompt_record_type_t::NATIVE => {
                // SAFETY: the entry point is the device's, and a record is there.
                let record = unsafe { functions.get_record_native?(self.buffer, at) };
                let get = functions.get_record_native_abstract.filter(|_| !record.is_null());
                // SAFETY: the entry point is the device's, as is the record.
                let view = get.map(|get| unsafe { get(record) }).filter(|view| !view.is_null());
                // SAFETY: a view that stays until the next call.
                Some(Record::Native(view.map(|view| unsafe { NativeRecord::from_raw(view) })))
            }
            other => Some(Record::Unknown(other.0)),
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let get_type = self.device.state.functions.get_record_type?;
        while self.next != self.end {
            let current = self.next;
            // SAFETY: the entry point is the device's, as is the buffer.
            let kind = unsafe { get_type(self.buffer, current) };
            if kind == ompt_record_type_t::INVALID {
                self.next = self.end;
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
