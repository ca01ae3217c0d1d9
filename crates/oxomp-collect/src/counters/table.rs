//! What the threads of a stream counted, in a chunk of the file that is updated in place.
//!
//! The thread itself writes, in its signal handler, as it does its tree of call paths.

use std::slice;

use oxomp_trace::counters::{Activity, COUNTER_ENTRY_SIZE, CounterKey, Counts};
use oxomp_trace::layout::{CHUNK_PAYLOAD, ChunkKind};

use crate::store::{Chunk, Store};

/// Entries of a chunk; the last one stands for all keys for which there is no room.
const ENTRIES: usize = CHUNK_PAYLOAD / COUNTER_ENTRY_SIZE;
const LAST: usize = ENTRIES - 1;
/// Entries that are probed for a key.
const PROBES: usize = 32;

/// An entry as the file has it, in words.
type Words = [u64; COUNTER_ENTRY_SIZE / 8];

/// The table of a stream; its chunk is taken at the first use.
#[derive(Debug, Default)]
pub(crate) struct Table {
    number: u32,
    chunk: Option<Chunk>,
    /// Whether the file had no room.
    is_full: bool,
}

impl Table {
    /// The table is that of the stream `number` from now on.
    pub(crate) fn begin(&mut self, number: u32) {
        self.number = number;
    }

    /// Adds `counts` to the entry of `key`.
    pub(crate) fn add(&mut self, store: &Store, key: CounterKey, counts: &Counts) {
        if self.chunk.is_none() && !self.is_full {
            self.chunk = store.take(ChunkKind::Counters, self.number, 0).ok();
            self.is_full = self.chunk.is_none();
            // All of it counts from now on; entries that are zero are not in use.
            self.chunk.inspect(|chunk| chunk.commit(ENTRIES * COUNTER_ENTRY_SIZE));
        }
        let Some(chunk) = self.chunk else { return };
        // SAFETY: this thread is the chunk's writer, its payload is zero or entries, big and
        // aligned enough, and there is no other reference to it now.
        let entries =
            unsafe { slice::from_raw_parts_mut(chunk.payload().cast::<Words>(), ENTRIES) };
        let Some(entry) = entry(entries, key) else { return };
        let Counts { readings, time_ns, running_ns, values } = *counts;
        let sums = [readings, time_ns, running_ns, 0].into_iter().chain(values);
        for (word, more) in entry[2..].iter_mut().zip(sums) {
            *word = word.saturating_add(more);
        }
    }

    /// Releases the chunk.
    pub(crate) fn close(&mut self, store: &Store) {
        if let Some(chunk) = self.chunk.take() {
            store.release(chunk);
        }
    }
}

/// The entry of a key, made if there is room for it; else the one for all other places, and none
/// for a thread, whose counts are in those of places, too.
fn entry(entries: &mut [Words], key: CounterKey) -> Option<&mut Words> {
    let wanted = words(key);
    let hash = (wanted[0] ^ wanted[1].rotate_left(21)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let start = (hash >> 32) as usize % LAST;
    let mut places = (0..PROBES).map(|probe| (start + probe) % LAST);
    let found = places.find(|&place| entries[place][..2] == wanted || entries[place][0] == 0);
    let (place, wanted) = match found {
        Some(place) => (place, wanted),
        None if matches!(key, CounterKey::Thread { .. }) => return None,
        None => {
            let activity = Activity::Elsewhere;
            (LAST, words(CounterKey::Place { region: 0, activity, mixed: true }))
        }
    };
    let entry = &mut entries[place];
    entry[..2].copy_from_slice(&wanted);
    Some(entry)
}

/// The words of a key.
fn words(key: CounterKey) -> [u64; 2] {
    let bytes = u128::from_ne_bytes(key.encode());
    let [low, high] = [bytes as u64, (bytes >> 64) as u64];
    if cfg!(target_endian = "little") { [low, high] } else { [high, low] }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use oxomp_trace::counters::{Activity, CounterEntry, CounterKey, Counts};
    use oxomp_trace::{FileHeader, Profile};

    use super::Table;
    use crate::store::Store;

    #[test]
    fn sums_are_in_the_file_and_none_is_lost_where_keys_are_too_many() {
        let path = env::temp_dir().join(format!("oxomp-counters-{}.oxp", process::id()));
        let store = Store::create(&path, 4 << 20, &FileHeader::default()).unwrap();
        let mut table = Table::default();
        table.begin(5);
        let counts = Counts {
            readings: 1,
            time_ns: 30,
            running_ns: 20,
            values: std::array::from_fn(|at| at as u64),
        };
        const KEYS: u64 = 900;
        for region in (1..=KEYS).chain(1..=KEYS) {
            let key = CounterKey::Place { region, activity: Activity::Work, mixed: false };
            table.add(&store, key, &counts);
        }
        table.add(&store, CounterKey::Thread { tid: 7 }, &counts);
        table.close(&store);
        store.seal();
        let profile = Profile::open(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(profile.damage, []);
        assert!(profile.counters.iter().all(|(stream, _)| *stream == 5));
        let entries = || profile.counters.iter().map(|(_, entry)| entry);
        let mut sum = Counts::default();
        entries().for_each(|entry| sum.add(&entry.counts));
        let is_thread = |entry: &&CounterEntry| matches!(entry.key, CounterKey::Thread { .. });
        let all = 2 * KEYS + entries().filter(is_thread).count() as u64;
        assert_eq!((sum.readings, sum.time_ns, sum.running_ns), (all, 30 * all, 20 * all));
        assert_eq!(sum.values[9], 9 * all);
        assert!(entries().count() > 400, "{}", entries().count());
        let of_region = |wanted: u64| {
            let is = |key| matches!(key, CounterKey::Place { region, .. } if region == wanted);
            entries().filter(|entry| is(entry.key)).count()
        };
        assert_eq!((of_region(1), of_region(0)), (1, 1), "one of its own, and one for the rest");
    }
}
