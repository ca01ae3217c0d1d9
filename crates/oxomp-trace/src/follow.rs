//! Reading a file while the collector writes it: again and again, each time what is new.
//!
//! The sums of threads are taken, and which threads there are; of their events only the begins and
//! ends of threads and of pauses. Neither samples nor cost curves are, unless the reader wants all
//! that is updated in place.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::event::{EventKind, Record};
use crate::fold::{FoldEntry, FoldKind, difference, is_unchanged, joined, scheduler, thread};
use crate::info::Info;
use crate::layout::{
    CHUNK_HEADER_SIZE, CHUNK_SIZE, ChunkHeader, ChunkKind, FileHeader, HEADER_SIZE, RECORD_SIZE,
    STATE_SEALED,
};
use crate::phases::Phases;
use crate::present::{Doing, Present, PresentThreads};
use crate::read::{Part, Profile, ReadError, file_header, part};
use crate::thread_events::{PhasedSum, ThreadEvents};

/// OMPT's type of a worker; others begin as initial threads.
const WORKER: u8 = 2;

/// A reader of a recording that is being written.
#[derive(Debug)]
pub struct Follower {
    file: File,
    path: PathBuf,
    /// By position in the file.
    chunks: Vec<Chunk>,
    /// Whether chunks of a kind are read.
    needs: fn(ChunkKind) -> bool,
}

/// What the reader has of a chunk.
#[derive(Debug)]
enum Chunk {
    /// It is read again with the next look.
    Open,
    /// It will not change until it is given back and taken anew, with another header: what it
    /// holds, without records that are not needed.
    Sealed(ChunkHeader, Option<Part>),
}

/// The recording at one moment.
#[derive(Debug, Clone)]
pub struct Look {
    /// Without what is derived when a file is read; each thread's time reaches up to
    /// [`Look::tick`].
    pub(crate) profile: Profile,
    /// The moment, in ticks.
    pub(crate) tick: u64,
    /// What the threads did.
    pub(crate) present: Vec<Present>,
}

impl Follower {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::open_for(path.as_ref(), is_of_threads)
    }

    /// Opens the file at `path` to read chunks of the kinds for which `needs` is true.
    pub(crate) fn open_for(path: &Path, needs: fn(ChunkKind) -> bool) -> Result<Self, ReadError> {
        let path = path.to_owned();
        match File::open(&path) {
            Ok(file) => Ok(Self { file, path, chunks: Vec::new(), needs }),
            Err(source) => Err(ReadError::Open { path, source }),
        }
    }

    /// Reads what is new. `None` if the collector has not looked at its threads since the recording
    /// began.
    ///
    /// # Errors
    /// If reading fails, or the file is no recording.
    pub fn look(&mut self) -> Result<Option<Look>, ReadError> {
        self.read().map_err(|source| ReadError::InFile {
            path: self.path.clone(),
            source: Box::new(source),
        })
    }

    fn read(&mut self) -> Result<Option<Look>, ReadError> {
        let mut bytes = vec![0; CHUNK_SIZE];
        let length = read_at(&self.file, &mut bytes[..HEADER_SIZE], 0)?;
        let (header, _) = file_header(&bytes[..length])?;
        let mut profile = Profile { header, ..Profile::default() };
        let mut parts = Vec::new();
        let mut present = None;
        for position in 0..self.count()? {
            let header = self.header(position, &mut bytes)?;
            match self.chunks.get(position as usize) {
                Some(Chunk::Sealed(known, kept)) if Some(*known) == header => {
                    parts.extend(kept.clone());
                    continue;
                }
                Some(_) => {}
                None => self.chunks.push(Chunk::Open),
            }
            let Some(found) = self.chunk(position, header, &mut bytes)? else { continue };
            let (header, payload) = found;
            if header.kind == ChunkKind::Present as u16 {
                present = PresentThreads::read(&payload);
                continue;
            }
            let kept = kept(&header, &payload).map(|payload| (position, header, payload));
            parts.extend(kept.clone());
            if let Some(chunk) = self.chunks.get_mut(position as usize) {
                let is_sealed = header.state == STATE_SEALED;
                *chunk = if is_sealed { Chunk::Sealed(header, kept) } else { Chunk::Open };
            }
        }
        profile.take_in(parts);
        Ok(Look::of(profile, present))
    }

    /// The recorded process.
    pub(crate) fn pid(&self) -> Result<u32, ReadError> {
        let mut bytes = vec![0; HEADER_SIZE];
        let length = read_at(&self.file, &mut bytes, 0)?;
        Ok(file_header(&bytes[..length])?.0.pid)
    }

    /// All chunks of the file as they are now, whatever their kind.
    pub(crate) fn parts(&self) -> Result<(FileHeader, Vec<Part>), ReadError> {
        let mut bytes = vec![0; CHUNK_SIZE];
        let length = read_at(&self.file, &mut bytes[..HEADER_SIZE], 0)?;
        let (header, _) = file_header(&bytes[..length])?;
        let mut parts = Vec::new();
        for position in 0..self.count()? {
            let whole = self.whole_chunk(position, &mut bytes)?;
            parts.extend(whole.map(|(header, payload)| (position, header, payload)));
        }
        Ok((header, parts))
    }

    /// The payload of the process's only chunk of a kind, which is updated in place.
    pub(crate) fn payload(&self, wanted: ChunkKind) -> Result<Option<Vec<u8>>, ReadError> {
        let mut bytes = vec![0; CHUNK_SIZE];
        for position in 0..self.chunks.len() as u64 {
            let header = self.header(position, &mut bytes)?;
            if header.is_some_and(|header| header.kind == wanted as u16) {
                let whole = self.whole_chunk(position, &mut bytes)?;
                return Ok(whole.map(|(_, payload)| payload));
            }
        }
        Ok(None)
    }

    /// How many chunks the file has room for.
    fn count(&self) -> Result<u64, ReadError> {
        let size = self.file.metadata()?.len().saturating_sub(HEADER_SIZE as u64);
        Ok(size / CHUNK_SIZE as u64)
    }

    /// The header of a chunk in use.
    fn header(&self, position: u64, bytes: &mut [u8]) -> Result<Option<ChunkHeader>, ReadError> {
        let length = read_at(&self.file, &mut bytes[..CHUNK_HEADER_SIZE], offset(position))?;
        Ok(ChunkHeader::decode(&bytes[..length]))
    }

    /// The chunk with this header, with its payload, if its contents are needed.
    fn chunk(
        &self,
        position: u64,
        header: Option<ChunkHeader>,
        bytes: &mut [u8],
    ) -> Result<Option<(ChunkHeader, Vec<u8>)>, ReadError> {
        let kind = header.and_then(|header| ChunkKind::from_number(header.kind));
        if kind.is_some_and(self.needs) { self.whole_chunk(position, bytes) } else { Ok(None) }
    }

    /// A chunk in use, with its payload.
    fn whole_chunk(
        &self,
        position: u64,
        bytes: &mut [u8],
    ) -> Result<Option<(ChunkHeader, Vec<u8>)>, ReadError> {
        let length = read_at(&self.file, bytes, offset(position))?;
        // A damaged chunk is reported when the whole recording is read.
        let Some((header, payload, _)) = part(&bytes[..length]).ok().flatten() else {
            return Ok(None);
        };
        let payload = payload.to_vec();
        // The chunk may have been given back and taken anew meanwhile.
        let after = self.header(position, bytes)?;
        let is_same = |after: ChunkHeader| {
            let what = |header: &ChunkHeader| (header.kind, header.owner, header.sequence);
            what(&after) == what(&header)
        };
        Ok(after.is_some_and(is_same).then_some((header, payload)))
    }
}

/// Where the chunk at `position` begins in the file.
fn offset(position: u64) -> u64 {
    HEADER_SIZE as u64 + position * CHUNK_SIZE as u64
}

/// Whether chunks of the kind tell about threads, and what they do.
fn is_of_threads(kind: ChunkKind) -> bool {
    use ChunkKind::{Events, Fold, Info, Lives, Present};
    matches!(kind, Info | Events | Lives | Fold | Present)
}

/// What is needed of a chunk's payload; `None` if nothing is.
fn kept(header: &ChunkHeader, payload: &[u8]) -> Option<Vec<u8>> {
    if header.kind != ChunkKind::Events as u16 {
        return Some(payload.to_vec());
    }
    let records = payload
        .chunks_exact(RECORD_SIZE)
        .filter(|bytes| Record::decode(bytes).event().is_some_and(EventKind::is_always_recorded));
    // A chunk without such records stays, so that no part seems to be missing.
    Some(records.flatten().copied().collect())
}

/// Reads until `buffer` is full or the file ends; returns the bytes read.
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match file.read_at(&mut buffer[length..], offset + length as u64) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

impl Look {
    /// `None` if the recording has not ended, and nothing is known of the present.
    fn of(mut profile: Profile, present: Option<PresentThreads>) -> Option<Self> {
        let (told, tick, present) = match (profile.info.end_tick, present) {
            (Some(end), _) => (end, end, Vec::new()),
            (None, present) => {
                let PresentThreads { tick: told, threads } = present?;
                // Threads went on while the file was read.
                let sums = profile.threads.iter().flat_map(|stream| &stream.folded);
                let times = sums.filter(|sum| sum.fold_kind() == Some(FoldKind::Thread));
                let latest = times.map(|time| time.values[thread::UNTIL]).max();
                (told, told.max(latest.unwrap_or(0)), threads)
            }
        };
        let phase = profile.phases.as_ref().map_or(0, Phases::innermost);
        for stream in &mut profile.threads {
            let before = stream.folded.clone();
            lengthen(stream, (told, tick), &present);
            if !profile.phased.is_empty() {
                lengthen_phase(&mut profile.phased, stream, phase, &before);
            }
        }
        Some(Self { profile, tick, present })
    }

    /// The moment, in ticks.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// How long before the look the moment `tick` was, ns.
    #[must_use]
    pub fn ns_since(&self, tick: u64) -> u64 {
        self.profile.clock().span(self.tick.saturating_sub(tick))
    }

    /// The recorded process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.profile.header.pid
    }

    /// Facts about the process.
    #[must_use]
    pub fn info(&self) -> &Info {
        &self.profile.info
    }

    /// Whether the recording has ended in order.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.profile.info.end_tick.is_some()
    }

    /// The time between two moments, ns.
    #[must_use]
    pub fn ns_between(&self, begin: u64, end: u64) -> u64 {
        self.profile.clock().span(end.saturating_sub(begin))
    }

    /// For how long the recording lasts, ns.
    #[must_use]
    pub fn recorded_ns(&self) -> u64 {
        let start = self.profile.header.start_tick;
        self.profile.clock().span(self.tick.saturating_sub(start))
    }

    /// What the threads did at the moment of the look.
    #[must_use]
    pub fn present(&self) -> &[Present] {
        &self.present
    }

    /// For how long a thread has done what it does, ns.
    #[must_use]
    pub fn lasts(&self, present: &Present) -> u64 {
        self.profile.clock().span(self.tick.saturating_sub(present.since))
    }
}

/// Adds to the time of the stream's last thread what it has done from its last event up to `tick`,
/// as far as `present` has it, which was told at an earlier moment.
fn lengthen(stream: &mut ThreadEvents, (told, tick): (u64, u64), present: &[Present]) {
    let is = |record: &&Record, kind| record.event() == Some(kind);
    let mut begins = stream.records.iter().filter(|record| is(record, EventKind::ThreadBegin));
    let life = (begins.clone().count() as u64).saturating_sub(1);
    let Some(&begin) = begins.next_back() else { return };
    if stream.records.last().is_some_and(|record| is(&record, EventKind::ThreadEnd)) {
        return;
    }
    let is_time = |entry: &FoldEntry| entry.kind == FoldKind::Thread as u32 && entry.key[0] == life;
    if !stream.folded.iter().any(is_time) {
        let mut entry = FoldEntry { kind: FoldKind::Thread as u32, ..FoldEntry::default() };
        entry.key[0] = life;
        entry.values[thread::UNTIL] = begin.tick;
        stream.folded.push(entry);
    }
    let Some(entry) = stream.folded.iter_mut().find(|entry| is_time(entry)) else { return };
    let (key, values) = (entry.key[2], &mut entry.values);
    let rest = tick.saturating_sub(values[thread::UNTIL]);
    if rest == 0 {
        return;
    }
    // What a thread did not compute up to a later event is in its sums.
    let is_in_sums = values[thread::UNTIL] > told;
    values[thread::UNTIL] = tick;
    let idle = if begin.sub == WORKER { thread::SERIAL_IDLE } else { thread::SERIAL };
    let after = key >> 1;
    let own = present.iter().find(|one| u64::from(one.tid) == begin.value);
    match own {
        Some(Present { doing: Doing::Waits, since, .. }) => {
            let waits = tick.saturating_sub(*since).min(rest);
            raise(&mut values[thread::IMBALANCE], waits);
            raise(&mut values[thread::USEFUL], rest - waits);
        }
        Some(computes) if computes.code != 0 => {
            raise(&mut values[thread::USEFUL], rest);
            if !is_in_sums {
                not_computed(stream, [computes.code, 0], computes);
            }
        }
        Some(computes) => {
            raise(&mut values[idle], rest);
            if !is_in_sums {
                not_computed(stream, [0, after], computes);
            }
        }
        None => raise(&mut values[idle], rest),
    }
}

/// Adds what the sums of a stream have more than `before` to those of the phase.
fn lengthen_phase(
    phased: &mut Vec<PhasedSum>,
    stream: &ThreadEvents,
    phase: u16,
    before: &[FoldEntry],
) {
    let may_grow = |entry: &&FoldEntry| {
        matches!(entry.fold_kind(), Some(FoldKind::Thread | FoldKind::Scheduler))
    };
    for later in stream.folded.iter().filter(may_grow) {
        let nothing = FoldEntry { values: [0; 12], ..*later };
        let earlier = before.iter().find(|one| one.identity() == later.identity());
        let grown = difference(earlier.unwrap_or(&nothing), later);
        if is_unchanged(&grown) {
            continue;
        }
        let is_own = |sum: &&mut PhasedSum| {
            let entry = sum.entry.identity();
            (sum.thread, sum.phase, entry) == (stream.number, phase, later.identity())
        };
        match phased.iter_mut().find(is_own) {
            Some(sum) => sum.entry = joined([sum.entry, grown])[0],
            None => phased.push(PhasedSum { thread: stream.number, phase, entry: grown }),
        }
    }
}

/// Adds the time in which a thread did not compute in its present user code, at the place that
/// `key` names.
fn not_computed(stream: &mut ThreadEvents, key: [u64; 2], present: &Present) {
    if present.taken == 0 && present.blocked == 0 {
        return;
    }
    let fresh = FoldEntry {
        kind: FoldKind::Scheduler as u32,
        key: [key[0], key[1], 0],
        ..FoldEntry::default()
    };
    let position = stream.folded.iter().position(|one| one.identity() == fresh.identity());
    let position = position.unwrap_or_else(|| {
        stream.folded.push(fresh);
        stream.folded.len() - 1
    });
    let values = &mut stream.folded[position].values;
    raise(&mut values[scheduler::TAKEN], present.taken);
    raise(&mut values[scheduler::BLOCKED], present.blocked);
}

/// Adds, saturating: numbers of a damaged file may be of any size.
fn raise(sum: &mut u64, value: u64) {
    *sum = sum.saturating_add(value);
}
