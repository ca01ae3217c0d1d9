//! The call paths in which threads block: the helper looks from outside at threads that wait in the
//! kernel, and walks their stacks.
//!
//! Nothing disturbs the thread, which a signal would wake from its sleep. The kernel tells in which
//! system call it waits, with its stack pointer and its address. The helper reads the stack as a
//! signal handler reads its thread's stack, and believes it if the thread has not run meanwhile,
//! which its processor time tells.

use std::fmt;
use std::ptr::NonNull;
use std::sync::atomic::Ordering;

use framehop::{FrameAddress, UnwindRegsNative};
use oxomp_arch::read::Machine;
use oxomp_arch::registers_at;
use oxomp_trace::calls::{Blocked, Pseudo, Sample};

use super::memory;
use super::modules::{Tables, with_tables};
use super::sampler::{Sampler, Walk, map_sampler};
use super::steps::follow;
use super::table::Samples;
use super::unwinder::{FramePointer, unwind_registers};
use super::waiting::{CallFile, Told, Waiting};
use crate::log::Logs;
use crate::mode::{MODE, Mode};
use crate::store::Store;
use crate::team::Team;
use crate::visible::InUserCode;
use crate::{clock, usage};

/// The time between two looks, for each of which a look counts once. Where no thread blocks, or
/// looking costs more than [`MOST_COST`] of the time, looks are farther apart, and a look counts
/// once for each such time that it stands for.
const PERIOD_NS: u64 = Blocked::PERIOD_NS;
const LONGEST_NS: u64 = 40_000_000;
const MOST_COST: u64 = 100;
/// How often a look counts at most.
const MOST_WEIGHT: u64 = 64;
/// A thread that does not compute for one such part of the time, or less, counts as one that
/// computes all the time.
const BUSY_PART: u64 = 16;
/// Words of a stack in which a frame pointer is sought.
const MOST_WORDS: u64 = 512;
/// Stands for an unknown frame pointer. It is not aligned, and so never the address of a word.
const UNKNOWN: u64 = 1;

/// A thread that the helper has seen.
#[derive(Debug, Default)]
struct Known {
    tid: u32,
    /// `None`: not opened, or refused.
    file: Option<CallFile>,
    is_refused: bool,
    /// Its processor time, and when it was read, ns.
    used: u64,
    looked: u64,
}

/// A thread that is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject {
    /// The code address of the region that it is in; 0: none.
    pub(super) code: u64,
    pub(super) team: Option<&'static Team>,
    pub(super) tid: u32,
    /// Its pthread_self; 0: not known.
    pub(super) handle: u64,
}

impl From<InUserCode> for Subject {
    fn from(InUserCode { code, team, tid, handle, .. }: InUserCode) -> Self {
        Self { code, team, tid, handle }
    }
}

/// The helper's part in sampling.
pub(crate) struct Watcher {
    /// Where it walks; `None` if it does not look at all.
    sampler: Option<NonNull<Sampler>>,
    /// By slot of the thread.
    threads: Vec<Known>,
    /// When it looks next, and the time between the last looks, ns.
    due: u64,
    pause: u64,
    random: u64,
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watcher").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl Watcher {
    /// A watcher that looks if `is_wanted` says so.
    pub(crate) fn new(is_wanted: bool) -> Self {
        let sampler = NonNull::new(if is_wanted { map_sampler() } else { std::ptr::null_mut() });
        let mut watcher = Self {
            sampler,
            threads: Vec::new(),
            due: 0,
            pause: PERIOD_NS,
            random: clock::now() | 1,
        };
        if let Some(walk) = watcher.walk() {
            walk.tree.begin_blocked();
            walk.python.codes.begin_blocked();
            walk.cache.get_or_insert_with(Box::default);
        }
        watcher
    }

    fn walk(&mut self) -> Option<&mut Walk> {
        // SAFETY: the mapping is this watcher's; no thread uses it as its sampler.
        self.sampler.map(|mut sampler| unsafe { sampler.as_mut() }.own_walk())
    }

    /// Sleeps for `milliseconds` as [`Store::listen`] does, and looks meanwhile at blocked threads
    /// of `logs`, or, as long as OpenMP knows none, of `samples`.
    pub(crate) fn listen(
        &mut self,
        store: &Store,
        (logs, samples): (&Logs, &Samples),
        seen: i32,
        milliseconds: u64,
    ) {
        if self.sampler.is_none() {
            return store.listen(seen, milliseconds);
        }
        let until = clock::read(libc::CLOCK_MONOTONIC) + milliseconds * 1_000_000;
        while store.bell.load(Ordering::Acquire) == seen {
            let now = clock::read(libc::CLOCK_MONOTONIC);
            if now >= until {
                return;
            }
            if now >= self.due {
                self.look(store, (logs, samples), now);
            }
            let next = self.due.min(until).saturating_sub(now);
            store.listen(seen, next / 1_000_000 + 1);
        }
    }

    /// Looks at every thread that is in user code.
    fn look(&mut self, store: &Store, (logs, samples): (&Logs, &Samples), now: u64) {
        let before = usage::processor_time();
        let weight = (self.pause / PERIOD_NS).clamp(1, MOST_WEIGHT);
        let mut found = false;
        if MODE.is(Mode::On) {
            for (slot, thread) in logs.in_user_code() {
                found |= self.look_at(store, slot, thread.into(), now, weight);
            }
            // Threads that OpenMP does not know wait for work, as a rule, where others use it.
            if logs.streams() == 0 {
                for (slot, thread) in samples.threads() {
                    found |= self.look_at(store, slot, thread, now, weight);
                }
            }
        }
        let cost = usage::processor_time().saturating_sub(before).saturating_mul(MOST_COST);
        let pause = if found { PERIOD_NS } else { (self.pause * 2).min(LONGEST_NS) };
        self.pause = pause.max(cost);
        // Programs wait at regular times, too.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.due = now + self.pause / 2 + self.random % self.pause;
    }

    /// Looks at a thread; true if it is blocked.
    fn look_at(
        &mut self,
        store: &Store,
        slot: usize,
        thread: Subject,
        now: u64,
        weight: u64,
    ) -> bool {
        if self.threads.len() <= slot {
            self.threads.resize_with(slot + 1, Known::default);
        }
        let known = &mut self.threads[slot];
        if known.tid != thread.tid {
            *known = Known { tid: thread.tid, ..Known::default() };
        }
        let used = usage::processor_time_of(thread.tid);
        let computed = used.saturating_sub(known.used);
        let passed = now.saturating_sub(known.looked);
        (known.used, known.looked) = (used, now);
        if computed >= passed - passed / BUSY_PART || known.is_refused {
            return false;
        }
        if known.file.is_none() {
            known.file = CallFile::open(thread.tid);
        }
        let told = known.file.as_ref().and_then(CallFile::read);
        let Some(told) = told else {
            known.is_refused = known.file.is_none();
            known.file = None;
            return false;
        };
        let Told::Waits(waiting) = told else { return false };
        let Some(walk) = self.walk() else { return false };
        let Some(depth) = trace(walk, store, waiting, thread.handle) else { return true };
        if usage::processor_time_of(thread.tid) != used {
            return true;
        }
        walk.count(store, depth, thread, waiting.call, weight);
        true
    }

    /// The recording ends.
    pub(crate) fn close(&mut self, store: &Store) {
        if let Some(walk) = self.walk() {
            walk.tree.close(store);
            walk.python.codes.close(store);
        }
        self.sampler = None;
        self.threads.clear();
    }
}

impl Walk {
    /// Counts the path in `frames`, which is whole if `depth` says so, for a thread that is blocked
    /// in `call`.
    fn count(
        &mut self,
        store: &Store,
        (depth, is_complete): (usize, bool),
        thread: Subject,
        call: u64,
        weight: u64,
    ) {
        let root = if is_complete { Pseudo::COMPLETE } else { Pseudo::INCOMPLETE };
        let frames = self.frames[..depth].iter().rev().copied();
        let mut node = root;
        for address in [thread.code].into_iter().chain(frames).chain([call]) {
            match self.tree.node(store, node, address) {
                Some(next) => node = next,
                None => return self.tree.count(store, Pseudo::LOST),
            }
        }
        let region = thread.team.map_or(0, |team| {
            team.ask();
            team.id.load(Ordering::Relaxed)
        });
        let tick = clock::now();
        let sample = Sample { tick, region, outer: 0, node, tid: thread.tid, fork: false };
        for _ in 0..weight {
            self.tree.count(store, node);
            self.tree.keep(store, &sample);
        }
    }
}

/// Walks the stack of a thread that waits, whose pthread_self is `handle`; returns how many of the
/// walk's frames are its path, and whether it is whole. `None` if the modules' unwind tables are
/// not made yet.
fn trace(walk: &mut Walk, store: &Store, waiting: Waiting, handle: u64) -> Option<(usize, bool)> {
    walk.reader.forget();
    let from = registers_at(waiting.address, waiting.stack_pointer, UNKNOWN)?;
    let (depth, is_complete) = with_tables(|tables| {
        let mut depth = 0;
        let mut registers = unwind_registers(from);
        let mut at = FrameAddress::from_instruction_pointer(waiting.address);
        let mut is_complete = follow(walk, tables, &mut at, &mut registers, &mut depth);
        if !is_complete && registers.frame_pointer() == UNKNOWN {
            is_complete = follow_by_frame_pointer(walk, tables, at, &registers, &mut depth);
        }
        (depth, is_complete)
    })?;
    if !is_complete {
        walk.look_for_modules(store);
    }
    Some(walk.add_python(store, (depth, is_complete), waiting.stack_pointer, handle))
}

/// Goes on from a frame whose caller is found by the frame pointer, which the kernel does not tell.
/// It tries the words of the stack that look like saved frame pointers, and takes the first from
/// which it reaches the start of the thread.
fn follow_by_frame_pointer(
    walk: &mut Walk,
    tables: &Tables,
    at: FrameAddress,
    registers: &UnwindRegsNative,
    depth: &mut usize,
) -> bool {
    let first = registers.sp();
    // The frame itself is there already.
    let begin = depth.saturating_sub(1);
    for place in (first..).step_by(8).take(MOST_WORDS as usize) {
        let (Ok(pointer), Ok(returns)) = (walk.reader.word(place), walk.reader.word(place + 8))
        else {
            return false;
        };
        // A saved frame pointer is farther up in the stack, and beside it is the address of code
        // behind a call.
        if pointer != 0 && pointer <= place || !is_behind_call(returns) {
            continue;
        }
        let (mut from, mut reached) = (at, begin);
        let mut tried = registers.with_frame_pointer(place);
        if follow(walk, tables, &mut from, &mut tried, &mut reached) {
            *depth = reached;
            return true;
        }
    }
    false
}

/// Whether the instruction before `address` may be a call.
fn is_behind_call(address: u64) -> bool {
    /// More than the most bytes of a call.
    const ROOM: usize = 16;
    let Some(calls) = Machine::OWN.calls() else { return false };
    let mut room = [0_u8; ROOM];
    let code = &mut room[..calls.longest_call_of_any_kind().min(ROOM)];
    let begin = address.wrapping_sub(code.len() as u64);
    address >= 0x1000 && memory::copy(begin, code) && calls.may_end_with_call(code)
}
