//! Reading a record in the standard format.

use core::slice;

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_record_ompt_t};

use super::{
    Content, DataOpRecord, DeviceTime, KernelRecord, MapRecord, StandardRecord, TargetRecord,
};
use crate::{CodePtr, DeviceAddress, Event, MapItems, SyncHint, WaitId};

/// A time of the device; `None` for the value that means "no time" (`ompt_time_none`).
fn time(value: u64) -> Option<DeviceTime> {
    (value != 0).then_some(DeviceTime(value))
}

/// The event with a number, if it has a name.
fn event(number: ompt_callbacks_t) -> Option<Event> {
    Event::ALL.iter().copied().find(|event| event.raw() == number)
}

/// Reads a record. Of the union it reads only the event's member, which may be all that the device
/// has written, and it does not rely on the record's alignment.
///
/// # Safety
/// `raw` is a record of a device and is alive.
pub(super) unsafe fn standard(raw: *const ompt_record_ompt_t) -> StandardRecord {
    // SAFETY: every record has these fields.
    let (number, begin, thread_id, target_id) = unsafe {
        (
            (&raw const (*raw).event).read_unaligned(),
            (&raw const (*raw).time).read_unaligned(),
            (&raw const (*raw).thread_id).read_unaligned(),
            (&raw const (*raw).target_id).read_unaligned(),
        )
    };
    let event = event(number);
    let content = match event {
        // SAFETY: as the caller promises, with the event of the record.
        Some(event) => unsafe { content(raw, event) },
        None => Content::Unknown(number.0),
    };
    StandardRecord { event, time: time(begin), thread_id, target_id, content }
}

/// # Safety
/// `raw` is a record of this event and is alive.
unsafe fn content(raw: *const ompt_record_ompt_t, event: Event) -> Content {
    macro_rules! member {
        ($member:ident) => {
            // SAFETY: the event's member of the union.
            unsafe { (&raw const (*raw).record.$member).read_unaligned() }
        };
    }
    match event {
        Event::THREAD_BEGIN => {
            Content::ThreadBegin { kind: member!(thread_begin).thread_type.into() }
        }
        Event::THREAD_END => Content::ThreadEnd,
        Event::PARALLEL_BEGIN => {
            let record = member!(parallel_begin);
            Content::ParallelBegin {
                encountering_task: record.encountering_task_id,
                parallel: record.parallel_id,
                requested_parallelism: record.requested_parallelism,
                flags: record.flags,
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            }
        }
        Event::PARALLEL_END => {
            let record = member!(parallel_end);
            Content::ParallelEnd {
                parallel: record.parallel_id,
                encountering_task: record.encountering_task_id,
                flags: record.flags,
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            }
        }
        Event::WORK => {
            let record = member!(work);
            Content::Work {
                kind: record.work_type.into(),
                endpoint: record.endpoint.into(),
                parallel: record.parallel_id,
                task: record.task_id,
                count: record.count,
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            }
        }
        Event::DISPATCH => {
            let record = member!(dispatch);
            Content::Dispatch {
                parallel: record.parallel_id,
                task: record.task_id,
                kind: record.kind.into(),
                instance: record.instance.value,
            }
        }
        Event::TASK_CREATE => {
            let record = member!(task_create);
            Content::TaskCreate {
                encountering_task: record.encountering_task_id,
                task: record.new_task_id,
                flags: record.flags,
                has_dependences: record.has_dependences != 0,
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            }
        }
        Event::DEPENDENCES => {
            let record = member!(dependences);
            Content::Dependence {
                task: record.task_id,
                kind: record.dep.dependence_type.into(),
                variable: record.dep.variable.value,
                count: u32::try_from(record.ndeps).unwrap_or(0),
            }
        }
        Event::TASK_DEPENDENCE => {
            let record = member!(task_dependence);
            Content::TaskDependence { source: record.src_task_id, sink: record.sink_task_id }
        }
        Event::TASK_SCHEDULE => {
            let record = member!(task_schedule);
            Content::TaskSchedule {
                prior: record.prior_task_id,
                status: record.prior_task_status.into(),
                next: record.next_task_id,
            }
        }
        Event::IMPLICIT_TASK => {
            let record = member!(implicit_task);
            Content::ImplicitTask {
                endpoint: record.endpoint.into(),
                parallel: record.parallel_id,
                task: record.task_id,
                actual_parallelism: record.actual_parallelism,
                index: record.index,
                flags: record.flags,
            }
        }
        Event::MASKED => {
            let record = member!(masked);
            Content::Masked {
                endpoint: record.endpoint.into(),
                parallel: record.parallel_id,
                task: record.task_id,
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            }
        }
        Event::SYNC_REGION | Event::SYNC_REGION_WAIT | Event::REDUCTION => {
            let record = member!(sync_region);
            Content::SyncRegion {
                kind: record.kind.into(),
                endpoint: record.endpoint.into(),
                parallel: record.parallel_id,
                task: record.task_id,
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            }
        }
        Event::LOCK_INIT | Event::MUTEX_ACQUIRE => {
            let record = member!(mutex_acquire);
            Content::MutexAcquire {
                kind: record.kind.into(),
                hint: SyncHint(record.hint),
                implementation: record.implementation,
                wait_id: WaitId(record.wait_id),
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            }
        }
        Event::LOCK_DESTROY | Event::MUTEX_ACQUIRED | Event::MUTEX_RELEASED => {
            let record = member!(mutex);
            Content::Mutex {
                kind: record.kind.into(),
                wait_id: WaitId(record.wait_id),
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            }
        }
        Event::NEST_LOCK => {
            let record = member!(nest_lock);
            Content::NestLock {
                endpoint: record.endpoint.into(),
                wait_id: WaitId(record.wait_id),
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            }
        }
        Event::FLUSH => Content::Flush { codeptr_ra: CodePtr::new(member!(flush).codeptr_ra) },
        Event::CANCEL => {
            let record = member!(cancel);
            Content::Cancel {
                task: record.task_id,
                flags: record.flags,
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            }
        }
        Event::TARGET | Event::TARGET_EMI => {
            let record = member!(target);
            Content::Target(TargetRecord {
                kind: record.kind.into(),
                endpoint: record.endpoint.into(),
                device_num: record.device_num,
                task: record.task_id,
                target_id: record.target_id,
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            })
        }
        Event::TARGET_DATA_OP | Event::TARGET_DATA_OP_EMI => {
            let record = member!(target_data_op);
            Content::DataOp(DataOpRecord {
                host_op_id: record.host_op_id,
                kind: record.optype.into(),
                src_addr: DeviceAddress::new(record.src_addr),
                src_device_num: record.src_device_num,
                dest_addr: DeviceAddress::new(record.dest_addr),
                dest_device_num: record.dest_device_num,
                bytes: record.bytes,
                end: time(record.end_time),
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            })
        }
        Event::TARGET_MAP | Event::TARGET_MAP_EMI => {
            let record = member!(target_map);
            // SAFETY: each array is null or has `nitems` elements, alive as the record is.
            let items = unsafe {
                MapItems::from_raw(
                    record.nitems,
                    record.host_addr,
                    record.device_addr,
                    record.bytes,
                    record.mapping_flags,
                )
            };
            Content::Map(MapRecord {
                target_id: record.target_id,
                items: items.iter().collect(),
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            })
        }
        Event::TARGET_SUBMIT | Event::TARGET_SUBMIT_EMI => {
            let record = member!(target_kernel);
            Content::Kernel(KernelRecord {
                host_op_id: record.host_op_id,
                requested_num_teams: record.requested_num_teams,
                granted_num_teams: record.granted_num_teams,
                end: time(record.end_time),
            })
        }
        Event::CONTROL_TOOL => {
            let record = member!(control_tool);
            Content::ControlTool {
                command: record.command,
                modifier: record.modifier,
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            }
        }
        Event::ERROR => {
            let record = member!(error);
            let message: &[u8] = match record.message.is_null() {
                true => &[],
                // SAFETY: a text of this length, alive as the record is.
                false => unsafe { slice::from_raw_parts(record.message.cast(), record.length) },
            };
            Content::Error {
                severity: record.severity.into(),
                message: message.into(),
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            }
        }
        // The events of devices have no records (6.0 chapter 35).
        other => Content::Unknown(other.raw().0),
    }
}
