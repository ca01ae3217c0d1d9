//! The records of a buffer.

use core::ffi::c_void;
use core::marker::PhantomData;

use oxomp_sys::report_2015::ompt_record_type_t;

use super::{Correlation, Device, NativeRecord, Record, read};
use crate::device::records::records;
use crate::report_2015::{ActivityId, TaskId};

/// The records of one buffer of a device, in the order in which the device has written them.
///
/// They can be read while [`Tool::trace_records`](crate::report_2015::Tool::trace_records)
/// runs, on its thread. A [`Record`] is the tool's own. Records that are not read are lost.
pub struct Records<'a> {
    device: Device,
    buffer: *mut c_void,
    bytes: usize,
    next: Option<u64>,
    end: Option<u64>,
    life: PhantomData<&'a ()>,
}

records!(ompt_record_type_t);

impl Records<'_> {
    /// The position after a record, which may be the end.
    fn after(&self, current: u64) -> Option<u64> {
        let advance = self.device.state.functions.advance_buffer_cursor.function?;
        let mut next = current;
        // SAFETY: the entry point is the device's, as is the buffer; it writes our variable.
        let is_invalid = unsafe { advance(self.buffer, current, &mut next) };
        (is_invalid == 0).then_some(next)
    }

    /// The record at a position; `None` if the device does not show it.
    fn at(&self, current: u64, format: ompt_record_type_t) -> Option<Record> {
        let functions = &self.device.state.functions;
        match format {
            ompt_record_type_t::OMPT => {
                let get = functions.get_record_ompt.function?;
                // SAFETY: the entry point is the device's, and a record is there.
                let record = unsafe { get(self.buffer, current) };
                // SAFETY: null, or a record that stays until the next call.
                (!record.is_null()).then(|| Record::Standard(unsafe { read::standard(record) }))
            }
            ompt_record_type_t::CORRELATION => {
                let get = functions.get_record_correlation.function?;
                // SAFETY: the entry point is the device's, and a record is there.
                let record = unsafe { get(self.buffer, current) };
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
                let get = functions.get_record_native.function?;
                // SAFETY: the entry point is the device's, and a record is there.
                let record = unsafe { get(self.buffer, current) };
                let abstracted = functions.get_record_native_abstract.function;
                let get = abstracted.filter(|_| !record.is_null());
                // SAFETY: the entry point is the device's, as is the record.
                let view = get.map(|get| unsafe { get(record) }).filter(|view| !view.is_null());
                // SAFETY: a view that stays until the next call.
                Some(Record::Native(view.map(|view| unsafe { NativeRecord::from_raw(view) })))
            }
            other => Some(Record::Unknown(other.0)),
        }
    }
}
