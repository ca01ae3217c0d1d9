//! The names of the phases, those that have begun, and their sums, which lie in a chunk of the
//! file.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use oxomp_trace::Phase;
use oxomp_trace::layout::{ChunkKind, PROCESS};
use oxomp_trace::phases::{
    CHANGE_SIZE, MOST_CHANGES, MOST_PHASES, OF_CHANGES, PATH_LENGTH, PHASE_SIZE, PHASES_HEADER,
    encode_change,
};

use super::tell;
use crate::clock;
use crate::store::{Chunk, Store};

/// The path of all phases for which there is no place.
const OTHERS: &str = "(other phases)";
/// The most phases inside each other: those further inside count as the one around them.
const DEPTH: usize = 32;
/// For how long a thread waits for another one that marks a phase. In a child of fork(2) that
/// thread may not exist.
const PATIENCE: Duration = Duration::from_millis(100);

static TABLE: Mutex<Table> = Mutex::new(Table::NONE);

/// The phases of the process.
#[derive(Debug)]
struct Table {
    /// By their numbers, from 1.
    phases: Vec<Phase>,
    /// The numbers of the phases that have begun, the innermost one last, and when they did.
    under_way: Vec<(u16, u64)>,
    /// Phases that have begun in the innermost one and count as that one, with all inside them.
    hidden: u64,
    /// The chunk, with how many changes are in it, and how many had no room.
    chunk: Option<Chunk>,
    changes: u64,
    unlogged: u64,
}

/// The phase that is called `name` begins in those that are under way. False if it counts as the
/// one around it: its name is empty or unknown, or there is no room for it.
pub(crate) fn begin(store: &Store, name: &[u8]) -> bool {
    lock().is_some_and(|mut table| table.begin(store, name, clock::now()))
}

/// The innermost phase ends; false if there is none.
pub(crate) fn end(store: &Store) -> bool {
    lock().is_some_and(|mut table| table.end(store, clock::now()))
}

/// Another recording begins: the phases that are under way go on in it, with sums of their own.
pub(crate) fn begin_anew(store: &Store, start: u64) {
    if let Some(mut table) = lock() {
        table.begin_anew(store, start);
    }
}

/// Releases the chunk.
pub(crate) fn close(store: &Store) {
    if let Some(mut table) = lock()
        && let Some(chunk) = table.chunk.take()
    {
        store.release(chunk);
    }
}

fn lock() -> Option<MutexGuard<'static, Table>> {
    let mut begin = None;
    loop {
        match TABLE.try_lock() {
            Ok(table) => return Some(table),
            Err(TryLockError::Poisoned(table)) => return Some(PoisonError::into_inner(table)),
            Err(TryLockError::WouldBlock) => {}
        }
        if begin.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            return None;
        }
        thread::yield_now();
    }
}

impl Table {
    const NONE: Self = Self {
        phases: Vec::new(),
        under_way: Vec::new(),
        hidden: 0,
        chunk: None,
        changes: 0,
        unlogged: 0,
    };

    fn begin(&mut self, store: &Store, name: &[u8], now: u64) -> bool {
        let is_shown = self.hidden == 0 && !name.is_empty() && self.under_way.len() < DEPTH;
        if !is_shown || !self.has_chunk(store) {
            // Its end is not that of another one.
            self.hidden += 1;
            return false;
        }
        let number = self.number_of(name);
        self.leave(now);
        self.under_way.push((number, now));
        if let Some(phase) = self.phase(number) {
            phase.count += 1;
        }
        self.enter(now);
        true
    }

    fn end(&mut self, store: &Store, now: u64) -> bool {
        if self.hidden > 0 {
            self.hidden -= 1;
            return true;
        }
        if self.under_way.is_empty() || !self.has_chunk(store) {
            return false;
        }
        self.leave(now);
        if let Some((number, begin)) = self.under_way.pop()
            && let Some(phase) = self.phase(number)
        {
            phase.longest = phase.longest.max(now.saturating_sub(begin));
            self.write(number);
        }
        self.enter(now);
        true
    }

    fn begin_anew(&mut self, store: &Store, start: u64) {
        (self.chunk, self.changes, self.unlogged) = (None, 0, 0);
        for phase in &mut self.phases {
            (phase.count, phase.ticks, phase.longest, phase.since) = (0, 0, 0, 0);
        }
        if self.under_way.is_empty() {
            self.phases.clear();
            return;
        }
        for at in 0..self.under_way.len() {
            self.under_way[at].1 = start;
            if let Some(phase) = self.phase(self.under_way[at].0) {
                phase.count += 1;
            }
        }
        let _ = self.has_chunk(store);
        for number in 1..=self.phases.len() as u16 {
            self.write(number);
        }
        self.enter(start);
    }

    /// The innermost phase is not that any more.
    fn leave(&mut self, now: u64) {
        let Some(&(number, _)) = self.under_way.last() else { return };
        if let Some(phase) = self.phase(number) {
            phase.ticks += now.saturating_sub(phase.since);
            phase.since = 0;
        }
        self.write(number);
    }

    /// The last one that has begun is the innermost one.
    fn enter(&mut self, now: u64) {
        let number = self.under_way.last().map_or(0, |innermost| innermost.0);
        if let Some(phase) = self.phase(number) {
            phase.since = now;
        }
        self.write(number);
        self.log(now, number);
        tell(now, number);
    }

    fn phase(&mut self, number: u16) -> Option<&mut Phase> {
        self.phases.get_mut(usize::from(number).checked_sub(1)?)
    }

    /// The number of the phase of that name in those under way.
    fn number_of(&mut self, name: &[u8]) -> u16 {
        let mut path = String::new();
        if let Some(&(around, _)) = self.under_way.last()
            && let Some(phase) = self.phase(around)
        {
            path.push_str(&phase.path);
            path.push('/');
        }
        let name = String::from_utf8_lossy(name);
        path.extend(name.chars().map(|one| if one.is_control() { '?' } else { one }));
        path.truncate(path.floor_char_boundary(PATH_LENGTH));
        if let Some(at) = self.phases.iter().position(|phase| phase.path == path) {
            return at as u16 + 1;
        }
        let has_room = self.phases.len() + 1 < MOST_PHASES;
        if has_room || self.phases.len() < MOST_PHASES {
            let path = if has_room { path } else { OTHERS.to_owned() };
            self.phases.push(Phase { path, ..Phase::default() });
        }
        self.phases.len() as u16
    }

    fn has_chunk(&mut self, store: &Store) -> bool {
        if self.chunk.is_none() {
            self.chunk = store.take(ChunkKind::Phases, PROCESS, 0).ok();
            self.chunk.inspect(|chunk| chunk.commit(OF_CHANGES));
        }
        self.chunk.is_some()
    }

    /// Writes what is known of a phase.
    fn write(&mut self, number: u16) {
        let count = self.phases.len() as u64;
        let (Some(chunk), Some(phase)) = (self.chunk, self.phase(number)) else { return };
        let bytes = phase.encode();
        let at = PHASES_HEADER + (usize::from(number) - 1) * PHASE_SIZE;
        // SAFETY: the chunk is the table's, which its lock protects; its payload is aligned and has
        // room for the most phases, of which the number is one.
        unsafe {
            let payload = chunk.payload();
            payload.add(at).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            payload.cast::<u64>().write(count.to_le());
        }
    }

    /// Writes a change.
    fn log(&mut self, tick: u64, number: u16) {
        let Some(chunk) = self.chunk else { return };
        let has_room = (self.changes as usize) < MOST_CHANGES;
        let at = OF_CHANGES + self.changes as usize * CHANGE_SIZE;
        if has_room {
            self.changes += 1
        } else {
            self.unlogged += 1
        }
        // SAFETY: as in `write`; the payload has room for the most changes.
        unsafe {
            let payload = chunk.payload();
            if has_room {
                let bytes = encode_change(tick, number);
                payload.add(at).copy_from_nonoverlapping(bytes.as_ptr(), CHANGE_SIZE);
                chunk.commit(at + CHANGE_SIZE);
            }
            payload.add(8).cast::<u64>().write(self.changes.to_le());
            payload.add(16).cast::<u64>().write(self.unlogged.to_le());
        }
    }
}
