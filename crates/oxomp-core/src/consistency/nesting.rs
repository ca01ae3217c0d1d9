//! The rules of nesting (OpenMP 5.2 §17.1): the regions that a thread is in, and the check of each
//! event that enters or leaves a region.

use core::cell::Cell;
use core::ffi::{c_char, c_void};
use core::fmt;
use core::ptr;

use oxomp_arch::CallSite;
use oxomp_base::diag::Location;

use crate::ompt::event::{Endpoint, Event, MutexKind, SyncRegion, TaskRecord, Work};

#[cfg(test)]
mod tests;

/// The construct of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Construct {
    Loop,
    Sections,
    Single,
    Scope,
    Workshare,
    Masked,
    Ordered,
    /// A critical construct, with the wait id of its name.
    Critical(u64),
    Atomic,
    /// Not a construct: a lock that the thread holds, with its wait id.
    Lock(u64),
}

impl fmt::Display for Construct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Construct::Loop => "worksharing loop",
            Construct::Sections => "sections",
            Construct::Single => "single",
            Construct::Scope => "scope",
            Construct::Workshare => "workshare",
            Construct::Masked => "masked",
            Construct::Ordered => "ordered",
            Construct::Critical(_) => "critical",
            Construct::Atomic => "atomic",
            Construct::Lock(_) => "lock",
        })
    }
}

impl Construct {
    fn of_work(kind: Work) -> Option<Self> {
        Some(match kind {
            Work::Loop
            | Work::LoopStatic
            | Work::LoopDynamic
            | Work::LoopGuided
            | Work::LoopOther => Construct::Loop,
            Work::Sections => Construct::Sections,
            Work::SingleExecutor | Work::SingleOther => Construct::Single,
            Work::Scope => Construct::Scope,
            Work::Workshare => Construct::Workshare,
            Work::Distribute | Work::Taskloop => return None,
        })
    }

    fn of_mutex(kind: MutexKind, wait_id: u64) -> Self {
        match kind {
            MutexKind::Critical => Construct::Critical(wait_id),
            MutexKind::Ordered => Construct::Ordered,
            MutexKind::Atomic => Construct::Atomic,
            _ => Construct::Lock(wait_id),
        }
    }

    fn is_worksharing(self) -> bool {
        use Construct::{Loop, Scope, Sections, Single, Workshare};
        matches!(self, Loop | Sections | Single | Scope | Workshare)
    }

    fn is_lock(self) -> bool {
        matches!(self, Construct::Lock(_))
    }
}

/// A region that a thread is in.
#[derive(Clone, Copy, Debug)]
struct Region {
    construct: Construct,
    /// The task that the region belongs to; compared, never dereferenced.
    task: *const TaskRecord,
    site: Site,
}

/// The site of a construct: the compiler's description or null, and the return address of the
/// construct's call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) description: *const c_char,
    pub(super) return_address: *const c_void,
}

impl Site {
    fn of(site: CallSite) -> Self {
        Site { description: site.description(), return_address: site.return_address() }
    }

    pub(super) fn location(&self) -> Location<'_> {
        // SAFETY: the compiler's string is a constant of the program.
        unsafe { Location::described_or_at(self.description, self.return_address) }
    }
}

/// The regions that a thread is in. Only the thread itself accesses them.
pub(crate) struct Regions {
    /// Taken out of the cell while the thread reads or changes it: an error ends the process from
    /// there, with exit handlers that call this file again, and the child of a fork(2) may inherit
    /// a list that is being changed.
    list: Cell<Vec<Region>>,
}

impl fmt::Debug for Regions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Regions").finish_non_exhaustive()
    }
}

impl Regions {
    pub(crate) fn new() -> Self {
        Regions { list: Cell::new(Vec::new()) }
    }

    /// Empties the list of a native thread that is gone. The memory is not freed: in the child of a
    /// fork(2) the thread may have been changing it.
    pub(crate) fn forget(&self) {
        core::mem::forget(self.list.take());
    }

    fn with<R>(&self, use_it: impl FnOnce(&mut Vec<Region>) -> R) -> R {
        let mut list = self.list.take();
        let result = use_it(&mut list);
        self.list.set(list);
        result
    }

    /// The innermost region for which `is_it` holds.
    fn innermost(&self, is_it: impl Fn(&Region) -> bool) -> Option<Region> {
        self.with(|list| list.iter().rev().find(|region| is_it(region)).copied())
    }

    fn push(&self, construct: Construct, task: *const TaskRecord, site: Site) {
        self.with(|list| list.push(Region { construct, task, site }));
    }

    /// Removes the innermost region for which `is_it` holds. Returns whether there was one.
    fn pop(&self, is_it: impl Fn(&Region) -> bool) -> bool {
        self.with(|list| {
            let last = list.iter().rposition(is_it);
            last.map(|last| list.remove(last)).is_some()
        })
    }
}

/// The state of the calling thread that events do not carry.
pub(super) trait Here {
    /// The task that the thread executes.
    fn task(&self) -> *const TaskRecord;
    /// Whether the innermost loop of its team has an ordered clause.
    fn is_in_ordered_loop(&self) -> bool;
    /// Whether the innermost loop of its team has memory that the team shares. Compiled code uses
    /// it for scans, and meets at a barrier between the two halves of such a loop.
    fn is_in_loop_with_memory(&self) -> bool;
}

/// A mistake of the program.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mistake {
    /// A region closely nested in one that must not enclose it.
    Nesting { inner: Inner, site: Site, outer: Construct, around: Site },
    /// A worksharing, masked or barrier region in an explicit task.
    InTask { inner: Inner, site: Site },
    /// A critical region nested in one of the same name: the thread would wait for itself.
    SameName { site: Site, around: Site },
    /// An ordered region outside of all loops, or in a loop that has no ordered clause.
    NotOrdered { site: Site },
    /// A thread releases a lock that it does not hold.
    NotHolder,
}

/// The wrongly nested part: a construct, or a barrier, in which no region can be nested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inner {
    Construct(Construct),
    Barrier,
}

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Inner::Construct(construct) => construct.fmt(f),
            Inner::Barrier => f.write_str("barrier"),
        }
    }
}

impl Regions {
    /// Follows the thread into regions and out of them.
    ///
    /// # Errors
    ///
    /// The mistake that the event shows; the thread has not entered the region then.
    pub(super) fn follow(&self, event: &Event<'_>, here: &impl Here) -> Result<(), Mistake> {
        match *event {
            Event::ImplicitTaskBegin { task, .. } => {
                let task = ptr::from_ref(task);
                self.with(|list| list.retain(|it| it.task != task || it.construct.is_lock()));
            }
            Event::Work { kind, endpoint, task, site, .. } => {
                if let Some(construct) = Construct::of_work(kind) {
                    self.region(construct, endpoint, task, site, here, |outer| !outer.is_lock())?;
                }
            }
            Event::Masked { endpoint, task, site } => {
                let is_wrong =
                    |outer: Construct| outer.is_worksharing() || outer == Construct::Atomic;
                self.region(Construct::Masked, endpoint, task, site, here, is_wrong)?;
            }
            Event::SyncRegion {
                kind: SyncRegion::BarrierExplicit,
                endpoint: Endpoint::Begin,
                task,
                site,
                ..
            } => {
                let site = Site::of(site);
                let is_of_scan = |outer| outer == Construct::Loop && here.is_in_loop_with_memory();
                let is_wrong = |outer: Construct| !outer.is_lock() && !is_of_scan(outer);
                self.allow(Inner::Barrier, site, task, is_wrong)?;
                outside_tasks(Inner::Barrier, site, task, here)?;
            }
            Event::MutexAcquire { kind, wait_id, site, .. } => {
                self.acquire(Construct::of_mutex(kind, wait_id), Site::of(site), here)?;
            }
            Event::MutexAcquired { kind, wait_id, site } => {
                let construct = Construct::of_mutex(kind, wait_id);
                self.push(construct, here.task(), Site::of(site));
            }
            Event::MutexReleased { kind, wait_id, .. } => {
                let construct = Construct::of_mutex(kind, wait_id);
                // The program releases other mutexes where it has taken them.
                if !self.pop(|it| it.construct == construct) && construct.is_lock() {
                    return Err(Mistake::NotHolder);
                }
            }
            Event::NestLock { endpoint: Endpoint::End, wait_id, .. } => {
                let construct = Construct::Lock(wait_id);
                if self.innermost(|it| it.construct == construct).is_none() {
                    return Err(Mistake::NotHolder);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Follows the begin or end of a region of `construct`, which must not be closely nested in a
    /// construct for which `is_wrong` holds.
    fn region(
        &self,
        construct: Construct,
        endpoint: Endpoint,
        task: &TaskRecord,
        site: CallSite,
        here: &impl Here,
        is_wrong: impl Fn(Construct) -> bool,
    ) -> Result<(), Mistake> {
        if endpoint == Endpoint::End {
            self.pop(|it| ptr::eq(it.task, task) && it.construct == construct);
            return Ok(());
        }
        let site = Site::of(site);
        self.allow(Inner::Construct(construct), site, task, is_wrong)?;
        outside_tasks(Inner::Construct(construct), site, task, here)?;
        self.push(construct, task, site);
        Ok(())
    }

    /// Checks a mutex that the thread is about to take.
    fn acquire(&self, construct: Construct, site: Site, here: &impl Here) -> Result<(), Mistake> {
        match construct {
            // OpenMP 5.2 §17.1: "closely or otherwise".
            Construct::Critical(_) => match self.innermost(|it| it.construct == construct) {
                Some(outer) => Err(Mistake::SameName { site, around: outer.site }),
                None => Ok(()),
            },
            Construct::Ordered => {
                let is_wrong = |outer| matches!(outer, Construct::Critical(_) | Construct::Ordered);
                self.allow(Inner::Construct(construct), site, here.task(), is_wrong)?;
                match here.is_in_ordered_loop() {
                    true => Ok(()),
                    false => Err(Mistake::NotOrdered { site }),
                }
            }
            _ => Ok(()),
        }
    }

    fn allow(
        &self,
        inner: Inner,
        site: Site,
        task: *const TaskRecord,
        is_wrong: impl Fn(Construct) -> bool,
    ) -> Result<(), Mistake> {
        match self.innermost(|it| it.task == task && is_wrong(it.construct)) {
            Some(Region { construct: outer, site: around, .. }) => {
                Err(Mistake::Nesting { inner, site, outer, around })
            }
            None => Ok(()),
        }
    }
}

/// Checks that a region which belongs to an implicit task is closely nested in that task, not in an
/// explicit one.
fn outside_tasks(
    inner: Inner,
    site: Site,
    task: &TaskRecord,
    here: &impl Here,
) -> Result<(), Mistake> {
    match ptr::eq(task, here.task()) {
        true => Ok(()),
        false => Err(Mistake::InTask { inner, site }),
    }
}
