//! Counters of processor and kernel: what threads counted, by region and activity, and as a whole.
//!
//! Each sampled thread reads its counters with every sample, and adds what they have counted since
//! the reading before to the entry of what it does at the sample. An interval between two readings
//! in which the thread has not changed its region belongs to that entry; of one in which it has, a
//! part belongs elsewhere, so such intervals have entries of their own.

use crate::layout::{u32_at, u64_at};

/// The most counters of a recording.
pub const MOST_COUNTERS: usize = 10;
/// Bytes of an entry.
pub const COUNTER_ENTRY_SIZE: usize = 128;

/// Bytes before the values.
const OF_VALUES: usize = 48;
const _: () = assert!(OF_VALUES + 8 * MOST_COUNTERS == COUNTER_ENTRY_SIZE);

/// The bit of an entry's activity that marks intervals in which the thread changed its region.
const MIXED: u32 = 1 << 31;

/// The activity of a thread when it read its counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u32)]
pub enum Activity {
    /// It executed user code, or the runtime's code on the way to it.
    #[default]
    Work = 0,
    /// It waited at a barrier.
    Barrier = 1,
    /// It waited in taskwait, or at the end of a taskgroup.
    Tasks = 2,
    /// It waited for a mutex.
    Mutex = 3,
    /// It waited for a device.
    Device = 4,
    /// It was a worker without a region.
    Idle = 5,
    /// Any of them: the entry stands for all for which there was no room.
    Elsewhere = 6,
}

impl Activity {
    /// Every activity, by number.
    pub const ALL: [Self; 7] = [
        Self::Work,
        Self::Barrier,
        Self::Tasks,
        Self::Mutex,
        Self::Device,
        Self::Idle,
        Self::Elsewhere,
    ];

    /// The activity of a thread whose state has this number in OMPT.
    #[must_use]
    pub fn of_state(state: i32) -> Self {
        match state {
            0x010..0x020 => Self::Barrier,
            0x020..0x040 => Self::Tasks,
            0x040..0x080 => Self::Mutex,
            0x080..0x100 => Self::Device,
            0x100 => Self::Idle,
            _ => Self::Work,
        }
    }
}

/// The key of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CounterKey {
    /// What the stream's threads counted in one place.
    Place {
        /// The code address of the region; 0 outside every region.
        region: u64,
        /// What the threads did.
        activity: Activity,
        /// Whether the thread changed its region in these intervals, so that a part of the counts
        /// belongs elsewhere.
        mixed: bool,
    },
    /// All that one thread counted.
    Thread {
        /// The system's id of the thread.
        tid: u32,
    },
}

/// Sums of counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// How many intervals are added up.
    pub readings: u64,
    /// Processor time of the threads in them, ns.
    pub time_ns: u64,
    /// For how much of it the counters were on the processor, ns: those that were there least, if
    /// the processor has too few for all at once.
    pub running_ns: u64,
    /// What each counter counted, scaled up to the whole time.
    pub values: [u64; MOST_COUNTERS],
}

/// Sums of counters under one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterEntry {
    /// What is added up.
    pub key: CounterKey,
    /// The sums.
    pub counts: Counts,
}

impl Counts {
    /// Adds other sums to these.
    pub fn add(&mut self, more: &Self) {
        let sum = |a: &mut u64, b: u64| *a = a.saturating_add(b);
        sum(&mut self.readings, more.readings);
        sum(&mut self.time_ns, more.time_ns);
        sum(&mut self.running_ns, more.running_ns);
        for (value, more) in self.values.iter_mut().zip(more.values) {
            sum(value, more);
        }
    }
}

impl Counts {
    /// What has been added since the sums were `earlier`.
    pub(crate) fn since(&self, earlier: &Self) -> Self {
        let mut values = self.values;
        for (value, known) in values.iter_mut().zip(earlier.values) {
            *value = value.saturating_sub(known);
        }
        Self {
            readings: self.readings.saturating_sub(earlier.readings),
            time_ns: self.time_ns.saturating_sub(earlier.time_ns),
            running_ns: self.running_ns.saturating_sub(earlier.running_ns),
            values,
        }
    }
}

impl CounterKey {
    /// The key as the first 16 bytes of an entry.
    #[must_use]
    pub fn encode(self) -> [u8; 16] {
        let (kind, what, id) = match self {
            Self::Place { region, activity, mixed } => {
                (1_u32, activity as u32 | if mixed { MIXED } else { 0 }, region)
            }
            Self::Thread { tid } => (2, 0, tid.into()),
        };
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&kind.to_le_bytes());
        bytes[4..8].copy_from_slice(&what.to_le_bytes());
        bytes[8..].copy_from_slice(&id.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (what, id) = (u32_at(bytes, 4), u64_at(bytes, 8));
        match u32_at(bytes, 0) {
            1 => {
                let number = what & !MIXED;
                let activity = Activity::ALL.into_iter().find(|one| *one as u32 == number)?;
                Some(Self::Place { region: id, activity, mixed: what & MIXED != 0 })
            }
            2 => Some(Self::Thread { tid: u32::try_from(id).ok()? }),
            _ => None,
        }
    }
}

impl CounterEntry {
    /// The entry as bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; COUNTER_ENTRY_SIZE] {
        let mut bytes = [0; COUNTER_ENTRY_SIZE];
        bytes[..16].copy_from_slice(&self.key.encode());
        let Counts { readings, time_ns, running_ns, values } = self.counts;
        let words = [readings, time_ns, running_ns, 0].into_iter().chain(values);
        for (place, word) in bytes[16..].chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// The entries of a chunk's payload; unused ones, and those of a later version, are left out.
    pub(crate) fn read_all(payload: &[u8]) -> impl Iterator<Item = Self> + '_ {
        payload.chunks_exact(COUNTER_ENTRY_SIZE).filter_map(Self::decode)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let key = CounterKey::decode(bytes)?;
        let mut values = [0; MOST_COUNTERS];
        for (number, value) in values.iter_mut().enumerate() {
            *value = u64_at(bytes, OF_VALUES + 8 * number);
        }
        let (readings, time_ns) = (u64_at(bytes, 16), u64_at(bytes, 24));
        Some(Self {
            key,
            counts: Counts { readings, time_ns, running_ns: u64_at(bytes, 32), values },
        })
    }
}

/// A counter that the recording was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// Its name, as the user gave it.
    pub name: String,
    /// Its position among the values of [`Counts`], or why the kernel did not count it.
    pub position: Result<usize, String>,
}

impl Counter {
    /// In place of a position: the kernel did not count it.
    pub const REFUSED: u64 = u64::MAX;

    /// Reads the content of an item: u64 position or [`Counter::REFUSED`], u64 length of the name,
    /// the name, and why the kernel refused.
    pub(crate) fn decode(content: &[u8]) -> Option<Self> {
        let texts = content.get(16..)?;
        let length = usize::try_from(u64_at(content, 8)).ok()?;
        let (name, reason) = texts.split_at_checked(length)?;
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let position = match u64_at(content, 0) {
            Self::REFUSED => Err(text(reason)),
            position => Ok(usize::try_from(position).ok().filter(|it| *it < MOST_COUNTERS)?),
        };
        Some(Self { name: text(name), position })
    }
}

/// How fast the processors of the program moved memory in a loop that does nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bandwidth {
    /// Bytes of cache lines that they fetched from memory in a second, all together.
    pub bytes_per_second: u64,
    /// The threads that did; 0 if the user gave the number.
    pub threads: u64,
}

#[cfg(test)]
mod tests {
    use super::{Activity, COUNTER_ENTRY_SIZE, Counter, CounterEntry, CounterKey, Counts};

    #[test]
    fn entries_come_back_and_others_are_left_out() {
        let values = std::array::from_fn(|number| u64::MAX - number as u64);
        let counts = Counts { readings: 3, time_ns: 20, running_ns: 10, values };
        let keys = [
            CounterKey::Place { region: 0x40_1000, activity: Activity::Idle, mixed: true },
            CounterKey::Place { region: 0, activity: Activity::Work, mixed: false },
            CounterKey::Thread { tid: 77 },
        ];
        let entries = keys.map(|key| CounterEntry { key, counts });
        let mut bytes: Vec<u8> = entries.iter().flat_map(CounterEntry::encode).collect();
        // Unused, of a later kind, of a later activity, and one that is cut off.
        bytes.extend([0; COUNTER_ENTRY_SIZE]);
        for (at, number) in [(0, 9), (4, 50)] {
            let mut later = entries[0].encode();
            later[at] = number;
            bytes.extend(later);
        }
        bytes.extend(&entries[0].encode()[..COUNTER_ENTRY_SIZE - 1]);
        assert_eq!(CounterEntry::read_all(&bytes).collect::<Vec<_>>(), entries);
    }

    #[test]
    fn states_have_activities() {
        let of = |state| Activity::of_state(state);
        assert_eq!([0, 1, 2, 0x101, 0x102].map(of), [Activity::Work; 5]);
        assert_eq!([0x10, 0x16].map(of), [Activity::Barrier; 2]);
        assert_eq!([0x20, 0x21].map(of), [Activity::Tasks; 2]);
        assert_eq!([0x40, 0x44].map(of), [Activity::Mutex; 2]);
        assert_eq!([0x80, 0x100].map(of), [Activity::Device, Activity::Idle]);
    }

    #[test]
    fn items_say_where_a_counter_is_or_why_it_is_not() {
        let item = |position: u64, length: u64, texts: &[u8]| {
            [&position.to_le_bytes()[..], &length.to_le_bytes(), texts].concat()
        };
        let decoded = |content: &[u8]| Counter::decode(content).map(|it| (it.name, it.position));
        assert_eq!(decoded(&item(2, 6, b"cycles")), Some(("cycles".to_owned(), Ok(2))));
        let refused = decoded(&item(Counter::REFUSED, 6, b"cyclesno"));
        assert_eq!(refused, Some(("cycles".to_owned(), Err("no".to_owned()))));
        assert_eq!(decoded(&item(10, 6, b"cycles")), None, "beyond the values");
        assert_eq!(decoded(&item(0, 7, b"cycles")), None, "longer than the item");
        assert_eq!(decoded(&item(0, u64::MAX, b"cycles")), None);
        assert_eq!(decoded(&[0; 15]), None);
    }
}
