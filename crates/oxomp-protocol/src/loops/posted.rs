//! Doacross loops: which iterations are posted, and waiting for one. Steps and argument: README.md
//! beside this file.

use core::cell::Cell;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::collections::BTreeSet;

use super::table::Table;
use crate::lock::Guarded;
use crate::patience::{Patience, look_until};
use crate::shim::{AtomicU8, AtomicU32, AtomicU64, IS_MODEL};
use crate::{Alone, Sole};

/// The iteration space of a loop nest, as rows of equal length: a row has the iterations that
/// differ in the innermost loop only. The iterations of a single loop are rows of length 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The number of rows; `None` if it is above 2^64.
    pub rows: Option<u64>,
    /// The number of iterations of a row.
    pub length: u64,
}

/// An iteration: its row and its column. They are computed modulo 2^64 where the space has no
/// number of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    row: u64,
    column: u64,
}

impl Iteration {
    /// The iteration in a row and a column, both counted from 0.
    ///
    /// # Safety
    /// The value is used for loops only whose shape has this iteration: the row is below the
    /// number of rows, if the shape has one, and the column is below the length.
    #[inline(always)]
    pub const unsafe fn at(row: u64, column: u64) -> Self {
        Iteration { row, column }
    }

    /// The row and the column.
    pub fn place(self) -> (u64, u64) {
        (self.row, self.column)
    }
}

/// The posted iterations of a loop, which its threads share. A thread that is in the loop has a
/// [`Posting`].
///
/// Invariants:
/// 1. An iteration is posted if its row's word counts it, or its flag is set, or `others` has it.
///    Each thread posts the iterations that it executes, so one thread posts an iteration.
/// 2. A row's word counts the iterations, from the row's first on, that have been posted without a
///    gap by the thread which posts the first one. Only that thread writes the word.
/// 3. Words and flags of earlier loops bear other epochs, and count as 0.
#[derive(Debug)]
pub struct Posted {
    /// The epoch of the present loop, from 1 to `LAST_EPOCH`.
    epoch: AtomicU32,
    /// A thread has begun the loop.
    is_used: AtomicU32,
    /// `others` has an iteration.
    has_others: AtomicU32,
    /// For each row the number of posted iterations, and the epoch in the lowest bits.
    words: Table<AtomicU64>,
    /// For each iteration the epoch, if it is posted.
    flags: Table<AtomicU8>,
    /// The posted iterations for which there is neither a word nor a flag: those of spaces too
    /// large for tables. Each is the vector that the program passed.
    others: Guarded<BTreeSet<Box<[u64]>>>,
}

/// The last epoch before the tables are cleared.
const LAST_EPOCH: u32 = if IS_MODEL { 2 } else { u8::MAX as u32 };

/// The bits of a row's word that hold the epoch.
const EPOCH_BITS: u32 = 8;

/// A longer row has no word.
const LONGEST_ROW: u64 = u64::MAX >> EPOCH_BITS;

/// No row has this number: a space of 2^64 - 1 rows has no table of words.
const NO_ROW: u64 = u64::MAX;

/// The posted iterations of the loop that a thread is in.
///
/// ```no_run
/// use oxomp_protocol::loops::{Iteration, Posting};
///
/// fn posts(posting: Posting<'_>, it: Iteration) {
///     posting.post(it, || Box::new([0]));
/// }
/// ```
///
/// A thread that has no proof that it is in the loop posts nothing:
///
/// ```compile_fail,E0599
/// use oxomp_protocol::loops::{Iteration, Posted};
///
/// fn posts(posted: &Posted, it: Iteration) {
///     posted.post(it, || Box::new([0]));
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Posting<'a> {
    posted: &'a Posted,
    run: &'a PostedRun,
}

/// What a thread knows of the loop that it is in.
#[derive(Debug)]
pub struct PostedRun {
    shape: Cell<Shape>,
    /// The epoch of the loop.
    epoch: Cell<u8>,
    /// The row whose word this thread counts, and the number that it has stored there.
    own: Cell<(u64, u64)>,
    /// A row whose word this thread has read, and the number that it found.
    seen: Cell<(u64, u64)>,
}

impl PostedRun {
    /// The knowledge of a thread that is in no loop.
    pub fn new() -> Self {
        PostedRun {
            shape: Cell::new(Shape { rows: None, length: 1 }),
            epoch: Cell::new(0),
            own: Cell::new((NO_ROW, 0)),
            seen: Cell::new((NO_ROW, 0)),
        }
    }
}

impl Shape {
    /// The number of words, if each row has one. The iterations of rows of length 1 have flags
    /// only, which are shorter.
    #[inline(always)]
    fn words(self) -> Option<u64> {
        if self.length > 1 && self.length <= LONGEST_ROW { self.rows } else { None }
    }

    /// The number of flags.
    fn flags(self) -> Option<u64> {
        self.rows?.checked_mul(self.length)
    }
}

impl Posted {
    /// No iteration is posted.
    pub fn new() -> Self {
        Posted {
            epoch: AtomicU32::new(1),
            is_used: AtomicU32::new(0),
            has_others: AtomicU32::new(0),
            words: Table::new(),
            flags: Table::new(),
            others: Guarded::new(BTreeSet::new()),
        }
    }

    /// A thread begins the loop.
    pub fn begin(&self, run: &PostedRun, shape: Shape) {
        run.shape.set(shape);
        // Relaxed: the thread has entered the loop's slot after the last change (`clean`).
        run.epoch.set(self.epoch.load(Relaxed) as u8);
        run.own.set((NO_ROW, 0));
        run.seen.set((NO_ROW, 0));
        // Relaxed: the thread that leaves last, after all others, reads it. The load keeps the
        // line shared.
        if self.is_used.load(Relaxed) == 0 {
            self.is_used.store(1, Relaxed);
        }
    }

    /// The loop, for a thread that is in it.
    ///
    /// # Safety
    /// As long as the value is used, the calling thread is in the loop: it has begun the loop with
    /// `run`, and neither has left it nor has begun another with `run`. All threads of the loop
    /// have begun it with the same shape.
    #[inline(always)]
    pub unsafe fn in_loop<'a>(&'a self, run: &'a PostedRun) -> Posting<'a> {
        Posting { posted: self, run }
    }

    /// In the child of a fork(2), for a loop of threads that are gone.
    pub fn forget(&self, alone: &Alone) {
        self.is_used.store(0, Relaxed);
        self.has_others.store(0, Relaxed);
        self.words.forget(alone);
        self.flags.forget(alone);
        self.outlive_others(alone);
    }

    /// In the child of a fork(2), for the loop that the surviving thread is in: it posts on, and
    /// does not wait. A thread that is gone may have held the lock of `others`.
    pub fn outlive_others(&self, alone: &Alone) {
        self.others.forget(BTreeSet::new(), alone);
    }
}

impl<'a> Posting<'a> {
    /// The posted iterations as all threads have them.
    pub fn posted(self) -> &'a Posted {
        self.posted
    }

    /// The calling thread posts an iteration that it executes. `vector` is the iteration as the
    /// program passed it.
    #[inline(always)]
    pub fn post(self, it: Iteration, vector: impl Fn() -> Box<[u64]>) {
        let Posting { posted, run } = self;
        let shape = run.shape.get();
        if let Some(rows) = shape.words()
            && (it.column == 0 || run.own.get() == (it.row, it.column))
            // SAFETY: the shape has the row (`Iteration::at`). The calling thread is in the loop,
            // and all threads of the loop have the same shape (`Posted::in_loop`).
            && let Some(word) = unsafe { posted.words.get_or_make(it.row, rows) }
        {
            run.own.set((it.row, it.column + 1));
            // Release: the waiter sees what the iteration did; pairs with `is_posted`. No other
            // thread writes the word (Invariant 2).
            word.store((it.column + 1) << EPOCH_BITS | u64::from(run.epoch.get()), Release);
            return;
        }
        if shape.length == 1
            && let Some(rows) = shape.rows
            // SAFETY: as above.
            && let Some(flag) = unsafe { posted.flags.get_or_make(it.row, rows) }
        {
            // Release: as above.
            flag.store(run.epoch.get(), Release);
            return;
        }
        self.post_apart(it, vector);
    }

    /// Posts an iteration that its row's word does not count: its row is shared out among threads,
    /// or the program posts only some of its iterations, or the space is too large for a table.
    #[cold]
    fn post_apart(self, it: Iteration, vector: impl Fn() -> Box<[u64]>) {
        let Posting { posted, run } = self;
        let shape = run.shape.get();
        // SAFETY: as in `post`; the flags of a row follow those of the row before.
        let flag = shape.flags().and_then(|count| unsafe {
            posted.flags.get_or_make(it.row * shape.length + it.column, count)
        });
        match flag {
            // Release: as in `post`.
            Some(flag) => flag.store(run.epoch.get(), Release),
            None => {
                posted.others.with(|others| others.insert(vector()));
                // Relaxed: the lock orders the iterations; this tells that it is worth taking.
                posted.has_others.store(1, Relaxed);
            }
        }
    }

    /// Waits until the iteration is posted, or `is_over` says that there is nothing to wait for.
    /// `vector` is the iteration as the program passed it.
    #[cold]
    pub fn wait(
        self,
        it: Iteration,
        vector: impl Fn() -> Box<[u64]> + Copy,
        patience: Patience,
        is_over: impl Fn() -> bool,
    ) {
        let look = || self.is_posted(it, vector) || is_over();
        look_until(patience, look, |is_done| is_done);
    }

    /// Whether the iteration is posted.
    #[inline(always)]
    pub fn is_posted(self, it: Iteration, vector: impl Fn() -> Box<[u64]>) -> bool {
        let Posting { posted, run } = self;
        let shape = run.shape.get();
        if let Some(rows) = shape.words() {
            let (row, count) = run.seen.get();
            if row == it.row && it.column < count {
                // The load that found the number was an Acquire of that thread's Release.
                return true;
            }
            // SAFETY: as in `post`.
            if let Some(word) = unsafe { posted.words.get(it.row, rows) } {
                // Acquire: pairs with the Release of `post`.
                let word = word.load(Acquire);
                let count = word >> EPOCH_BITS;
                if word as u8 == run.epoch.get() && it.column < count {
                    run.seen.set((it.row, count));
                    return true;
                }
            }
        } else if shape.length == 1
            && let Some(rows) = shape.rows
            // SAFETY: as in `post`.
            && let Some(flag) = unsafe { posted.flags.get(it.row, rows) }
        {
            // Acquire: as above.
            if flag.load(Acquire) == run.epoch.get() {
                return true;
            }
        }
        self.is_posted_apart(it, vector)
    }

    #[inline(never)]
    fn is_posted_apart(self, it: Iteration, vector: impl Fn() -> Box<[u64]>) -> bool {
        let Posting { posted, run } = self;
        let shape = run.shape.get();
        // SAFETY: as in `post_apart`.
        let flag = shape.flags().and_then(|count| unsafe {
            posted.flags.get(it.row * shape.length + it.column, count)
        });
        // Acquire: pairs with the Release of `post_apart`.
        if flag.is_some_and(|flag| flag.load(Acquire) == run.epoch.get()) {
            return true;
        }
        // Relaxed: the lock orders the iterations.
        posted.has_others.load(Relaxed) != 0
            && posted.others.with(|others| others.contains(&vector()))
    }
}

impl Sole<&Posted> {
    /// Every thread has left the loop: no iteration of the next one is posted. The tables of most
    /// loops stay as they are.
    #[inline(always)]
    pub fn clean(self) {
        // Relaxed, here and below: the slot's turn publishes the changes.
        if self.is_used.load(Relaxed) != 0 {
            self.clean_used();
        }
    }

    #[cold]
    fn clean_used(self) {
        self.is_used.store(0, Relaxed);
        // SAFETY: no other thread uses the tables, and nothing that they lent out is in use.
        unsafe {
            self.words.clean();
            self.flags.clean();
        }
        if self.has_others.load(Relaxed) != 0 {
            self.has_others.store(0, Relaxed);
            self.others.with(BTreeSet::clear);
        }
        let epoch = self.epoch.load(Relaxed);
        if epoch == LAST_EPOCH {
            self.words.clear_kept();
            self.flags.clear_kept();
        }
        self.epoch.store(epoch % LAST_EPOCH + 1, Relaxed);
    }
}
