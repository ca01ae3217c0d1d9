//! A target construct or a routine for devices, as tools see it.

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_sys::connection::oxomp_target_t;
use oxomp_sys::ompt::ompt_scope_endpoint_t;

use super::submission::Submission;
use crate::call_site::CallSite;
use crate::host_runtime::HostRuntime;
use crate::sync::caller;
use crate::tool::encoder_2015;
use crate::tool::event::{ConstructKind, Executor, Mapping, Reported, ScopeRecord, ToolEvent};
use crate::tool::host::{Generation, HostTool};
use crate::tool::present::tell;
use crate::tool::session::listener;
use crate::trace::{Begin, Target, Tracer};

/// A construct or a routine that a thread executes, as the tool sees it; empty if no tool listens.
/// The events of a construct's begin and end are raised where the scope is made and dropped; an
/// operation exists only in a scope, and ends before the scope.
#[derive(Debug, Default)]
pub(crate) struct Scope(pub(super) Option<Box<ScopeRecord>>);

impl ScopeRecord {
    /// The construct as the trace of its device sees it.
    fn traced(&self) -> Option<(&'static Tracer, Target)> {
        let tracer = &self.executor.device?.tracer;
        // SAFETY: null, or the word of a task that executes the construct.
        let word = unsafe { self.task.as_ref() }.map_or(0, |word| word.value);
        let task = self.reported.as_ref().map_or(word, Reported::encountering);
        Some((tracer, Target { ids: self.ids(0), task, kind: self.kind()? }))
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
            // SAFETY: the record belongs to a construct around this one.
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

    /// A routine is called. Its scope itself raises no events.
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
        // The thread may not be known to the host runtime yet; only a thread that the runtime knows
        // has a task.
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

    /// Whether a tool listens, so that facts for the tool have to be gathered.
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

    /// A thread has waited for the device; if the device is traced, since the time `since`.
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
