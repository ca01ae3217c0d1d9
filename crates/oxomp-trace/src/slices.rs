//! The sums of a recording apart by slices of time.
//!
//! A reader that followed the recording adds them at its end: what each thread did between two
//! looks at its sums ([`crate::Slicer`]). A slice begins where the one before it ends. Regions
//! count in the slice in which they end.
//!
//! A chunk has parts of slices: the begin and the end of the slice in ticks and the number of sums,
//! 8 bytes each, and that many sums of [`SUM_SIZE`] bytes: the number of the thread's stream in 8
//! bytes, and the sum as a fold entry. A slice that has no room in the rest of a chunk goes on in
//! the next one, with the same begin and end.

use std::collections::BTreeMap;

use crate::fold::{ENTRY_SIZE, FoldEntry, joined};
use crate::layout::{CHUNK_PAYLOAD, u32_at, u64_at};

/// Bytes before the sums of a slice.
const SLICE_HEADER: usize = 24;
/// The most slices that are read: more than any recording has.
const MOST_READ: usize = 1024;
/// Bytes of a sum.
pub(crate) const SUM_SIZE: usize = 8 + ENTRY_SIZE;

/// What the threads did in one slice of time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Slice {
    /// Its first tick.
    pub begin: u64,
    /// The tick at which the next one begins.
    pub end: u64,
    /// The sums, each with the number of its thread; of longest and shortest times, those of the
    /// recording up to the end of the slice.
    pub sums: Vec<(u32, FoldEntry)>,
}

impl Slice {
    /// The slice's length in ticks.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.end.saturating_sub(self.begin)
    }
}

/// Sums by the number of their stream, those with one key put together.
pub(crate) fn together(
    sums: impl IntoIterator<Item = (u32, FoldEntry)>,
) -> BTreeMap<u32, Vec<FoldEntry>> {
    let mut streams = BTreeMap::<u32, Vec<FoldEntry>>::new();
    for (stream, entry) in sums {
        streams.entry(stream).or_default().push(entry);
    }
    streams.values_mut().for_each(|sums| *sums = joined(std::mem::take(sums)));
    streams
}

/// The payloads of the chunks with these slices.
pub(crate) fn encoded(slices: &[Slice]) -> Vec<Vec<u8>> {
    let mut payloads = vec![Vec::new()];
    for slice in slices {
        let mut rest = slice.sums.as_slice();
        loop {
            let used = payloads.last().map_or(CHUNK_PAYLOAD, Vec::len);
            let room = CHUNK_PAYLOAD.saturating_sub(used + SLICE_HEADER) / SUM_SIZE;
            if used + SLICE_HEADER > CHUNK_PAYLOAD || room == 0 && !rest.is_empty() {
                payloads.push(Vec::new());
                continue;
            }
            let (sums, later) = rest.split_at(room.min(rest.len()));
            if let Some(payload) = payloads.last_mut() {
                encode_part(slice, sums, payload);
            }
            rest = later;
            if rest.is_empty() {
                break;
            }
        }
    }
    payloads
}

fn encode_part(slice: &Slice, sums: &[(u32, FoldEntry)], payload: &mut Vec<u8>) {
    payload.extend(slice.begin.to_le_bytes());
    payload.extend(slice.end.to_le_bytes());
    payload.extend((sums.len() as u64).to_le_bytes());
    for (stream, entry) in sums {
        payload.extend(u64::from(*stream).to_le_bytes());
        payload.extend(entry.encode());
    }
}

/// Adds the slices of a chunk's payload to those before them. Returns whether all make sense.
pub(crate) fn read_slices(payload: &[u8], slices: &mut Vec<Slice>) -> bool {
    let mut rest = payload;
    while !rest.is_empty() {
        let Some((header, after)) = rest.split_at_checked(SLICE_HEADER) else { return false };
        let (begin, end, count) = (u64_at(header, 0), u64_at(header, 8), u64_at(header, 16));
        let length = usize::try_from(count).ok().and_then(|count| count.checked_mul(SUM_SIZE));
        let Some((sums, after)) = length.and_then(|length| after.split_at_checked(length)) else {
            return false;
        };
        let is_next = slices.last().is_none_or(|last| last.end <= begin);
        let continues = slices.last().is_some_and(|last| (last.begin, last.end) == (begin, end));
        if begin > end || !(is_next || continues) || slices.len() > MOST_READ {
            return false;
        }
        if !continues {
            slices.push(Slice { begin, end, sums: Vec::new() });
        }
        let sums = sums.chunks_exact(SUM_SIZE).flat_map(|sum| {
            let entries = FoldEntry::read_all(&sum[8..]);
            entries.map(|entry| (u32_at(sum, 0), entry))
        });
        if let Some(slice) = slices.last_mut() {
            slice.sums.extend(sums);
        }
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{Slice, encoded, read_slices};
    use crate::fold::{FoldEntry, FoldKind};
    use crate::layout::CHUNK_PAYLOAD;

    fn slice(begin: u64, sums: u32) -> Slice {
        let entry = |key| FoldEntry {
            kind: FoldKind::Region as u32,
            key: [u64::from(key), 0, 0],
            values: [begin; 12],
            ..FoldEntry::default()
        };
        let sums = (0..sums).map(|number| (number % 7, entry(number))).collect();
        Slice { begin, end: begin + 10, sums }
    }

    #[test]
    fn slices_go_on_in_the_next_chunk() {
        let slices = [slice(0, 3), slice(10, 0), slice(20, 1000), slice(30, 475), slice(40, 1)];
        let payloads = encoded(&slices);
        assert!(payloads.len() >= 4 && payloads.iter().all(|one| one.len() <= CHUNK_PAYLOAD));
        let mut read = Vec::new();
        assert!(payloads.iter().all(|payload| read_slices(payload, &mut read)));
        assert_eq!(read, slices);
    }

    #[test]
    fn slices_that_contradict_each_other_are_not_taken() {
        let payload = encoded(&[slice(0, 2), slice(10, 2)]).remove(0);
        for (at, byte) in [(0, 9), (8, 0), (16, 0xff), (23, 0xff), (payload.len() - 300, 1)] {
            let mut damaged = payload.clone();
            damaged[at] = byte;
            let mut read = Vec::new();
            let is_whole = read_slices(&damaged, &mut read);
            assert!(!is_whole || read != [slice(0, 2), slice(10, 2)], "{at}");
            assert!(read.iter().all(|one| one.begin <= one.end));
        }
        assert!(!read_slices(&payload[..payload.len() - 1], &mut Vec::new()));
    }
}
