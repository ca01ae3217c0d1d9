//! The samplers of a process's threads.

use std::ffi::c_void;
use std::fmt;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering, compiler_fence};

use oxomp_arch::registers_here;
use oxomp_trace::calls::Sample;
use oxomp_trace::counters::Counter;
use oxomp_trace::info::NOT_WANTED;

use super::alternate;
use super::blocked::Subject;
use super::handler::{install, is_installed, path};
use super::memory;
use super::modules::Maker;
use super::offers;
use super::python;
use super::sampler::{Sampler, anew, map_sampler};
use super::source::{Kind, Source, kept_period};
use crate::counters::{Counters, Fake, Opener};
use crate::mode::MODE;
use crate::own_thread::own_thread;
use crate::settings::{Sampling, Settings};
use crate::store::Store;
use crate::team::Team;
use crate::{clock, slot};

/// The most threads that are sampled at the same time.
const SLOTS: usize = 4096;

/// Whether the program has taken the signal for itself: no further thread is sampled.
pub(super) static STOPPED: AtomicBool = AtomicBool::new(false);

/// A place for a thread's sampler.
#[derive(Debug)]
pub(super) struct Slot {
    taken: AtomicBool,
    pub(super) sampler: AtomicPtr<Sampler>,
    /// The thread's number; 0: none.
    pub(super) tid: AtomicU32,
    /// Its pthread_self; 0: not known.
    handle: AtomicU64,
    /// Whether nothing is called at the thread's end, so that the helper must learn of it.
    pub(super) is_guest: AtomicBool,
}

impl Slot {
    pub(super) fn has(&self, sampler: *const Sampler) -> bool {
        ptr::eq(self.sampler.load(Ordering::Relaxed), sampler)
    }
}

/// Every thread's sampler, and the source of its signals.
pub(crate) struct Samples {
    /// `Err`: why there is no sampling.
    pub(super) kind: Result<Kind, String>,
    /// The time between two samples.
    pub(crate) period_ns: u64,
    pub(super) slots: Box<[Slot]>,
    streams: AtomicU32,
    /// What each sampled thread counts.
    counters: Counters,
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
        let mut counters = Counters::choose(&settings.counters, opener(settings));
        if let Err(why) = &chosen {
            counters.refuse_all(&format!("they are read with samples, and there are none: {why}"));
        }
        Self {
            counters,
            period_ns: chosen.as_ref().map_or(0, |kind| kept_period(*kind, period)),
            slots: match chosen {
                Ok(_) => (0..SLOTS)
                    .map(|_| Slot {
                        taken: AtomicBool::new(false),
                        sampler: AtomicPtr::new(ptr::null_mut()),
                        tid: AtomicU32::new(0),
                        handle: AtomicU64::new(0),
                        is_guest: AtomicBool::new(false),
                    })
                    .collect(),
                Err(_) => Box::default(),
            },
            kind: chosen,
            streams: AtomicU32::new(0),
            told: AtomicBool::new(false),
        }
    }

    /// The counters that were asked for, and why some are not there.
    pub(crate) fn counters(&self) -> &[Counter] {
        self.counters.told()
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
        if STOPPED.load(Ordering::Relaxed) {
            return;
        }
        let mut spare = ptr::null_mut();
        // It may have been offered one, and not have had a signal yet.
        match Sampler::of_thread().or_else(Sampler::accept).map(|sampler| sampler.store) {
            Some(Some(own)) if ptr::eq(own, store) => return self.keep_guest(),
            // Of a recording that has ended while the program went on.
            Some(_) => {
                spare = slot::sampler_slot().cast::<Sampler>();
                self.end_thread();
            }
            None => {}
        }
        let tid = own_thread().unsigned_abs();
        let source = Source::new(kind, self.period_ns).ok();
        let Some(sampler) = self.make(store, tid, source, spare, false) else { return };
        self.count(sampler, tid);
        slot::set_sampler_slot(sampler.cast::<c_void>());
        compiler_fence(Ordering::SeqCst);
        if let Some(sampler) = Sampler::of_thread() {
            sampler.arm();
        }
    }

    /// A sampler for the thread `tid`, with a slot of the table; `None` if there is no more room.
    /// It is the caller's until a thread's variable names it. `spare` is null, or a sampler to use.
    pub(super) fn make(
        &self,
        store: &'static Store,
        tid: u32,
        source: Option<Source>,
        spare: *mut Sampler,
        is_guest: bool,
    ) -> Option<*mut Sampler> {
        let (slot, index) = self.slots.iter().zip(0..).find(|(slot, _)| {
            // Acquire: pairs with the Release in `free`; the sampler is ours from here.
            !slot.taken.load(Ordering::Relaxed) && !slot.taken.swap(true, Ordering::Acquire)
        })?;
        let mut sampler = slot.sampler.load(Ordering::Relaxed);
        if sampler.is_null() {
            // SAFETY: the caller's own sampler, which no handler finds any more; the recording that
            // had it has ended.
            sampler = unsafe { anew(spare) }.unwrap_or_else(map_sampler);
            slot.sampler.store(sampler, Ordering::Relaxed);
        }
        // SAFETY: null, or a sampler of the slot that the caller has taken, which no handler finds
        // as long as the reference lives.
        let own = unsafe { sampler.as_mut() }?;
        self.streams.fetch_max(index + 1, Ordering::Relaxed);
        let walk = own.own_walk();
        walk.tree.begin(index);
        walk.registers.begin(index);
        walk.python.codes.begin(index);
        walk.has_log = false;
        (own.tid, own.is_guest) = (tid, is_guest);
        own.make_cache();
        (own.source, own.store) = (source, Some(store));
        slot.is_guest.store(is_guest, Ordering::Relaxed);
        // SAFETY: the call has no arguments.
        let handle = if is_guest { 0 } else { unsafe { libc::pthread_self() } };
        slot.handle.store(handle, Ordering::Relaxed);
        slot.tid.store(tid, Ordering::Release);
        Some(sampler)
    }

    /// The calling thread's counters count from now on. No handler finds its sampler.
    pub(super) fn count(&self, sampler: *mut Sampler, tid: u32) {
        let index = self.slots.iter().zip(0..).find(|(slot, _)| slot.has(sampler));
        let Some((_, index)) = index else { return };
        // SAFETY: null, or this thread's sampler, which its handler does not find.
        if let Some(own) = unsafe { sampler.as_mut() } {
            own.own_walk().counters.begin(&self.counters, index, tid, paused());
        }
    }

    /// Ends the sampling of the calling thread.
    pub(crate) fn end_thread(&self) {
        let sampler = slot::sampler_slot().cast::<Sampler>();
        slot::set_sampler_slot(ptr::null_mut());
        compiler_fence(Ordering::SeqCst);
        // SAFETY: null, or this thread's sampler, which its handler does not find any more.
        let Some(own) = (unsafe { sampler.as_mut() }) else { return };
        if let Some(store) = own.store {
            own.own_walk().counters.end(store, paused());
        }
        self.free(sampler);
    }

    /// Makes a sampler, which no handler finds any more, one of no thread.
    pub(super) fn free(&self, sampler: *mut Sampler) {
        // SAFETY: null, or a sampler that the caller alone uses.
        let Some(own) = (unsafe { sampler.as_mut() }) else { return };
        (own.source, own.store) = (None, None);
        if let Some(slot) = self.slots.iter().find(|slot| slot.has(sampler)) {
            slot.is_guest.store(false, Ordering::Relaxed);
            slot.tid.store(0, Ordering::Relaxed);
            slot.taken.store(false, Ordering::Release);
        }
    }

    /// The slots that threads have had.
    pub(super) fn used(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().take(self.streams.load(Ordering::Relaxed) as usize)
    }

    /// The threads that are sampled, whether OpenMP knows them or not, by their slots, but those of
    /// Python of which only the number is known: their paths could not be told.
    pub(super) fn threads(&self) -> impl Iterator<Item = (usize, Subject)> {
        self.used().enumerate().filter_map(|(number, slot)| {
            // Acquire: pairs with the Release in `make`, for the handle.
            let tid = slot.tid.load(Ordering::Acquire);
            let handle = slot.handle.load(Ordering::Relaxed);
            let is_told = tid != 0 && (handle != 0 || !python::is_there());
            is_told.then_some((number, Subject { code: 0, team: None, tid, handle }))
        })
    }

    /// The numbers of the threads that are sampled.
    pub(super) fn tids(&self) -> Vec<u32> {
        self.used().map(|slot| slot.tid.load(Ordering::Relaxed)).filter(|&tid| tid != 0).collect()
    }

    /// Releases the chunks of all samplers that no thread has.
    pub(crate) fn close(&self, store: &Store) {
        for slot in self.slots.iter().take(self.streams.load(Ordering::Relaxed) as usize) {
            if !slot.taken.swap(true, Ordering::Acquire) {
                let sampler = slot.sampler.load(Ordering::Relaxed);
                // SAFETY: null, or a sampler that belonged to no thread and that the calling thread
                // has just taken.
                if let Some(sampler) = unsafe { sampler.as_mut() } {
                    let walk = sampler.own_walk();
                    walk.tree.close(store);
                    walk.registers.close(store);
                    walk.python.codes.close(store);
                    walk.counters.close(store);
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
        alternate::remark().or_else(|| self.counters.remark())
    }
}

/// Who opens counters.
fn opener(settings: &Settings) -> Opener {
    let fake = settings.fake_counters.as_deref().and_then(Fake::of_text);
    fake.map_or(Opener::Kernel, Opener::Fake)
}

/// The ticks of all pauses of the recording so far.
pub(super) fn paused() -> u64 {
    MODE.paused_until(clock::now())
}

/// The best source that works here.
fn choose(sampling: &Sampling) -> Result<Kind, String> {
    let kinds: &[Kind] = match sampling {
        Sampling::Off => return Err(NOT_WANTED.to_owned()),
        Sampling::Every { timer_only: true, .. } => &[Kind::Timer],
        Sampling::Every { .. } => &[Kind::Perf, Kind::Timer],
    };
    if !memory::is_readable() {
        return Err("the system lets the process read its own memory in no way".to_owned());
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

/// In a child of fork(2), whose one thread is not sampled: the parent's source goes on without it.
pub(crate) fn begin_child() {
    slot::set_sampler_slot(ptr::null_mut());
    offers::begin_child();
    begin_anew();
}

/// The process begins another recording, with no path yet.
pub(crate) fn begin_anew() {
    python::begin_anew();
}

/// Keeps the call path by which the calling thread has begun the region of `team`, inside the
/// region `outer`: samples of other threads have asked for it.
#[cold]
pub(crate) fn tell_fork(store: &Store, team: &Team, outer: u64) {
    let Some(sampler) = Sampler::of_thread() else { return };
    sampler.busy.store(true, Ordering::Relaxed);
    compiler_fence(Ordering::SeqCst);
    let from = registers_here();
    let tid = sampler.tid;
    // SAFETY: this thread's sampler, of which `busy` keeps the handler away.
    unsafe {
        sampler.walk(|walk| {
            let node = path(walk, store, from);
            let region = team.id.load(Ordering::Relaxed);
            let sample = Sample { tick: clock::now(), region, outer, node, tid, fork: true };
            walk.tree.keep(store, &sample);
        });
    }
    compiler_fence(Ordering::SeqCst);
    sampler.busy.store(false, Ordering::Relaxed);
}
