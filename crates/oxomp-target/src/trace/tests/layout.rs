//! Records in buffers.

use proptest::prelude::{Strategy, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};

use crate::trace::layout::{Kind, LEAST_BYTES, LEAST_BYTES_ANYWHERE, Slot, Writer};
use crate::trace::record::{
    CorrelationRecord, DataOpRecord, KernelRecord, MapItemRecord, MapRecord, NativeRecord, Record,
    TargetRecord,
};

/// A buffer at an address that is `skew` bytes from an aligned one.
struct Memory(Vec<u64>, usize);

impl Memory {
    fn new(bytes: usize, skew: usize) -> Self {
        Self(vec![0xA5A5_A5A5_A5A5_A5A5; bytes.div_ceil(8) + 2], skew)
    }

    fn start(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast::<u8>().wrapping_add(self.1)
    }
}

/// The record that stands at a place.
fn read(slot: &Slot) -> Option<Record> {
    Some(match slot.kind {
        Kind::Target => Record::Target(slot.target()?),
        Kind::DataOp => Record::DataOp(slot.data_op()?),
        Kind::Kernel => Record::Kernel(slot.kernel()?),
        // SAFETY: the record is in the test's buffer.
        Kind::Native => Record::Native(unsafe { *slot.native()? }),
        // SAFETY: as above.
        Kind::Correlation => Record::Correlation(unsafe { *slot.correlation()? }),
        Kind::Map => {
            let (head, [hosts, devices, sizes], flags) = slot.map()?;
            let item = |index| {
                // SAFETY: the arrays have `head.items` elements.
                let [host, device, bytes] = [hosts, devices, sizes]
                    .map(|array| unsafe { array.add(index).read() } as usize);
                // SAFETY: as above.
                MapItemRecord { host, device, bytes, flags: unsafe { flags.add(index).read() } }
            };
            Record::Map(head, (0..head.items as usize).map(item).collect())
        }
    })
}

/// All records of a buffer, from the first on.
fn read_all(memory: &mut Memory, begin: u64) -> Vec<Record> {
    let (mut all, mut cursor) = (Vec::new(), Some(begin));
    while let Some(at) = cursor {
        // SAFETY: the buffer is the test's.
        let Some(slot) = (unsafe { Slot::at(memory.start(), at) }) else { break };
        all.extend(read(&slot));
        cursor = slot.next;
    }
    all
}

/// Puts the records into as many buffers as they need, and reads them from these.
fn through_buffers(records: &[Record], bytes: usize, skew: usize) -> Vec<Vec<Record>> {
    let mut buffers = Vec::new();
    let open = || {
        let mut memory = Memory::new(bytes, skew);
        // SAFETY: the memory is the test's, and has `bytes` bytes.
        let writer = unsafe { Writer::new(memory.start(), bytes) }.expect("it is large enough");
        (memory, writer)
    };
    let (mut memory, mut writer) = open();
    for record in records {
        let mut from = 0;
        while !writer.append(record, &mut from) {
            buffers.push(read_all(&mut memory, writer.begin()));
            (memory, writer) = open();
        }
    }
    buffers.push(read_all(&mut memory, writer.begin()));
    buffers
}

fn words() -> impl Strategy<Value = [u64; 9]> {
    any::<[u64; 9]>()
}

fn items() -> impl Strategy<Value = Vec<MapItemRecord>> {
    let item = |(host, device, bytes, flags)| MapItemRecord { host, device, bytes, flags };
    prop::collection::vec(any::<(usize, usize, usize, u32)>().prop_map(item), 1..40)
}

fn record() -> impl Strategy<Value = Record> {
    prop_oneof![
        words().prop_map(|w| Record::Target(TargetRecord {
            time: w[0],
            thread: w[1],
            target_id: w[2],
            task_id: w[3],
            code: w[4] as usize,
            event: w[5] as u32,
            kind: w[6] as i32,
            endpoint: w[7] as i32,
            device: w[8] as i32,
        })),
        words().prop_map(|w| Record::DataOp(DataOpRecord {
            time: w[0],
            end: w[1],
            thread: w[2],
            target_id: w[3],
            host_op_id: w[4],
            from: w[5] as usize,
            to: w[6] as usize,
            bytes: w[7] as usize,
            code: w[8] as usize,
            event: w[0] as u32,
            kind: w[1] as i32,
            from_device: w[2] as i32,
            to_device: w[3] as i32,
        })),
        words().prop_map(|w| Record::Kernel(KernelRecord {
            time: w[0],
            end: w[1],
            thread: w[2],
            target_id: w[3],
            host_op_id: w[4],
            event: w[5] as u32,
            requested_teams: w[6] as u32,
            granted_teams: w[7] as u32,
            unused: 0,
        })),
        words().prop_map(|w| Record::Native(NativeRecord {
            start: w[0],
            end: w[1],
            target_id: w[2],
            host_op_id: w[3],
            activity: w[4],
            bytes: w[5],
            bytes_per_second: w[6] as f64,
            from: w[7] as usize,
            to: w[8] as usize,
            kind: w[0] as u32,
            processor: w[1] as i32,
            thread: w[2] as u32,
            teams: w[3] as u32,
        })),
        words().prop_map(|w| Record::Correlation(CorrelationRecord {
            host_task: w[0],
            activity: w[1],
        })),
        (words(), items()).prop_map(|(w, items)| {
            let head = MapRecord {
                time: w[0],
                thread: w[1],
                target_id: w[2],
                code: w[3] as usize,
                event: w[4] as u32,
                items: items.len() as u32,
            };
            Record::Map(head, items)
        }),
    ]
}

/// The records; the parts of divided records are joined again.
fn joined(buffers: Vec<Vec<Record>>, wanted: &[Record]) -> Vec<Record> {
    let mut all: Vec<Record> = Vec::new();
    for record in buffers.into_iter().flatten() {
        let whole = wanted.get(all.len().wrapping_sub(1));
        match (all.last_mut(), record) {
            (Some(Record::Map(head, items)), Record::Map(more, others))
                if Some(head.items) != whole.and_then(count) && head.time == more.time =>
            {
                head.items += more.items;
                items.extend(others);
            }
            (_, record) => all.push(record),
        }
    }
    all
}

fn count(record: &Record) -> Option<u32> {
    match record {
        Record::Map(head, _) => Some(head.items),
        _ => None,
    }
}

proptest! {
    #[test]
    fn records_come_through_buffers_of_any_size(
        records in prop::collection::vec(record(), 0..30),
        more in 0_usize..500,
        skew in 0_usize..8,
    ) {
        let buffers = through_buffers(&records, LEAST_BYTES + 7 + more, skew);
        let mut rest = buffers.iter();
        prop_assert!(rest.next_back().is_some());
        prop_assert!(rest.all(|buffer| !buffer.is_empty()));
        prop_assert_eq!(joined(buffers, &records), records);
    }

    #[test]
    fn a_number_that_is_no_cursor_is_found_out(
        records in prop::collection::vec(record(), 1..10),
        wrong in any::<u64>(),
    ) {
        let (mut memory, bytes) = (Memory::new(16 << 10, 0), 16 << 10);
        // SAFETY: the memory is the test's.
        let mut writer = unsafe { Writer::new(memory.start(), bytes) }.expect("it is large enough");
        let mut right = Vec::new();
        for record in &records {
            right.push(writer.end());
            prop_assert!(writer.append(record, &mut 0));
        }
        for cursor in (0..writer.end() + 64).chain([wrong, wrong % writer.end()]) {
            // SAFETY: the buffer is the test's.
            let found = unsafe { Slot::at(memory.start(), cursor) }.is_some();
            prop_assert_eq!(found, right.contains(&cursor));
        }
    }
}

#[test]
fn buffers_that_are_too_small_and_no_buffers_are_refused() {
    let mut memory = Memory::new(2 * LEAST_BYTES, 0);
    for bytes in 0..LEAST_BYTES {
        // SAFETY: the memory is the test's.
        assert!(unsafe { Writer::new(memory.start(), bytes) }.is_none());
    }
    // SAFETY: as above; null means that there is no buffer.
    unsafe {
        assert!(Writer::new(memory.start(), LEAST_BYTES).is_some());
        assert!(Writer::new(memory.start().wrapping_add(1), LEAST_BYTES).is_none());
        for skew in 0..8 {
            let start = memory.start().wrapping_add(skew);
            assert!(Writer::new(start, LEAST_BYTES_ANYWHERE).is_some());
        }
        assert!(Writer::new(core::ptr::null_mut(), 4096).is_none());
        assert!(Slot::at(core::ptr::null_mut(), 8).is_none());
    }
}

#[test]
fn an_empty_buffer_has_no_record() {
    let mut memory = Memory(vec![0; 64], 0);
    // SAFETY: the memory is the test's.
    let writer = unsafe { Writer::new(memory.start(), 512) }.expect("it is large enough");
    assert_eq!(writer.begin(), writer.end());
    // SAFETY: as above.
    assert!(unsafe { Slot::at(memory.start(), writer.begin()) }.is_none());
}

#[test]
fn data_that_look_like_a_record_are_none() {
    let mut memory = Memory::new(4096, 0);
    // SAFETY: the memory is the test's.
    let mut writer = unsafe { Writer::new(memory.start(), 4096) }.expect("it is large enough");
    let record = Record::Correlation(CorrelationRecord { host_task: 1, activity: 2 });
    assert!(writer.append(&record, &mut 0));
    // SAFETY: the buffer's first record begins there.
    let head = unsafe { memory.start().cast::<u64>().add(1).read() };
    let begin = writer.end();
    let copies = CorrelationRecord { host_task: head, activity: head };
    assert!(writer.append(&Record::Correlation(copies), &mut 0));
    assert!(writer.append(&record, &mut 0));
    // SAFETY: as above.
    unsafe {
        assert!(Slot::at(memory.start(), begin).is_some());
        assert!(Slot::at(memory.start(), begin + 8).is_none());
        assert!(Slot::at(memory.start(), begin + 16).is_none());
    }
}
