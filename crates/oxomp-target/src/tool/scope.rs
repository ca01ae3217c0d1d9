//! A target construct or a routine for devices, as tools see it.

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_sys::connection::oxomp_target_t;
use oxomp_sys::ompt::{ompt_data_t, ompt_id_t, ompt_scope_endpoint_t, ompt_target_t};

use super::construct::{ConstructKind, Executor};
use super::encoder_2015::{self, Reported};
use super::event::{Mapping, ToolEvent};
use super::host::{Generation, HostTool};
use super::session::{listener, tell};
use super::submission::Submission;
use crate::call_site::CallSite;
use crate::host_runtime::HostRuntime;
use crate::sync::caller;
use crate::trace::{Begin, Ids, Target, Tracer};

/// A construct or a routine that a thread executes, as the tool sees it; nothing if none listens.
/// The events of a construct's begin and end are raised where the scope is made and dropped;
/// operations exist in a scope only, and end before it.
#[derive(Debug, Default)]
pub(crate) struct Scope(pub(super) Option<Box<ScopeRecord>>);

/// The facts and the words of a scope. They have an address of their own: tools get pointers to the
/// words.
#[derive(Debug)]
pub(crate) struct ScopeRecord {
    pub(super) tool: &'static HostTool,
    /// None for a routine.
    pub(super) construct: Option<ConstructKind>,
    is_nowait: bool,
    pub(super) executor: Executor,
    /// The construct's number, 0 for a routine's.
    pub(super) id: ompt_id_t,
    /// The tool's word of the construct.
    pub(super) data: Cell<ompt_id_t>,
    /// The tool's word of the operation that goes on.
    pub(super) operation: Cell<ompt_id_t>,
    /// The tool's words of the encountering task and of the target task.
    pub(super) task: *mut ompt_data_t,
    pub(super) target_task: *mut ompt_data_t,
    /// To a tool of the 2015 report.
    pub(super) reported: Option<Reported>,
    pub(super) site: CallSite,
    /// Whether the program does not wait for the routine.
    pub(super) is_async: bool,
    /// When the construct began by the device's clock; none if its device is not traced.
    begun: Option<Begin>,
    /// What the host runtime's entry points tell of the construct.
    target: oxomp_target_t,
    /// What the thread has executed before.
    former: Cell<*const oxomp_target_t>,
}

/// The tool's word if it has set it, else the runtime's number.
fn word_or(word: &Cell<ompt_id_t>, number: ompt_id_t) -> ompt_id_t {
    match word.get() {
        0 => number,
        word => word,
    }
}

impl ScopeRecord {
    /// The construct's id in traces: the tool's word if it has set it, else the runtime's number.
    pub(crate) fn target_id(&self) -> ompt_id_t {
        word_or(&self.data, self.id)
    }

    /// The id in traces of the operation that goes on, likewise; its number is `number`.
    pub(super) fn operation_id(&self, number: ompt_id_t) -> ompt_id_t {
        word_or(&self.operation, number)
    }

    /// The ids of a record about the construct, or about an operation in it.
    pub(super) fn ids(&self, operation: ompt_id_t) -> Ids {
        let code = self.site.address().addr();
        let host_task = self.reported.as_ref().map_or(0, Reported::target_task);
        Ids { target: self.target_id(), operation, host_task, code }
    }

    /// Whether the program asks for the data operations themselves, by a routine or target update.
    pub(super) fn is_explicit(&self) -> bool {
        matches!(self.kind(), None | Some(ompt_target_t::UPDATE | ompt_target_t::UPDATE_NOWAIT))
    }

    /// The construct as the trace of its device sees it.
    fn traced(&self) -> Option<(&'static Tracer, Target)> {
        let tracer = &self.executor.device?.tracer;
        // SAFETY: null, or the word of a task that executes the construct.
        let word = unsafe { self.task.as_ref() }.map_or(0, |word| word.value);
        let task = self.reported.as_ref().map_or(word, Reported::encountering);
        Some((tracer, Target { ids: self.ids(0), task, kind: self.kind()? }))
    }

    /// `ompt_target_t`; none for a routine.
    pub(super) fn kind(&self) -> Option<ompt_target_t> {
        self.construct.map(|construct| construct.kind(self.is_nowait))
    }

    /// An operation begins; returns its number.
    pub(super) fn begins_operation(&self) -> ompt_id_t {
        self.operation.set(0);
        let id = self.tool.new_id();
        self.initiates(id);
        id
    }

    /// The operation that goes on, for entry points; 0 for none.
    pub(super) fn initiates(&self, operation: ompt_id_t) {
        // Relaxed: the thread itself reads it.
        self.target.host_op_id.store(operation, Relaxed);
    }

    /// The thread executes the construct from now on.
    fn enter(&self) {
        if self.construct.is_some() {
            // SAFETY: the record is in a box of its own; `leave` comes before its end.
            self.former.set(unsafe { self.tool.executes(&raw const self.target) });
        }
    }

    /// The thread executes what it has executed before.
    fn leave(&self) {
        if self.construct.is_some() {
            // SAFETY: the record is that of a construct around this one.
            unsafe { self.tool.executes(self.former.replace(ptr::null())) };
        }
    }
}

impl Scope {
    /// A construct begins.
    #[inline]
    pub(crate) fn construct(
        construct: impl FnOnce() -> ConstructKind,
        is_nowait: bool,
        executor: Executor,
        site: CallSite,
    ) -> Self {
        let Some(tool) = listener() else { return Self(None) };
        Self::begin(tool, Some(construct()), (is_nowait, false), executor, site)
    }

    /// A routine on `device`, or without one, is called. Of the scope itself no event tells.
    #[inline]
    pub(crate) fn routine(executor: Executor, site: CallSite, is_async: bool) -> Self {
        let Some(tool) = listener() else { return Self(None) };
        Self::begin(tool, None, (false, is_async), executor, site)
    }

    #[cold]
    #[inline(never)]
    fn begin(
        tool: &'static HostTool,
        construct: Option<ConstructKind>,
        (is_nowait, is_async): (bool, bool),
        executor: Executor,
        site: CallSite,
    ) -> Self {
        if tool.is_ending() {
            return Self(None);
        }
        // The thread may meet the host runtime first here; only a thread of it has a task.
        let _ = HostRuntime::get().thread_number();
        let (task, target_task, reported) = match &tool.generation {
            Generation::OpenMp5(tool) => (tool.task_data(), tool.target_task_data(), None),
            Generation::Report2015(tool) => {
                let reported = encoder_2015::describe(tool, construct, caller());
                (ptr::null_mut(), ptr::null_mut(), Some(reported))
            }
        };
        let mut record = Box::new(ScopeRecord {
            tool,
            construct,
            is_nowait,
            executor,
            id: construct.map_or(0, |_| tool.new_id()),
            data: Cell::new(0),
            operation: Cell::new(0),
            task,
            target_task,
            reported,
            site,
            is_async,
            begun: None,
            target: oxomp_target_t::default(),
            former: Cell::new(ptr::null()),
        });
        if construct.is_some() {
            record.target.device_num = AtomicU64::new(executor.number() as u64);
            record.target.target_id = AtomicU64::new(record.id);
            record.enter();
            let endpoint = ompt_scope_endpoint_t::BEGIN;
            tell(tool, &ToolEvent::Target { scope: &record, endpoint });
            // Relaxed: the thread itself reads it.
            record.target.target_id.store(record.target_id(), Relaxed);
            let traced = record.traced();
            record.begun = traced.and_then(|(tracer, target)| tracer.target_begins(&target));
        }
        Self(Some(record))
    }

    /// The thread goes on with something else, before the construct's end.
    pub(crate) fn suspend(&self) {
        if let Some(scope) = &self.0 {
            scope.leave();
        }
    }

    /// The thread, which may be another one, goes on with the construct.
    pub(crate) fn resume(&self) {
        if let Some(scope) = &self.0 {
            scope.enter();
        }
    }

    /// Whether a tool listens: what only it needs has to be gathered.
    pub(crate) fn is_observed(&self) -> bool {
        self.0.is_some()
    }

    /// The construct has mapped list items.
    pub(crate) fn map(&self, mappings: &[Mapping]) {
        if let Some(scope) = &self.0
            && !mappings.is_empty()
        {
            tell(scope.tool, &ToolEvent::Map { scope, mappings });
            if let Some(device) = scope.executor.device {
                device.tracer.map(&scope.ids(0), mappings.iter().map(Mapping::record));
            }
        }
    }

    /// The device's time, if the scope's device is traced.
    pub(crate) fn now(&self) -> Option<Begin> {
        self.0.as_ref()?.executor.device?.tracer.begin()
    }

    /// A thread has waited for the device, since a time of the device if it is traced.
    pub(crate) fn waited(&self, since: Option<Begin>) {
        if let (Some(scope), Some(since)) = (&self.0, since)
            && let Some(device) = scope.executor.device
        {
            device.tracer.waited(&scope.ids(0), since);
        }
    }

    /// A kernel is about to be submitted; the submission ends when the guard is dropped.
    #[inline]
    pub(crate) fn submission(&self, requested_teams: u32) -> Submission<'_> {
        Submission::begin(self.0.as_deref(), requested_teams)
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        if let Some(scope) = &self.0
            && scope.construct.is_some()
        {
            if let (Some(begun), Some((tracer, target))) = (scope.begun, scope.traced()) {
                tracer.target_ends(&target, begun);
            }
            let endpoint = ompt_scope_endpoint_t::END;
            tell(scope.tool, &ToolEvent::Target { scope, endpoint });
            scope.leave();
        }
    }
}
