//! A file of chunks: how records and times become the bytes of definitions and of events.

use std::io::{self, Write};

/// Bytes of a chunk of events; the anchor tells readers.
pub(super) const EVENT_CHUNK: usize = 1 << 20;
/// Bytes of a chunk of definitions; the anchor tells readers.
pub(super) const DEFINITION_CHUNK: usize = 4 << 20;

/// Bytes between records.
mod mark {
    /// Fills a chunk after its last record.
    pub(super) const END_OF_CHUNK: u8 = 0;
    pub(super) const END_OF_BUFFER: u8 = 1;
    pub(super) const END_OF_FILE: u8 = 2;
    pub(super) const CHUNK: u8 = 3;
    pub(super) const TIME: u8 = 5;
    /// Numbers have their lowest byte first.
    pub(super) const LITTLE_ENDIAN: u8 = 0x42;
}

/// How each file begins, the anchor too.
pub(super) const BEGIN: [u8; 2] = [mark::CHUNK, mark::LITTLE_ENDIAN];
/// How each file ends.
pub(super) const END: [u8; 2] = [mark::END_OF_FILE, mark::END_OF_BUFFER];
/// The position of the last event's number in a chunk.
const LAST_EVENT: usize = 10;
/// The bytes of a time.
const TIME_SIZE: usize = 9;

/// A file being written, one chunk after the other.
pub(super) struct Chunks<'a> {
    out: &'a mut dyn Write,
    size: usize,
    /// The current chunk, up to the last record.
    chunk: Vec<u8>,
    /// Events in all chunks.
    events: u64,
    /// The time of the last event.
    time: Option<u64>,
}

impl<'a> Chunks<'a> {
    /// A file with chunks of `size` bytes.
    pub(super) fn new(size: usize, out: &'a mut dyn Write) -> Self {
        let mut chunks = Self { out, size, chunk: Vec::new(), events: 0, time: None };
        chunks.begin();
        chunks
    }

    /// Adds a definition.
    pub(super) fn definition(&mut self, record: &[u8]) -> io::Result<()> {
        self.make_room(record.len())?;
        self.chunk.extend(record);
        Ok(())
    }

    /// Adds an event. Times do not decrease: one that is before the last event's counts as that.
    pub(super) fn event(&mut self, time: u64, record: &[u8]) -> io::Result<()> {
        let time = self.time.map_or(time, |last| last.max(time));
        self.make_room(TIME_SIZE + record.len())?;
        // Each chunk begins with a time, so that it can be read alone.
        if self.time != Some(time) || self.chunk.len() == LAST_EVENT + 8 {
            self.chunk.push(mark::TIME);
            self.chunk.extend(time.to_le_bytes());
            self.time = Some(time);
        }
        self.chunk.extend(record);
        self.events += 1;
        Ok(())
    }

    /// Ends the file, and returns the number of events.
    pub(super) fn finish(mut self) -> io::Result<u64> {
        self.make_room(END.len())?;
        self.chunk.extend(END);
        self.write()?;
        Ok(self.events)
    }

    fn begin(&mut self) {
        self.chunk.extend(BEGIN);
        self.chunk.extend((self.events + 1).to_le_bytes());
        // The number of its last event: known when it ends.
        self.chunk.extend([0; 8]);
    }

    /// Ends the chunk if less than `length` bytes and the mark of its end fit into it.
    fn make_room(&mut self, length: usize) -> io::Result<()> {
        if self.chunk.len() + length < self.size {
            return Ok(());
        }
        self.chunk.resize(self.size, mark::END_OF_CHUNK);
        self.write()?;
        self.chunk.clear();
        self.begin();
        Ok(())
    }

    fn write(&mut self) -> io::Result<()> {
        self.chunk[LAST_EVENT..LAST_EVENT + 8].copy_from_slice(&self.events.to_le_bytes());
        self.out.write_all(&self.chunk)
    }
}

#[cfg(test)]
mod tests {
    use super::{Chunks, TIME_SIZE};

    fn number(bytes: &[u8]) -> u64 {
        u64::from_le_bytes(bytes[..8].try_into().unwrap())
    }

    #[test]
    fn a_file_without_records_is_a_header_and_an_end() {
        let mut bytes = Vec::new();
        assert_eq!(Chunks::new(1 << 20, &mut bytes).finish().unwrap(), 0);
        let mut expected = vec![3, 0x42, 1, 0, 0, 0, 0, 0, 0, 0];
        expected.extend([0, 0, 0, 0, 0, 0, 0, 0, 2, 1]);
        assert_eq!(bytes, expected);
    }

    #[test]
    fn events_of_one_time_tell_it_once() {
        let mut bytes = Vec::new();
        let mut chunks = Chunks::new(1 << 20, &mut bytes);
        for (time, record) in [(1000, [12, 0]), (1001, [12, 1]), (1001, [13, 1]), (900, [13, 0])] {
            chunks.event(time, &record).unwrap();
        }
        assert_eq!(chunks.finish().unwrap(), 4);
        assert_eq!(number(&bytes[10..]), 4);
        let mut expected = vec![5, 0xe8, 3, 0, 0, 0, 0, 0, 0, 12, 0];
        expected.extend([5, 0xe9, 3, 0, 0, 0, 0, 0, 0, 12, 1, 13, 1, 13, 0, 2, 1]);
        assert_eq!(bytes[18..], expected);
    }

    #[test]
    fn chunks_have_one_size_and_each_begins_with_a_time() {
        let mut bytes = Vec::new();
        let mut chunks = Chunks::new(64, &mut bytes);
        for _ in 0..100 {
            chunks.event(7, &[12, 0]).unwrap();
        }
        assert_eq!(chunks.finish().unwrap(), 100);
        let mut next = 1;
        for chunk in bytes.chunks(64) {
            assert_eq!((chunk[..2].to_vec(), number(&chunk[2..])), (vec![3, 0x42], next));
            assert_eq!((chunk[18], number(&chunk[19..])), (5, 7));
            let records = &chunk[18 + TIME_SIZE..];
            let count = records.chunks(2).take_while(|record| *record == [12, 0]).count() as u64;
            assert_eq!(number(&chunk[10..]), next + count - 1);
            next += count;
        }
        assert_eq!((next, bytes[bytes.len() - 2..].to_vec()), (101, vec![2, 1]));
    }
}
