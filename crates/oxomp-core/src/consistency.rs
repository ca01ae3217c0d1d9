//! KMP_CONSISTENCY_CHECK: wrong nesting of constructs, and locks given back by who does not hold them,
//! end the program with one line (OpenMP 5.2 §17.1).
//!
//! The check is a listener to the events of OMPT, so that it costs nothing where nobody asked for it.
//! Each thread keeps a list of the regions that it is in; what is *closely nested* are the regions of
//! the same task. What a compiler expands without a call of the runtime is not seen.

use core::cell::Cell;
use core::ffi::{c_char, c_void};
use core::fmt;
use core::ptr;

use oxomp_sys::ompt::ompt_callbacks_t as E;

use crate::arch::CallSite;
use crate::diag::{self, Location};
use crate::ompt::event::{
    Endpoint, Event, MutexKind, SyncRegion, TaskRecord, Work, bit, is_checked, listen,
};
use crate::thread::Thread;

/// The events that the check hears.
const HEARD: u64 = bit(E::IMPLICIT_TASK)
    | bit(E::WORK)
    | bit(E::MASKED)
    | bit(E::SYNC_REGION)
    | bit(E::MUTEX_ACQUIRE)
    | bit(E::MUTEX_ACQUIRED)
    | bit(E::MUTEX_RELEASED)
    | bit(E::NEST_LOCK);

/// Checks from now on. Before any region is entered.
pub(crate) fn start() {
    diag::set_strict(true);
    listen(HEARD, hear);
}

/// What a region is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Construct {
    Loop,
    Sections,
    Single,
    Scope,
    Workshare,
    Masked,
    Ordered,
    /// With what tools know its name by.
    Critical(u64),
    Atomic,
    /// No construct, but kept like one: a lock that the thread holds.
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
    /// The task that it belongs to; only compared.
    task: *const TaskRecord,
    place: Place,
}

/// Where a construct is: what the compiler says, if it does, and where its call returns to.
#[derive(Clone, Copy, Debug)]
struct Place {
    description: *const c_char,
    return_address: *const c_void,
}

impl Place {
    const UNKNOWN: Place = Place { description: ptr::null(), return_address: ptr::null() };

    fn location(&self) -> Location<'_> {
        // SAFETY: the compiler's string is a constant of the program.
        unsafe { Location::described_or_at(self.description, self.return_address) }
    }
}

/// What a thread is in. The thread's alone.
pub(crate) struct Regions {
    /// Taken out while it is looked at or changed: an error ends the process from there, with handlers
    /// that come back here, and a child of a fork may inherit it half-way.
    list: Cell<Vec<Region>>,
    /// The place that the call at hand came with.
    noted: Cell<Place>,
}

impl fmt::Debug for Regions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Regions").finish_non_exhaustive()
    }
}

impl Regions {
    pub(crate) fn new() -> Self {
        Regions { list: Cell::new(Vec::new()), noted: Cell::new(Place::UNKNOWN) }
    }

    /// The native thread has gone, and with it what it was in. Nothing is freed: in a child of a fork
    /// it may have been at the memory.
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

    fn place(&self, site: CallSite) -> Place {
        let return_address = site.return_address();
        let noted = self.noted.get();
        if noted.return_address == return_address {
            return noted;
        }
        Place { description: ptr::null(), return_address }
    }

    /// The innermost region of `task` that is wrong around something.
    fn around(
        &self,
        task: *const TaskRecord,
        is_wrong: impl Fn(Construct) -> bool,
    ) -> Option<Region> {
        self.innermost(|it| it.task == task && is_wrong(it.construct))
    }

    fn push(&self, construct: Construct, task: *const TaskRecord, place: Place) {
        self.with(|list| list.push(Region { construct, task, place }));
    }

    /// Takes the last such region out: whether there was one.
    fn pop(&self, is_it: impl Fn(&Region) -> bool) -> bool {
        self.with(|list| {
            let last = list.iter().rposition(is_it);
            last.map(|last| list.remove(last)).is_some()
        })
    }
}

/// A compiler can say where the construct is whose call is at `site`.
///
/// # Safety
/// `description` gives null or a string that is never freed.
#[inline(always)]
pub unsafe fn note(description: impl FnOnce() -> Option<*const c_char>, site: CallSite) {
    #[cold]
    #[inline(never)]
    fn noted(description: *const c_char, site: CallSite) {
        let place = Place { description, return_address: site.return_address() };
        Thread::current().regions.noted.set(place);
    }
    if is_checked() {
        noted(description().unwrap_or(ptr::null()), site);
    }
}

fn wrong(what: impl fmt::Display, place: Place, why: impl fmt::Display, around: Place) -> ! {
    let (place, around) = (place.location(), around.location());
    diag::fatal(&format!("{place}: {what} is wrongly nested in {why} at {around}"));
}

fn hear(event: &Event<'_>) {
    let Some(thread) = Thread::known() else { return };
    let regions = &thread.regions;
    let current = || ptr::from_ref(&thread.task().ompt);
    match *event {
        Event::ImplicitTaskBegin { task, .. } => {
            let task = ptr::from_ref(task);
            regions.with(|list| list.retain(|it| it.task != task || it.construct.is_lock()));
        }
        Event::Work { kind, endpoint, task, site, .. } => {
            let Some(construct) = Construct::of_work(kind) else { return };
            if endpoint == Endpoint::End {
                regions.pop(|it| ptr::eq(it.task, task) && it.construct == construct);
                return;
            }
            let place = regions.place(site);
            if let Some(outer) = regions.around(task, |outer| !outer.is_lock()) {
                wrong(construct, place, outer.construct, outer.place);
            }
            regions.push(construct, task, place);
        }
        Event::Masked { endpoint, task, site } => {
            if endpoint == Endpoint::End {
                regions.pop(|it| ptr::eq(it.task, task) && it.construct == Construct::Masked);
                return;
            }
            let place = regions.place(site);
            let is_wrong = |outer: Construct| outer.is_worksharing() || outer == Construct::Atomic;
            if let Some(outer) = regions.around(task, is_wrong) {
                wrong(Construct::Masked, place, outer.construct, outer.place);
            }
            regions.push(Construct::Masked, task, place);
        }
        Event::SyncRegion {
            kind: SyncRegion::BarrierExplicit,
            endpoint: Endpoint::Begin,
            task,
            site,
            ..
        } => {
            if let Some(outer) = regions.around(task, |outer| !outer.is_lock()) {
                wrong("barrier", regions.place(site), outer.construct, outer.place);
            }
        }
        Event::MutexAcquire { kind, wait_id, site, .. } => {
            let place = regions.place(site);
            match Construct::of_mutex(kind, wait_id) {
                // OpenMP 5.2 §17.1: "closely or otherwise".
                name @ Construct::Critical(_) => {
                    if let Some(outer) = regions.innermost(|it| it.construct == name) {
                        wrong("critical", place, "a critical of the same name", outer.place);
                    }
                }
                Construct::Ordered => check_ordered(thread, current(), place),
                _ => {}
            }
        }
        Event::MutexAcquired { kind, wait_id, site } => {
            let construct = Construct::of_mutex(kind, wait_id);
            regions.push(construct, current(), regions.place(site));
        }
        Event::MutexReleased { kind, wait_id, .. } => {
            let construct = Construct::of_mutex(kind, wait_id);
            if !regions.pop(|it| it.construct == construct) && construct.is_lock() {
                not_holder();
            }
        }
        Event::NestLock { endpoint: Endpoint::End, wait_id, .. } => {
            let construct = Construct::Lock(wait_id);
            if regions.innermost(|it| it.construct == construct).is_none() {
                not_holder();
            }
        }
        _ => {}
    }
}

fn check_ordered(thread: &Thread, task: *const TaskRecord, place: Place) {
    let is_wrong = |outer| matches!(outer, Construct::Critical(_) | Construct::Ordered);
    if let Some(outer) = thread.regions.around(task, is_wrong) {
        wrong("ordered", place, outer.construct, outer.place);
    }
    if !thread.implicit_task().worksharing.is_ordered() {
        let place = place.location();
        diag::fatal(&format!("{place}: ordered: not in a loop with an ordered clause"));
    }
}

/// A lock is given back by a thread that has not taken it. Those taken before the check began are
/// not known, but initializing a lock begins it.
fn not_holder() {
    diag::misuse("lock", format_args!("another thread holds the lock"), "the call has its effect");
}
