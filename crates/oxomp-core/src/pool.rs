//! The native threads of the process: workers that no team has, and roots whose thread has gone.

use core::ffi::c_void;
use core::fmt;

use core::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};

use oxomp_protocol::lock::Guarded;

use crate::contention_group::ContentionGroup;
use crate::implicit_task::ImplicitTask;
use crate::native::{Alone, Native, Vacant};
use crate::ompd;
use crate::ompt::event::ThreadKind;
use crate::os;
use crate::settings;
use crate::team::Team;
use crate::thread::Thread;

/// Nothing here is on a hot path.
struct Pool {
    /// Workers that wait at their docks for anybody.
    idle: Vec<&'static Thread>,
    /// Blocks of roots whose native thread has ended, with their initial tasks.
    vacant_roots: Vec<Vacant>,
    /// Blocks of workers that have no native thread: the system had none, or it has ended.
    unborn: Vec<Vacant>,
    /// Blocks made so far, by number.
    all: Vec<&'static Thread>,
    /// Native threads that there are, those that have been told to end left out.
    alive: u32,
}

static POOL: Guarded<Pool> = Guarded::new(Pool {
    idle: Vec::new(),
    vacant_roots: Vec::new(),
    unborn: Vec::new(),
    all: Vec::new(),
    alive: 0,
});

/// fork(2) must not happen while somebody else has the pool.
pub(crate) fn before_fork() {
    POOL.hold();
}

/// In the parent process, after fork(2).
pub(crate) fn after_fork_in_parent() {
    POOL.let_go();
}

/// In the child process, which has the thread `left` at most: the blocks of all threads that did not
/// come along, for the caller, which recycles them.
pub(crate) fn after_fork_in_child(left: Option<&Thread>, alone: &Alone) -> Vec<Vacant> {
    POOL.let_go();
    POOL.with(|pool| {
        pool.idle.clear();
        pool.vacant_roots.clear();
        pool.unborn.clear();
        pool.alive = u32::from(left.is_some());
        let is_gone = |thread: &&&Thread| !left.is_some_and(|left| core::ptr::eq(left, **thread));
        let gone = pool.all.iter().filter(is_gone);
        gone.map(|thread| Vacant::left_behind(thread, alone)).collect()
    })
}

/// A block for a root: one whose thread has gone, or a new one, with its initial task.
pub(crate) fn root() -> Vacant {
    let vacant = POOL.with(|pool| {
        pool.alive += 1;
        pool.vacant_roots.pop()
    });
    vacant.unwrap_or_else(|| {
        let block = create(ThreadKind::Initial);
        let thread = block.thread();
        let icvs = settings::get().icvs;
        let group: &'static ContentionGroup =
            Box::leak(Box::new(ContentionGroup::new(icvs.thread_limit_var)));
        let task: &'static ImplicitTask = Team::create_initial(icvs, group).primary();
        task.thread.set(Some(thread));
        thread.initial.set(Some(task));
        block
    })
}

/// The native thread of a root has gone. Its block is used for another if it `is_vacant`.
pub(crate) fn leave_root(block: Vacant, is_vacant: bool) {
    POOL.with(|pool| {
        if is_vacant {
            pool.vacant_roots.push(block);
        }
        pool.alive -= 1;
    });
}

/// The block of a thread that is gone may be used for another, with nothing left of the first.
pub(crate) fn recycle(block: Vacant) {
    block.thread().begin_anew();
    POOL.with(|pool| match block.thread().initial.get() {
        Some(_) => pool.vacant_roots.push(block),
        None => pool.unborn.push(block),
    });
}

fn create(kind: ThreadKind) -> Vacant {
    POOL.with(|pool| {
        let block = Vacant::create(pool.all.len() as u32, kind);
        pool.all.push(block.thread());
        ompd::add_thread(block.thread());
        block
    })
}

/// All threads that the runtime has known so far.
pub(crate) fn all_threads() -> Vec<&'static Thread> {
    POOL.with(|pool| pool.all.clone())
}

/// How many native threads the runtime has known so far.
pub fn threads_known() -> u32 {
    POOL.with(|pool| pool.all.len() as u32)
}

/// What a native thread of ours does from its first moment to its last.
pub(crate) type WorkerBody = fn(Native);

/// Why there is no further worker.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refusal {
    /// The process has as many threads as KMP_DEVICE_THREAD_LIMIT (or KMP_ALL_THREADS) allows.
    Limit(u32),
    /// The system gives no native thread: the error number of pthread_create(3).
    System(i32),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Refusal::Limit(limit) => write!(
                f,
                "the process has all {limit} threads that KMP_DEVICE_THREAD_LIMIT (or \
                 KMP_ALL_THREADS) allows"
            ),
            Refusal::System(error) => write!(
                f,
                "cannot create a thread: {} (check OMP_NUM_THREADS, OMP_STACKSIZE and the limits of \
                 ulimit -u, -v)",
                std::io::Error::from_raw_os_error(error)
            ),
        }
    }
}

impl Refusal {
    /// Whether it may be worthwhile to ask again. The system is asked again when a second has passed:
    /// each attempt costs system calls, and regions may follow each other every microsecond.
    pub(crate) fn may_be_over(self) -> bool {
        let has_idle = POOL.with(|pool| !pool.idle.is_empty());
        has_idle
            || match self {
                Refusal::Limit(limit) => POOL.with(|pool| pool.alive < limit),
                // Relaxed, here and below: a hint.
                Refusal::System(_) => os::monotonic_ns() >= REFUSED_UNTIL.load(Relaxed),
            }
    }
}

/// The system is not asked for threads before that time of the monotonic clock.
static REFUSED_UNTIL: AtomicU64 = AtomicU64::new(0);
/// The error number of its last refusal.
static LAST_ERROR: AtomicI32 = AtomicI32::new(0);
const REFUSAL_LASTS_NS: u64 = 1_000_000_000;

/// A worker for a team: an idle one, or a new native thread.
///
/// It is for the place `first`; a new thread has that task from its first moment, when a tool's
/// callback or a signal handler may already ask for it.
pub(crate) fn hire(
    body: WorkerBody,
    first: &'static ImplicitTask,
) -> Result<&'static Thread, Refusal> {
    POOL.with(|pool| pool.idle.pop()).map_or_else(|| start(body, first), Ok)
}

/// Workers whose team does not need them any more.
pub(crate) fn dismiss(workers: &[&'static Thread]) {
    POOL.with(|pool| pool.idle.extend_from_slice(workers));
}

/// All idle workers, for a caller that ends them.
pub(crate) fn take_idle() -> Vec<&'static Thread> {
    POOL.with(|pool| {
        pool.alive -= pool.idle.len() as u32;
        core::mem::take(&mut pool.idle)
    })
}

/// What a new native thread needs to know.
struct Beginning {
    block: Vacant,
    body: WorkerBody,
}

extern "C" fn begin(beginning: *mut c_void) -> *mut c_void {
    // SAFETY: `start` made it for us alone.
    let Beginning { block, body } = *unsafe { Box::from_raw(beginning.cast::<Beginning>()) };
    body(Native::enter(block));
    core::ptr::null_mut()
}

fn start(body: WorkerBody, first: &'static ImplicitTask) -> Result<&'static Thread, Refusal> {
    if os::monotonic_ns() < REFUSED_UNTIL.load(Relaxed) {
        return Err(Refusal::System(LAST_ERROR.load(Relaxed)));
    }
    let limit = settings::get().globals.device_thread_limit;
    let is_allowed = POOL.with(|pool| {
        let is_allowed = pool.alive < limit;
        pool.alive += u32::from(is_allowed);
        is_allowed
    });
    if !is_allowed {
        return Err(Refusal::Limit(limit));
    }
    let unborn = POOL.with(|pool| pool.unborn.pop());
    let block = unborn.unwrap_or_else(|| create(ThreadKind::Worker));
    let thread = block.thread();
    thread.set_implicit_task(first);
    let beginning = Box::into_raw(Box::new(Beginning { block, body }));
    let stack = settings::get().stack_bytes();
    // SAFETY: `begin` takes the box over.
    match unsafe { os::spawn(begin, beginning.cast::<c_void>(), stack) } {
        Ok(_) => Ok(thread),
        Err(error) => {
            // SAFETY: no thread has taken it.
            let beginning = unsafe { Box::from_raw(beginning) };
            POOL.with(|pool| {
                pool.unborn.push(beginning.block);
                pool.alive -= 1;
            });
            LAST_ERROR.store(error, Relaxed);
            REFUSED_UNTIL.store(os::monotonic_ns().saturating_add(REFUSAL_LASTS_NS), Relaxed);
            Err(Refusal::System(error))
        }
    }
}
