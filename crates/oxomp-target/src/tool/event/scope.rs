//! The facts of a target construct or a routine for devices.

use core::cell::Cell;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_sys::connection::oxomp_target_t;
use oxomp_sys::ompt::{ompt_data_t, ompt_id_t, ompt_target_t};

use super::construct::{ConstructKind, Executor};
use super::reported::Reported;
use crate::call_site::CallSite;
use crate::tool::host::HostTool;
use crate::trace::{Begin, Ids};

/// The facts and the words of a scope. They have an address of their own: tools get pointers to the
/// words.
#[derive(Debug)]
pub(crate) struct ScopeRecord {
    pub(in crate::tool) tool: &'static HostTool,
    /// The kind of construct; `None` for a routine.
    pub(in crate::tool) construct: Option<ConstructKind>,
    pub(in crate::tool) is_nowait: bool,
    pub(in crate::tool) executor: Executor,
    /// The construct's number, 0 for a routine.
    pub(in crate::tool) id: ompt_id_t,
    /// The tool's word of the construct.
    pub(in crate::tool) data: Cell<ompt_id_t>,
    /// The tool's word of the operation that goes on.
    pub(in crate::tool) operation: Cell<ompt_id_t>,
    /// The tool's words of the encountering task and of the target task.
    pub(in crate::tool) task: *mut ompt_data_t,
    pub(in crate::tool) target_task: *mut ompt_data_t,
    /// The construct as a tool of the 2015 report sees it.
    pub(in crate::tool) reported: Option<Reported>,
    pub(in crate::tool) site: CallSite,
    /// Whether the program does not wait for the routine.
    pub(in crate::tool) is_async: bool,
    /// When the construct began by the device's clock; `None` if its device is not traced.
    pub(in crate::tool) begun: Option<Begin>,
    /// What the host runtime's entry points tell of the construct.
    pub(in crate::tool) target: oxomp_target_t,
    /// The construct that the thread has executed before, or null.
    pub(in crate::tool) former: Cell<*const oxomp_target_t>,
}

/// The tool's word if the tool has set it, otherwise the runtime's number.
fn word_or(word: &Cell<ompt_id_t>, number: ompt_id_t) -> ompt_id_t {
    match word.get() {
        0 => number,
        word => word,
    }
}

impl ScopeRecord {
    /// The construct's id in traces: the tool's word if it has set it, else the runtime's number.
    pub(in crate::tool) fn target_id(&self) -> ompt_id_t {
        word_or(&self.data, self.id)
    }

    /// The id in traces of the operation that goes on: the tool's word if the tool has set it,
    /// otherwise `number`.
    pub(in crate::tool) fn operation_id(&self, number: ompt_id_t) -> ompt_id_t {
        word_or(&self.operation, number)
    }

    /// The ids of a record about the construct, or about an operation in it.
    pub(in crate::tool) fn ids(&self, operation: ompt_id_t) -> Ids {
        let code = self.site.address().addr();
        let host_task = self.reported.as_ref().map_or(0, Reported::target_task);
        Ids { target: self.target_id(), operation, host_task, code }
    }

    /// Whether the program asks for the data operations themselves, by a routine or target update.
    pub(in crate::tool) fn is_explicit(&self) -> bool {
        matches!(self.kind(), None | Some(ompt_target_t::UPDATE | ompt_target_t::UPDATE_NOWAIT))
    }

    /// `ompt_target_t`; `None` for a routine.
    pub(in crate::tool) fn kind(&self) -> Option<ompt_target_t> {
        self.construct.map(|construct| construct.kind(self.is_nowait))
    }

    /// An operation begins; returns its number.
    pub(in crate::tool) fn begins_operation(&self) -> ompt_id_t {
        self.operation.set(0);
        let id = self.tool.new_id();
        self.initiates(id);
        id
    }

    /// Sets the operation that goes on, for entry points; 0 without an operation.
    pub(in crate::tool) fn initiates(&self, operation: ompt_id_t) {
        // Relaxed: the thread itself reads it.
        self.target.host_op_id.store(operation, Relaxed);
    }
}
