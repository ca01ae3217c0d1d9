//! The values of a record: plain data of a fixed size, of which text is made when the log is
//! written.

use std::array;

use ompt::raw::c;
use ompt::raw::report_2015::c as report;
use ompt::{
    CancelFlags, CodePtr, DataWord, DependenceKind, DispatchKind, Endpoint, FrameAddress,
    MutexKind, ParallelFlags, Severity, State, SyncHint, SyncRegionKind, TargetDataOpKind,
    TargetKind, TaskFlags, TaskStatus, ThreadKind, WaitId, WorkKind, report_2015,
};

use crate::form::{cancel_flags, parallel_flags, task_flags};
use crate::ids::{Kind, Word};

/// The objects that the log numbers by first appearance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Numbered {
    Parallel,
    Task,
    Wait,
    Map,
    Variable,
}

/// A value, as a callback or an entry point has shown it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    /// Bits, and the function that makes text of them.
    Bits(u64, fn(u64) -> String),
    /// The recorder's word of a region or task.
    Word(Kind, Word),
    /// The number of an object.
    Number(Numbered, u64),
    /// The id of an object, which is not 0.
    Id(Numbered, u64),
    /// The id of a mutex.
    WaitId(WaitId),
    /// The report's id of the calling thread, in an event and as the runtime tells it.
    ThreadId(Option<report_2015::ThreadId>, Option<report_2015::ThreadId>),
    /// A code address.
    Code(CodePtr),
    /// An address in a task's frame.
    Frame(Option<FrameAddress>),
    /// The first iteration, and their number.
    Chunk(u64, u64),
    /// Whether there is an address, and the device of the address.
    Place(bool, i32),
    /// A part of a text of the program.
    Text(Part),
    /// What stood in the word of a new object; the log has it only if it is not 0.
    Dirty(u64),
}

/// Bytes of an error directive's message that are kept.
const MESSAGE_LEN: usize = 64;

/// A few bytes of a text: no more than fit in a value that is no larger than the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    bytes: [u8; Self::MOST],
    len: u8,
}

impl Part {
    /// The most bytes of a part.
    const MOST: usize = 22;

    /// The first bytes of `text`, which are all of them if there are not more than a part has.
    fn of(text: &[u8]) -> Self {
        let kept = &text[..text.len().min(Self::MOST)];
        let mut bytes = [0; Self::MOST];
        bytes[..kept.len()].copy_from_slice(kept);
        Self { bytes, len: kept.len() as u8 }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }
}

impl Value {
    /// The first bytes of a message, in parts. A record holds them itself: the program may free the
    /// message after the callback, and a copy elsewhere would stay in memory even if the record is
    /// dropped.
    pub(crate) fn message(text: &[u8]) -> [Self; MESSAGE_LEN.div_ceil(Part::MOST)] {
        let kept = &text[..text.len().min(MESSAGE_LEN)];
        array::from_fn(|part| {
            let rest = kept.get(part * Part::MOST..).unwrap_or_default();
            Self::Text(Part::of(rest))
        })
    }

    /// No value.
    pub(crate) const NONE: Self = Self::Bits(0, |_| "-".to_owned());

    /// A number that is written in hexadecimal.
    pub(crate) fn hex(bits: u64) -> Self {
        Self::Bits(bits, |bits| format!("{bits:#x}"))
    }

    /// An object of the report by its id; 0 for none.
    pub(crate) fn id(of: Numbered, id: Option<u64>) -> Self {
        Self::Id(of, id.unwrap_or(0))
    }
}

/// Numbers, of which text is made as `$show` says.
macro_rules! bits {
    ($($type:ty: $to_bits:expr, $show:expr;)*) => {$(
        impl From<$type> for Value {
            fn from(value: $type) -> Self {
                let to_bits: fn($type) -> u64 = $to_bits;
                Self::Bits(to_bits(value), $show)
            }
        }
    )*};
}

bits! {
    u32: u64::from, |bits| bits.to_string();
    u64: |number| number, |bits| bits.to_string();
    usize: |number| number as u64, |bits| bits.to_string();
    i32: |number| i64::from(number).cast_unsigned(), |bits| bits.cast_signed().to_string();
    bool: u64::from, |bits| bits.to_string();
    SyncHint: |hint| hint.0.into(), |bits| bits.to_string();
    ParallelFlags: |flags| flags.0.into(), |bits| parallel_flags(ParallelFlags(bits as u32));
    TaskFlags: |flags| flags.0.into(), |bits| task_flags(TaskFlags(bits as u32));
    CancelFlags: |flags| flags.0.into(), |bits| cancel_flags(CancelFlags(bits as u32));
}

/// Enumerations: an enumerator has its name, or its number.
macro_rules! kinds {
    ($($kind:ty: $raw:path;)*) => {
        bits! {$(
            $kind: |kind| u64::from(kind.raw().0.cast_unsigned()), |bits| {
                <$kind>::from($raw((bits as u32).cast_signed())).to_string()
            };
        )*}
    };
}

kinds! {
    DependenceKind: c::ompt_dependence_type_t;
    DispatchKind: c::ompt_dispatch_t;
    Endpoint: c::ompt_scope_endpoint_t;
    MutexKind: c::ompt_mutex_t;
    Severity: c::ompt_severity_t;
    State: c::ompt_state_t;
    SyncRegionKind: c::ompt_sync_region_t;
    TargetDataOpKind: c::ompt_target_data_op_t;
    TargetKind: c::ompt_target_t;
    TaskStatus: c::ompt_task_status_t;
    ThreadKind: c::ompt_thread_t;
    WorkKind: c::ompt_work_t;
    report_2015::Invoker: report::ompt_invoker_t;
    report_2015::State: report::ompt_state_t;
    report_2015::TargetTaskKind: report::ompt_target_task_type_t;
    report_2015::TaskKind: report::ompt_task_type_t;
    report_2015::ThreadKind: report::ompt_thread_type_t;
}

impl From<CodePtr> for Value {
    fn from(codeptr: CodePtr) -> Self {
        Self::Code(codeptr)
    }
}

impl From<WaitId> for Value {
    fn from(wait_id: WaitId) -> Self {
        Self::WaitId(wait_id)
    }
}

impl From<Option<FrameAddress>> for Value {
    fn from(frame: Option<FrameAddress>) -> Self {
        Self::Frame(frame)
    }
}

/// The recorder's word of a region.
pub(crate) fn region(word: Option<&DataWord>) -> Value {
    Value::Word(Kind::Parallel, Word::of(word))
}

/// The recorder's word of a task.
pub(crate) fn task(word: Option<&DataWord>) -> Value {
    Value::Word(Kind::Task, Word::of(word))
}
