//! The trace of a fake device, of either interface: records that wait, the buffers of the tool into
//! which they are written, and the position of each record there.

use std::thread;

/// The bytes before the first record: where the records end.
const HEAD: usize = 8;

/// A record that a device has made: its format's number, the operation of the host, its bytes.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) format: i32,
    pub(crate) host_op_id: u64,
    pub(crate) bytes: Vec<u8>,
}

impl Made {
    /// A record of a C type.
    pub(crate) fn new<R: Copy>(format: i32, record: &R) -> Self {
        let start = std::ptr::from_ref(record).cast::<u8>();
        // SAFETY: the record's own bytes; padding is copied as it is.
        let bytes = unsafe { std::slice::from_raw_parts(start, size_of::<R>()) }.to_vec();
        Self { format, host_op_id: 0, bytes }
    }

    /// What the record takes in a buffer: format, operation, length, bytes up to a multiple of 8.
    fn size(&self) -> usize {
        24 + self.bytes.len().next_multiple_of(8)
    }
}

/// A buffer with complete records; the positions of the first and behind the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full {
    pub(crate) buffer: *mut u8,
    pub(crate) bytes: usize,
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

// SAFETY: the test hands it to one thread at a time.
unsafe impl Send for Full {}

/// The fewest bytes with room for these records.
pub(crate) fn room_for(records: &[Made]) -> usize {
    HEAD + records.iter().map(Made::size).sum::<usize>()
}

/// Writes the records into buffers, and hands each over on a thread of its own, which it waits for.
/// False if the tool refuses a buffer: the records that are left are lost.
///
/// # Safety
/// `request` gives memory of the size that it says, which may be written until `complete`.
pub(crate) unsafe fn hand_over(
    records: &[Made],
    request: impl Fn() -> (*mut u8, usize),
    complete: impl Fn(Full) + Sync,
) -> bool {
    let mut left = records;
    while !left.is_empty() {
        let (buffer, bytes) = request();
        if bytes == 0 || bytes < room_for(&left[..1]) {
            assert!(bytes != 0 || buffer.is_null(), "no size, no buffer");
            return false;
        }
        assert_eq!(buffer.addr() % 8, 0, "aligned as C's memory");
        let mut at = HEAD;
        while let Some(record) = left.first().filter(|record| at + record.size() <= bytes) {
            // SAFETY: the buffer has room for it, as tested.
            unsafe {
                let place = buffer.add(at);
                place.cast::<u64>().write(record.format as u64);
                place.add(8).cast::<u64>().write(record.host_op_id);
                place.add(16).cast::<u64>().write(record.bytes.len() as u64);
                let data = place.add(24);
                data.copy_from_nonoverlapping(record.bytes.as_ptr(), record.bytes.len());
            }
            at += record.size();
            left = &left[1..];
        }
        // SAFETY: the buffer has room for its head.
        unsafe { buffer.cast::<u64>().write(at as u64) };
        let full = Full { buffer, bytes, begin: HEAD as u64, end: at as u64 };
        let complete = &complete;
        thread::scope(|scope| {
            scope.spawn(move || complete(full));
        });
    }
    true
}

/// The number of the format of the record at a position; `None` where no record is.
///
/// # Safety
/// `buffer` was filled by [`hand_over`].
pub(crate) unsafe fn format(buffer: *mut u8, cursor: u64) -> Option<i32> {
    // SAFETY: as the caller promises.
    unsafe {
        let end = buffer.cast::<u64>().read();
        (cursor >= HEAD as u64 && cursor < end)
            .then(|| buffer.add(cursor as usize).cast::<u64>().read() as i32)
    }
}

/// The position after a record, which may be the end; `None` where no record is.
///
/// # Safety
/// As for [`format`].
pub(crate) unsafe fn after(buffer: *mut u8, cursor: u64) -> Option<u64> {
    // SAFETY: as the caller promises.
    unsafe {
        format(buffer, cursor)?;
        let length = buffer.add(cursor as usize + 16).cast::<u64>().read();
        Some(cursor + 24 + length.next_multiple_of(8))
    }
}

/// The operation and the bytes of the record at a position.
///
/// # Safety
/// As for [`format`], and a record is there.
pub(crate) unsafe fn record(buffer: *mut u8, cursor: u64) -> (u64, *mut u8) {
    // SAFETY: as the caller promises.
    unsafe {
        let place = buffer.add(cursor as usize);
        (place.add(8).cast::<u64>().read(), place.add(24))
    }
}
