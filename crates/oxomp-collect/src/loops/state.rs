//! The chunks of the worksharing construct that a thread executes.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::costs::Curve;

/// OMPT's numbers of work types whose chunks may all be reported before the first one runs.
const DISTRIBUTE: u8 = 6;
pub(super) const LOOP_STATIC: u8 = 10;
/// OMPT's numbers of loops whose threads ask for each chunk: the first, and all from the second to
/// the third.
const LOOP: u8 = 1;
const LOOP_DYNAMIC: u8 = 11;
const LOOP_OTHER: u8 = 13;
/// Of chunks shorter than this, in ticks, one in [`SAMPLE`] is timed: reading the clock for each
/// would change what is measured.
const SHORT_TICKS: u64 = 4096;
const SAMPLE: u32 = 16;
/// Parts of the iteration space whose times are kept apart.
pub(super) const PARTS: usize = 4;

/// The most that handing out one chunk of a loop is taken to cost, as a part of a second: 200 ns.
/// Runtimes need 10 to 60 ns for a chunk that no other thread asks for, and several times as long
/// where threads of other processors ask, too.
const MOST_DISPATCH_PART: u64 = 5_000_000;
static MOST_DISPATCH_TICKS: AtomicU64 = AtomicU64::new(0);

/// Notes the rate of the ticks, before any chunk is handed out.
pub(crate) fn prepare(ticks_per_second: u64) {
    MOST_DISPATCH_TICKS.store(ticks_per_second / MOST_DISPATCH_PART, Ordering::Relaxed);
}

/// The worksharing construct that a thread executes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunks {
    /// OMPT's work type; 0: none.
    pub(super) kind: u8,
    pub(super) code: u64,
    /// Iterations of the whole construct, as the runtime told.
    pub(super) count: u64,
    pub(super) begin: u64,
    /// Chunks handed out.
    pub(crate) handed: u64,
    pub(super) iterations: u64,
    /// When the chunk that is timed began; 0: no chunk is timed now.
    since: u64,
    /// First iteration and iterations of the chunk that runs.
    pub(super) chunk: (u64, u64),
    /// Events until the next chunk is timed.
    skip: u32,
    /// Chunks for which the next time stands.
    weight: u64,
    pub(super) times: [u64; PARTS],
    pub(super) longest: u64,
    pub(super) dispatch: u64,
    pub(super) sizes: (u32, u32),
    /// The loop's cost curve.
    pub(super) curve: Option<Curve>,
}

impl Chunks {
    pub(crate) const NONE: Self = Self {
        kind: 0,
        code: 0,
        count: 0,
        begin: 0,
        handed: 0,
        iterations: 0,
        since: 0,
        chunk: (0, 0),
        skip: 0,
        weight: 1,
        times: [0; PARTS],
        longest: 0,
        dispatch: 0,
        sizes: (u32::MAX, 0),
        curve: None,
    };

    /// A construct begins.
    #[inline]
    pub(super) fn begin(&mut self, kind: u8, code: u64, count: u64, now: u64) {
        *self = Self { kind, code, count, begin: now, ..Self::NONE };
    }

    /// The code address of the construct that the thread has begun last.
    #[inline]
    pub(crate) fn code(&self) -> u64 {
        self.code
    }

    /// Whether the construct is a loop whose threads ask for each chunk.
    pub(super) fn is_asked_for(&self) -> bool {
        matches!(self.kind, LOOP | LOOP_DYNAMIC..=LOOP_OTHER)
    }

    /// Whether a chunk's event comes just before the chunk.
    fn is_prompt(kind: u8) -> bool {
        !matches!(kind, LOOP_STATIC | DISTRIBUTE)
    }

    /// A chunk of `iterations` from `start` on is about to begin; reads the clock if it is to be
    /// timed.
    #[inline]
    pub(crate) fn hand_out(&mut self, start: u64, iterations: u64, clock: impl FnOnce() -> u64) {
        self.handed += 1;
        self.iterations += iterations;
        let size = u32::try_from(iterations).unwrap_or(u32::MAX);
        self.sizes = (self.sizes.0.min(size), self.sizes.1.max(size));
        if !Self::is_prompt(self.kind) {
            // The construct's whole time is spread over the chunks when it ends.
            match self.handed {
                1 => self.chunk = (start, iterations),
                2 => {
                    let (first, its) = self.chunk;
                    self.spread(first, its, its);
                    self.spread(start, iterations, iterations);
                }
                _ => self.spread(start, iterations, iterations),
            }
            return;
        }
        if self.skip > 0 {
            self.skip -= 1;
            if self.skip == 0 {
                self.since = clock();
                self.chunk = (start, iterations);
            }
            return;
        }
        let now = clock();
        if self.handed > 1 {
            self.ran(now.saturating_sub(self.since));
        }
        self.since = now;
        self.chunk = (start, iterations);
    }

    /// The chunk that was timed took so long.
    fn ran(&mut self, ticks: u64) {
        self.longest = self.longest.max(ticks);
        self.spread(self.chunk.0, self.chunk.1, ticks * self.weight);
        if let Some(curve) = self.curve {
            curve.add(self.count, self.chunk.0, self.chunk.1, ticks);
        }
        self.dispatch += ticks.min(MOST_DISPATCH_TICKS.load(Ordering::Relaxed)) * self.weight;
        (self.skip, self.weight) = match ticks < SHORT_TICKS {
            // The next chunk that is timed, and the chunks skipped before it.
            true => (SAMPLE, u64::from(SAMPLE) + 1),
            false => (0, 1),
        };
    }

    /// Adds `amount` to the parts of the iteration space in which the chunk lies.
    fn spread(&mut self, start: u64, iterations: u64, amount: u64) {
        if self.count == 0 || iterations == 0 || start >= self.count {
            self.times[0] += amount;
            return;
        }
        let end = start.saturating_add(iterations);
        let bound = |index: u64| match index.checked_mul(self.count) {
            Some(product) => product / PARTS as u64,
            None => self.count / PARTS as u64 * index,
        };
        let (each, rest) = (amount / iterations, amount % iterations);
        let mut from = 0;
        for (index, time) in self.times.iter_mut().enumerate() {
            let last = index + 1 == PARTS;
            let until = if last { u64::MAX } else { bound(index as u64 + 1) };
            let own = until.min(end).saturating_sub(from.max(start));
            if own == iterations {
                *time += amount;
                return;
            }
            *time += match own {
                0 => 0,
                own if rest == 0 => each * own,
                own => each * own + rest * own / iterations,
            };
            from = until;
        }
    }

    /// The construct of `kind` ends: notes its last chunk, and the time of all chunks.
    pub(super) fn end(&mut self, kind: u8, now: u64) {
        let whole = now.saturating_sub(self.begin);
        if Self::is_prompt(kind) {
            if self.handed > 0 && self.since > 0 && self.skip == 0 {
                self.ran(now.saturating_sub(self.since));
            }
            return;
        }
        self.longest = whole;
        if self.handed == 1 {
            self.spread(self.chunk.0, self.chunk.1, whole);
            return;
        }
        let total: u64 = self.times.iter().sum();
        for time in self.times.iter_mut().filter(|time| **time != 0) {
            *time = match whole.checked_mul(*time) {
                Some(product) => product / total,
                None => (u128::from(whole) * u128::from(*time) / u128::from(total)) as u64,
            };
        }
    }
}
