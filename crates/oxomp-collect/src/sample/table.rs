//! The samplers of a process's threads.

use std::ffi::c_void;
use std::fmt;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};

use oxomp_trace::calls::Sample;
use oxomp_trace::info::NOT_WANTED;

use super::handler::{Cache, FRAMES, install, is_installed, on_own_stack, path};
use super::memory;
use super::modules::Maker;
use super::source::{Kind, Source, kept_period};
use super::stack::Reader;
use super::tree::{self, Tree};
use crate::recording::Recording;
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
pub(super) struct Stack([u8; STACK_BYTES]);

/// One thread's sampler. It begins as zeros, in which [`map_sampler`] writes what is no number.
pub(crate) struct Sampler {
    pub(super) source: Option<Source>,
    pub(super) cache: Option<Box<Cache>>,
    /// Whether code outside the handler uses the sampler.
    pub(super) busy: bool,
    /// Signals that came meanwhile.
    pub(super) missed: u32,
    /// The thread's number.
    pub(super) tid: u32,
    /// When the helper was asked for modules last.
    asked: u64,
    pub(super) stack: Stack,
    pub(super) reader: Reader,
    pub(super) frames: [u64; FRAMES],
    pub(super) tree: Tree,
}

impl Sampler {
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

    /// Samples the calling thread from now on, if it is not sampled yet.
    pub(crate) fn begin_thread(&self) {
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
        // SAFETY: null, or a sampler of the slot that this thread has taken.
        let Some(own) = (unsafe { sampler.as_mut() }) else { return };
        self.streams.fetch_max(index + 1, Ordering::Relaxed);
        own.tree.begin(index);
        own.cache.get_or_insert_with(Box::default);
        // SAFETY: a call without arguments that always succeeds.
        own.tid = unsafe { libc::gettid() }.unsigned_abs();
        own.source = Source::new(kind, self.period_ns).ok();
        arch::set_sampler_slot(sampler.cast::<c_void>());
        if let Some(source) = &own.source {
            source.arm();
        }
    }

    /// Ends the sampling of the calling thread.
    pub(crate) fn end_thread(&self) {
        let sampler = arch::sampler_slot().cast::<Sampler>();
        arch::set_sampler_slot(ptr::null_mut());
        // SAFETY: null, or this thread's sampler, which its handler does not find any more.
        let Some(own) = (unsafe { sampler.as_mut() }) else { return };
        own.source = None;
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
                    sampler.tree.close(store);
                }
            }
        }
    }

    /// The helper's part: the tables of modules, and whether the program left us the signal.
    /// Returns a message, once.
    pub(crate) fn refresh(&self, maker: &mut Maker) -> Option<&'static str> {
        if self.kind.is_err() {
            return None;
        }
        maker.refresh();
        if !is_installed() && !self.told.swap(true, Ordering::Relaxed) {
            STOPPED.store(true, Ordering::Relaxed);
            return Some("the program handles SIGURG itself: no more call paths are sampled");
        }
        None
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
    let mut why = String::new();
    for &kind in kinds {
        match Source::new(kind, 1_000_000) {
            Ok(_) => {
                install()?;
                return Ok(kind);
            }
            Err(error) => why = format!("{kind:?}: {error}"),
        }
    }
    Err(why)
}

fn map_sampler() -> *mut Sampler {
    let Ok(sampler) = zeros::map(size_of::<Sampler>()) else { return ptr::null_mut() };
    let sampler = sampler.as_ptr().cast::<Sampler>();
    // SAFETY: the mapping is ours, large enough, aligned to a page, and never unmapped; the other fields are numbers, for which zeros
    // are valid.
    unsafe {
        (&raw mut (*sampler).source).write(None);
        (&raw mut (*sampler).cache).write(None);
        Tree::prepare(&raw mut (*sampler).tree);
    }
    sampler
}

/// In a child of fork(2), whose one thread is not sampled: the parent's source goes on without it.
pub(crate) fn begin_child() {
    arch::set_sampler_slot(ptr::null_mut());
    tree::begin_anew();
}

/// Keeps the calling thread's path, by which it has begun the region of `team`, inside that of
/// `outer`: samples of other threads have asked for it.
#[cold]
pub(crate) fn tell_fork(recording: &Recording, team: &Team, outer: u64) {
    let sampler = arch::sampler_slot().cast::<Sampler>();
    // SAFETY: null, or this thread's sampler; while it is busy the handler leaves it alone.
    unsafe {
        if sampler.is_null() {
            return;
        }
        (&raw mut (*sampler).busy).write_volatile(true);
        let (address, registers) = arch::registers_here();
        on_own_stack(sampler, |sampler| {
            let node = path(sampler, recording, address, registers);
            let region = team.id.load(Ordering::Relaxed);
            let (tick, tid) = (clock::now(), sampler.tid);
            let sample = Sample { tick, region, outer, node, tid, fork: true };
            sampler.tree.keep(recording.store(), &sample);
        });
        (&raw mut (*sampler).busy).write_volatile(false);
    }
}
