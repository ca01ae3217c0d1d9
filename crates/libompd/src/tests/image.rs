//! A memory image of a process, with a layout of its own.

use std::collections::BTreeMap;

use oxomp_ompd_layout::{BYTE_ORDER, Field, Layout, MAGIC, Object, Shape, VERSION};

/// Where the table lies.
pub(crate) const TABLE: u64 = 0x10_0000;

/// How a machine stores numbers and addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Machine {
    /// Bytes of an address.
    pub(crate) word: u8,
    /// Whether its byte order is not that of this machine.
    pub(crate) is_swapped: bool,
}

impl Machine {
    /// The machine of the tests.
    pub(crate) const HERE: Machine = Machine { word: 8, is_swapped: false };

    /// A number as `size` bytes of the machine's memory.
    fn number(self, number: u64, size: usize) -> Vec<u8> {
        let mut bytes = number.to_le_bytes()[..size].to_vec();
        if cfg!(target_endian = "big") != self.is_swapped {
            bytes.reverse();
        }
        bytes
    }

    fn size(self, field: Field) -> u32 {
        match field.shape() {
            Shape::Whole => self.size_of(field.object()),
            Shape::Embedded(object) => self.size_of(object),
            Shape::Slice | Shape::SliceOf(_) => 2 * u32::from(self.word),
            Shape::Unsigned | Shape::Signed | Shape::Bits => 8,
            _ => self.word.into(),
        }
    }

    /// Bytes of an element of a slice.
    fn element(self, field: Field) -> u16 {
        match field {
            Field::IcvsNthreadsDeeper => 4,
            Field::PlaceProcessors | Field::LoopAwaited => 8,
            Field::ProcessPlaces => u16::try_from(self.size_of(Object::Place)).expect("small"),
            _ => 1,
        }
    }

    /// Bytes before the fields of an object.
    fn beginning(self, object: Object) -> u32 {
        if object == Object::ImplicitTask { self.size_of(Object::ExplicitTask) } else { 0 }
    }

    fn offset(self, wanted: Field) -> u32 {
        if wanted == Field::ImplicitTaskRecord {
            return self.offset(Field::ExplicitTaskRecord);
        }
        let before = fields(wanted.object()).filter(|field| *field < wanted);
        self.beginning(wanted.object()) + before.map(|field| self.size(field)).sum::<u32>()
    }

    fn size_of(self, object: Object) -> u32 {
        self.beginning(object) + fields(object).map(|field| self.size(field)).sum::<u32>()
    }

    /// The table, with every field.
    fn table(self, process: u64) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let mut number = |number: u32, size| bytes.extend(self.number(number.into(), size));
        number(BYTE_ORDER, 4);
        number(VERSION.into(), 2);
        number(self.word.into(), 1);
        number(0, 1);
        number(40, 4);
        number(16, 4);
        number(Field::ALL.len() as u32, 4);
        number(0, 4);
        number(process as u32, self.word.into());
        number(0, (8 - self.word).into());
        for &field in Field::ALL {
            let shape = field.shape();
            let is_slice = matches!(shape, Shape::Slice | Shape::SliceOf(_));
            let of_slice = if is_slice { self.element(field) } else { 0 };
            let link = shape.link().map_or(of_slice, |link| link as u16);
            number(field as u32, 2);
            number(shape.number().into(), 1);
            number(shape.target().map_or(0, |object| object as u32), 1);
            number(if shape == Shape::Whole { 0 } else { self.offset(field) }, 4);
            number(self.size(field), 4);
            number(0, 2);
            number(link.into(), 2);
        }
        bytes
    }
}

/// Pieces of memory, by address.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) machine: Machine,
    pub(crate) pieces: BTreeMap<u64, Vec<u8>>,
    layout: Layout,
    next: u64,
    pub(crate) process: u64,
}

/// The fields of an object that lie one after the other, in the order of their numbers. An implicit
/// task begins with a whole explicit task, which has its record.
fn fields(object: Object) -> impl Iterator<Item = Field> {
    let fields = Field::ALL.iter().copied().filter(move |field| field.object() == object);
    fields
        .filter(|field| !matches!(field.shape(), Shape::Whole))
        .filter(|field| *field != Field::ImplicitTaskRecord)
}

impl Image {
    /// A process with nothing in it but the table and an empty process object.
    pub(crate) fn new(machine: Machine) -> Self {
        let process = TABLE * 2;
        let table = machine.table(process);
        let layout = Layout::decode(&table).unwrap_or_else(|error| panic!("{error}"));
        let mut image = Image { machine, pieces: BTreeMap::new(), layout, next: process, process };
        image.pieces.insert(TABLE, table);
        assert_eq!(image.object(Object::Process), process);
        image
    }

    /// Bytes at a new address.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> u64 {
        let at = self.next;
        self.next += bytes.len() as u64 + 0x1000;
        self.pieces.insert(at, bytes.to_vec());
        at
    }

    /// A new object, all zero.
    pub(crate) fn object(&mut self, object: Object) -> u64 {
        let size = self.layout.size_of(object).expect("every object is in the table");
        self.bytes(&vec![0; size])
    }

    /// The address of a field.
    pub(crate) fn inside(&self, object: u64, field: Field) -> u64 {
        let (offset, _) = self.layout.extent(field).expect("every field is in the table");
        object + offset as u64
    }

    fn write(&mut self, at: u64, bytes: &[u8]) {
        let (start, piece) = self.pieces.range_mut(..=at).next_back().expect("memory there");
        let from = (at - start) as usize;
        piece[from..from + bytes.len()].copy_from_slice(bytes);
    }

    /// Sets a number, or an address.
    pub(crate) fn set(&mut self, object: u64, field: Field, value: u64) {
        let size = self.machine.size(field) as usize;
        self.write(self.inside(object, field), &self.machine.number(value, size));
    }

    /// Sets a slice of bytes, an array or a text.
    pub(crate) fn set_bytes(&mut self, object: u64, field: Field, bytes: &[u8]) {
        let mut words = vec![self.bytes(bytes)];
        if matches!(field.shape(), Shape::Slice | Shape::SliceOf(_)) {
            words.push((bytes.len() / usize::from(self.machine.element(field))) as u64);
        }
        let words = self.words(&words);
        self.write(self.inside(object, field), &words);
    }

    /// Sets a slice of numbers.
    pub(crate) fn set_numbers(&mut self, object: u64, field: Field, numbers: &[u64]) {
        let size = usize::from(self.machine.element(field));
        let numbers = numbers.iter().flat_map(|number| self.machine.number(*number, size));
        let bytes: Vec<u8> = numbers.collect();
        self.set_bytes(object, field, &bytes);
    }

    /// Sets an array of addresses.
    pub(crate) fn set_array(&mut self, object: u64, field: Field, addresses: &[u64]) {
        let bytes = self.words(addresses);
        self.set_bytes(object, field, &bytes);
    }

    /// Addresses, or lengths, as they lie in memory.
    pub(crate) fn words(&self, words: &[u64]) -> Vec<u8> {
        let size = self.machine.word.into();
        words.iter().flat_map(|word| self.machine.number(*word, size)).collect()
    }

    /// Fills `buffer` from `address`; false where there is no memory.
    pub(crate) fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        let Some((start, piece)) = self.pieces.range(..=address).next_back() else { return false };
        let from = (address - start) as usize;
        let bytes = from.checked_add(buffer.len()).and_then(|to| piece.get(from..to));
        bytes.inspect(|bytes| buffer.copy_from_slice(bytes)).is_some()
    }
}
