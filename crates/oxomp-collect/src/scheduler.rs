//! The time that the system's scheduler took from user code: a thread that is ready but has no
//! processor does no work.
//!
//! A thread looks at its own processor time where user code begins and where it ends, if long
//! enough has passed: a slice that the scheduler gives to another thread takes milliseconds, so
//! short stretches are looked at together.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};

use oxomp_trace::FoldKind;
use oxomp_trace::fold::scheduler;

use crate::log::Log;
use crate::sample;
use crate::store::Store;

/// Parts of a second: a stretch that is shorter is not looked at by itself. A look takes a system
/// call of 0.5 to 1 µs.
const LOOKS_PER_SECOND: u64 = 2000;
static TICKS_PER_SECOND: AtomicU64 = AtomicU64::new(u64::MAX);
/// Ticks of the shortest stretch that is looked at by itself.
static LONG_TICKS: AtomicU64 = AtomicU64::new(u64::MAX);

/// Notes the rate of the ticks, before any thread looks.
pub(crate) fn prepare(ticks_per_second: u64) {
    TICKS_PER_SECOND.store(ticks_per_second.max(1), Ordering::Relaxed);
    LONG_TICKS.store(ticks_per_second / LOOKS_PER_SECOND, Ordering::Relaxed);
}

/// A thread's use of processors up to its last look.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Looked {
    tick: u64,
    /// Processor time, ns.
    cpu: u64,
    involuntary: u64,
    voluntary: u64,
    /// When the present stretch of user code began; 0: none.
    since: u64,
    /// How many stretches have begun, of the first ones.
    begun: u32,
}

/// Stretches that begin with a look at the thread's alternate signal stack: programs install one
/// early. After these, longer stretches do.
const FIRST: u32 = 100;

impl Looked {
    pub(crate) const NEVER: Self =
        Self { tick: 0, cpu: 0, involuntary: 0, voluntary: 0, since: 0, begun: 0 };

    /// Looks at `now`; returns how many ticks since the last look the thread was ready without a
    /// processor.
    #[cold]
    fn look(&mut self, now: u64) -> u64 {
        sample::look_at_stack();
        let mut usage = MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: `usage` has room for the answer, and zeros are a valid one if there is none.
        let usage = unsafe {
            libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr());
            usage.assume_init()
        };
        let ns = |time: libc::timeval| {
            time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_usec.unsigned_abs() * 1000
        };
        let before = *self;
        self.tick = now;
        self.cpu = ns(usage.ru_utime) + ns(usage.ru_stime);
        self.involuntary = usage.ru_nivcsw.unsigned_abs();
        self.voluntary = usage.ru_nvcsw.unsigned_abs();
        let involuntary = self.involuntary - before.involuntary.min(self.involuntary);
        let voluntary = self.voluntary - before.voluntary.min(self.voluntary);
        if before.tick == 0 || involuntary == 0 {
            return 0;
        }
        let rate = u128::from(TICKS_PER_SECOND.load(Ordering::Relaxed));
        let cpu = u128::from(self.cpu.saturating_sub(before.cpu)) * rate / 1_000_000_000;
        let without = now.saturating_sub(before.tick).saturating_sub(cpu as u64);
        // A thread that also blocked by itself spent part of the time in that.
        without / (involuntary + voluntary) * involuntary
    }
}

/// Whether so many ticks are worth a look.
#[inline]
fn is_long(ticks: u64) -> bool {
    ticks > LONG_TICKS.load(Ordering::Relaxed)
}

impl Log {
    /// The thread begins or resumes user code.
    #[inline]
    pub(crate) fn begin_user_code(&mut self, now: u64) {
        let looked = &mut self.looked;
        looked.since = now;
        if looked.begun < FIRST {
            looked.begun += 1;
            sample::look_at_stack();
        }
        if is_long(now.saturating_sub(looked.tick)) {
            looked.look(now);
        }
    }

    /// The thread ends or leaves user code: adds up what the scheduler took of it. Returns the
    /// ticks that it took since user code began.
    #[inline]
    pub(crate) fn end_user_code(&mut self, store: &Store, now: u64) -> u64 {
        let since = std::mem::take(&mut self.looked.since);
        let length = now.saturating_sub(since);
        if since == 0 || !is_long(length) {
            return 0;
        }
        self.end_long_stretch(store, now, length)
    }

    #[cold]
    fn end_long_stretch(&mut self, store: &Store, now: u64, length: u64) -> u64 {
        let taken = self.looked.look(now).min(length);
        if taken > 0 {
            let region = self.region_code();
            if let Some(values) = self.beside(store, FoldKind::Scheduler, 0, [region, 0]) {
                values[scheduler::TAKEN] += taken;
                values[scheduler::STRETCHES] += 1;
            }
        }
        taken
    }

    /// A region at `region` ends in which the scheduler caused waits of so many ticks, or, below 0,
    /// hid them: where it delays a thread with little work, this one waits less for the others.
    #[inline]
    pub(crate) fn delay_by_scheduler(&mut self, store: &Store, region: u64, waits: i64) {
        if waits != 0
            && let Some(values) = self.beside(store, FoldKind::Scheduler, 0, [region, 0])
        {
            let place = if waits > 0 { scheduler::WAITS } else { scheduler::HIDDEN_WAITS };
            values[place] += waits.unsigned_abs();
        }
    }

    /// The thread, the first one of the process, begins: the scheduler has taken `waited_ns` of its
    /// time since the process began.
    pub(crate) fn begin_late(&mut self, store: &Store, waited_ns: u64) {
        let rate = u128::from(TICKS_PER_SECOND.load(Ordering::Relaxed));
        let taken = (u128::from(waited_ns) * rate / 1_000_000_000) as u64;
        if is_long(taken)
            && let Some(values) = self.beside(store, FoldKind::Scheduler, 0, [0, 0])
        {
            values[scheduler::TAKEN] += taken;
            values[scheduler::STRETCHES] += 1;
        }
    }

    /// The code address of the region that the thread is in; 0 outside every region.
    pub(crate) fn region_code(&mut self) -> u64 {
        self.context.regions.top().map_or(0, |frame| frame.region.code)
    }
}
