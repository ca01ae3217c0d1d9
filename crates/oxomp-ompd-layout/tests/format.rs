//! The format from both sides: a reader reads the values that a runtime wrote, in every byte order
//! and word size; and no table, however broken, makes a reader panic or run on.

use std::collections::BTreeMap;

use oxomp_ompd_layout::table::{count, gather};
use oxomp_ompd_layout::{
    BYTE_ORDER, Field, Header, Kind, Layout, LayoutError, Memory, Object, ReadError, Readable,
    Reader, Record, Table, VERSION, Value, fields,
};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};

/// A table as bytes, of any machine.
#[derive(Clone, Debug)]
struct Written {
    big: bool,
    word: u8,
    process: u64,
    records: Vec<Row>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    field: Field,
    offset: u32,
    size: u32,
    bit: u8,
    bits: u8,
    element: u16,
}

impl Row {
    fn new(field: Field, offset: u32, size: u32) -> Self {
        Row { field, offset, size, bit: 0, bits: 0, element: 0 }
    }
}

impl Written {
    fn put(&self, bytes: &mut Vec<u8>, value: u64, size: usize) {
        let little = value.to_le_bytes();
        let mut part = little[..size].to_vec();
        if self.big {
            part.reverse();
        }
        bytes.extend(part);
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"OXOMPDLT".to_vec();
        self.put(&mut bytes, u64::from(BYTE_ORDER), 4);
        self.put(&mut bytes, u64::from(VERSION), 2);
        self.put(&mut bytes, u64::from(self.word), 1);
        self.put(&mut bytes, 0, 1);
        self.put(&mut bytes, 40, 4);
        self.put(&mut bytes, 16, 4);
        self.put(&mut bytes, self.records.len() as u64, 4);
        self.put(&mut bytes, 0, 4);
        self.put(&mut bytes, self.process, usize::from(self.word));
        bytes.resize(40, 0);
        for row in &self.records {
            let shape = row.field.shape();
            self.put(&mut bytes, row.field as u64, 2);
            self.put(&mut bytes, u64::from(shape.number()), 1);
            self.put(&mut bytes, shape.target().map_or(0, |object| object as u64), 1);
            self.put(&mut bytes, u64::from(row.offset), 4);
            self.put(&mut bytes, u64::from(row.size), 4);
            self.put(&mut bytes, u64::from(row.bit), 1);
            self.put(&mut bytes, u64::from(row.bits), 1);
            let link = shape.link().map_or(u64::from(row.element), |field| field as u64);
            self.put(&mut bytes, link, 2);
        }
        bytes
    }
}

/// Memory with something at a few addresses.
#[derive(Debug, Default)]
struct Pieces(BTreeMap<u64, Vec<u8>>);

impl Memory for Pieces {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        let Some((start, piece)) = self.0.range(..=address).next_back() else { return false };
        let from = (address - start) as usize;
        match piece.get(from..from.saturating_add(buffer.len())) {
            Some(bytes) => {
                buffer.copy_from_slice(bytes);
                true
            }
            None => false,
        }
    }
}

#[test]
fn what_the_compiler_makes_reads_back() {
    #[repr(C)]
    struct Words(*const u64, usize);
    impl Readable for Words {
        const KIND: Kind = Kind::Slice { element: 8 };
    }
    #[allow(dead_code, reason = "only its layout counts")]
    struct Place {
        words: Words,
    }
    #[allow(dead_code, reason = "only its layout counts")]
    struct Task {
        flags: u32,
        generation: u16,
    }
    const PLACE: &[Record] = fields!(Place { words => PlaceProcessors });
    const TASK: &[Record] = fields!(Task {
        generation => TaskGeneration,
        flags => TaskFlags,
        flags[29; 1] => TaskIsFinal,
    });
    static PROCESS: u64 = 0;
    static TABLE: Table<u64, { count(&[PLACE, TASK]) }> =
        Table::new(&PROCESS, gather(&[PLACE, TASK]));

    /// The test's own memory, at the table.
    struct Own;
    impl Memory for Own {
        fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
            let start = (&raw const TABLE).addr();
            let from = address as usize - start;
            assert!(from + buffer.len() <= size_of_val(&TABLE));
            // SAFETY: within the table, a structure without padding that no thread writes.
            let bytes = unsafe {
                core::slice::from_raw_parts((&raw const TABLE).cast::<u8>(), size_of_val(&TABLE))
            };
            buffer.copy_from_slice(&bytes[from..from + buffer.len()]);
            true
        }
    }
    let reader = Reader::new(Own, (&raw const TABLE).addr() as u64).expect("a table");
    assert_eq!(reader.process(), (&raw const PROCESS).addr() as u64);
    assert_eq!(reader.layout().header().table_size(), size_of_val(&TABLE));
    assert_eq!(reader.size_of(Object::Task), Ok(size_of::<Task>()));
    let (flags, _) = reader.layout().extent(Field::TaskFlags).expect("stated");
    let mut task = vec![0; size_of::<Task>()];
    task[flags..flags + 4].copy_from_slice(&(1_u32 << 29 | 2).to_ne_bytes());
    let value = |field| reader.layout().value(&task, field);
    assert_eq!(value(Field::TaskIsFinal), Ok(Value::Unsigned(1)));
    assert_eq!(value(Field::TaskFlags), Ok(Value::Unsigned(1 << 29 | 2)));
    assert_eq!(value(Field::TaskIsTarget), Err(LayoutError::Missing(Field::TaskIsTarget)));
}

/// A process of one thread list, in the given byte order and word size.
fn process(big: bool, word: u8, next_of_last: u64) -> (Pieces, u64) {
    let w = u32::from(word);
    let written = Written {
        big,
        word,
        process: 0x1000,
        records: vec![
            Row::new(Field::Process, 0, 4 * w),
            Row::new(Field::ProcessThreads, w, w),
            Row::new(Field::ProcessRuntimeVersion, 0, w),
            Row { element: 1, ..Row::new(Field::ProcessEnvironment, 2 * w, 2 * w) },
            Row::new(Field::Thread, 0, 2 * w),
            Row::new(Field::ThreadNext, 0, w),
            Row::new(Field::ThreadPlace, w, 4),
            Row::new(Field::Parallel, 0, w + 4),
            Row::new(Field::ParallelTasks, 0, w),
            Row::new(Field::ParallelSize, w, 4),
            Row::new(Field::Place, 0, 2 * w),
            Row { element: 8, ..Row::new(Field::PlaceProcessors, 0, 2 * w) },
        ],
    };
    let words = |values: &[u64]| {
        let mut bytes = Vec::new();
        for value in values {
            written.put(&mut bytes, *value, usize::from(word));
        }
        bytes
    };
    let half = |first: u64, second: u64| {
        let mut bytes = words(&[first]);
        written.put(&mut bytes, second, 4);
        bytes.resize(2 * usize::from(word), 0);
        bytes
    };
    let mut places = Vec::new();
    written.put(&mut places, 5, 8);
    written.put(&mut places, 1 << 40, 8);
    let pieces = Pieces(BTreeMap::from([
        (0x100, written.bytes()),
        (0x1000, words(&[0x5000, 0x2000, 0x5000, 3])),
        (0x2000, half(0x3000, u64::from(u32::MAX))),
        (0x3000, half(next_of_last, 7)),
        (0x4000, half(0x4800, 2)),
        (0x4800, words(&[0x2000, 0x3000])),
        (0x5000, b"abc\0".to_vec()),
        (0x6000, words(&[0x6800, 2])),
        (0x6800, places),
    ]));
    (pieces, 0x100)
}

#[test]
fn other_machines_are_read_as_ours() {
    for (big, word) in [(false, 8), (true, 8), (false, 4), (true, 4)] {
        let (memory, table) = process(big, word, 0);
        let reader = Reader::new(memory, table).expect("a table");
        let process = reader.process();
        assert_eq!(reader.bytes(process, Field::ProcessRuntimeVersion), Ok(b"abc".to_vec()));
        assert_eq!(reader.bytes(process, Field::ProcessEnvironment), Ok(b"abc".to_vec()));
        assert_eq!(reader.objects(process, Field::ProcessThreads), Ok(vec![0x2000, 0x3000]));
        assert_eq!(reader.signed(0x2000, Field::ThreadPlace), Ok(-1), "{big} {word}");
        assert_eq!(reader.signed(0x3000, Field::ThreadPlace), Ok(7));
        assert_eq!(reader.objects(0x4000, Field::ParallelTasks), Ok(vec![0x2000, 0x3000]));
        assert_eq!(reader.numbers(0x6000, Field::PlaceProcessors), Ok(vec![5, 1 << 40]));
        assert_eq!(reader.follow(0x3000, Field::ThreadNext), Ok(None));
        let nothing = Err(ReadError::Nothing(Field::ThreadNext));
        assert_eq!(reader.object(0x3000, Field::ThreadNext), nothing);
        assert_eq!(
            reader.number(0x9000, Field::ThreadPlace),
            Err(ReadError::Memory(0x9000 + u64::from(word)))
        );
    }
}

#[test]
fn a_list_in_a_circle_ends() {
    let (memory, table) = process(false, 8, 0x2000);
    let reader = Reader::new(memory, table).expect("a table");
    let circle = Err(ReadError::Impossible(Field::ProcessThreads));
    assert_eq!(reader.objects(reader.process(), Field::ProcessThreads), circle);
}

fn sound() -> Written {
    let records = vec![
        Row::new(Field::Thread, 0, 64),
        Row::new(Field::ThreadNext, 8, 8),
        Row::new(Field::ThreadNumber, 60, 4),
        Row { bit: 31, bits: 1, ..Row::new(Field::TaskIsFinal, 0, 4) },
        Row::new(Field::Task, 0, 8),
    ];
    Written { big: false, word: 8, process: 1, records }
}

#[test]
fn what_cannot_be_is_refused() {
    let decode = |change: &dyn Fn(&mut Written)| {
        let mut written = sound();
        change(&mut written);
        Layout::decode(&written.bytes()).map(|_| ())
    };
    let wrong = |field| Err(LayoutError::Record(field));
    assert_eq!(decode(&|_| {}), Ok(()));
    assert_eq!(decode(&|it| it.records[2].offset = 61), wrong(Field::ThreadNumber));
    assert_eq!(decode(&|it| it.records[2].offset = u32::MAX), wrong(Field::ThreadNumber));
    assert_eq!(decode(&|it| it.records[1].size = 4), wrong(Field::ThreadNext));
    assert_eq!(decode(&|it| it.records[2].size = 3), wrong(Field::ThreadNumber));
    assert_eq!(decode(&|it| it.records[3].bits = 2), wrong(Field::TaskIsFinal));
    assert_eq!(decode(&|it| it.records[3].bit = 255), wrong(Field::TaskIsFinal));
    assert_eq!(decode(&|it| it.records[3].size = u32::MAX), wrong(Field::TaskIsFinal));
    assert_eq!(decode(&|it| it.records[1].bits = 1), wrong(Field::ThreadNext));
    assert_eq!(decode(&|it| it.records[1] = it.records[2]), wrong(Field::ThreadNumber));
    assert_eq!(decode(&|it| it.records[0].size = 0), wrong(Field::Thread));
    assert_eq!(decode(&|it| it.records[0].size = u32::MAX), wrong(Field::Thread));
    // A field without its object.
    assert_eq!(decode(&|it| _ = it.records.remove(0)), wrong(Field::ThreadNext));
    assert_eq!(decode(&|it| it.word = 3), Err(LayoutError::WordSize(3)));
    let at = |index: usize, value: u8| {
        let mut bytes = sound().bytes();
        bytes[index] = value;
        Layout::decode(&bytes).map(|_| ())
    };
    assert_eq!(at(0, 0), Err(LayoutError::NoTable));
    assert_eq!(at(9, 0), Err(LayoutError::NoTable));
    assert_eq!(at(12, 9), Err(LayoutError::Version(9)));
    assert_eq!(at(16, 39), Err(LayoutError::Sizes));
    assert_eq!(at(20, 15), Err(LayoutError::Sizes));
    assert_eq!(at(27, 1), Err(LayoutError::Sizes));
    assert_eq!(at(24, 6), Err(LayoutError::Sizes), "it ends before its records do");
    // A field of a newer runtime is not an error.
    assert_eq!(at(40 + 16 * 2, 0xff), Ok(()));
}

/// A sound table with some bytes changed, and cut anywhere.
fn broken() -> impl Strategy<Value = Vec<u8>> {
    let bytes = sound().bytes();
    let length = bytes.len();
    (vec((0..length, any::<u8>()), 0..8), 0..=length).prop_map(move |(changes, cut)| {
        let mut bytes = bytes.clone();
        for (index, value) in changes {
            bytes[index] = value;
        }
        bytes.truncate(cut);
        bytes
    })
}

proptest! {
    #[test]
    fn a_broken_table_is_refused_or_stays_within_its_objects(bytes in broken()) {
        if let Ok(layout) = Layout::decode(&bytes) {
            prop_assert!(layout.header().table_size() <= bytes.len());
            for &field in Field::ALL {
                let Ok((offset, size)) = layout.extent(field) else { continue };
                let whole = layout.size_of(field.object()).expect("its object is there");
                prop_assert!(offset + size <= whole);
                // Neither a whole object nor a short one makes it panic.
                let _ = layout.value(&vec![0xa5; whole], field);
                prop_assert!(layout.value(&vec![0xa5; (offset + size).saturating_sub(1)], field).is_err());
            }
        }
    }

    #[test]
    fn any_bytes_are_a_table_or_none(bytes in vec(any::<u8>(), 0..200)) {
        let _ = Header::decode(&bytes);
        let _ = Layout::decode(&bytes);
    }

    #[test]
    fn memory_of_any_content_ends_a_walk(
        content in vec(any::<u8>(), 0..0x800),
        start in 0_u64..0x1200,
    ) {
        let (mut memory, table) = process(false, 8, 0x2000);
        memory.0.insert(0x1000 + start, content);
        let reader = Reader::new(memory, table).expect("the table is whole");
        for at in [0x1000, 0x2000, 0x3000, 0x4000, 0x6000] {
            for &field in Field::ALL {
                let _ = reader.objects(at, field);
                let _ = reader.numbers(at, field);
                let _ = reader.bytes(at, field);
                let _ = reader.follow(at, field);
            }
        }
    }

    #[test]
    fn packed_values_are_the_bits_that_were_put(word: u32, bit in 0_u8..32, bits in 1_u8..=32) {
        let bits = bits.min(32 - bit);
        let mut written = sound();
        written.records[3] = Row { bit, bits, ..Row::new(Field::TaskIsFinal, 0, 4) };
        let layout = Layout::decode(&written.bytes()).expect("sound");
        let expected = u64::from(word) >> bit & ((1 << bits) - 1);
        let value = layout.value(&word.to_le_bytes(), Field::TaskIsFinal);
        prop_assert_eq!(value, Ok(Value::Unsigned(expected)));
    }
}
