//! The pool of native threads: idle workers that belong to no team, and blocks whose native thread
//! has ended.

use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};

use oxomp_base::{os, settings};
use oxomp_protocol::chain::Chain;
use oxomp_protocol::lock::Guarded;

use crate::block::{
    self, Alone, ContentionGroup, ImplicitTask, Native, Refusal, Shared, Team, Thread, Vacant,
};
use crate::ompt::event::ThreadKind;

/// The pool, behind one lock: no hot path takes it.
struct Pool {
    /// Idle workers that wait at their docks and belong to no team.
    idle: Vec<Shared<Thread>>,
    /// Blocks of roots whose native thread has ended, with their initial tasks.
    vacant_roots: Vec<Vacant>,
    /// Blocks of workers without a native thread: the system refused one, or it has ended.
    unborn: Vec<Vacant>,
    /// The number of native threads, without those that have been ordered to end.
    alive: u32,
}

static POOL: Guarded<Pool> = Guarded::new(Pool::empty(0));

impl Pool {
    /// A pool without a thread or a block, in a process with `alive` native threads.
    const fn empty(alive: u32) -> Self {
        Pool { idle: Vec::new(), vacant_roots: Vec::new(), unborn: Vec::new(), alive }
    }
}

/// The pools of the processes from which this one comes. They are kept, so that no memory seems to
/// be lost; a thread may have been changing them, so they are never read.
static FORGOTTEN: Chain<Forgotten> = Chain::new();

struct Forgotten(#[expect(dead_code, reason = "its bytes are kept, not read")] MaybeUninit<Pool>);

// SAFETY: no thread reads the bytes.
unsafe impl Sync for Forgotten {}

/// In the child of a fork(2): the pool is empty. `is_left`: the runtime knows the surviving thread.
pub(crate) fn after_fork_in_child(is_left: bool, alone: &Alone) {
    FORGOTTEN.add(Forgotten(POOL.forget(Pool::empty(u32::from(is_left)), alone)));
}

/// A block for a root, with its initial task: the block of a root that has ended, or a new block.
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

/// The native thread of a root has ended. Its block is used for another root if it `is_vacant`.
pub(crate) fn leave_root(block: Vacant, is_vacant: bool) {
    if is_vacant {
        block.begin_anew();
    }
    POOL.with(|pool| {
        if is_vacant {
            pool.vacant_roots.push(block);
        }
        pool.alive -= 1;
    });
}

/// Resets the block of a thread that is gone, and keeps it for another native thread.
pub(crate) fn recycle(block: Vacant) {
    block.begin_anew();
    POOL.with(|pool| match (block.thread().kind(), block.thread().initial.get()) {
        (ThreadKind::Worker, _) => pool.unborn.push(block),
        (_, Some(_)) => pool.vacant_roots.push(block),
        // The thread that was making the initial task of the block is gone.
        (_, None) => {}
    });
}

/// The work of a native thread that the runtime creates.
pub(crate) trait Work {
    /// Carries out the orders of the thread with this block until the last one.
    fn run(native: Native);
}

/// Whether another attempt to hire a worker may succeed after a `refusal`. The system is asked
/// again after a second: each attempt costs system calls, and a program may encounter a region
/// every microsecond.
pub(crate) fn may_hire(refusal: Refusal) -> bool {
    let has_idle = POOL.with(|pool| !pool.idle.is_empty());
    has_idle
        || match refusal {
            Refusal::Limit(limit) => POOL.with(|pool| pool.alive < limit),
            // Relaxed, here and below: the value is a hint.
            Refusal::System(_) => os::monotonic_ns() >= REFUSED_UNTIL.load(Relaxed),
        }
}

/// The time of the monotonic clock before which the system is not asked for threads.
static REFUSED_UNTIL: AtomicU64 = AtomicU64::new(0);
/// The error number of the system's last refusal.
static LAST_ERROR: AtomicI32 = AtomicI32::new(0);
const REFUSAL_LASTS_NS: u64 = 1_000_000_000;

/// A worker for the member `first` of a team: an idle one, or a new native thread.
///
/// A new thread executes this implicit task from its first moment, since a tool's callback or a
/// signal handler may ask for the task then.
pub(crate) fn hire<W: Work>(first: Shared<ImplicitTask>) -> Result<Shared<Thread>, Refusal> {
    POOL.with(|pool| pool.idle.pop()).map_or_else(|| start::<W>(first), Ok)
}

/// Takes workers that their team does not need any more.
pub(crate) fn dismiss(workers: &[Shared<Thread>]) {
    POOL.with(|pool| pool.idle.extend_from_slice(workers));
}

/// Takes all idle workers out of the pool, for a caller that ends them.
pub(crate) fn take_idle() -> Vec<Shared<Thread>> {
    POOL.with(|pool| {
        pool.alive -= pool.idle.len() as u32;
        core::mem::take(&mut pool.idle)
    })
}

/// The body of a new native thread. But for messages that the user asks for, it neither allocates
/// nor frees before the code of the program or of a tool runs: at the first call of malloc(3) or
/// free(3) on a thread the GNU C library makes an arena for it, for which it reserves 64 MiB of
/// addresses.
extern "C" fn begin<W: Work>(argument: *mut c_void) -> *mut c_void {
    // SAFETY: `start` made the argument for this thread, and takes it back only if there is no
    // thread.
    let (block, first) = unsafe { Vacant::of_argument(argument) };
    // SAFETY: the thread that hires this one holds the `IdleTeam` of `first`, and does not use the
    // member again before the barrier that ends the region.
    block.thread().set_implicit_task(unsafe { first.own() });
    W::run(Native::enter(block));
    core::ptr::null_mut()
}

fn start<W: Work>(first: Shared<ImplicitTask>) -> Result<Shared<Thread>, Refusal> {
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
    let argument = block.into_argument(first);
    let stack = settings::get().stack_bytes();
    // SAFETY: `begin` takes an argument of `into_argument`, and blocks are never freed.
    match unsafe { os::spawn(begin::<W>, argument, stack) } {
        Ok(_) => Ok(thread),
        Err(error) => {
            // SAFETY: no thread was created that could take the block.
            let (block, _) = unsafe { Vacant::of_argument(argument) };
            POOL.with(|pool| {
                pool.unborn.push(block);
                pool.alive -= 1;
            });
            LAST_ERROR.store(error, Relaxed);
            REFUSED_UNTIL.store(os::monotonic_ns().saturating_add(REFUSAL_LASTS_NS), Relaxed);
            Err(Refusal::System(error))
        }
    }
}
