//! What the constructs report, and the records that are made of it.

use oxomp_sys::ompt::{
    ompt_callbacks_t as E, ompt_id_t, ompt_native_mon_flag_t as Flag, ompt_scope_endpoint_t,
    ompt_target_data_op_t, ompt_target_t,
};
use oxomp_sys::report_2015::ompt_event_t;

use super::native::NativeKind;
use super::record::{
    CorrelationRecord, DataOpRecord, KernelRecord, MapItemRecord, MapRecord, NativeRecord, Record,
    TargetRecord,
};
use super::selection::Selection;

/// The ids that link a record with the callbacks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ids {
    /// The target construct: the tool's word, or the runtime's number.
    pub(crate) target: ompt_id_t,
    /// The operation: the tool's word, or the runtime's number; 0 without an operation.
    pub(crate) operation: ompt_id_t,
    /// For tools of the 2015 report: the target task of the host; 0 without a target task.
    pub(crate) host_task: u64,
    /// The return address of the call of the construct.
    pub(crate) code: usize,
}

impl Ids {
    /// The activity on the device, by the number that callbacks of the 2015 report know it by.
    fn activity(&self) -> u64 {
        match self.operation {
            0 => self.target,
            operation => operation,
        }
    }
}

/// A target construct.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The ids that its records get.
    pub(crate) ids: Ids,
    /// The encountering task.
    pub(crate) task: ompt_id_t,
    /// The kind, as OMPT numbers it.
    pub(crate) kind: ompt_target_t,
}

/// A data operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DataOp {
    /// The ids that its records get.
    pub(crate) ids: Ids,
    /// The kind, as OMPT numbers it.
    pub(crate) kind: ompt_target_data_op_t,
    /// Where the data come from, and the device of that address.
    pub(crate) from: (usize, i32),
    /// Where the data go to, and the device of that address.
    pub(crate) to: (usize, i32),
    /// The number of bytes that the operation copies, allocates or frees.
    pub(crate) bytes: usize,
    /// Whether the program asks for the operation itself: a routine, or target update.
    pub(crate) is_explicit: bool,
}

/// The execution of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KernelOp {
    /// The ids that its records get.
    pub(crate) ids: Ids,
    /// The teams that the program asks for; 0 for any number.
    pub(crate) requested_teams: u32,
    /// The teams that were formed; 0 if the device does not know.
    pub(crate) granted_teams: u32,
}

/// What takes time on a device.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    /// Data are moved, or memory is.
    DataOp(DataOp),
    /// A kernel is executed.
    Kernel(KernelOp),
    /// A thread of the host waits for the device.
    Wait(Ids),
}

/// Begin and end of an operation, and who did it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) thread: u32,
    pub(super) processor: i32,
}

/// Makes the records that a tool has selected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Maker {
    pub(super) selection: Selection,
    pub(super) is_report_2015: bool,
    pub(super) device: i32,
}

impl Maker {
    /// The records of a target construct's begin or end; at the end, `begun` is the time of the
    /// begin, if the begin was recorded.
    pub(super) fn target(
        &self,
        target: &Target,
        begun: Option<u64>,
        now: Span,
        mut emit: impl FnMut(Record),
    ) {
        let endpoint = match begun {
            None => ompt_scope_endpoint_t::BEGIN,
            Some(_) => ompt_scope_endpoint_t::END,
        };
        let number = match self.is_report_2015 {
            false => self.selection.number_5x(E::TARGET),
            true if endpoint == ompt_scope_endpoint_t::END => {
                self.selection.number_2015(end_2015(target))
            }
            true => None,
        };
        if let Some(event) = number {
            emit(Record::Target(TargetRecord {
                time: now.start,
                thread: now.thread.into(),
                target_id: target.ids.target,
                task_id: match target.ids.host_task {
                    task if self.is_report_2015 && task != 0 => task,
                    _ => target.task,
                },
                code: target.ids.code,
                event,
                kind: target.kind.0,
                endpoint: endpoint.0,
                device: self.device,
            }));
        }
        if let Some(start) = begun.filter(|_| self.selection.has_native(Flag::RUNTIME)) {
            let span = Span { start, end: now.start, ..now };
            self.link(&target.ids, &mut emit);
            emit(Record::Native(native(NativeKind::Construct, &target.ids, span)));
        }
    }

    /// The records of list items that are mapped.
    pub(super) fn map(
        &self,
        ids: &Ids,
        items: Vec<MapItemRecord>,
        now: Span,
        emit: impl FnOnce(Record),
    ) {
        if self.is_report_2015 {
            return;
        }
        if let Some(event) = self.selection.number_5x(E::TARGET_MAP) {
            let head = MapRecord {
                time: now.start,
                thread: now.thread.into(),
                target_id: ids.target,
                code: ids.code,
                event,
                items: items.len() as u32,
            };
            emit(Record::Map(head, items));
        }
    }

    /// The records of an operation that is over.
    pub(super) fn operation(
        &self,
        operation: &Operation,
        span: Span,
        mut emit: impl FnMut(Record),
    ) {
        match operation {
            Operation::DataOp(it) => self.data_op(it, span, emit),
            Operation::Kernel(it) => self.kernel(it, span, emit),
            Operation::Wait(ids) => {
                if self.selection.has_native(Flag::OVERHEAD) {
                    self.link(ids, &mut emit);
                    emit(Record::Native(native(NativeKind::QueueWait, ids, span)));
                }
            }
        }
    }

    fn data_op(&self, data: &DataOp, span: Span, mut emit: impl FnMut(Record)) {
        let number = match self.is_report_2015 {
            false => self.selection.number_5x(E::TARGET_DATA_OP),
            true => None,
        };
        if let Some(event) = number {
            emit(Record::DataOp(DataOpRecord {
                time: span.start,
                end: span.end,
                thread: span.thread.into(),
                target_id: data.ids.target,
                host_op_id: data.ids.operation,
                from: data.from.0,
                to: data.to.0,
                bytes: data.bytes,
                code: data.ids.code,
                event,
                kind: data.kind.0,
                from_device: data.from.1,
                to_device: data.to.1,
            }));
        }
        let known = NativeKind::of_data_op(data.kind, data.is_explicit);
        let Some((kind, _)) = known.filter(|(_, flag)| self.selection.has_native(*flag)) else {
            return;
        };
        let seconds = (span.end - span.start) as f64 * 1e-9;
        let is_measured = kind.is_motion() && seconds > 0.0;
        self.link(&data.ids, &mut emit);
        emit(Record::Native(NativeRecord {
            bytes: data.bytes as u64,
            bytes_per_second: if is_measured { data.bytes as f64 / seconds } else { 0.0 },
            from: data.from.0,
            to: data.to.0,
            ..native(kind, &data.ids, span)
        }));
    }

    fn kernel(&self, kernel: &KernelOp, span: Span, mut emit: impl FnMut(Record)) {
        let number = match self.is_report_2015 {
            false => self.selection.number_5x(E::TARGET_SUBMIT),
            true => None,
        };
        if let Some(event) = number {
            emit(Record::Kernel(KernelRecord {
                time: span.start,
                end: span.end,
                thread: span.thread.into(),
                target_id: kernel.ids.target,
                host_op_id: kernel.ids.operation,
                event,
                requested_teams: kernel.requested_teams,
                granted_teams: kernel.granted_teams,
                unused: 0,
            }));
        }
        let kinds = [
            (NativeKind::KernelInvocation, Flag::KERNEL_INVOCATION),
            (NativeKind::KernelExecution, Flag::KERNEL_EXECUTION),
        ];
        let kinds = kinds.into_iter().filter(|(_, flag)| self.selection.has_native(*flag));
        for (index, (kind, _)) in kinds.enumerate() {
            // A kernel's invocation and its execution are one activity.
            if index == 0 {
                self.link(&kernel.ids, &mut emit);
            }
            let teams = kernel.granted_teams;
            emit(Record::Native(NativeRecord { teams, ..native(kind, &kernel.ids, span) }));
        }
    }

    /// For tools of the 2015 report, links the activity of an operation with its target task.
    fn link(&self, ids: &Ids, emit: &mut impl FnMut(Record)) {
        if self.is_report_2015 && ids.host_task != 0 {
            let (host_task, activity) = (ids.host_task, ids.activity());
            emit(Record::Correlation(CorrelationRecord { host_task, activity }));
        }
    }
}

/// A native record with the fields that all kinds have; the others are 0.
fn native(kind: NativeKind, ids: &Ids, span: Span) -> NativeRecord {
    NativeRecord {
        kind: kind as u32,
        processor: span.processor,
        start: span.start,
        end: span.end,
        target_id: ids.target,
        host_op_id: ids.operation,
        activity: ids.activity(),
        thread: span.thread,
        ..NativeRecord::default()
    }
}

/// The event of the 2015 report at the end of a construct.
fn end_2015(target: &Target) -> ompt_event_t {
    match target.ids.host_task {
        0 => ompt_event_t::TARGET_DATA_END,
        _ => ompt_event_t::TARGET_TASK_END,
    }
}
