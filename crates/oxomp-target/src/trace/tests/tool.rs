//! The tool of the tests: it keeps the records of each device.

use core::ffi::{c_int, c_void};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

use crate::plugin::Plugin;
use crate::sync::{Mutex, MutexGuard, lock};
use crate::testing::device::{Deeds, LatePlugin};
use crate::trace::callbacks::Callbacks;
use crate::trace::layout::{LEAST_BYTES, Slot};
use crate::trace::operation::{DataOp, Ids, Operation};
use crate::trace::record::DataOpRecord;
use crate::trace::tracer::Tracer;

/// What the tool does for one device, and what it has got.
#[derive(Debug, Default)]
pub(super) struct Tool {
    /// The data operations, in the order of their delivery.
    pub(super) operations: Vec<DataOpRecord>,
    /// How often it was asked for a buffer.
    pub(super) requests: usize,
    /// How many buffers it has given and got back.
    pub(super) given: usize,
    pub(super) back: usize,
    /// The number of the first request that the tool refuses.
    pub(super) refuses_from: Option<usize>,
}

static TOOLS: Mutex<Option<HashMap<c_int, Tool>>> = Mutex::new(None);
/// Held by tests that keep the tool from returning.
static GATES: Mutex<Option<HashMap<c_int, Arc<Mutex<()>>>>> = Mutex::new(None);

fn with_tool<T>(device: c_int, act: impl FnOnce(&mut Tool) -> T) -> T {
    act(lock(&TOOLS).get_or_insert_default().entry(device).or_default())
}

fn gate_of(device: c_int) -> Arc<Mutex<()>> {
    lock(&GATES).get_or_insert_default().entry(device).or_default().clone()
}

unsafe extern "C" fn request(device: c_int, buffer: *mut *mut c_void, bytes: *mut usize) {
    drop(lock(&gate_of(device)));
    let is_refused = with_tool(device, |tool| {
        let is_refused = tool.refuses_from.is_some_and(|from| tool.given >= from);
        tool.requests += 1;
        tool.given += usize::from(!is_refused);
        is_refused
    });
    let size = if is_refused { 0 } else { 2 * LEAST_BYTES };
    // SAFETY: the places are the runtime's; malloc has no precondition.
    unsafe {
        *bytes = size;
        *buffer = if is_refused { core::ptr::null_mut() } else { libc::malloc(size) };
    }
}

unsafe extern "C" fn complete(
    device: c_int,
    buffer: *mut c_void,
    _bytes: usize,
    begin: u64,
    is_owned: c_int,
) {
    drop(lock(&gate_of(device)));
    assert_eq!(is_owned, 1);
    let mut cursor = Some(begin);
    while let Some(at) = cursor {
        // SAFETY: a buffer of `request`, which the runtime has filled.
        let slot = unsafe { Slot::at(buffer.cast(), at) }.expect("a right cursor");
        let record = slot.data_op().expect("an operation");
        with_tool(device, |tool| tool.operations.push(record));
        cursor = slot.next;
    }
    with_tool(device, |tool| tool.back += 1);
    // SAFETY: memory of `request`.
    unsafe { libc::free(buffer) };
}

/// A traced device of one test.
pub(super) struct Traced {
    pub(super) tracer: &'static Tracer,
    pub(super) deeds: Arc<Deeds>,
    device: c_int,
    /// All tests share the process's one delivery thread and one list of handles.
    _alone: MutexGuard<'static, ()>,
}

impl Traced {
    /// A device, whose data operations the tool has selected.
    pub(super) fn new() -> Self {
        static NEXT: AtomicI32 = AtomicI32::new(0);
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = lock(&ALONE);
        let plugin = LatePlugin::default();
        let number = NEXT.fetch_add(1, Relaxed);
        let device = Box::leak(plugin.devices().pop().expect("the plug-in has a device"));
        let tracer = Box::leak(Box::new(Tracer::new(number, device)));
        tracer.select(|selection| selection.set_5x(true, 9));
        Self { tracer, deeds: plugin.0, device: number, _alone: alone }
    }

    /// Starts the trace.
    pub(super) fn start(&self) -> bool {
        self.tracer.start(Callbacks::Openmp5 { request, complete })
    }

    /// Looks at the tool.
    pub(super) fn tool<T>(&self, act: impl FnOnce(&mut Tool) -> T) -> T {
        with_tool(self.device, act)
    }

    /// The numbers of the operations that the tool has got.
    pub(super) fn delivered(&self) -> Vec<u64> {
        self.tool(|tool| tool.operations.iter().map(|it| it.host_op_id).collect())
    }

    /// Keeps the tool from returning while `act` runs.
    pub(super) fn while_tool_hangs<T>(&self, act: impl FnOnce() -> T) -> T {
        let gate = gate_of(self.device);
        let held: MutexGuard<'_, ()> = lock(&gate);
        let result = act();
        drop(held);
        result
    }

    /// An operation that is done at once.
    pub(super) fn operate(&self, number: u64) {
        let Some(begin) = self.tracer.begin() else { return };
        let now = crate::trace::moment::Moment::At(self.deeds.clock.load(Acquire));
        let begun = crate::trace::moment::Moment::At(begin.time);
        self.tracer.operation(data_op(number), begin.session, (begun, now));
    }
}

/// A data operation of this number.
pub(super) fn data_op(number: u64) -> Operation {
    Operation::DataOp(DataOp {
        ids: Ids { target: 1, operation: number, host_task: 0, code: 0 },
        kind: oxomp_sys::ompt::ompt_target_data_op_t::TRANSFER_TO_DEVICE,
        from: (0x1000, 1),
        to: (0x2000, 0),
        bytes: 64,
        is_explicit: false,
    })
}
