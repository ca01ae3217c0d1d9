//! A memory image of a process, with a layout of its own.

use std::collections::BTreeMap;

use oxomp_ompd_layout::{BYTE_ORDER, Field, Layout, MAGIC, Object, Shape, VERSION};

/// Where the table lies.
pub(crate) const TABLE: u64 = 0x10_0000;

/// Pieces of memory, by address.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) pieces: BTreeMap<u64, Vec<u8>>,
    layout: Layout,
    next: u64,
    pub(crate) process: u64,
}

/// Bytes of an element of a slice.
fn element(field: Field) -> u16 {
    match field {
        Field::IcvsNthreadsDeeper => 4,
        Field::PlaceProcessors => 8,
        Field::ProcessPlaces => u16::try_from(size_of_object(Object::Place)).expect("small"),
        _ => 1,
    }
}

fn size(field: Field) -> u32 {
    match field.shape() {
        Shape::Whole => size_of_object(field.object()),
        Shape::Embedded(object) => size_of_object(object),
        Shape::Slice | Shape::SliceOf(_) => 16,
        _ => 8,
    }
}

/// The fields of an object that lie one after the other, in the order of their numbers. An implicit
/// task begins with a whole explicit task, which has its record.
fn fields(object: Object) -> impl Iterator<Item = Field> {
    let fields = Field::ALL.iter().copied().filter(move |field| field.object() == object);
    fields
        .filter(|field| !matches!(field.shape(), Shape::Whole))
        .filter(|field| *field != Field::ImplicitTaskRecord)
}

/// Bytes before the fields of an object.
fn beginning(object: Object) -> u32 {
    if object == Object::ImplicitTask { size_of_object(Object::ExplicitTask) } else { 0 }
}

fn offset(wanted: Field) -> u32 {
    if wanted == Field::ImplicitTaskRecord {
        return offset(Field::ExplicitTaskRecord);
    }
    let before = fields(wanted.object()).filter(|field| *field < wanted);
    beginning(wanted.object()) + before.map(size).sum::<u32>()
}

fn size_of_object(object: Object) -> u32 {
    beginning(object) + fields(object).map(size).sum::<u32>()
}

/// The table, with every field.
fn table(process: u64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(BYTE_ORDER.to_ne_bytes());
    bytes.extend(VERSION.to_ne_bytes());
    bytes.extend([8, 0]);
    bytes.extend(40_u32.to_ne_bytes());
    bytes.extend(16_u32.to_ne_bytes());
    bytes.extend((Field::ALL.len() as u32).to_ne_bytes());
    bytes.extend(0_u32.to_ne_bytes());
    bytes.extend(process.to_ne_bytes());
    for &field in Field::ALL {
        let shape = field.shape();
        let is_slice = matches!(shape, Shape::Slice | Shape::SliceOf(_));
        let of_slice = if is_slice { element(field) } else { 0 };
        let link = shape.link().map_or(of_slice, |link| link as u16);
        let at = if shape == Shape::Whole { 0 } else { offset(field) };
        bytes.extend((field as u16).to_ne_bytes());
        bytes.extend([shape.number(), shape.target().map_or(0, |object| object as u8)]);
        bytes.extend(at.to_ne_bytes());
        bytes.extend(size(field).to_ne_bytes());
        bytes.extend([0, 0]);
        bytes.extend(link.to_ne_bytes());
    }
    bytes
}

impl Image {
    /// A process with nothing in it but the table and an empty process object.
    pub(crate) fn new() -> Self {
        let process = TABLE * 2;
        let table = table(process);
        let layout = Layout::decode(&table).unwrap_or_else(|error| panic!("{error}"));
        let mut image = Image { pieces: BTreeMap::new(), layout, next: process, process };
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
        self.write(self.inside(object, field), &value.to_ne_bytes());
    }

    /// Sets a slice, an array or a text.
    pub(crate) fn set_bytes(&mut self, object: u64, field: Field, bytes: &[u8]) {
        let address = self.bytes(bytes);
        self.set(object, field, address);
        if field.shape() == Shape::Slice || matches!(field.shape(), Shape::SliceOf(_)) {
            let length = (bytes.len() / usize::from(element(field))) as u64;
            self.write(self.inside(object, field) + 8, &length.to_ne_bytes());
        }
    }

    /// Sets an array of addresses.
    pub(crate) fn set_array(&mut self, object: u64, field: Field, addresses: &[u64]) {
        let bytes: Vec<u8> = addresses.iter().flat_map(|at| at.to_ne_bytes()).collect();
        self.set_bytes(object, field, &bytes);
    }

    /// Fills `buffer` from `address`; false where there is no memory.
    pub(crate) fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        let Some((start, piece)) = self.pieces.range(..=address).next_back() else { return false };
        let from = (address - start) as usize;
        let bytes = from.checked_add(buffer.len()).and_then(|to| piece.get(from..to));
        bytes.inspect(|bytes| buffer.copy_from_slice(bytes)).is_some()
    }
}
