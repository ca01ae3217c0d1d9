//! The native threads of the process: workers that no team has, and roots whose thread has gone.

use core::ffi::c_void;
use core::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};

use oxomp_protocol::lock::Guarded;

use crate::block::ContentionGroup;
use crate::block::{self, ImplicitTask, Refusal, Shared, Team, Thread};
use crate::block::{Native, Vacant};
use crate::ompt::event::ThreadKind;
use crate::os;
use crate::settings;

/// Nothing here is on a hot path.
struct Pool {
    /// Workers that wait at their docks for anybody.
    idle: Vec<Shared<Thread>>,
    /// Blocks of roots whose native thread has ended, with their initial tasks.
    vacant_roots: Vec<Vacant>,
    /// Blocks of workers that have no native thread: the system had none, or it has ended.
    unborn: Vec<Vacant>,
    /// Native threads that there are, those that have been told to end left out.
    alive: u32,
}

static POOL: Guarded<Pool> =
    Guarded::new(Pool { idle: Vec::new(), vacant_roots: Vec::new(), unborn: Vec::new(), alive: 0 });

/// fork(2) must not happen while somebody else has the pool.
pub(crate) fn before_fork() {
    POOL.hold();
}

/// In the parent process, after fork(2).
pub(crate) fn after_fork_in_parent() {
    POOL.let_go();
}

/// In the child process: no other thread is there, and whether one `is_left`.
pub(crate) fn after_fork_in_child(is_left: bool) {
    POOL.let_go();
    POOL.with(|pool| {
        pool.idle.clear();
        pool.vacant_roots.clear();
        pool.unborn.clear();
        pool.alive = u32::from(is_left);
    });
}

/// A block for a root: one whose thread has gone, or a new one, with its initial task.
pub(crate) fn root() -> Vacant {
    let vacant = POOL.with(|pool| {
        pool.alive += 1;
        pool.vacant_roots.pop()
    });
    vacant.unwrap_or_else(|| {
        let block = block::create(ThreadKind::Initial);
        let icvs = settings::get().icvs;
        let group: &'static ContentionGroup =
            Box::leak(Box::new(ContentionGroup::new(icvs.thread_limit_var)));
        let task = Team::create_initial(icvs, group);
        task.thread.set(Some(block.shared()));
        block.thread().initial.set(Some(task));
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

/// What a native thread of ours does from its first moment to its last.
pub(crate) type WorkerBody = fn(Native);

/// Whether it may be worthwhile to ask for a worker again after a `refusal`. The system is asked again
/// when a second has passed: each attempt costs system calls, and regions may follow each other every
/// microsecond.
pub(crate) fn may_hire(refusal: Refusal) -> bool {
    let has_idle = POOL.with(|pool| !pool.idle.is_empty());
    has_idle
        || match refusal {
            Refusal::Limit(limit) => POOL.with(|pool| pool.alive < limit),
            // Relaxed, here and below: a hint.
            Refusal::System(_) => os::monotonic_ns() >= REFUSED_UNTIL.load(Relaxed),
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
    first: Shared<ImplicitTask>,
) -> Result<Shared<Thread>, Refusal> {
    POOL.with(|pool| pool.idle.pop()).map_or_else(|| start(body, first), Ok)
}

/// Workers whose team does not need them any more.
pub(crate) fn dismiss(workers: &[Shared<Thread>]) {
    POOL.with(|pool| pool.idle.extend_from_slice(workers));
}

/// All idle workers, for a caller that ends them.
pub(crate) fn take_idle() -> Vec<Shared<Thread>> {
    POOL.with(|pool| {
        pool.alive -= pool.idle.len() as u32;
        core::mem::take(&mut pool.idle)
    })
}

/// What a new native thread needs to know.
struct Beginning {
    block: Vacant,
    first: Shared<ImplicitTask>,
    body: WorkerBody,
}

extern "C" fn begin(beginning: *mut c_void) -> *mut c_void {
    // SAFETY: `start` made it for us alone.
    let Beginning { block, first, body } = *unsafe { Box::from_raw(beginning.cast::<Beginning>()) };
    // SAFETY: the place is the new thread's, which was hired for it.
    block.thread().set_implicit_task(unsafe { first.own() });
    body(Native::enter(block));
    core::ptr::null_mut()
}

fn start(body: WorkerBody, first: Shared<ImplicitTask>) -> Result<Shared<Thread>, Refusal> {
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
    let block = unborn.unwrap_or_else(|| block::create(ThreadKind::Worker));
    let thread = block.shared();
    let beginning = Box::into_raw(Box::new(Beginning { block, first, body }));
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
