//! What a process does in messages and collective operations of MPI: one event for each message
//! that it sends or receives, and for each collective operation in which it takes part.
//!
//! The identity of a message or operation is the same in all processes that take part, so a reader
//! of all recordings of a job finds who waited for whom. Times are `CLOCK_MONOTONIC`'s, which all
//! processes of one machine share.

use crate::layout::{CHUNK_PAYLOAD, u32_at, u64_at};

/// Bytes of an event.
pub const MPI_EVENT_SIZE: usize = 48;
/// Events in a chunk.
pub const MPI_EVENTS_PER_CHUNK: usize = CHUNK_PAYLOAD / MPI_EVENT_SIZE;
/// The highest [`MpiEvent::thinning`].
pub const MOST_THINNING: u8 = 32;

/// What a process does in a message or a collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum MpiRole {
    /// Sends the message.
    Send = 1,
    /// Receives the message, or waits until it can be received.
    Receive = 2,
    /// Takes part in a collective operation in which each process needs all others.
    AllToAll = 3,
    /// Takes part in a collective operation in which each process needs the root.
    FromRoot = 4,
    /// Takes part in a collective operation in which the root needs all others.
    ToRoot = 5,
}

impl MpiRole {
    /// Every role, by number.
    pub const ALL: [Self; 5] =
        [Self::Send, Self::Receive, Self::AllToAll, Self::FromRoot, Self::ToRoot];

    fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }
}

/// The part of one process in a message or a collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MpiEvent {
    /// When the call began, ns of `CLOCK_MONOTONIC`: of a message that is received, the call that
    /// waited for it.
    pub begin_ns: u64,
    /// When the call ended, ns of `CLOCK_MONOTONIC`.
    pub end_ns: u64,
    /// The identity of the message or operation. Its lowest [`MpiEvent::thinning`] bits are 0.
    pub instance: u64,
    /// The code address of the region in which the call was; 0 outside every region.
    pub code: u64,
    /// The rank in `MPI_COMM_WORLD` of the other process of a message, or of the root.
    pub peer: u32,
    /// How many processes take part.
    pub members: u32,
    /// The number of the function that was called.
    pub function: u8,
    /// What the process does.
    pub role: MpiRole,
    /// The event stands for 2 to the power of this: the others were left out.
    pub thinning: u8,
    /// Whether the call both began and completed the operation.
    pub blocking: bool,
    /// Whether the call was on the process's main thread.
    pub on_main_thread: bool,
}

/// Flags of an encoded event.
const BLOCKING: u8 = 1;
const ON_MAIN_THREAD: u8 = 2;

/// Why an event cannot be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the MPI event at byte {offset} of the payload cannot be one: {what}")]
pub struct MpiEventError {
    /// Where the event begins in the payload, in bytes.
    pub offset: usize,
    /// What is wrong.
    pub what: &'static str,
}

impl MpiEvent {
    /// The event as bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; MPI_EVENT_SIZE] {
        let mut bytes = [0; MPI_EVENT_SIZE];
        let words = [self.begin_ns, self.end_ns, self.instance, self.code];
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes[32..36].copy_from_slice(&self.peer.to_le_bytes());
        bytes[36..40].copy_from_slice(&self.members.to_le_bytes());
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = flag(self.blocking, BLOCKING) | flag(self.on_main_thread, ON_MAIN_THREAD);
        bytes[40..44].copy_from_slice(&[self.function, self.role as u8, self.thinning, flags]);
        bytes
    }

    fn decode(bytes: &[u8]) -> Result<Self, &'static str> {
        let [function, role, thinning, flags] = [bytes[40], bytes[41], bytes[42], bytes[43]];
        let role = MpiRole::from_number(role).ok_or("unknown role")?;
        let event = Self {
            begin_ns: u64_at(bytes, 0),
            end_ns: u64_at(bytes, 8),
            instance: u64_at(bytes, 16),
            code: u64_at(bytes, 24),
            peer: u32_at(bytes, 32),
            members: u32_at(bytes, 36),
            function,
            role,
            thinning,
            blocking: flags & BLOCKING != 0,
            on_main_thread: flags & ON_MAIN_THREAD != 0,
        };
        if event.end_ns < event.begin_ns {
            return Err("it ends before it begins");
        }
        if thinning > MOST_THINNING || event.instance & ((1 << thinning) - 1) != 0 {
            return Err("its identity is not one of those that it stands for");
        }
        if flags & !(BLOCKING | ON_MAIN_THREAD) != 0 || u32_at(bytes, 44) != 0 {
            return Err("bits that have no meaning are set");
        }
        if event.members < 2 {
            return Err("fewer than two processes take part");
        }
        Ok(event)
    }

    /// Takes in the events of a chunk's payload, up to the first one that cannot be one, which is
    /// named.
    pub(crate) fn read_all(payload: &[u8], events: &mut Vec<Self>) -> Result<(), MpiEventError> {
        for (index, bytes) in payload.chunks(MPI_EVENT_SIZE).enumerate() {
            let offset = index * MPI_EVENT_SIZE;
            let error = |what| MpiEventError { offset, what };
            if bytes.len() < MPI_EVENT_SIZE {
                return Err(error("it is cut off"));
            }
            events.push(Self::decode(bytes).map_err(error)?);
        }
        Ok(())
    }
}

/// The process in `MPI_COMM_WORLD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MpiWorld {
    /// Its rank.
    pub rank: u32,
    /// The number of processes.
    pub size: u32,
    /// Messages and collective operations of which no event was recorded, although none of a
    /// similar kind stands for them.
    pub left_out: u64,
}

impl MpiWorld {
    /// Reads the content of an item: u64 rank, u64 size, u64 left out.
    pub(crate) fn decode(content: &[u8]) -> Option<Self> {
        let content = content.get(..24)?;
        let small = |offset: usize| u32::try_from(u64_at(content, offset)).ok();
        let (rank, size) = (small(0)?, small(8)?);
        (rank < size).then(|| Self { rank, size, left_out: u64_at(content, 16) })
    }
}

#[cfg(test)]
mod tests {
    use super::{MPI_EVENT_SIZE, MpiEvent, MpiRole, MpiWorld};

    fn event() -> MpiEvent {
        MpiEvent {
            begin_ns: 5,
            end_ns: 9,
            instance: 0xabcd_ef00,
            code: 0x40_0000,
            peer: 3,
            members: 4,
            function: 77,
            role: MpiRole::FromRoot,
            thinning: 8,
            blocking: true,
            on_main_thread: false,
        }
    }

    /// The events of a payload, and what is wrong with it.
    fn read(payload: &[u8]) -> (Vec<MpiEvent>, Option<(usize, &'static str)>) {
        let mut events = Vec::new();
        let error = MpiEvent::read_all(payload, &mut events).err();
        (events, error.map(|error| (error.offset, error.what)))
    }

    #[test]
    fn an_event_survives_its_bytes() {
        for role in MpiRole::ALL {
            let one = MpiEvent { role, ..event() };
            let other = MpiEvent { on_main_thread: true, blocking: false, ..one };
            let bytes = [one.encode(), other.encode()].concat();
            assert_eq!(read(&bytes), (vec![one, other], None));
        }
    }

    #[test]
    fn what_cannot_be_an_event_is_refused() {
        let good = event().encode();
        let with = |at: usize, byte: u8| {
            let mut bad = good;
            bad[at] = byte;
            [good, bad, good].concat()
        };
        for (payload, what) in [
            (with(41, 0), "unknown role"),
            (with(41, 6), "unknown role"),
            (with(0, 200), "it ends before it begins"),
            (with(42, 9), "its identity is not one of those that it stands for"),
            (with(42, 33), "its identity is not one of those that it stands for"),
            (with(43, 4), "bits that have no meaning are set"),
            (with(47, 1), "bits that have no meaning are set"),
            (with(36, 1), "fewer than two processes take part"),
            (with(0, 5)[..2 * MPI_EVENT_SIZE - 1].to_vec(), "it is cut off"),
        ] {
            assert_eq!(read(&payload), (vec![event()], Some((MPI_EVENT_SIZE, what))));
        }
    }

    #[test]
    fn a_rank_is_one_of_its_world() {
        let content = |numbers: [u64; 3]| numbers.map(u64::to_le_bytes).concat();
        let world = MpiWorld::decode(&content([2, 3, 9]));
        assert_eq!(world, Some(MpiWorld { rank: 2, size: 3, left_out: 9 }));
        assert_eq!(MpiWorld::decode(&content([3, 3, 0])), None);
        assert_eq!(MpiWorld::decode(&content([1 << 32, 1 << 33, 0])), None);
        assert_eq!(MpiWorld::decode(&content([2, 3, 9])[..23]), None);
    }
}
