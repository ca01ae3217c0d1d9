//! What stands in a tool's buffer: words, from the first aligned address on. The first word tells
//! how long the records are; then come the records, each behind a word with its kind and size.
//!
//! A cursor is the distance in bytes of a record from the first word. The word before a record
//! holds a mark that depends on the cursor: so a number that is not a cursor of this buffer is
//! recognized. A tool may move a buffer's contents, to an address of the same alignment.

use super::record::{
    CorrelationRecord, DataOpRecord, KernelRecord, MapItemRecord, MapRecord, NativeRecord, Plain,
    Record, TargetRecord,
};

/// The bytes of a word.
const WORD: usize = 8;
/// The upper half of a buffer's first word.
const BUFFER_MARK: u64 = 0x6F78_7472;
/// The number of words before the first record's words.
const HEAD: usize = 1;
/// The words of the largest record that is not divided.
const LARGEST: usize = DataOpRecord::WORDS;

/// The size of a buffer that has room for any record: that of a record of `omp-tools.h`.
pub(super) const LEAST_BYTES: usize = (HEAD + 1 + LARGEST) * WORD;
const _: () = assert!(LEAST_BYTES == size_of::<oxomp_sys::ompt::ompt_record_ompt_t>());
/// The size of a buffer that has room for any record wherever the buffer begins: its words are
/// aligned.
pub(super) const LEAST_BYTES_ANYWHERE: usize = LEAST_BYTES + WORD - 1;
const _: () = assert!(map_words(1) <= LARGEST && NativeRecord::WORDS <= LARGEST);

/// The most items of a map record, whose size must fit into 24 bits.
const MOST_ITEMS: usize = 1 << 20;

/// The number of words of a map record with `items` items: addresses, sizes, and half a word of
/// flags.
const fn map_words(items: usize) -> usize {
    MapRecord::WORDS + 3 * items + items.div_ceil(2)
}

/// The number of items of a map record of `words` words.
const fn items_in(words: usize) -> usize {
    let left = words.saturating_sub(MapRecord::WORDS);
    let items = left * 2 / 7;
    if map_words(items) > words { items.saturating_sub(1) } else { items }
}

/// What a record in a buffer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Target = 1,
    DataOp,
    Kernel,
    Map,
    Native,
    Correlation,
}

impl Kind {
    fn of(number: u64) -> Option<Self> {
        use Kind as K;
        let all = [K::Target, K::DataOp, K::Kernel, K::Map, K::Native, K::Correlation];
        all.into_iter().find(|kind| *kind as u64 == number)
    }
}

/// The mark of the record at a word.
fn mark(word: usize) -> u64 {
    u64::from((word as u32).wrapping_mul(0x9E37_79B1) ^ 0x6F78_6F6D)
}

/// The first word of a buffer, and how many words there are from it on.
fn aligned(buffer: *mut u8, bytes: usize) -> (*mut u64, usize) {
    let skipped = buffer.addr().next_multiple_of(WORD) - buffer.addr();
    let words = bytes.saturating_sub(skipped) / WORD;
    // More than any buffer has, and as much as the first word can tell.
    (buffer.wrapping_add(skipped).cast(), words.min(u32::MAX as usize))
}

/// A buffer of the tool that is being filled.
#[derive(Debug)]
pub(super) struct Writer {
    first: *mut u64,
    words: usize,
    used: usize,
}

// SAFETY: the tool has left the memory to the runtime, which uses it through the one writer.
unsafe impl Send for Writer {}

impl Writer {
    /// Fills the buffer; `None` if the buffer is too small for some record.
    ///
    /// # Safety
    /// `buffer` has `bytes` bytes, which nobody else uses while the writer is used.
    pub(super) unsafe fn new(buffer: *mut u8, bytes: usize) -> Option<Self> {
        let (first, words) = aligned(buffer, bytes);
        let is_large_enough = !buffer.is_null() && words * WORD >= LEAST_BYTES;
        is_large_enough.then_some(Self { first, words, used: HEAD })
    }

    /// The cursor after the last record.
    pub(super) fn end(&self) -> u64 {
        (self.used * WORD) as u64
    }

    /// The cursor of the first record.
    pub(super) fn begin(&self) -> u64 {
        (HEAD * WORD) as u64
    }

    /// Appends a record from its item `from` on. Returns whether the whole record had room;
    /// otherwise `from` becomes the first item that had none, and the rest has to go to another
    /// buffer.
    pub(super) fn append(&mut self, record: &Record, from: &mut usize) -> bool {
        match record {
            Record::Target(it) => self.put(Kind::Target, *it, 0).is_some(),
            Record::DataOp(it) => self.put(Kind::DataOp, *it, 0).is_some(),
            Record::Kernel(it) => self.put(Kind::Kernel, *it, 0).is_some(),
            Record::Native(it) => self.put(Kind::Native, *it, 0).is_some(),
            Record::Correlation(it) => self.put(Kind::Correlation, *it, 0).is_some(),
            Record::Map(head, items) => self.put_items(head, items, from),
        }
    }

    fn put_items(&mut self, head: &MapRecord, items: &[MapItemRecord], from: &mut usize) -> bool {
        let room = items_in(self.words.saturating_sub(self.used + 1)).min(MOST_ITEMS);
        let part = &items[*from..items.len().min(*from + room)];
        if part.is_empty() {
            return items.is_empty();
        }
        let count = part.len();
        let head = MapRecord { items: count as u32, ..*head };
        let Some(body) = self.put(Kind::Map, head, map_words(count) - MapRecord::WORDS) else {
            return false;
        };
        for (index, item) in part.iter().enumerate() {
            let words = [item.host, item.device, item.bytes];
            for (array, word) in words.into_iter().enumerate() {
                // SAFETY: `put` left room for three arrays of `count` words.
                unsafe { body.add(array * count + index).write(word as u64) };
            }
            // SAFETY: behind the arrays there is half a word for each item.
            unsafe { body.add(3 * count).cast::<u32>().add(index).write(item.flags) };
        }
        *from += count;
        *from == items.len()
    }

    /// Appends a structure and `more` words behind it; returns the address of these words. `None`
    /// without room.
    fn put<T: Plain>(&mut self, kind: Kind, body: T, more: usize) -> Option<*mut u64> {
        let words = T::WORDS + more;
        if self.used + 1 + words > self.words {
            return None;
        }
        let head = mark(self.used) << 32 | (words as u64) << 8 | kind as u64;
        let end = self.used + 1 + words;
        // SAFETY: the buffer has room for the record's word, the structure and the words behind
        // it, as was just tested; the first word is aligned, and so are all others.
        let behind = unsafe {
            let slot = self.first.add(self.used);
            slot.write(head);
            slot.add(1).cast::<T>().write(body);
            self.first.write(BUFFER_MARK << 32 | end as u64);
            slot.add(1 + T::WORDS)
        };
        self.used = end;
        Some(behind)
    }
}

/// A record in a buffer of the tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// What it is.
    pub(super) kind: Kind,
    /// The cursor of the next record; `None` after the last.
    pub(super) next: Option<u64>,
    body: *mut u64,
    words: usize,
}

impl Slot {
    /// The record at a cursor; `None` if no record is there.
    ///
    /// # Safety
    /// `buffer` is null, or a buffer that was handed to the tool with records in it.
    pub(super) unsafe fn at(buffer: *mut u8, cursor: u64) -> Option<Self> {
        let cursor = usize::try_from(cursor).ok()?;
        let word = cursor / WORD;
        if buffer.is_null() || word < HEAD || !cursor.is_multiple_of(WORD) {
            return None;
        }
        let (first, _) = aligned(buffer, 0);
        // SAFETY: a buffer with records has a first word.
        let head = unsafe { first.read() };
        let end = head as u32 as usize;
        if head >> 32 != BUFFER_MARK || word >= end {
            return None;
        }
        // SAFETY: the records end behind this word, and lie in the buffer.
        let (slot, head) = unsafe { (first.add(word), first.add(word).read()) };
        let (kind, words) = (Kind::of(head & 0xFF)?, (head >> 8 & 0xFF_FFFF) as usize);
        let next = word + 1 + words;
        if head >> 32 != mark(word) || next > end {
            return None;
        }
        // SAFETY: the record is not empty, and lies in the buffer.
        let body = unsafe { slot.add(1) };
        Some(Self { kind, next: (next < end).then_some((next * WORD) as u64), body, words })
    }

    /// The structure of the record, if it is of this kind.
    fn read<T: Plain>(&self, kind: Kind) -> Option<T> {
        let is_whole = self.kind == kind && self.words >= T::WORDS;
        // SAFETY: the record has the words of a `T`, for which all values are valid.
        is_whole.then(|| unsafe { self.body.cast::<T>().read() })
    }

    pub(super) fn target(&self) -> Option<TargetRecord> {
        self.read(Kind::Target)
    }

    pub(super) fn data_op(&self) -> Option<DataOpRecord> {
        self.read(Kind::DataOp)
    }

    pub(super) fn kernel(&self) -> Option<KernelRecord> {
        self.read(Kind::Kernel)
    }

    pub(super) fn correlation(&self) -> Option<*mut CorrelationRecord> {
        self.read::<CorrelationRecord>(Kind::Correlation).map(|_| self.body.cast())
    }

    /// The native record, in the buffer.
    pub(super) fn native(&self) -> Option<*mut NativeRecord> {
        self.read::<NativeRecord>(Kind::Native).map(|_| self.body.cast())
    }

    /// The map record, and its arrays in the buffer: addresses on the host, addresses on the
    /// device, sizes, and flags.
    pub(super) fn map(&self) -> Option<(MapRecord, [*mut u64; 3], *mut u32)> {
        let head: MapRecord = self.read(Kind::Map)?;
        let count = head.items as usize;
        if map_words(count) > self.words {
            return None;
        }
        // SAFETY: the record has the words that `map_words` counts.
        let arrays =
            [0, 1, 2].map(|array| unsafe { self.body.add(MapRecord::WORDS + array * count) });
        // SAFETY: the record has a fourth array behind these three.
        Some((head, arrays, unsafe { self.body.add(MapRecord::WORDS + 3 * count) }.cast()))
    }
}
