//! The target constructs: the target task that each generates, and its body.

use core::ffi::{c_int, c_void};
use core::ptr;

use oxomp_arch::{BorrowedSite, CallSite};
use oxomp_sys::connection::{oxomp_gcc_construct_t, oxomp_gcc_kind_t};
use oxomp_sys::ompt::ompt_target_t;

use super::offload::Offload;
use super::region::{self, Region};
use super::{TARGET_TASK, report};
use crate::block::{Thread, ToldTarget};
use crate::devices::{self, gcc};
use crate::ompt::event::{
    Audience, Endpoint, EnterFrame, Silent, TargetFacts, TargetRecord, emit, for_audience,
    is_active,
};
use crate::task::{self, Clauses, DependenceList, Task};

/// The kind of a target construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The target construct.
    Target,
    /// The target enter data construct, or the begin of a target data region.
    EnterData,
    /// The target exit data construct, or the end of a target data region.
    ExitData,
    /// The target update construct.
    Update,
}

/// A target construct that is executed by the host.
#[derive(Clone, Copy, Debug)]
pub struct TargetConstruct {
    /// Which of the target constructs this is.
    pub kind: Kind,
    /// The nowait clause.
    pub nowait: bool,
    /// The outlined function of a target region, a `void (void *addresses)`; null for the others.
    pub function: *const c_void,
    /// The thread_limit clause of a target region; 0 for none.
    pub thread_limit: u32,
    /// The number of teams that a target region asks for; 0 for any.
    pub num_teams: u32,
}

/// A variable of a target region.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// The word that the region's function finds: an address, or the value of a small variable.
    pub word: *mut c_void,
    /// The size and the alignment of a firstprivate variable at that address.
    pub firstprivate: Option<(usize, usize)>,
}

impl TargetConstruct {
    /// A construct that only moves data.
    #[must_use]
    pub fn without_code(kind: Kind, nowait: bool) -> Self {
        Self { kind, nowait, function: ptr::null(), thread_limit: 0, num_teams: 0 }
    }

    /// `ompt_target_t`.
    fn ompt_kind(&self) -> c_int {
        use ompt_target_t as T;
        match (self.kind, self.nowait) {
            (Kind::Target, false) => T::TARGET,
            (Kind::Target, true) => T::TARGET_NOWAIT,
            (Kind::EnterData, false) => T::ENTER_DATA,
            (Kind::EnterData, true) => T::ENTER_DATA_NOWAIT,
            (Kind::ExitData, false) => T::EXIT_DATA,
            (Kind::ExitData, true) => T::EXIT_DATA_NOWAIT,
            (Kind::Update, false) => T::UPDATE,
            (Kind::Update, true) => T::UPDATE_NOWAIT,
        }
        .0
    }
}

/// The data of a target task, which begin with this record; the words of the region's items and the
/// copies of firstprivate variables follow.
#[repr(C)]
#[derive(Debug)]
struct Call {
    construct: TargetConstruct,
    /// The addresses that the region's function takes.
    addresses: *mut c_void,
    /// Where the construct's call returns to.
    return_address: *const c_void,
    /// The construct for its device; `None` if the host executes it.
    offloaded: Option<oxomp_gcc_construct_t>,
}

/// Where the items of a region lie in the data of its target task.
struct Layout {
    bytes: usize,
    alignment: usize,
}

const WORD: usize = size_of::<*mut c_void>();

impl Layout {
    fn of(items: impl ExactSizeIterator<Item = Item>, offload: Option<&Offload<'_>>) -> Self {
        let head = size_of::<Call>() + items.len() * WORD;
        let mut layout = Layout { bytes: head, alignment: align_of::<Call>() };
        for (bytes, alignment) in items.filter_map(|item| item.firstprivate) {
            layout.next_offset(bytes, alignment);
        }
        for (bytes, alignment) in offload.map(Offload::arrays).into_iter().flatten() {
            layout.next_offset(bytes, alignment);
        }
        layout
    }

    /// Adds a variable of that size and alignment. Returns where it lies.
    fn next_offset(&mut self, bytes: usize, alignment: usize) -> usize {
        let at = self.bytes.next_multiple_of(alignment);
        self.bytes = at + bytes;
        self.alignment = self.alignment.max(alignment);
        at
    }
}

/// Executes a target construct: generates its target task. `addresses` is the array of the words of
/// the `items`, which stays as it is during the call. With `offload` a device executes the
/// construct, or, if it cannot, the host.
///
/// # Safety
/// The function of the construct is the one that the compiler made for the items, and each
/// firstprivate item has the number of bytes that it names. What `offload` says is true of the
/// items, whose memory is valid for the construct.
pub unsafe fn execute(
    thread: &'static Thread,
    construct: TargetConstruct,
    addresses: *mut c_void,
    items: impl ExactSizeIterator<Item = Item> + Clone,
    offload: Option<&Offload<'_>>,
    depend: Option<impl FnOnce() -> DependenceList>,
    site: CallSite,
) {
    let mut offload = offload;
    if let Some(offload) = offload.take_if(|_| depend.is_none() && !construct.nowait) {
        // SAFETY: the caller's own promise (`# Safety`).
        if unsafe { offload_now(thread, offload, &construct, site) } {
            return;
        }
    }
    let is_region = construct.kind == Kind::Target;
    let is_copied = is_region && items.clone().any(|item| item.firstprivate.is_some());
    let is_in_place = !construct.nowait && !is_copied;
    let is_empty = depend.is_none() && (is_in_place || !is_region) && offload.is_none();
    if is_empty && !is_active() {
        if is_region {
            let TargetConstruct { function, thread_limit, .. } = construct;
            let region = Region { thread_limit, ..Region::new(function, addresses) };
            // SAFETY: the function is for these addresses (`# Safety`).
            unsafe { region::execute(Silent, thread, &region, site) };
        }
        return;
    }
    let (kind, function) = (construct.ompt_kind(), construct.function);
    let device_num = offload.map_or_else(devices::num_devices, |it| it.device);
    encountered(thread, TargetFacts { kind, device_num, function }, site);
    let return_address = site.return_address();
    let offloaded = offload.map(|it| it.described(&construct, return_address));
    let mut call = Call { construct, addresses, return_address, offloaded };
    let clauses = Clauses { properties: TARGET_TASK, priority: 0 };
    if depend.is_none() && is_in_place {
        let data = ptr::from_mut(&mut call).cast::<c_void>();
        // What `data` leads to is the runtime's own; the program's data are where the items are.
        return task::included(thread, body as *const c_void, (data, 0), clauses, site);
    }
    // SAFETY: the caller's own promise (`# Safety`).
    let task = unsafe { target_task(thread, call, items, offload, clauses) };
    if !construct.nowait {
        task.undefer();
    }
    match depend {
        Some(read) => task::generate_dependent(thread, task, read, site),
        None => task::generate(thread, task, site),
    }
}

/// Executes a construct on a device in the task that encounters it. Returns false if the host has
/// to execute it.
///
/// # Safety
/// That of `execute`.
#[cold]
unsafe fn offload_now(
    thread: &Thread,
    offload: &Offload<'_>,
    construct: &TargetConstruct,
    site: CallSite,
) -> bool {
    let _frame = is_active().then(|| EnterFrame::new(&thread.task().ompt, site));
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { gcc::execute(&offload.described(construct, site.return_address())) }
}

/// Tells a tool of a construct before its target task is generated.
fn encountered(thread: &Thread, facts: TargetFacts, site: CallSite) {
    let task = &thread.task().ompt;
    let _frame = EnterFrame::new(task, site);
    emit::target_encountered(task, &facts);
}

/// The program is about to generate a target task for device `device_num`, negative for the default
/// device, with the code `function`, which is null if the task belongs to a routine. The program
/// does not tell which construct it executes: tools are told that it is a target construct.
pub fn generates_task(thread: &Thread, device_num: i32, function: *const c_void, site: CallSite) {
    if is_active() {
        let device_num = if device_num < 0 { devices::default_device() } else { device_num };
        let facts = TargetFacts { kind: ompt_target_t::TARGET.0, device_num, function };
        encountered(thread, facts, site);
    }
}

/// A target task with copies of the words of the items and of firstprivate variables.
///
/// # Safety
/// That of `execute`.
unsafe fn target_task(
    thread: &'static Thread,
    mut call: Call,
    items: impl ExactSizeIterator<Item = Item> + Clone,
    offload: Option<&Offload<'_>>,
    clauses: Clauses,
) -> &'static Task {
    let Layout { bytes, alignment } = Layout::of(items.clone(), offload);
    let task = task::allocate_aligned(thread, (bytes, alignment), body as *const c_void, clauses);
    let data = task.data();
    // SAFETY: the data have room for all parts of the layout, aligned as they need it; firstprivate
    // variables have the bytes that are copied (`# Safety`).
    unsafe {
        let words = data.byte_add(size_of::<Call>()).cast::<*mut c_void>();
        call.addresses = words.cast();
        let head = size_of::<Call>() + items.len() * WORD;
        let mut layout = Layout { bytes: head, alignment: 1 };
        for (index, item) in items.enumerate() {
            let mut word = item.word;
            if let Some((bytes, alignment)) = item.firstprivate {
                let copy = data.byte_add(layout.next_offset(bytes, alignment));
                copy.cast::<u8>().copy_from_nonoverlapping(word.cast(), bytes);
                word = copy;
            }
            words.add(index).write(word);
        }
        if let (Some(offload), Some(offloaded)) = (offload, &mut call.offloaded) {
            let arrays = offload.arrays().map(|(bytes, alignment)| {
                data.wrapping_byte_add(layout.next_offset(bytes, alignment))
            });
            offload.keep(offloaded, words, arrays);
        }
        data.cast::<Call>().write(call);
    }
    task
}

/// The body of a target task.
///
/// # Safety
/// `data` are those of a target task.
unsafe extern "C" fn body(data: *mut c_void) {
    // SAFETY: `execute` wrote the record, which stays until the task is complete.
    let call = unsafe { &*data.cast::<Call>() };
    if let Some(offloaded) = &call.offloaded
        // SAFETY: the construct's record, with copies of its arrays and words.
        && unsafe { gcc::execute(offloaded) }
    {
        return;
    }
    let thread = Thread::current();
    // SAFETY: `execute` was called with this construct and these addresses, or with the originals
    // of these copies.
    for_audience!(|audience| unsafe { body_for(audience, thread, call) });
}

/// # Safety
/// The record is that of the current task, a target task.
unsafe fn body_for(audience: impl Audience, thread: &'static Thread, call: &Call) {
    let borrowed = BorrowedSite::new(call.return_address);
    let (construct, site) = (&call.construct, borrowed.site());
    let TargetConstruct { function, thread_limit, num_teams, .. } = *construct;
    let mut region = Region { thread_limit, ..Region::new(function, call.addresses) };
    let is_region = construct.kind == Kind::Target;
    if !audience.is_listening() {
        if is_region {
            // SAFETY: the caller's own promise (`# Safety`).
            unsafe { region::execute(audience, thread, &region, site) };
        }
        return;
    }
    let task = thread.task();
    let Some(generating) = task.parent() else { unreachable!("a target task is generated") };
    let host = devices::num_devices();
    let told = (construct.ompt_kind(), host);
    let record = TargetRecord::new(told, generating.ompt(), Some(&task.ompt), site);
    report::construct(audience, &record, Endpoint::Begin);
    if is_region {
        report::submit(audience, &record, num_teams);
        region.told = ToldTarget { id: record.id, device_num: host.cast_unsigned() };
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { region::execute(audience, thread, &region, site) };
    }
    report::construct(audience, &record, Endpoint::End);
}

/// A target data region begins: the host has its variables already, unless `offload` says that a
/// device has the region.
///
/// # Safety
/// What `offload` says is true of the items, whose memory is valid for the region.
pub unsafe fn begin_data(thread: &'static Thread, offload: Option<&Offload<'_>>, site: CallSite) {
    if gcc::offloads() {
        // The call for the end does not say whose region ends, so a region of the host counts too.
        let region = TargetConstruct::without_code(Kind::EnterData, false);
        let kind = oxomp_gcc_kind_t::DATA;
        let offload = offload.unwrap_or(&Offload::OF_HOST);
        let described = offload.described(&region, site.return_address());
        let _frame = is_active().then(|| EnterFrame::new(&thread.task().ompt, site));
        // SAFETY: the caller's own promise (`# Safety`).
        if unsafe { gcc::execute(&oxomp_gcc_construct_t { kind, ..described }) } {
            return;
        }
    }
    for_audience!(|audience| data_for(audience, thread, Kind::EnterData, site));
}

/// A target data region ends.
pub fn end_data(thread: &'static Thread, site: CallSite) {
    if gcc::offloads() {
        let _frame = is_active().then(|| EnterFrame::new(&thread.task().ompt, site));
        if gcc::end_data(site) {
            return;
        }
    }
    for_audience!(|audience| data_for(audience, thread, Kind::ExitData, site));
}

fn data_for(audience: impl Audience, thread: &'static Thread, kind: Kind, site: CallSite) {
    if !audience.is_listening() {
        return;
    }
    let task = thread.task();
    let _frame = audience.enter(&task.ompt, site);
    let construct = TargetConstruct::without_code(kind, false);
    let told = (construct.ompt_kind(), devices::num_devices());
    let record = TargetRecord::new(told, &task.ompt, None, site);
    report::construct(audience, &record, Endpoint::Begin);
    let around = thread.ompt.report_2015.target_data.get();
    thread.ompt.report_2015.target_data.set(match kind {
        Kind::EnterData => around + 1,
        // The region may have begun before the tool.
        _ => around.saturating_sub(1),
    });
    report::construct(audience, &record, Endpoint::End);
}
