//! Data operations on device memory, at once or in a target task (OpenMP 5.2 §18.8).

use core::ffi::{c_int, c_void};
use core::{ptr, slice};

use oxomp_arch::{BorrowedSite, CallSite};
use oxomp_sys::ompt::ompt_target_data_op_t as Op;

use super::TARGET_TASK;
use super::construct::generates_task;
use super::report::{self, Moment};
use crate::block::Thread;
use crate::devices;
use crate::ompt::event::{DataOperation, Endpoint, EnterFrame, TaskRecord, is_active};
use crate::task::{self, Clauses, DependenceList};

/// The description of a data operation for tools.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// `ompt_target_data_op_t` of an operation that the caller waits for.
    pub(super) kind: c_int,
    /// `ompt_target_data_op_t` of an operation in a target task.
    pub(super) kind_later: c_int,
    pub(super) source: *const c_void,
    pub(super) destination: *const c_void,
    pub(super) bytes: usize,
}

impl Description {
    /// The description of a copy on the host: `bytes` from `source` on go to `destination`.
    #[must_use]
    pub fn of_copy(destination: *mut c_void, source: *const c_void, bytes: usize) -> Self {
        let (kind, kind_later) = (Op::TRANSFER_TO_DEVICE.0, Op::TRANSFER_TO_DEVICE_ASYNC.0);
        Description { kind, kind_later, source, destination, bytes }
    }
}

/// An operation on memory of the host, which may have a list. Both are plain data, since nothing
/// drops the data of a target task that is discarded.
pub trait Operation: Copy + 'static {
    /// An element of the list; `()` for an operation without one.
    type Item: Copy + 'static;

    /// The description for tools.
    fn description(&self) -> Description;

    /// Executes the operation with its `list`.
    ///
    /// # Safety
    /// The memory is the caller's: readable or writable as the operation needs it.
    unsafe fn perform(&self, list: &[Self::Item]);
}

/// Executes `operation`, with its events.
///
/// # Safety
/// That of `Operation::perform`.
pub unsafe fn now<O: Operation>(
    thread: &'static Thread,
    (operation, list): (O, &[O::Item]),
    site: CallSite,
) {
    if !is_active() {
        // SAFETY: the caller's own promise (`# Safety`).
        return unsafe { operation.perform(list) };
    }
    let _frame = EnterFrame::new(&thread.task().ompt, site);
    let description = operation.description();
    // SAFETY: the caller's own promise (`# Safety`).
    reported(description, description.kind, None, site, || unsafe { operation.perform(list) });
}

/// The data of the target task of an operation, which its list follows.
#[repr(C)]
#[derive(Clone, Copy)]
struct Later<O> {
    operation: O,
    /// The length of the list.
    count: usize,
    return_address: *const c_void,
}

/// Generates a target task that executes `operation` (the routines whose names end in `_async`).
///
/// # Safety
/// That of `Operation::perform`, until the task is complete.
pub unsafe fn later<O: Operation>(
    thread: &'static Thread,
    (operation, list): (O, &[O::Item]),
    dependences: DependenceList,
    site: CallSite,
) {
    const {
        assert!(align_of::<Later<O>>() <= task::ALIGNMENT);
        assert!(align_of::<O::Item>() <= align_of::<Later<O>>());
    }
    generates_task(thread, devices::num_devices(), ptr::null(), site);
    let clauses = Clauses { properties: TARGET_TASK, priority: 0 };
    let body = body::<O> as *const c_void;
    let room = size_of::<Later<O>>() + size_of_val(list);
    let task = task::allocate(thread, room, body, clauses);
    let later = Later { operation, count: list.len(), return_address: site.return_address() };
    let data = task.data().cast::<Later<O>>();
    // SAFETY: the task has room for the value and the list behind it, aligned for both.
    unsafe {
        data.write(later);
        data.add(1).cast::<O::Item>().copy_from_nonoverlapping(list.as_ptr(), list.len());
    }
    if dependences.is_empty() {
        task::generate(thread, task, site);
    } else {
        task::generate_dependent(thread, task, || dependences, site);
    }
}

/// The body of the target task of an operation.
///
/// # Safety
/// `data` are those of such a task.
unsafe extern "C" fn body<O: Operation>(data: *mut c_void) {
    let data = data.cast::<Later<O>>();
    // SAFETY: `later` wrote the value and the list behind it, which stay until the task is
    // complete.
    let (Later { operation, return_address, .. }, list) = unsafe {
        let later = data.read();
        (later, slice::from_raw_parts(data.add(1).cast::<O::Item>(), later.count))
    };
    if !is_active() {
        // SAFETY: the caller of `later` promised it.
        return unsafe { operation.perform(list) };
    }
    let borrowed = BorrowedSite::new(return_address);
    let description = operation.description();
    let task = Some(&Thread::current().task().ompt);
    // SAFETY: the caller of `later` promised it.
    reported(description, description.kind_later, task, borrowed.site(), || unsafe {
        operation.perform(list);
    });
}

fn reported(
    description: Description,
    kind: c_int,
    target_task: Option<&TaskRecord>,
    site: CallSite,
    perform: impl FnOnce(),
) {
    let Description { source, destination, bytes, .. } = description;
    let host = devices::num_devices();
    let told = DataOperation {
        kind,
        source: (source, host),
        destination: (destination, host),
        bytes,
        target_task,
        data: 0.into(),
        host_op_id: 0.into(),
    };
    report::operation(&told, Endpoint::Begin, Moment::End, site);
    perform();
    report::operation(&told, Endpoint::End, Moment::End, site);
}
