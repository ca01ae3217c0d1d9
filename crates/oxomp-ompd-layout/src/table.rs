//! The table as the runtime holds it: header and records, made by the compiler.

use crate::record::Record;
use crate::{BYTE_ORDER, MAGIC, VERSION};

/// The exported object. `P` is the structure of [`Object::Process`](crate::Object::Process).
#[derive(Debug)]
#[repr(C)]
pub struct Table<P: 'static, const N: usize> {
    magic: [u8; 8],
    byte_order: u32,
    version: u16,
    word_size: u8,
    reserved: u8,
    header_size: u32,
    record_size: u32,
    count: u32,
    reserved_too: u32,
    process: &'static P,
    records: [Record; N],
}

impl<P, const N: usize> Table<P, N> {
    /// The table of these records, for the process described at `process`.
    pub const fn new(process: &'static P, records: [Record; N]) -> Self {
        Table {
            magic: MAGIC,
            byte_order: BYTE_ORDER,
            version: VERSION,
            word_size: size_of::<usize>() as u8,
            reserved: 0,
            header_size: core::mem::offset_of!(Self, records) as u32,
            record_size: size_of::<Record>() as u32,
            count: N as u32,
            reserved_too: 0,
            process,
            records,
        }
    }
}

/// How many records the parts have.
pub const fn count(parts: &[&[Record]]) -> usize {
    let (mut part, mut count) = (0, 0);
    while part < parts.len() {
        count += parts[part].len();
        part += 1;
    }
    count
}

/// The records of all parts, which have `N`. Two of one field do not compile.
pub const fn gather<const N: usize>(parts: &[&[Record]]) -> [Record; N] {
    assert!(count(parts) == N);
    let mut all = [parts[0][0]; N];
    let (mut part, mut at) = (0, 0);
    while part < parts.len() {
        let mut index = 0;
        while index < parts[part].len() {
            let record = parts[part][index];
            let mut before = 0;
            while before < at {
                assert!(all[before].field != record.field, "a field is stated twice");
                before += 1;
            }
            all[at] = record;
            at += 1;
            index += 1;
        }
        part += 1;
    }
    all
}
