//! Names and categories of slices.

use std::collections::HashMap;

use oxomp_analysis::Analysis;
use oxomp_analysis::blame::mutex_kind;
use oxomp_analysis::report::Names;
use oxomp_analysis::summary::{Class, SiteId, TargetKind, WorkKind};
use oxomp_analysis::symbols::Place;
use oxomp_analysis::work_kind;
use oxomp_trace::offload::operation_kind;

use super::slice::{Kind, Slice};

/// Names slices, and keeps what it has found.
#[derive(Debug)]
pub(crate) struct Namer<'a> {
    names: Names<'a>,
    sites: HashMap<u64, SiteId>,
    labels: HashMap<Option<u64>, String>,
}

impl<'a> Namer<'a> {
    pub(crate) fn new(analysis: &'a Analysis) -> Self {
        let sites = analysis.summary.sites.iter().zip(0..);
        Self {
            names: Names { places: &analysis.places },
            sites: sites.map(|(site, position)| (site.codeptr, SiteId(position))).collect(),
            labels: HashMap::new(),
        }
    }

    /// The place of a code address; empty if it is not known.
    pub(crate) fn label(&mut self, code: Option<u64>) -> &str {
        let Self { names, sites, labels } = self;
        labels.entry(code).or_insert_with(|| match code {
            Some(code) if code > 0 => match sites.get(&code) {
                Some(site) => names.compact(Some(*site)),
                None => format!("{code:#x}"),
            },
            _ => String::new(),
        })
    }

    /// Everything known of the place of a code address.
    pub(crate) fn place(&self, code: u64) -> Option<&Place> {
        self.names.place(self.sites.get(&code).copied())
    }

    /// The code address of a slice, where it has one.
    pub(crate) fn code(slice: &Slice, analysis: &Analysis) -> Option<u64> {
        let code = match slice.kind {
            Kind::Region { region, .. } => Some(analysis.model.regions[region as usize].code),
            Kind::Work(work) => Some(analysis.model.works[work as usize].code),
            Kind::Task(task) => Some(analysis.model.tasks[task as usize].code),
            Kind::Target(target) => Some(analysis.model.targets[target as usize].code),
            Kind::Operation(number) => Some(analysis.model.operations[number as usize].code),
            Kind::Barrier { wait, .. } => Some(analysis.model.barrier_waits[wait as usize].code),
            Kind::Hold(hold) => Some(analysis.model.holds[hold as usize].code),
            Kind::Wait { code, .. } => code,
            Kind::Gap(_) | Kind::Sum(_) | Kind::Folded(_) => None,
        };
        code.filter(|code| *code > 0)
    }

    /// The name of a slice: what, and where.
    pub(crate) fn name(&mut self, slice: &Slice, analysis: &Analysis) -> String {
        let what = what(slice, analysis);
        match self.label(Self::code(slice, analysis)) {
            "" if matches!(slice.kind, Kind::Sum(_)) => format!("{what} (sum)"),
            "" => what.to_owned(),
            place => format!("{what} {place}"),
        }
    }
}

/// The content of a slice, without the place.
pub(crate) fn what(slice: &Slice, analysis: &Analysis) -> &'static str {
    match slice.kind {
        Kind::Region { region, .. } => match analysis.model.regions[region as usize].league {
            true => "teams",
            false => "parallel",
        },
        Kind::Work(work) => {
            let kind = work_kind(analysis.model.works[work as usize].kind);
            kind.map_or("worksharing", WorkKind::name)
        }
        Kind::Task(_) => "task",
        Kind::Target(target) => {
            TargetKind::of_number(analysis.model.targets[target as usize].kind).name()
        }
        Kind::Operation(number) => operation(analysis.model.operations[number as usize].kind),
        Kind::Hold(hold) => mutex_kind(analysis.model.holds[hold as usize].kind).name(),
        Kind::Wait { mutex: Some(mutex), .. } => mutex.name(),
        Kind::Gap(_) => "sums only",
        Kind::Barrier { class, .. } | Kind::Wait { class, .. } | Kind::Sum(class) => match class {
            Class::Imbalance => "barrier: waiting for others",
            Class::Barrier => "barrier: its own cost",
            Class::Starved => "barrier: no ready task",
            Class::Taskwait => "taskwait",
            class => class.name(),
        },
        Kind::Folded(_) => "(short slices)",
    }
}

/// The name of the thread at a position in the model's threads. A recording without events has the
/// initial thread only, which the model lacks.
pub(crate) fn thread_name(analysis: &Analysis, position: usize) -> String {
    match analysis.model.threads.get(position) {
        Some(thread) if !thread.initial => format!("worker {}", thread.number),
        Some(thread) if position > 0 => format!("initial thread {}", thread.number),
        _ => "initial thread".to_owned(),
    }
}

/// An operation of a device of that kind.
fn operation(kind: u8) -> &'static str {
    match kind {
        operation_kind::KERNEL => "kernel",
        operation_kind::ALLOC => "allocation on the device",
        operation_kind::TO_DEVICE => "transfer to the device",
        operation_kind::FROM_DEVICE => "transfer from the device",
        operation_kind::DELETE => "release on the device",
        operation_kind::TRANSFER => "transfer between devices",
        _ => "operation of the device",
    }
}

/// The category of a slice: for waits, the name of their class in JSON documents.
pub(crate) fn category(slice: &Slice, analysis: &Analysis) -> &'static str {
    match slice.kind {
        Kind::Region { region, member } => {
            let primary = analysis.model.regions[region as usize].primary;
            if primary.is_some() && primary == member { "parallel" } else { "implicit_task" }
        }
        Kind::Work(_) => "worksharing",
        Kind::Task(_) => "task",
        Kind::Target(_) => "target",
        Kind::Operation(number) => match analysis.model.operations[number as usize].kind {
            operation_kind::KERNEL => "kernel",
            _ => "transfer",
        },
        Kind::Gap(_) => "summed",
        Kind::Folded(_) => "folded",
        Kind::Hold(_) => "held",
        Kind::Barrier { class, .. } | Kind::Wait { class, .. } | Kind::Sum(class) => class.key(),
    }
}
