//! The dynamic symbols of a loaded module, read from the process's memory: they are there when the
//! file is not, and the vdso has no file.

use super::elf::Elf;
use crate::bytes::{u16_at, u32_at, u64_at};
use crate::memory::ProcessMemory;

/// Most entries of a dynamic section; more are taken for damaged memory.
const MOST_ENTRIES: usize = 1 << 10;
/// Most symbols of one module.
const MOST_SYMBOLS: u32 = 1 << 22;
/// Longest name of a symbol.
const LONGEST_NAME: usize = 1 << 14;
/// Length of a symbol.
const SYMBOL_SIZE: usize = 24;

const DT_HASH: u64 = 4;
const DT_STRTAB: u64 = 5;
const DT_SYMTAB: u64 = 6;
const DT_STRSZ: u64 = 10;
const DT_GNU_HASH: u64 = 0x6fff_fef5;

/// A function that a module exports.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Function {
    pub(crate) address: u64,
    pub(crate) size: u64,
    pub(crate) name: String,
}

/// Where a module's dynamic symbols lie.
#[derive(Debug, Clone)]
pub(crate) struct DynamicSymbols {
    bias: u64,
    symbols: u64,
    strings: u64,
    strings_length: u64,
    hash: Option<u64>,
    gnu_hash: Option<GnuHash>,
}

/// The table by which names are found.
#[derive(Debug, Clone)]
struct GnuHash {
    buckets: u64,
    bucket_count: u32,
    chains: u64,
    first_symbol: u32,
}

/// An entry of the symbol table.
struct Symbol {
    name: u32,
    kind: u8,
    defined: bool,
    value: u64,
    size: u64,
}

impl DynamicSymbols {
    pub(crate) fn of(memory: &ProcessMemory, elf: &Elf) -> Option<Self> {
        let dynamic = elf.dynamic.clone()?;
        let (mut symbols, mut strings, mut strings_length) = (None, None, None);
        let (mut hash, mut gnu_hash) = (None, None);
        let count = ((dynamic.end - dynamic.start) / 16).min(MOST_ENTRIES as u64);
        for index in 0..count {
            let entry = memory.bytes(dynamic.start + index * 16, 16)?;
            let (tag, value) = (u64_at(&entry, 0)?, u64_at(&entry, 8)?);
            match tag {
                0 => break,
                DT_SYMTAB => symbols = Some(elf.loaded(value)),
                DT_STRTAB => strings = Some(elf.loaded(value)),
                DT_STRSZ => strings_length = Some(value),
                DT_HASH => hash = Some(elf.loaded(value)),
                DT_GNU_HASH => gnu_hash = Some(elf.loaded(value)),
                _ => {}
            }
        }
        Some(Self {
            bias: elf.bias,
            symbols: symbols?,
            strings: strings?,
            strings_length: strings_length?,
            hash,
            gnu_hash: gnu_hash.and_then(|address| GnuHash::read(memory, address)),
        })
    }

    /// The address of the symbol `name`, if the module defines it.
    pub(crate) fn find(&self, memory: &ProcessMemory, name: &str) -> Option<u64> {
        let is_it = |index: u32| {
            let symbol = self.symbol(memory, index)?;
            let named = symbol.defined && self.name(memory, &symbol)? == name.as_bytes();
            named.then(|| self.bias.wrapping_add(symbol.value))
        };
        match &self.gnu_hash {
            Some(table) => table.candidates(memory, name).find_map(is_it),
            None => (0..self.count(memory)).find_map(is_it),
        }
    }

    /// Every function that the module exports, by address.
    pub(crate) fn functions(&self, memory: &ProcessMemory) -> Vec<Function> {
        let mut found: Vec<Function> = (0..self.count(memory))
            .filter_map(|index| self.symbol(memory, index))
            .filter(|symbol| symbol.defined && matches!(symbol.kind, 2 | 10))
            .filter_map(|symbol| {
                let name = String::from_utf8(self.name(memory, &symbol)?).ok()?;
                let address = self.bias.wrapping_add(symbol.value);
                Some(Function { address, size: symbol.size, name })
            })
            .collect();
        found.sort();
        found
    }

    fn symbol(&self, memory: &ProcessMemory, index: u32) -> Option<Symbol> {
        let at = self.symbols.checked_add(u64::from(index) * SYMBOL_SIZE as u64)?;
        let bytes = memory.bytes(at, SYMBOL_SIZE)?;
        let section = u16_at(&bytes, 6)?;
        Some(Symbol {
            name: u32_at(&bytes, 0)?,
            kind: bytes[4] & 0xf,
            // Thread-local symbols have no address of the process.
            defined: section != 0 && bytes[4] & 0xf != 6,
            value: u64_at(&bytes, 8)?,
            size: u64_at(&bytes, 16)?,
        })
    }

    fn name(&self, memory: &ProcessMemory, symbol: &Symbol) -> Option<Vec<u8>> {
        let offset = u64::from(symbol.name);
        if offset >= self.strings_length {
            return None;
        }
        memory.c_string(self.strings.checked_add(offset)?, LONGEST_NAME)
    }

    fn count(&self, memory: &ProcessMemory) -> u32 {
        let told = match (self.hash, &self.gnu_hash) {
            (Some(hash), _) => memory.bytes(hash, 8).and_then(|bytes| u32_at(&bytes, 4)),
            (None, Some(table)) => table.count(memory),
            (None, None) => None,
        };
        told.unwrap_or(0).min(MOST_SYMBOLS)
    }
}

impl GnuHash {
    fn read(memory: &ProcessMemory, address: u64) -> Option<Self> {
        let header = memory.bytes(address, 16)?;
        let bucket_count = u32_at(&header, 0)?;
        let bloom_words = u64::from(u32_at(&header, 8)?);
        let buckets = address.checked_add(16)?.checked_add(bloom_words * 8)?;
        Some(Self {
            buckets,
            bucket_count,
            chains: buckets.checked_add(u64::from(bucket_count) * 4)?,
            first_symbol: u32_at(&header, 4)?,
        })
    }

    /// The symbols with the same hash as `name`.
    fn candidates<'a>(
        &'a self,
        memory: &'a ProcessMemory,
        name: &str,
    ) -> impl Iterator<Item = u32> + use<'a> {
        let hash = name
            .bytes()
            .fold(5381_u32, |hash, byte| hash.wrapping_mul(33).wrapping_add(byte.into()));
        let bucket = hash.checked_rem(self.bucket_count);
        let first = bucket.and_then(|bucket| number(memory, self.buckets, bucket));
        self.chain(memory, first.unwrap_or(0))
            .filter(move |(_, found)| found | 1 == hash | 1)
            .map(|(index, _)| index)
    }

    /// The symbols of a bucket that begins with symbol `first`, and their hashes.
    fn chain<'a>(
        &'a self,
        memory: &'a ProcessMemory,
        first: u32,
    ) -> impl Iterator<Item = (u32, u32)> + use<'a> {
        let mut next = (first >= self.first_symbol).then_some(first);
        std::iter::from_fn(move || {
            let index = next?;
            let hash = number(memory, self.chains, index - self.first_symbol)?;
            next = (hash & 1 == 0 && index < MOST_SYMBOLS).then_some(index + 1);
            Some((index, hash))
        })
    }

    fn count(&self, memory: &ProcessMemory) -> Option<u32> {
        let length = usize::try_from(self.bucket_count.min(MOST_SYMBOLS)).ok()? * 4;
        let buckets = memory.bytes(self.buckets, length)?;
        let last = buckets.chunks_exact(4).filter_map(|bucket| u32_at(bucket, 0)).max()?;
        let end = self.chain(memory, last).last()?.0;
        Some(end.saturating_add(1))
    }
}

/// The number of four bytes at `index` of the array at `base`.
fn number(memory: &ProcessMemory, base: u64, index: u32) -> Option<u32> {
    let bytes = memory.bytes(base.checked_add(u64::from(index) * 4)?, 4)?;
    u32_at(&bytes, 0)
}
