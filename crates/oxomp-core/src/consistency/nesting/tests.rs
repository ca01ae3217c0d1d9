//! Sequences of events of one thread, and the mistakes found in them.

use core::cell::Cell;
use core::ptr;

use oxomp_arch::CallSite;
use oxomp_sys::kmpc::{ident_flag_t, ident_t};

use super::{Construct, Here, Inner, Mistake, Regions};
use crate::ompt::event::{
    Endpoint, Event, MutexKind, ParallelRecord, SyncRegion, TaskRecord, Work,
};

/// A thread in one task at a time.
struct Thread<'a> {
    regions: Regions,
    task: Cell<&'a TaskRecord>,
    is_in_ordered_loop: Cell<bool>,
    is_in_loop_with_memory: Cell<bool>,
}

impl Here for Thread<'_> {
    fn task(&self) -> *const TaskRecord {
        self.task.get()
    }

    fn is_in_ordered_loop(&self) -> bool {
        self.is_in_ordered_loop.get()
    }

    fn is_in_loop_with_memory(&self) -> bool {
        self.is_in_loop_with_memory.get()
    }
}

impl<'a> Thread<'a> {
    fn new(task: &'a TaskRecord) -> Self {
        Thread {
            regions: Regions::new(),
            task: Cell::new(task),
            is_in_ordered_loop: Cell::new(false),
            is_in_loop_with_memory: Cell::new(false),
        }
    }

    fn hears(&self, event: Event<'_>) -> Result<(), Mistake> {
        self.regions.follow(&event, self)
    }

    fn work(&self, kind: Work, endpoint: Endpoint) -> Result<(), Mistake> {
        let task = self.task.get();
        self.hears(Event::Work { kind, endpoint, task, count: 1, site: CallSite::none() })
    }

    fn masked(&self, endpoint: Endpoint) -> Result<(), Mistake> {
        self.hears(Event::Masked { endpoint, task: self.task.get(), site: CallSite::none() })
    }

    fn barrier(&self, kind: SyncRegion) -> Result<(), Mistake> {
        self.hears(Event::SyncRegion {
            kind,
            endpoint: Endpoint::Begin,
            parallel: None,
            task: self.task.get(),
            site: CallSite::none(),
        })
    }

    fn asks(&self, kind: MutexKind, wait_id: u64) -> Result<(), Mistake> {
        self.hears(Event::MutexAcquire { kind, hint: 0, wait_id, site: CallSite::none() })
    }

    fn takes(&self, kind: MutexKind, wait_id: u64) -> Result<(), Mistake> {
        self.asks(kind, wait_id)?;
        self.hears(Event::MutexAcquired { kind, wait_id, site: CallSite::none() })
    }

    fn gives(&self, kind: MutexKind, wait_id: u64) -> Result<(), Mistake> {
        self.hears(Event::MutexReleased { kind, wait_id, site: CallSite::none() })
    }
}

fn task() -> TaskRecord {
    TaskRecord::new(0, ptr::null())
}

fn nested(result: Result<(), Mistake>) -> (Inner, Construct) {
    match result {
        Err(Mistake::Nesting { inner, outer, .. }) => (inner, outer),
        other => panic!("{other:?}"),
    }
}

const CRITICAL: MutexKind = MutexKind::Critical;
const ALL_WORK: [Work; 9] = [
    Work::Loop,
    Work::LoopStatic,
    Work::LoopDynamic,
    Work::LoopGuided,
    Work::Sections,
    Work::SingleExecutor,
    Work::SingleOther,
    Work::Scope,
    Work::Workshare,
];

#[test]
fn worksharing_follows_worksharing_but_is_not_closely_nested_in_it() {
    for outer in ALL_WORK {
        for inner in ALL_WORK {
            let task = task();
            let thread = Thread::new(&task);
            thread.work(outer, Endpoint::Begin).unwrap();
            thread.work(outer, Endpoint::End).unwrap();
            thread.work(outer, Endpoint::Begin).unwrap();
            let found = nested(thread.work(inner, Endpoint::Begin));
            let construct = |kind| Construct::of_work(kind).unwrap();
            assert_eq!(found, (Inner::Construct(construct(inner)), construct(outer)));
        }
    }
}

#[test]
fn what_is_in_another_implicit_task_is_not_closely_nested() {
    let (outer, inner) = (task(), task());
    let thread = Thread::new(&outer);
    thread.work(Work::SingleExecutor, Endpoint::Begin).unwrap();
    thread.task.set(&inner);
    thread.work(Work::Sections, Endpoint::Begin).unwrap();
    thread.work(Work::Sections, Endpoint::End).unwrap();
    thread.barrier(SyncRegion::BarrierExplicit).unwrap();
    thread.task.set(&outer);
    let found = nested(thread.barrier(SyncRegion::BarrierExplicit));
    assert_eq!(found, (Inner::Barrier, Construct::Single));
}

#[test]
fn an_explicit_task_has_no_worksharing_masked_or_barrier_but_criticals() {
    let (implicit, explicit) = (task(), task());
    let thread = Thread::new(&implicit);
    thread.task.set(&explicit);
    let site = CallSite::none();
    let (endpoint, task) = (Endpoint::Begin, &implicit);
    let events = [
        Event::Work { kind: Work::Scope, endpoint, task, count: 1, site },
        Event::Masked { endpoint, task, site },
        Event::SyncRegion {
            kind: SyncRegion::BarrierExplicit,
            endpoint,
            parallel: None,
            task,
            site,
        },
    ];
    let inner =
        [Inner::Construct(Construct::Scope), Inner::Construct(Construct::Masked), Inner::Barrier];
    for (event, inner) in events.into_iter().zip(inner) {
        match thread.hears(event) {
            Err(Mistake::InTask { inner: found, .. }) => assert_eq!(found, inner),
            other => panic!("{other:?}"),
        }
    }
    thread.takes(CRITICAL, 1).unwrap();
    thread.gives(CRITICAL, 1).unwrap();
    thread.task.set(&implicit);
    thread.work(Work::Scope, Endpoint::Begin).unwrap();
}

#[test]
fn a_taskloop_or_distribute_is_no_worksharing_region() {
    let task = task();
    let thread = Thread::new(&task);
    for kind in [Work::Taskloop, Work::Distribute] {
        thread.work(kind, Endpoint::Begin).unwrap();
        thread.work(Work::LoopDynamic, Endpoint::Begin).unwrap();
        thread.work(kind, Endpoint::Begin).unwrap();
        thread.work(Work::LoopDynamic, Endpoint::End).unwrap();
    }
}

#[test]
fn a_barrier_is_in_no_region_but_may_be_within_locks() {
    let task = task();
    let thread = Thread::new(&task);
    thread.takes(MutexKind::Lock, 8).unwrap();
    thread.barrier(SyncRegion::BarrierExplicit).unwrap();
    thread.takes(CRITICAL, 1).unwrap();
    thread.barrier(SyncRegion::BarrierImplicitWorkshare).unwrap();
    let found = nested(thread.barrier(SyncRegion::BarrierExplicit));
    assert_eq!(found, (Inner::Barrier, Construct::Critical(1)));
    thread.gives(CRITICAL, 1).unwrap();
    thread.masked(Endpoint::Begin).unwrap();
    let found = nested(thread.barrier(SyncRegion::BarrierExplicit));
    assert_eq!(found, (Inner::Barrier, Construct::Masked));
    thread.masked(Endpoint::End).unwrap();
    thread.barrier(SyncRegion::BarrierExplicit).unwrap();
}

#[test]
fn masked_may_be_in_critical_and_masked_but_not_in_worksharing_or_atomic() {
    let task = task();
    let thread = Thread::new(&task);
    thread.takes(CRITICAL, 1).unwrap();
    thread.masked(Endpoint::Begin).unwrap();
    thread.masked(Endpoint::Begin).unwrap();
    thread.masked(Endpoint::End).unwrap();
    thread.masked(Endpoint::End).unwrap();
    thread.gives(CRITICAL, 1).unwrap();
    thread.takes(MutexKind::Atomic, 2).unwrap();
    let masked = Inner::Construct(Construct::Masked);
    assert_eq!(nested(thread.masked(Endpoint::Begin)), (masked, Construct::Atomic));
    thread.gives(MutexKind::Atomic, 2).unwrap();
    thread.work(Work::LoopStatic, Endpoint::Begin).unwrap();
    assert_eq!(nested(thread.masked(Endpoint::Begin)), (masked, Construct::Loop));
}

#[test]
fn a_critical_is_not_in_one_of_its_name_in_whatever_task() {
    let (outer, inner) = (task(), task());
    let thread = Thread::new(&outer);
    thread.takes(CRITICAL, 1).unwrap();
    thread.takes(CRITICAL, 2).unwrap();
    thread.task.set(&inner);
    assert!(matches!(thread.asks(CRITICAL, 1), Err(Mistake::SameName { .. })));
    thread.takes(CRITICAL, 3).unwrap();
    thread.task.set(&outer);
    thread.gives(CRITICAL, 1).unwrap();
    thread.takes(CRITICAL, 1).unwrap();
}

#[test]
fn ordered_is_in_an_ordered_loop_and_in_no_critical_or_ordered() {
    let task = task();
    let thread = Thread::new(&task);
    let ordered = Inner::Construct(Construct::Ordered);
    let alone = thread.asks(MutexKind::Ordered, 5);
    assert!(matches!(alone, Err(Mistake::NotOrdered { .. })));
    thread.is_in_ordered_loop.set(true);
    thread.work(Work::LoopDynamic, Endpoint::Begin).unwrap();
    thread.takes(CRITICAL, 1).unwrap();
    let found = nested(thread.asks(MutexKind::Ordered, 5));
    assert_eq!(found, (ordered, Construct::Critical(1)));
    thread.gives(CRITICAL, 1).unwrap();
    thread.takes(MutexKind::Ordered, 5).unwrap();
    let found = nested(thread.asks(MutexKind::Ordered, 5));
    assert_eq!(found, (ordered, Construct::Ordered));
    thread.gives(MutexKind::Ordered, 5).unwrap();
    thread.takes(MutexKind::Ordered, 5).unwrap();
}

#[test]
fn a_lock_is_given_back_by_who_has_it_in_any_order() {
    let task = task();
    let (thread, other) = (Thread::new(&task), Thread::new(&task));
    thread.takes(MutexKind::Lock, 8).unwrap();
    thread.takes(MutexKind::NestLock, 16).unwrap();
    assert!(matches!(other.gives(MutexKind::Lock, 8), Err(Mistake::NotHolder)));
    let again = |endpoint| Event::NestLock { endpoint, wait_id: 16, site: CallSite::none() };
    thread.hears(again(Endpoint::Begin)).unwrap();
    thread.hears(again(Endpoint::End)).unwrap();
    assert!(matches!(other.hears(again(Endpoint::End)), Err(Mistake::NotHolder)));
    thread.gives(MutexKind::Lock, 8).unwrap();
    assert!(matches!(thread.gives(MutexKind::Lock, 8), Err(Mistake::NotHolder)));
    thread.gives(MutexKind::NestLock, 16).unwrap();
}

#[test]
fn a_new_task_in_the_memory_of_an_old_one_is_in_no_region_and_holds_its_threads_locks() {
    let task = task();
    let thread = Thread::new(&task);
    let parallel = ParallelRecord::default();
    thread.takes(MutexKind::Lock, 8).unwrap();
    thread.work(Work::Sections, Endpoint::Begin).unwrap();
    thread
        .hears(Event::ImplicitTaskBegin {
            parallel: &parallel,
            task: &task,
            actual: 2,
            index: 1,
            flags: 0,
        })
        .unwrap();
    thread.work(Work::Sections, Endpoint::Begin).unwrap();
    thread.gives(MutexKind::Lock, 8).unwrap();
}

#[test]
fn a_thread_that_has_gone_is_in_no_region() {
    let task = task();
    let thread = Thread::new(&task);
    thread.work(Work::Scope, Endpoint::Begin).unwrap();
    thread.regions.forget();
    thread.work(Work::Scope, Endpoint::Begin).unwrap();
}

#[test]
fn a_mistake_names_both_places_and_what_the_compiler_says_of_one() {
    let task = task();
    let thread = Thread::new(&task);
    let frame = |address: usize| [0, address];
    let (first, second) = (frame(0x100), frame(0x200));
    // SAFETY: words like those of a frame, which outlive the sites.
    let site = |frame: &[usize; 2]| unsafe { CallSite::from_frame(frame.as_ptr().cast()) };
    let description = c";file.c;main;3;5;;".as_ptr();
    let location = ident_t {
        reserved_1: 0,
        flags: ident_flag_t(0),
        reserved_2: 0,
        reserved_3: 0,
        psource: description,
    };
    // SAFETY: a location with a static string, which outlives the site.
    let described = unsafe { site(&first).described_by(&raw const location) };
    let begin = |site| Event::Masked { endpoint: Endpoint::Begin, task: &task, site };
    thread.hears(begin(described)).unwrap();
    let kind = SyncRegion::BarrierExplicit;
    let endpoint = Endpoint::Begin;
    let site = site(&second);
    let barrier = Event::SyncRegion { kind, endpoint, parallel: None, task: &task, site };
    match thread.hears(barrier) {
        Err(Mistake::Nesting { site, around, .. }) => {
            assert_eq!((around.return_address.addr(), around.description), (0x100, description));
            assert_eq!(site.return_address.addr(), 0x200);
            assert!(site.description.is_null());
        }
        other => panic!("{other:?}"),
    }
}
