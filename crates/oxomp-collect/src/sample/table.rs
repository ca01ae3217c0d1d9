//! The samplers of a process's threads.

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::fmt;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering, compiler_fence};

use oxomp_trace::calls::Sample;
use oxomp_trace::info::NOT_WANTED;

use super::alternate;
use super::handler::{Cache, FRAMES, install, is_installed, path};
use super::memory;
use super::modules::Maker;
use super::registers::{self, Registers};
use super::source::{Kind, Source, kept_period};
use super::stack::Reader;
use super::tree::{self, Tree};
use crate::settings::{Sampling, Settings};
use crate::store::Store;
use crate::team::Team;
use crate::{arch, clock, zeros};

/// The most threads that are sampled at the same time.
const SLOTS: usize = 4096;

/// Bytes of a sampler's stack, of which a walk takes a third.
const STACK_BYTES: usize = 64 << 10;

/// Whether the program has taken the signal for itself: no thread begins to be sampled any more.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// The memory in which a sampler walks.
#[repr(C, align(16))]
struct Stack([u8; STACK_BYTES]);

/// One thread's sampler. It begins as zeros, in which [`map_sampler`] writes what is no number.
///
/// The handler interrupts its own thread anywhere and has a shared reference, as its thread may
/// have meanwhile. So what changes is in cells: `busy` tells which of both may use `walk` and
/// `stack`. What is in no cell changes only while the handler does not find the sampler, before
/// the thread's slot names it and after.
pub(crate) struct Sampler {
    pub(super) source: Option<Source>,
    /// The file of the thread's recording.
    pub(super) store: Option<&'static Store>,
    /// Whether code outside the handler uses `walk` and `stack`.
    pub(super) busy: AtomicBool,
    /// Signals that came meanwhile.
    pub(super) missed: AtomicU32,
    /// Whether the thread's alternate stack is too small for a signal, so that none is asked for.
    halted: AtomicBool,
    /// The thread's number.
    pub(super) tid: u32,
    stack: UnsafeCell<Stack>,
    walk: UnsafeCell<Walk>,
}

/// What a walk needs and changes.
pub(super) struct Walk {
    pub(super) cache: Option<Box<Cache>>,
    /// When the helper was asked for modules last.
    asked: u64,
    pub(super) reader: Reader,
    pub(super) frames: [u64; FRAMES],
    pub(super) tree: Tree,
    pub(super) registers: Registers,
}

impl Sampler {
    /// The calling thread's sampler. Signal-safe.
    pub(super) fn of_thread<'a>() -> Option<&'a Self> {
        // SAFETY: null, or this thread's sampler, which is never unmapped, and to which there is no
        // exclusive reference while the slot names it.
        unsafe { arch::sampler_slot().cast_const().cast::<Self>().as_ref() }
    }

    /// Calls `act` on the sampler's own stack: a walk takes some 20 KiB, which coroutines and
    /// alternate stacks may not have.
    ///
    /// # Safety
    /// The sampler is the calling thread's, which is not on its stack: it is in the handler and
    /// found `busy` not set, or outside and has set it.
    pub(super) unsafe fn walk(&self, act: impl FnOnce(&mut Walk)) {
        unsafe extern "C" fn call<A: FnOnce(&mut Walk)>(data: *mut c_void) {
            // SAFETY: the pair below, used once.
            unsafe {
                let pair = &mut *data.cast::<(*mut Walk, Option<A>)>();
                if let Some(act) = pair.1.take() {
                    act(&mut *pair.0);
                }
            }
        }
        fn caller_of<A: FnOnce(&mut Walk)>(_: &A) -> unsafe extern "C" fn(*mut c_void) {
            call::<A>
        }
        let caller = caller_of(&act);
        let mut pair = (self.walk.get(), Some(act));
        // SAFETY: the stack is the sampler's, aligned as its type, and only this call uses it and
        // the walk, as the caller promises. A panic aborts.
        unsafe {
            let top = self.stack.get().add(1).cast::<u8>();
            arch::call_on_stack(top, caller, (&raw mut pair).cast());
        }
    }

    /// What a walk needs, of a sampler that no handler finds.
    pub(super) fn own_walk(&mut self) -> &mut Walk {
        self.walk.get_mut()
    }

    /// Asks for the next signal, if the thread's alternate stack has room for it.
    pub(super) fn arm(&self) {
        let Some(source) = &self.source else { return };
        let fits = alternate::has_room();
        self.halted.store(!fits, Ordering::Relaxed);
        if fits {
            source.arm();
        }
    }

    /// Looks at the thread's alternate stack again.
    fn look_at_stack(&self) {
        let Some(source) = &self.source else { return };
        let (fits, halted) = (alternate::has_room(), self.halted.load(Ordering::Relaxed));
        if fits == halted {
            // Before it asks: the handler may be there at once.
            self.halted.store(!fits, Ordering::Relaxed);
            if fits { source.arm() } else { source.disarm() }
        }
    }
}

/// Looks whether the program has given the calling thread an alternate stack on which a signal
/// would end it.
#[cold]
pub(crate) fn look_at_stack() {
    if let Some(sampler) = Sampler::of_thread() {
        // SAFETY: errno is this thread's, and the program's, which a callback must not change.
        let errno = unsafe { *libc::__errno_location() };
        sampler.look_at_stack();
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = errno };
    }
}

impl Walk {
    /// Has the helper look for new modules, but not for each sample of code that is in none.
    pub(super) fn look_for_modules(&mut self, store: &Store) {
        const PAUSE_TICKS: u64 = 100_000_000;
        let now = clock::now();
        if now.saturating_sub(self.asked) > PAUSE_TICKS {
            self.asked = now;
            store.look_at_modules();
        }
    }
}

#[derive(Debug)]
struct Slot {
    taken: AtomicBool,
    sampler: AtomicPtr<Sampler>,
}

/// Every thread's sampler, and how they are fed.
pub(crate) struct Samples {
    /// `Err`: why there is no sampling.
    kind: Result<Kind, String>,
    /// The time between two samples.
    pub(crate) period_ns: u64,
    slots: Box<[Slot]>,
    streams: AtomicU32,
    /// Tells whether the message about the signal is out.
    told: AtomicBool,
}

impl fmt::Debug for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Samples").field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl Samples {
    /// Chooses the source of signals.
    pub(crate) fn new(settings: &Settings) -> Self {
        let chosen = choose(&settings.sampling);
        let period = settings.sampling.period_ns();
        Self {
            period_ns: chosen.as_ref().map_or(0, |kind| kept_period(*kind, period)),
            slots: match chosen {
                Ok(_) => (0..SLOTS)
                    .map(|_| Slot {
                        taken: AtomicBool::new(false),
                        sampler: AtomicPtr::new(ptr::null_mut()),
                    })
                    .collect(),
                Err(_) => Box::default(),
            },
            kind: chosen,
            streams: AtomicU32::new(0),
            told: AtomicBool::new(false),
        }
    }

    /// Whether call paths are sampled.
    pub(crate) fn are_wanted(&self) -> bool {
        self.kind.is_ok()
    }

    /// The message for users who want to know.
    pub(crate) fn announcement(&self) -> String {
        match &self.kind {
            Ok(_) => format!(
                "sampling call paths every {} µs of processor time by {}",
                self.period_ns / 1000,
                self.description()
            ),
            Err(why) => format!("call paths are not sampled: {why}"),
        }
    }

    /// The source in words, or why there is none.
    pub(crate) fn description(&self) -> String {
        match &self.kind {
            Ok(Kind::Perf) => "perf's cpu-clock in user code".to_owned(),
            Ok(Kind::Timer) => "a timer of each thread's processor time".to_owned(),
            Err(why) => why.clone(),
        }
    }

    /// Samples the calling thread into `store` from now on, if it is not sampled yet.
    pub(crate) fn begin_thread(&self, store: &'static Store) {
        let Ok(kind) = self.kind else { return };
        if !arch::sampler_slot().is_null() || STOPPED.load(Ordering::Relaxed) {
            return;
        }
        let Some((slot, index)) = self.slots.iter().zip(0..).find(|(slot, _)| {
            // Acquire: pairs with the Release in `end_thread`; the sampler is ours from here.
            !slot.taken.load(Ordering::Relaxed) && !slot.taken.swap(true, Ordering::Acquire)
        }) else {
            return;
        };
        let mut sampler = slot.sampler.load(Ordering::Relaxed);
        if sampler.is_null() {
            sampler = map_sampler();
            slot.sampler.store(sampler, Ordering::Relaxed);
        }
        // SAFETY: null, or a sampler of the slot that this thread has taken, which no handler finds
        // as long as the reference lives.
        let Some(own) = (unsafe { sampler.as_mut() }) else { return };
        self.streams.fetch_max(index + 1, Ordering::Relaxed);
        let walk = own.walk.get_mut();
        walk.tree.begin(index);
        walk.registers.begin(index);
        walk.cache.get_or_insert_with(Box::default);
        // SAFETY: a call without arguments that always succeeds.
        own.tid = unsafe { libc::gettid() }.unsigned_abs();
        own.source = Source::new(kind, self.period_ns).ok();
        own.store = Some(store);
        arch::set_sampler_slot(sampler.cast::<c_void>());
        compiler_fence(Ordering::SeqCst);
        if let Some(sampler) = Sampler::of_thread() {
            sampler.arm();
        }
    }

    /// Ends the sampling of the calling thread.
    pub(crate) fn end_thread(&self) {
        let sampler = arch::sampler_slot().cast::<Sampler>();
        arch::set_sampler_slot(ptr::null_mut());
        compiler_fence(Ordering::SeqCst);
        // SAFETY: null, or this thread's sampler, which its handler does not find any more.
        let Some(own) = (unsafe { sampler.as_mut() }) else { return };
        (own.source, own.store) = (None, None);
        let place = |slot: &&Slot| ptr::eq(slot.sampler.load(Ordering::Relaxed), sampler);
        if let Some(slot) = self.slots.iter().find(place) {
            slot.taken.store(false, Ordering::Release);
        }
    }

    /// Releases the chunks of all samplers that no thread has.
    pub(crate) fn close(&self, store: &Store) {
        for slot in self.slots.iter().take(self.streams.load(Ordering::Relaxed) as usize) {
            if !slot.taken.swap(true, Ordering::Acquire) {
                let sampler = slot.sampler.load(Ordering::Relaxed);
                // SAFETY: null, or a sampler that no thread has, and this one has just taken.
                if let Some(sampler) = unsafe { sampler.as_mut() } {
                    let walk = sampler.walk.get_mut();
                    walk.tree.close(store);
                    walk.registers.close(store);
                }
            }
        }
    }

    /// The helper's part: the tables of modules, and whether the program left us the signal.
    /// Returns a message, once.
    pub(crate) fn refresh(&self, maker: &mut Maker) -> Option<String> {
        if self.kind.is_err() {
            return None;
        }
        maker.refresh();
        if !is_installed() && !self.told.swap(true, Ordering::Relaxed) {
            STOPPED.store(true, Ordering::Relaxed);
            let text = "the program handles SIGURG itself: no more call paths are sampled";
            return Some(text.to_owned());
        }
        self.remark()
    }

    /// A message about threads that are not sampled, once.
    pub(crate) fn remark(&self) -> Option<String> {
        alternate::remark()
    }
}

/// The best source that works here.
fn choose(sampling: &Sampling) -> Result<Kind, String> {
    let kinds: &[Kind] = match sampling {
        Sampling::Off => return Err(NOT_WANTED.to_owned()),
        Sampling::Every { timer_only: true, .. } => &[Kind::Timer],
        Sampling::Every { .. } => &[Kind::Perf, Kind::Timer],
    };
    if !memory::is_readable() {
        return Err("the system forbids process_vm_readv".to_owned());
    }
    let mut refused = Vec::new();
    for &kind in kinds {
        match Source::new(kind, 1_000_000) {
            Ok(_) => {
                install()?;
                return Ok(kind);
            }
            Err(error) => refused.push(kind.refusal(&error)),
        }
    }
    Err(refused.join("; "))
}

/// A sampler of no thread, never unmapped; null if there is no memory.
pub(super) fn map_sampler() -> *mut Sampler {
    let Ok(sampler) = zeros::map(size_of::<Sampler>()) else { return ptr::null_mut() };
    let sampler = sampler.as_ptr().cast::<Sampler>();
    // SAFETY: the mapping is ours, large enough, aligned to a page, and never unmapped; the other
    // fields are numbers, for which zeros are valid.
    unsafe {
        (&raw mut (*sampler).source).write(None);
        (&raw mut (*sampler).store).write(None);
        let walk = (*sampler).walk.get();
        (&raw mut (*walk).cache).write(None);
        Tree::prepare(&raw mut (*walk).tree);
        Registers::prepare(&raw mut (*walk).registers);
    }
    sampler
}

/// In a child of fork(2), whose one thread is not sampled: the parent's source goes on without it.
pub(crate) fn begin_child() {
    arch::set_sampler_slot(ptr::null_mut());
    tree::begin_anew();
    registers::begin_anew();
}

/// Keeps the calling thread's path, by which it has begun the region of `team`, inside that of
/// `outer`: samples of other threads have asked for it.
#[cold]
pub(crate) fn tell_fork(store: &Store, team: &Team, outer: u64) {
    let Some(sampler) = Sampler::of_thread() else { return };
    sampler.busy.store(true, Ordering::Relaxed);
    compiler_fence(Ordering::SeqCst);
    let (address, registers) = arch::registers_here();
    let tid = sampler.tid;
    // SAFETY: this thread's sampler, of which `busy` keeps the handler away.
    unsafe {
        sampler.walk(|walk| {
            let node = path(walk, store, address, registers);
            let region = team.id.load(Ordering::Relaxed);
            let sample = Sample { tick: clock::now(), region, outer, node, tid, fork: true };
            walk.tree.keep(store, &sample);
        });
    }
    compiler_fence(Ordering::SeqCst);
    sampler.busy.store(false, Ordering::Relaxed);
}
