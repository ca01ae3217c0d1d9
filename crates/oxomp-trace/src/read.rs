//! Reading a file: takes every whole chunk, and names what is damaged or missing.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::agreement::{Disagreement, disagreements};
use crate::calls::ThreadCalls;
use crate::clock::Clock;
use crate::costs::CostEntry;
use crate::counters::CounterEntry;
use crate::crc::crc32;
use crate::estimate::estimate;
use crate::event::Record;
use crate::fold::FoldEntry;
use crate::info::{Info, InfoError};
use crate::layout::{
    CHUNK_HEADER_SIZE, CHUNK_HEADER_USED, CHUNK_PAYLOAD, CHUNK_SIZE, ChunkHeader, ChunkKind,
    FileHeader, HEADER_SIZE, HEADER_USED, MAGIC, RECORD_SIZE, STATE_OPEN, STATE_SEALED, VERSION,
    WHOLE_SINCE, u16_at, u32_at, u64_at,
};
use crate::mpi_events::{MpiEvent, MpiEventError};
use crate::owners::{split_lives, split_phases};
use crate::phases::Phases;
use crate::python::{Codes, PythonCode, read_codes};
use crate::ring::stitched;
use crate::slices::{Slice, read_slices};
use crate::thread_events::{PhasedSum, ThreadEvents};

/// Why a file cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file at `path` cannot be opened.
    #[error("{path}: {source}")]
    Open {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file at `path` was opened, but cannot be read for the reason in `source`.
    #[error("{path}: {source}")]
    InFile {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: Box<ReadError>,
    },
    /// Reading from the input failed.
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
    /// The input has no bytes, or only zeros: nothing was recorded.
    #[error("the file is empty: the program ended before anything was recorded")]
    Empty,
    /// The first bytes are not [`MAGIC`].
    #[error("not a profile of oxomp: it does not begin with the magic bytes of the .oxp format")]
    NotAProfile,
    /// The input ends after `length` bytes, inside the file header.
    #[error("the file ends inside its header, after {length} of {HEADER_USED} bytes")]
    HeaderCutOff {
        /// Bytes that are there.
        length: usize,
    },
    /// The checksum of the file header does not match its bytes.
    #[error("the file's header is damaged: its checksum does not match")]
    HeaderDamaged,
    /// The file's major version is not that of this crate.
    #[error(
        "format version {major}.{minor}; this oxomp reads up to version {}.x: use a newer one",
        VERSION.0
    )]
    NewerVersion {
        /// The file's major version.
        major: u16,
        /// The file's minor version.
        minor: u16,
    },
    /// A size in the header (`what`: of the header, a chunk or a record) is not the one that
    /// version 1 fixes.
    #[error("the header names sizes that version 1 does not have: {what} {found}")]
    Geometry {
        /// Which size.
        what: &'static str,
        /// Its value in the file, in bytes.
        found: u32,
    },
}

/// A chunk that the reader left out, wholly or from some point on, or in which some bytes are
/// wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {what}", place(*chunk))]
pub struct Damage {
    /// Position of the chunk in the file, from 0; [`Damage::HEADER`].
    pub chunk: u64,
    /// The kind of the damage.
    pub what: DamageKind,
}

impl Damage {
    /// In the place of a chunk's position: the file's header.
    pub const HEADER: u64 = u64::MAX;
}

/// The damaged part, in words.
fn place(chunk: u64) -> String {
    match chunk {
        Damage::HEADER => "the file's header".to_owned(),
        chunk => format!("chunk {chunk}"),
    }
}

/// The kind of damage of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DamageKind {
    /// The first word is not [`crate::layout::CHUNK_MAGIC`].
    #[error("it does not begin with a chunk's magic")]
    Magic,
    /// The state is neither open nor sealed.
    #[error("unknown state {0}")]
    State(u16),
    /// The committed size is larger than a chunk's payload.
    #[error("it claims {0} bytes, more than fit")]
    Size(u32),
    /// The chunk is sealed, and its checksum does not match.
    #[error("the checksum does not match")]
    Checksum,
    /// The file ends inside the chunk; the reader takes the part that is there.
    #[error("the file ends inside it, {missing} bytes are missing")]
    CutOff {
        /// Bytes that are not there.
        missing: usize,
    },
    /// An earlier chunk has this owner, kind and sequence; this one is left out.
    #[error("it holds the same part as an earlier chunk")]
    Twice,
    /// Bytes that the version of the format leaves unused are not zero.
    #[error("bytes that have no meaning are not zero")]
    Unused,
    /// The recording ended in order, but the chunk has no checksum; the reader takes it.
    #[error("it has no checksum although the recording ended in order")]
    Unsealed,
    /// Chunks of this owner and kind that come before this one are not in the file.
    #[error("parts of thread {owner} before it are missing")]
    Gap {
        /// The stream's number, or [`crate::layout::PROCESS`].
        owner: u32,
    },
    /// The chunk of the program's phases has numbers that cannot be; it is left out.
    #[error("its phases contradict each other")]
    Phases,
    /// The chunk of time slices has numbers that cannot be; the slices before these are taken.
    #[error("its time slices contradict each other")]
    Slices,
    /// An item of an information chunk cannot be read; the items before it are taken.
    #[error("{0}")]
    Info(#[from] InfoError),
    /// An event of MPI cannot be one; the events before it in the chunk are taken.
    #[error("{0}")]
    MpiEvent(#[from] MpiEventError),
}

/// A file, read; by default one in which nothing was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Profile {
    /// The file header.
    pub header: FileHeader,
    /// Facts about the process.
    pub info: Info,
    /// Every thread that recorded something, by [`ThreadEvents::number`].
    pub threads: Vec<ThreadEvents>,
    /// The sampled call paths, by stream.
    pub calls: Vec<ThreadCalls>,
    /// The call paths in which threads were blocked, of all threads: [`Blocked`] reads them.
    ///
    /// [`Blocked`]: crate::calls::Blocked
    pub blocked: ThreadCalls,
    /// The functions of Python that nodes of call paths stand for: a node names the first one by
    /// the number 1.
    pub python: Vec<PythonCode>,
    /// The cost curves of threads' loops, each with the number of the thread's stream.
    pub costs: Vec<(u32, CostEntry)>,
    /// What threads counted, each with the number of the stream of its call paths.
    pub counters: Vec<(u32, CounterEntry)>,
    /// What the process did in messages and collective operations of MPI, thread by thread.
    pub mpi_events: Vec<MpiEvent>,
    /// The damage that the reader found, in the order in which it did.
    pub damage: Vec<Damage>,
    /// Chunks that were still open, so that no checksum vouches for them.
    pub open_chunks: u64,
    /// Counts that disagree with each other.
    pub disagreements: Vec<Disagreement>,
    /// The phases that the program marked; `None` if it marked none.
    pub phases: Option<Phases>,
    /// If there are any, the sums of all threads apart by phases: those of
    /// [`ThreadEvents::folded`], where they are put together.
    pub phased: Vec<PhasedSum>,
    /// The sums apart by slices of time, rising, if the recording was followed to have them.
    pub slices: Vec<Slice>,
}

/// A chunk as the file has it: its position, header and payload.
pub(crate) type Part = (u64, ChunkHeader, Vec<u8>);

impl Profile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be opened, is not a profile, or its header is unusable. Damaged chunks
    /// are no error: see [`Profile::damage`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let path = path.as_ref();
        let file =
            File::open(path).map_err(|source| ReadError::Open { path: path.to_owned(), source })?;
        Self::read(BufReader::with_capacity(CHUNK_SIZE, file))
            .map_err(|source| ReadError::InFile { path: path.to_owned(), source: Box::new(source) })
    }

    /// Reads a file's bytes from `input`.
    ///
    /// # Errors
    /// If reading fails, the input is not a profile, or its header is unusable. Damaged chunks are
    /// no error: see [`Profile::damage`].
    pub fn read(mut input: impl Read) -> Result<Self, ReadError> {
        let mut bytes = vec![0; HEADER_SIZE];
        let length = fill(&mut input, &mut bytes)?;
        let (header, minor) = file_header(&bytes[..length])?;
        let is_whole = minor >= WHOLE_SINCE;
        let mut profile = Self { header, ..Self::default() };
        if is_whole && !is_zero(&bytes[HEADER_USED..length]) {
            let what = DamageKind::Unused;
            profile.damage.push(Damage { chunk: Damage::HEADER, what });
        }
        if length == HEADER_SIZE {
            let parts = profile.parts(&mut input, is_whole)?;
            let open = parts.iter().filter(|(_, header, _)| header.state == STATE_OPEN);
            let open: Vec<u64> = open.map(|(chunk, ..)| *chunk).collect();
            profile.assemble(parts);
            if is_whole && profile.info.end_tick.is_some() {
                let unsealed = |chunk| Damage { chunk, what: DamageKind::Unsealed };
                profile.damage.extend(open.into_iter().map(unsealed));
            }
        }
        Ok(profile)
    }

    /// The clock of this file's ticks, whose time 0 is the process's start.
    #[must_use]
    pub fn clock(&self) -> Clock {
        Clock::new(
            (self.header.start_tick, self.header.start_monotonic_ns),
            self.header.ticks_per_second,
            &self.info.clock_pairs,
        )
        .since(self.info.age_ns)
    }

    /// Every chunk that can be used, in the order of the file.
    fn parts(&mut self, input: &mut impl Read, is_whole: bool) -> Result<Vec<Part>, ReadError> {
        let mut parts = Vec::new();
        let mut bytes = vec![0; CHUNK_SIZE];
        for chunk in 0.. {
            let length = fill(input, &mut bytes)?;
            if length == 0 {
                break;
            }
            match part(&bytes[..length]) {
                Ok(None) if is_whole && !is_zero(&bytes[..length]) => {
                    self.damage.push(Damage { chunk, what: DamageKind::Magic });
                }
                Ok(None) => {}
                Ok(Some((header, payload, missing))) => {
                    if header.state == STATE_OPEN {
                        self.open_chunks += 1;
                    }
                    let unused = [
                        &bytes[CHUNK_HEADER_USED..CHUNK_HEADER_SIZE],
                        after(&bytes[..length], &header),
                    ];
                    if is_whole && header.state == STATE_SEALED && !unused.into_iter().all(is_zero)
                    {
                        self.damage.push(Damage { chunk, what: DamageKind::Unused });
                    }
                    if missing > 0 {
                        let what = DamageKind::CutOff { missing };
                        self.damage.push(Damage { chunk, what });
                    }
                    parts.push((chunk, header, payload.to_vec()));
                }
                Err(what) => self.damage.push(Damage { chunk, what }),
            }
            if length < CHUNK_SIZE {
                break;
            }
        }
        Ok(parts)
    }

    /// Puts the parts of each owner into order and takes them in.
    fn assemble(&mut self, parts: Vec<Part>) {
        self.take_in(parts);
        // The counts as they are, before any is raised by an estimate.
        let is_whole = self.info.whole_sums && self.info.excerpt.is_none();
        if is_whole && self.damage.is_empty() {
            self.disagreements = disagreements(&self.threads, &self.info);
        }
        self.derive();
    }

    /// Gives each thread its own, and estimates what was only counted.
    pub(crate) fn derive(&mut self) {
        let whole = self.info.whole_sums;
        split_lives(&mut self.threads, whole, &mut self.phased, &mut self.slices);
        estimate(&mut self.threads);
    }

    /// Puts the parts of each owner into order and takes them in, as they are in the file.
    pub(crate) fn take_in(&mut self, mut parts: Vec<Part>) {
        parts
            .sort_by_key(|(chunk, header, _)| (header.owner, header.kind, header.sequence, *chunk));
        // The oldest chunks of what passes may have been given back.
        let is_ring = parts.iter().any(|(_, header, _)| header.kind == ChunkKind::Lives as u16);
        let may_begin_late =
            |kind| is_ring && ChunkKind::from_number(kind).is_some_and(ChunkKind::passes);
        let mut lives = BTreeMap::<u32, Vec<Record>>::new();
        let mut threads = BTreeMap::<u32, ThreadEvents>::new();
        let mut calls = BTreeMap::<u32, ThreadCalls>::new();
        let mut python = BTreeMap::<u32, Vec<(u32, PythonCode)>>::new();
        let mut blocked_python = Vec::new();
        let mut previous = None;
        for (chunk, header, payload) in parts {
            let stream = (header.owner, header.kind);
            let expected = match previous {
                Some((last, sequence)) if last == stream => {
                    if header.sequence == sequence {
                        self.damage.push(Damage { chunk, what: DamageKind::Twice });
                        continue;
                    }
                    u64::from(sequence) + 1
                }
                _ if may_begin_late(header.kind) => u64::from(header.sequence),
                _ => 0,
            };
            if u64::from(header.sequence) != expected {
                let what = DamageKind::Gap { owner: header.owner };
                self.damage.push(Damage { chunk, what });
                if may_begin_late(header.kind)
                    && let Some(thread) = threads.get_mut(&header.owner)
                {
                    // A chunk that was given back while the file was read: reading begins behind.
                    thread.records.clear();
                }
            }
            previous = Some((stream, header.sequence));
            match ChunkKind::from_number(header.kind) {
                Some(ChunkKind::Info) => {
                    if let Err(error) = self.info.read(&payload) {
                        self.damage.push(Damage { chunk, what: error.into() });
                    }
                }
                Some(ChunkKind::MpiEvents) => {
                    if let Err(error) = MpiEvent::read_all(&payload, &mut self.mpi_events) {
                        self.damage.push(Damage { chunk, what: error.into() });
                    }
                }
                Some(ChunkKind::Costs) => {
                    let curves = CostEntry::read_all(&payload);
                    self.costs.extend(curves.map(|curve| (header.owner, curve)));
                }
                Some(ChunkKind::Counters) => {
                    let entries = CounterEntry::read_all(&payload);
                    self.counters.extend(entries.map(|entry| (header.owner, entry)));
                }
                Some(kind @ (ChunkKind::Calls | ChunkKind::Samples | ChunkKind::Registers)) => {
                    let number = header.owner;
                    let own = calls
                        .entry(number)
                        .or_insert_with(|| ThreadCalls { number, ..ThreadCalls::default() });
                    match kind {
                        ChunkKind::Calls => own.read_nodes(header.sequence, &payload),
                        ChunkKind::Samples => own.read_samples(&payload),
                        _ => own.read_registers(&payload),
                    }
                }
                Some(ChunkKind::BlockedCalls) => {
                    self.blocked.read_nodes(header.sequence, &payload);
                }
                Some(ChunkKind::BlockedSamples) => self.blocked.read_samples(&payload),
                Some(ChunkKind::Python) => {
                    python.entry(header.owner).or_default().extend(read_codes(&payload));
                }
                Some(ChunkKind::BlockedPython) => blocked_python.extend(read_codes(&payload)),
                Some(kind @ (ChunkKind::Events | ChunkKind::Fold)) => {
                    let thread = threads.entry(header.owner).or_insert_with(|| ThreadEvents {
                        number: header.owner,
                        records: Vec::new(),
                        folded: Vec::new(),
                    });
                    if kind == ChunkKind::Events {
                        let records = payload.chunks_exact(RECORD_SIZE).map(Record::decode);
                        thread.records.extend(records);
                    } else {
                        thread.folded.extend(FoldEntry::read_all(&payload));
                    }
                }
                Some(ChunkKind::Lives) => {
                    let records = payload.chunks_exact(RECORD_SIZE).map(Record::decode);
                    lives.entry(header.owner).or_default().extend(records);
                }
                Some(ChunkKind::Phases) => match Phases::read(&payload) {
                    Some(phases) => self.phases = Some(phases),
                    None => self.damage.push(Damage { chunk, what: DamageKind::Phases }),
                },
                Some(ChunkKind::Slices) => {
                    if !read_slices(&payload, &mut self.slices) {
                        self.damage.push(Damage { chunk, what: DamageKind::Slices });
                    }
                }
                // What was of use while the recording was written, and kinds that a later minor
                // version added.
                Some(ChunkKind::Present | ChunkKind::SlowRegions) | None => {}
            }
        }
        for (number, lives) in lives {
            let thread = threads.entry(number).or_insert_with(|| ThreadEvents {
                number,
                records: Vec::new(),
                folded: Vec::new(),
            });
            thread.records = stitched(&lives, &thread.records, None);
        }
        self.threads = threads.into_values().collect();
        self.phased.extend(split_phases(&mut self.threads));
        self.calls = calls.into_values().collect();
        let mut codes = Codes::default();
        for calls in &mut self.calls {
            codes.take(python.remove(&calls.number).unwrap_or_default(), calls);
        }
        codes.take(blocked_python, &mut self.blocked);
        self.python = codes.close();
    }
}

/// What follows the committed part of a chunk, as far as it is there.
fn after<'a>(bytes: &'a [u8], header: &ChunkHeader) -> &'a [u8] {
    bytes.get(CHUNK_HEADER_SIZE + header.committed as usize..).unwrap_or_default()
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}

/// Reads until `buffer` is full or the input ends; returns the bytes read.
pub(crate) fn fill(input: &mut impl Read, buffer: &mut [u8]) -> Result<usize, io::Error> {
    let mut length = 0;
    while length < buffer.len() {
        match input.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// The header of a file, and its minor version.
pub(crate) fn file_header(bytes: &[u8]) -> Result<(FileHeader, u16), ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::Empty);
    }
    let common = bytes.len().min(MAGIC.len());
    // A process that was killed before its first store leaves zeros.
    if bytes.iter().all(|&byte| byte == 0) {
        return Err(ReadError::Empty);
    }
    if bytes[..common] != MAGIC[..common] {
        return Err(ReadError::NotAProfile);
    }
    if bytes.len() < HEADER_USED {
        return Err(ReadError::HeaderCutOff { length: bytes.len() });
    }
    if crc32(&bytes[..64]) != u32_at(bytes, 64) {
        return Err(ReadError::HeaderDamaged);
    }
    let (major, minor) = (u16_at(bytes, 8), u16_at(bytes, 10));
    if major != VERSION.0 {
        return Err(ReadError::NewerVersion { major, minor });
    }
    let sizes = [
        ("header size", 12, HEADER_SIZE),
        ("chunk size", 16, CHUNK_SIZE),
        ("record size", 20, RECORD_SIZE),
    ];
    for (what, offset, expected) in sizes {
        let found = u32_at(bytes, offset);
        if found as usize != expected {
            return Err(ReadError::Geometry { what, found });
        }
    }
    let header = FileHeader {
        pid: u32_at(bytes, 24),
        start_tick: u64_at(bytes, 32),
        start_monotonic_ns: u64_at(bytes, 40),
        start_unix_ns: u64_at(bytes, 48),
        ticks_per_second: u64_at(bytes, 56),
    };
    Ok((header, minor))
}

/// A chunk's header, the payload that is there, and how many committed bytes are not.
pub(crate) type Found<'a> = (ChunkHeader, &'a [u8], usize);

/// The chunk in `bytes`, which may be less than a whole one; `None` if the slot was never used.
pub(crate) fn part(bytes: &[u8]) -> Result<Option<Found<'_>>, DamageKind> {
    // The magic is written last: without it the slot was never taken into use.
    if bytes.iter().take(4).all(|&byte| byte == 0) {
        return Ok(None);
    }
    if bytes.len() < CHUNK_HEADER_SIZE {
        return Err(DamageKind::CutOff { missing: CHUNK_HEADER_SIZE - bytes.len() });
    }
    let header = ChunkHeader::decode(bytes).ok_or(DamageKind::Magic)?;
    let committed = header.committed as usize;
    if committed > CHUNK_PAYLOAD {
        return Err(DamageKind::Size(header.committed));
    }
    let payload = &bytes[CHUNK_HEADER_SIZE..];
    let missing = committed.saturating_sub(payload.len());
    let payload = &payload[..committed - missing];
    match header.state {
        STATE_OPEN => {}
        STATE_SEALED if missing > 0 || header.checksum(payload) == header.crc => {}
        STATE_SEALED => return Err(DamageKind::Checksum),
        state => return Err(DamageKind::State(state)),
    }
    Ok(Some((header, payload, missing)))
}
