//! The layout of a file: sizes, magics, the file header, the chunk header.

use crate::crc::{Crc32, crc32};

/// First bytes of every file.
pub const MAGIC: [u8; 8] = *b"\x89OXP\r\n\x1a\n";
/// Version this crate writes; it reads every minor version of the same major one.
pub const VERSION: (u16, u16) = (1, 9);
/// From this minor version on, every chunk of a recording that ended in order has its checksum, and
/// bytes that are not in use are zero.
pub(crate) const WHOLE_SINCE: u16 = 4;
/// Bytes before the first chunk.
pub const HEADER_SIZE: usize = 4096;
/// Bytes per chunk, its header included.
pub const CHUNK_SIZE: usize = 64 * 1024;
/// Bytes of a chunk's header.
pub const CHUNK_HEADER_SIZE: usize = 64;
/// Bytes of payload a chunk has room for.
pub const CHUNK_PAYLOAD: usize = CHUNK_SIZE - CHUNK_HEADER_SIZE;
/// Bytes of the smallest file worth beginning: a chunk for facts at the start, one for events, and
/// one for facts at the end.
pub const LEAST_FILE_SIZE: usize = HEADER_SIZE + 3 * CHUNK_SIZE;
/// Bytes per event record.
pub const RECORD_SIZE: usize = 32;
/// First word of a chunk in use.
pub const CHUNK_MAGIC: u32 = u32::from_le_bytes(*b"OXC1");
/// The owner of chunks that belong to the process as a whole.
pub const PROCESS: u32 = u32::MAX;

/// Offset of the number of the kind in a chunk's header.
pub const KIND_OFFSET: usize = 4;
/// Offset of the state in a chunk's header.
pub const STATE_OFFSET: usize = 6;
/// Offset of the owner in a chunk's header.
pub const OWNER_OFFSET: usize = 8;
/// Offset of the position among the owner's chunks in a chunk's header.
pub const SEQUENCE_OFFSET: usize = 12;
/// Offset of the committed size in a chunk's header.
pub const COMMITTED_OFFSET: usize = 16;
/// Offset of the checksum in a chunk's header.
pub const CRC_OFFSET: usize = 20;
/// Bytes of a chunk's header in use.
pub(crate) const CHUNK_HEADER_USED: usize = 24;
/// The chunk is being written.
pub const STATE_OPEN: u16 = 1;
/// The chunk is complete and its checksum holds.
pub const STATE_SEALED: u16 = 2;

/// The kind of a chunk's contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
pub enum ChunkKind {
    /// Facts about the process: items that [`crate::info`] describes.
    Info = 1,
    /// Event records of a thread: [`crate::event`].
    Events = 2,
    /// Sums of a thread, updated in place: [`crate::fold`].
    Fold = 3,
    /// Nodes of a tree of call paths: [`crate::calls`].
    Calls = 4,
    /// Samples with their times: [`crate::calls`].
    Samples = 5,
    /// Cost curves of a thread's loops, updated in place: [`crate::costs`].
    Costs = 6,
    /// Nodes of the tree of call paths in which threads were blocked: [`crate::calls`].
    BlockedCalls = 7,
    /// Looks at blocked threads, with their times: [`crate::calls`].
    BlockedSamples = 8,
    /// Samples with the registers of their threads: [`crate::registers`].
    Registers = 9,
    /// Code objects of Python that the nodes of a tree of call paths name: [`crate::python`].
    Python = 10,
    /// The same for the tree of call paths in which threads were blocked.
    BlockedPython = 11,
    /// What threads do while the recording is written, updated in place: [`crate::present`].
    Present = 12,
    /// The phases of the program, updated in place: [`crate::phases`].
    Phases = 13,
    /// Counters of processor and kernel, updated in place: [`crate::counters`].
    Counters = 14,
    /// In a recording of the last seconds, the begins and ends of a thread and of pauses, which
    /// stay when the collector gives the chunks of its other events back.
    Lives = 15,
    /// What the process does in messages and collective operations of MPI: [`crate::mpi_events`].
    MpiEvents = 16,
    /// Regions that took longer than the collector was told, updated in place:
    /// [`crate::slow_regions`].
    SlowRegions = 17,
    /// The sums of the threads by slices of time, which a reader that followed the recording added
    /// at its end: [`crate::Slice`].
    Slices = 18,
}

impl ChunkKind {
    /// Whether chunks of the kind are of a moment: in a recording of the last seconds the collector
    /// gives them back when that is past.
    #[must_use]
    pub fn passes(self) -> bool {
        matches!(
            self,
            Self::Events | Self::Samples | Self::BlockedSamples | Self::Registers | Self::MpiEvents
        )
    }

    /// The kind with this number.
    #[must_use]
    pub fn from_number(number: u16) -> Option<Self> {
        match number {
            1 => Some(Self::Info),
            2 => Some(Self::Events),
            3 => Some(Self::Fold),
            4 => Some(Self::Calls),
            5 => Some(Self::Samples),
            6 => Some(Self::Costs),
            7 => Some(Self::BlockedCalls),
            8 => Some(Self::BlockedSamples),
            9 => Some(Self::Registers),
            10 => Some(Self::Python),
            11 => Some(Self::BlockedPython),
            12 => Some(Self::Present),
            13 => Some(Self::Phases),
            14 => Some(Self::Counters),
            15 => Some(Self::Lives),
            16 => Some(Self::MpiEvents),
            17 => Some(Self::SlowRegions),
            18 => Some(Self::Slices),
            _ => None,
        }
    }
}

/// The file header's facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileHeader {
    /// Process id.
    pub pid: u32,
    /// Tick counter at the start of the recording.
    pub start_tick: u64,
    /// `CLOCK_MONOTONIC` at [`FileHeader::start_tick`], ns.
    pub start_monotonic_ns: u64,
    /// `CLOCK_REALTIME` at [`FileHeader::start_tick`], ns since 1970.
    pub start_unix_ns: u64,
    /// Rate of the tick counter, as measured at the start of the recording.
    pub ticks_per_second: u64,
}

/// Bytes of the header in use, checksum included.
pub(crate) const HEADER_USED: usize = 68;

impl FileHeader {
    /// The header as the first bytes of a file; the rest up to [`HEADER_SIZE`] is zero.
    #[must_use]
    pub fn encode(&self) -> [u8; HEADER_USED] {
        let mut bytes = [0; HEADER_USED];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.0.to_le_bytes());
        bytes[10..12].copy_from_slice(&VERSION.1.to_le_bytes());
        bytes[12..16].copy_from_slice(&(HEADER_SIZE as u32).to_le_bytes());
        bytes[16..20].copy_from_slice(&(CHUNK_SIZE as u32).to_le_bytes());
        bytes[20..24].copy_from_slice(&(RECORD_SIZE as u32).to_le_bytes());
        bytes[24..28].copy_from_slice(&self.pid.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.start_tick.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.start_monotonic_ns.to_le_bytes());
        bytes[48..56].copy_from_slice(&self.start_unix_ns.to_le_bytes());
        bytes[56..64].copy_from_slice(&self.ticks_per_second.to_le_bytes());
        let crc = crc32(&bytes[..64]);
        bytes[64..68].copy_from_slice(&crc.to_le_bytes());
        bytes
    }
}

/// A chunk's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkHeader {
    /// Number of a [`ChunkKind`].
    pub kind: u16,
    /// [`STATE_OPEN`] or [`STATE_SEALED`].
    pub state: u16,
    /// Number of the thread that writes it, or [`PROCESS`].
    pub owner: u32,
    /// Position among the owner's chunks of this kind.
    pub sequence: u32,
    /// Bytes of payload that are complete.
    pub committed: u32,
    /// [`ChunkHeader::checksum`] of the chunk; valid once it is sealed.
    pub crc: u32,
}

impl ChunkHeader {
    /// The header as bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; CHUNK_HEADER_SIZE] {
        let mut bytes = [0; CHUNK_HEADER_SIZE];
        bytes[..4].copy_from_slice(&CHUNK_MAGIC.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.kind.to_le_bytes());
        bytes[6..8].copy_from_slice(&self.state.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.owner.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.sequence.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.committed.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.crc.to_le_bytes());
        bytes
    }

    /// The header in `bytes`; `None` if they are too few or the magic is missing.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.first_chunk::<CHUNK_HEADER_SIZE>()?;
        (u32_at(bytes, 0) == CHUNK_MAGIC).then(|| Self {
            kind: u16_at(bytes, 4),
            state: u16_at(bytes, STATE_OFFSET),
            owner: u32_at(bytes, 8),
            sequence: u32_at(bytes, 12),
            committed: u32_at(bytes, COMMITTED_OFFSET),
            crc: u32_at(bytes, CRC_OFFSET),
        })
    }

    /// The checksum of this header and the committed part of its `payload`.
    #[must_use]
    pub fn checksum(&self, payload: &[u8]) -> u32 {
        Crc32::new()
            .update(&self.kind.to_le_bytes())
            .update(&self.owner.to_le_bytes())
            .update(&self.sequence.to_le_bytes())
            .update(&self.committed.to_le_bytes())
            .update(payload)
            .finish()
    }
}

/// The number at `offset`. The callers' buffers have room: a short one is a bug of ours.
pub(crate) fn u16_at(bytes: &[u8], offset: usize) -> u16 {
    let mut number = [0; 2];
    number.copy_from_slice(&bytes[offset..offset + 2]);
    u16::from_le_bytes(number)
}

/// See [`u16_at`].
pub(crate) fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    let mut number = [0; 4];
    number.copy_from_slice(&bytes[offset..offset + 4]);
    u32::from_le_bytes(number)
}

/// See [`u16_at`].
pub(crate) fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[offset..offset + 8]);
    u64::from_le_bytes(number)
}
