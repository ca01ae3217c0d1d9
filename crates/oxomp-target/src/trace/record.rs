//! The records of a trace, independent of the generation of the tool: what is queued, and what
//! stands in a tool's buffer.

use oxomp_sys::ompt::ompt_id_t;

/// A record.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Record {
    /// A target construct begins or ends.
    Target(TargetRecord),
    /// A data operation.
    DataOp(DataOpRecord),
    /// The execution of a kernel.
    Kernel(KernelRecord),
    /// List items are mapped.
    Map(MapRecord, Vec<MapItemRecord>),
    /// An operation in the device's own format.
    Native(NativeRecord),
    /// An activity on the device, and the target task that caused it.
    Correlation(CorrelationRecord),
}

impl Record {
    /// How much the record takes of the room for waiting records: a list item counts as a record.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Map(_, items) => 1 + items.len(),
            _ => 1,
        }
    }
}

/// A target construct begins or ends.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TargetRecord {
    pub(super) time: u64,
    pub(super) thread: u64,
    pub(super) target_id: ompt_id_t,
    pub(super) task_id: ompt_id_t,
    pub(super) code: usize,
    /// The number of the event, in the tool's generation.
    pub(super) event: u32,
    pub(super) kind: i32,
    pub(super) endpoint: i32,
    pub(super) device: i32,
}

/// A data operation.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DataOpRecord {
    pub(super) time: u64,
    pub(super) end: u64,
    pub(super) thread: u64,
    pub(super) target_id: ompt_id_t,
    pub(super) host_op_id: ompt_id_t,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) bytes: usize,
    pub(super) code: usize,
    pub(super) event: u32,
    pub(super) kind: i32,
    pub(super) from_device: i32,
    pub(super) to_device: i32,
}

/// The execution of a kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct KernelRecord {
    pub(super) time: u64,
    pub(super) end: u64,
    pub(super) thread: u64,
    pub(super) target_id: ompt_id_t,
    pub(super) host_op_id: ompt_id_t,
    pub(super) event: u32,
    pub(super) requested_teams: u32,
    pub(super) granted_teams: u32,
    pub(super) unused: u32,
}

/// List items are mapped; the items follow.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MapRecord {
    pub(super) time: u64,
    pub(super) thread: u64,
    pub(super) target_id: ompt_id_t,
    pub(super) code: usize,
    pub(super) event: u32,
    /// The number of items: in a buffer, those of this record; in the queue, all items.
    pub(super) items: u32,
}

/// A list item.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MapItemRecord {
    pub(crate) host: usize,
    pub(crate) device: usize,
    pub(crate) bytes: usize,
    pub(crate) flags: u32,
}

/// A record in the device's own format. Tools get pointers to it; the documentation of the device
/// describes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct NativeRecord {
    /// What the record tells of, a [`NativeKind`](super::native::NativeKind).
    pub(super) kind: u32,
    /// The processor that ended the operation; -1 if unknown.
    pub(super) processor: i32,
    /// The device's time at the begin.
    pub(super) start: u64,
    /// The device's time at the end.
    pub(super) end: u64,
    /// The id of the target construct.
    pub(super) target_id: ompt_id_t,
    /// The id of the operation; 0 without an operation.
    pub(super) host_op_id: ompt_id_t,
    /// The activity: the operation, or, without an operation, the construct.
    pub(super) activity: u64,
    /// The size of the data; 0 without data.
    pub(super) bytes: u64,
    /// The bytes that were transferred in a second; 0 without data.
    pub(super) bytes_per_second: f64,
    /// Where the data come from.
    pub(super) from: usize,
    /// Where the data go to.
    pub(super) to: usize,
    /// The host's thread, as a small number.
    pub(super) thread: u32,
    /// The teams of a kernel; 0 for other operations.
    pub(super) teams: u32,
}

/// Which target task of the host an activity belongs to.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CorrelationRecord {
    pub(super) host_task: u64,
    pub(super) activity: u64,
}

/// A structure without padding, all of whose bit patterns are valid, aligned to words: it may be
/// copied into a buffer and read again.
///
/// # Safety
/// The structure is as described.
pub(super) unsafe trait Plain: Copy {
    /// The size of the structure in words.
    const WORDS: usize = {
        assert!(size_of::<Self>().is_multiple_of(8) && align_of::<Self>() == 8);
        size_of::<Self>() / 8
    };
}

/// Declares structures plain, each with its number of words.
macro_rules! plain {
    ($($record:ty: $words:literal;)*) => {
        $(
            // SAFETY: the fields are numbers, whose sizes add up to that of the structure.
            unsafe impl Plain for $record {}
            const _: () = assert!(<$record>::WORDS == $words);
        )*
    };
}

plain! {
    TargetRecord: 7;
    DataOpRecord: 11;
    KernelRecord: 7;
    MapRecord: 5;
    NativeRecord: 11;
    CorrelationRecord: 2;
}
