//! What kind of region OTF2 calls a slice.

use oxomp_analysis::summary::{Class, MutexKind, WorkKind};
use oxomp_analysis::{Analysis, work_kind};
use oxomp_trace::offload::operation_kind;

use crate::timeline::{Kind, Slice};

/// A role of regions, with its number in the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Role {
    Function = 1,
    Wrapper = 2,
    Loop = 3,
    Code = 4,
    Parallel = 5,
    Sections = 6,
    Workshare = 8,
    Single = 9,
    Critical = 12,
    Atomic = 14,
    Barrier = 15,
    ImplicitBarrier = 16,
    Ordered = 18,
    Task = 20,
    TaskWait = 22,
    OneToAll = 23,
    AllToOne = 24,
    AllToAll = 25,
    OtherCollective = 26,
    PointToPoint = 28,
    DataTransfer = 30,
    /// Of the measurement, not of the program.
    Artificial = 31,
    Allocate = 35,
    Deallocate = 36,
}

/// A programming model, with its number in the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Paradigm {
    User = 1,
    OpenMp = 3,
    Mpi = 4,
    MeasurementSystem = 6,
}

impl Role {
    pub(super) fn of(slice: &Slice, analysis: &Analysis) -> Self {
        let model = &analysis.model;
        match slice.kind {
            Kind::Region { .. } => Role::Parallel,
            Kind::Work(work) => of_work(work_kind(model.works[work as usize].kind)),
            Kind::Task(_) => Role::Task,
            // A part of the stay in a barrier, which has a region of its own.
            Kind::Barrier { .. } => Role::Code,
            Kind::Wait { mutex: Some(mutex), .. } => of_mutex(mutex),
            Kind::Wait { class, .. } => of_class(class),
            Kind::Target(_) => Role::Code,
            Kind::Operation(number) => of_operation(model.operations[number as usize].kind),
            Kind::Hold(_) | Kind::Gap(_) | Kind::Sum(_) | Kind::Folded(_) => Role::Artificial,
        }
    }
}

impl Paradigm {
    pub(super) fn of(slice: &Slice, role: Role) -> Self {
        match slice.kind {
            Kind::Wait { class: Class::Serial | Class::SerialWait, .. } => Paradigm::User,
            _ if role == Role::Artificial => Paradigm::MeasurementSystem,
            _ => Paradigm::OpenMp,
        }
    }
}

fn of_work(kind: Option<WorkKind>) -> Role {
    match kind {
        Some(WorkKind::Sections) => Role::Sections,
        Some(WorkKind::Single) => Role::Single,
        Some(WorkKind::Scope) => Role::Code,
        Some(WorkKind::Distribute | WorkKind::Taskloop) => Role::Loop,
        Some(kind) if kind.is_loop() => Role::Loop,
        _ => Role::Workshare,
    }
}

fn of_mutex(kind: MutexKind) -> Role {
    match kind {
        MutexKind::Critical => Role::Critical,
        MutexKind::Atomic => Role::Atomic,
        MutexKind::Ordered => Role::Ordered,
        // The routine that sets the lock.
        MutexKind::Lock | MutexKind::NestLock | MutexKind::Other(_) => Role::Wrapper,
    }
}

/// A wait whose place is not known, or an activity of the runtime.
fn of_class(class: Class) -> Role {
    match class {
        Class::Taskwait => Role::TaskWait,
        // A wait for another iteration.
        Class::Mutex => Role::Ordered,
        Class::Paused => Role::Artificial,
        _ => Role::Code,
    }
}

fn of_operation(kind: u8) -> Role {
    match kind {
        operation_kind::KERNEL => Role::Function,
        operation_kind::ALLOC => Role::Allocate,
        operation_kind::DELETE => Role::Deallocate,
        _ => Role::DataTransfer,
    }
}
