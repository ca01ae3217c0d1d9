//! Reading a record in the standard format.

use oxomp_sys::report_2015::ompt_record_ompt_t;

use super::time::time;
use super::{Content, StandardRecord};
use crate::CodePtr;
use crate::report_2015::{
    ActivityId, Construct, Event, Mutex, ParallelId, Region, Task, TaskId, Thread, ThreadId, WaitId,
};

/// Reads a record. Of the union it reads only the event's member, which may be all that the device
/// has written, and it does not rely on the record's alignment.
///
/// # Safety
/// `raw` is a record of a device and is alive.
pub(super) unsafe fn standard(raw: *const ompt_record_ompt_t) -> StandardRecord {
    // SAFETY: every record has these fields.
    let (number, at, thread, activity) = unsafe {
        (
            (&raw const (*raw).event).read_unaligned(),
            (&raw const (*raw).time).read_unaligned(),
            (&raw const (*raw).thread_id).read_unaligned(),
            (&raw const (*raw).dev_task_id).read_unaligned(),
        )
    };
    let event = Event::ALL.iter().copied().find(|event| event.raw() == number);
    let content = match event {
        // SAFETY: as the caller promises, with the event of the record.
        Some(event) => unsafe { content(raw, event) },
        None => Content::Unknown(number.0),
    };
    StandardRecord {
        event,
        time: time(at),
        thread: ThreadId::new(thread),
        activity: ActivityId::new(activity),
        content,
    }
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
        Event::THREAD_BEGIN | Event::THREAD_END => {
            let record = member!(thread_type);
            Content::Thread(Thread {
                kind: record.thread_type.into(),
                thread: ThreadId::new(record.thread_id),
            })
        }
        Event::IDLE_BEGIN | Event::IDLE_END | Event::FLUSH => {
            Content::ThreadId(ThreadId::new(member!(thread).thread_id))
        }
        Event::PARALLEL_BEGIN => {
            let record = member!(new_parallel);
            Content::ParallelBegin {
                parent: TaskId::new(record.parent_task_id),
                parallel: ParallelId::new(record.parallel_id),
                requested_team_size: record.requested_team_size,
                function: CodePtr::new(record.codeptr_ofn),
            }
        }
        Event::TASK_BEGIN => {
            let record = member!(new_task);
            Content::TaskBegin {
                parent: TaskId::new(record.parent_task_id),
                task: TaskId::new(record.new_task_id),
                function: CodePtr::new(record.codeptr_ofn),
            }
        }
        Event::PARALLEL_END
        | Event::WAIT_BARRIER_BEGIN
        | Event::WAIT_BARRIER_END
        | Event::WAIT_TASKWAIT_BEGIN
        | Event::WAIT_TASKWAIT_END
        | Event::WAIT_TASKGROUP_BEGIN
        | Event::WAIT_TASKGROUP_END
        | Event::IMPLICIT_TASK_BEGIN
        | Event::IMPLICIT_TASK_END
        | Event::LOOP_END
        | Event::SECTIONS_END
        | Event::SINGLE_IN_BLOCK_END
        | Event::SINGLE_OTHERS_BEGIN
        | Event::SINGLE_OTHERS_END
        | Event::WORKSHARE_END
        | Event::MASTER_END
        | Event::BARRIER_END
        | Event::TASKWAIT_END
        | Event::TASKGROUP_END => {
            let record = member!(parallel);
            Content::Region(Region {
                parallel: ParallelId::new(record.parallel_id),
                task: TaskId::new(record.task_id),
            })
        }
        Event::LOOP_BEGIN
        | Event::SECTIONS_BEGIN
        | Event::SINGLE_IN_BLOCK_BEGIN
        | Event::WORKSHARE_BEGIN
        | Event::MASTER_BEGIN
        | Event::BARRIER_BEGIN
        | Event::TASKWAIT_BEGIN
        | Event::TASKGROUP_BEGIN => {
            let record = member!(new_workshare);
            Content::Construct(Construct {
                parallel: ParallelId::new(record.parallel_id),
                task: TaskId::new(record.task_id),
                codeptr_ra: CodePtr::new(record.codeptr_ra),
            })
        }
        Event::TASK_END
        | Event::INITIAL_TASK_BEGIN
        | Event::INITIAL_TASK_END
        | Event::TARGET_TASK_END
        | Event::TARGET_DATA_END => {
            Content::Task(Task { task: TaskId::new(member!(task).task_id) })
        }
        Event::TASK_SWITCH | Event::TASK_DEPENDENCE_PAIR => {
            let record = member!(task_switch);
            Content::TaskPair {
                first: TaskId::new(record.first_task_id),
                second: TaskId::new(record.second_task_id),
            }
        }
        Event::RELEASE_LOCK
        | Event::RELEASE_NEST_LOCK_LAST
        | Event::RELEASE_NEST_LOCK_PREV
        | Event::RELEASE_CRITICAL
        | Event::RELEASE_ATOMIC
        | Event::RELEASE_ORDERED
        | Event::WAIT_LOCK
        | Event::WAIT_NEST_LOCK
        | Event::WAIT_CRITICAL
        | Event::WAIT_ATOMIC
        | Event::WAIT_ORDERED
        | Event::ACQUIRED_LOCK
        | Event::ACQUIRED_NEST_LOCK_FIRST
        | Event::ACQUIRED_NEST_LOCK_NEXT
        | Event::ACQUIRED_CRITICAL
        | Event::ACQUIRED_ATOMIC
        | Event::ACQUIRED_ORDERED
        | Event::INIT_LOCK
        | Event::INIT_NEST_LOCK
        | Event::DESTROY_LOCK
        | Event::DESTROY_NEST_LOCK => {
            Content::Mutex(Mutex { wait_id: WaitId::new(member!(waitid).wait_id) })
        }
        // The structures of these events are not members of the union (App. A.6), or do not exist.
        other => Content::Unknown(other.raw().0),
    }
}
