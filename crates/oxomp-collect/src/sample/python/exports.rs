//! The symbols that a loaded module exports, by the table of hashes that the loader uses. The
//! kernel copies what is read, since the module may be closed meanwhile.

use crate::loader::Loaded;
use crate::sample::memory;

/// Symbols with the same hash, or in the same part of the table, that are compared.
const MOST_SYMBOLS: usize = 1 << 16;

/// A module's table of symbols.
#[derive(Debug)]
pub(super) struct Exports {
    bias: u64,
    symbols: u64,
    names: u64,
    buckets: u32,
    /// The number of the first symbol with a hash.
    first: u32,
    bloom: u64,
    bloom_words: u32,
    bloom_shift: u32,
}

/// A symbol in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Symbol {
    pub(super) address: u64,
    pub(super) size: u64,
}

impl Exports {
    /// The table of `module`, if it has one in the common form.
    pub(super) fn of(module: &Loaded) -> Option<Self> {
        const NAMES: u64 = 5;
        const SYMBOLS: u64 = 6;
        const HASHES: u64 = 0x6fff_fef5;
        /// Entries of a dynamic section that are looked through.
        const MOST_ENTRIES: usize = 512;
        let header = module.header(libc::PT_DYNAMIC)?;
        let length = (MOST_ENTRIES * 16).min(header.p_memsz as usize);
        let section = memory::read(module.bias.wrapping_add(header.p_vaddr), length)?;
        let value = |wanted: u64| {
            let entries =
                section.chunks_exact(16).map(|entry| (word(&entry[..8]), word(&entry[8..])));
            let mut entries = entries.take_while(|&(tag, _)| tag != 0);
            entries.find(|&(tag, _)| tag == wanted).map(|(_, value)| value)
        };
        // Some loaders add the bias in the section itself.
        let (begin, end) = module.range();
        let address = |value: u64| {
            let is_relative = (begin..end).contains(&value) && module.bias != 0;
            if is_relative { module.bias.wrapping_add(value) } else { value }
        };
        let hashes = address(value(HASHES)?);
        let mut head = [0; 16];
        memory::copy(hashes, &mut head).then_some(())?;
        let number = |at: usize| half(&head[at..at + 4]);
        Some(Self {
            bias: module.bias,
            symbols: address(value(SYMBOLS)?),
            names: address(value(NAMES)?),
            buckets: number(0),
            first: number(4),
            bloom: hashes.wrapping_add(16),
            bloom_words: number(8),
            bloom_shift: number(12),
        })
    }

    /// The exported symbol of that name.
    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        let hash = hash(name);
        if self.buckets == 0 || self.bloom_words == 0 {
            return None;
        }
        let place = hash / 64 % self.bloom_words;
        let filter = read_word(self.bloom.wrapping_add(u64::from(place) * 8))?;
        let other = hash.checked_shr(self.bloom_shift).unwrap_or(0);
        if filter >> (hash % 64) & filter >> (other % 64) & 1 == 0 {
            return None;
        }
        let buckets = self.bloom.wrapping_add(u64::from(self.bloom_words) * 8);
        let chains = buckets.wrapping_add(u64::from(self.buckets) * 4);
        let first = read_half(buckets.wrapping_add(u64::from(hash % self.buckets) * 4))?;
        if first < self.first {
            return None;
        }
        for symbol in (first..=u32::MAX).take(MOST_SYMBOLS) {
            let found = read_half(chains.wrapping_add(u64::from(symbol - self.first) * 4))?;
            if found | 1 == hash | 1
                && let Some(found) = self.symbol(symbol, name)
            {
                return Some(found);
            }
            // The last one of the bucket.
            if found & 1 == 1 {
                return None;
            }
        }
        None
    }

    /// The symbol of that number, if it has that name and the module defines it.
    fn symbol(&self, number: u32, name: &str) -> Option<Symbol> {
        const ENTRY: u64 = 24;
        let mut entry = [0; ENTRY as usize];
        let at = self.symbols.wrapping_add(u64::from(number) * ENTRY);
        memory::copy(at, &mut entry).then_some(())?;
        let place = self.names.wrapping_add(half(&entry[..4]).into());
        let text = memory::read(place, name.len() + 1)?;
        let section = u16::from_ne_bytes([entry[6], entry[7]]);
        let is_it = section != 0 && text.strip_suffix(&[0]) == Some(name.as_bytes());
        is_it.then(|| Symbol {
            address: self.bias.wrapping_add(word(&entry[8..16])),
            size: word(&entry[16..24]),
        })
    }
}

/// The hash of the table, as the ELF extension `DT_GNU_HASH` defines it.
fn hash(name: &str) -> u32 {
    name.bytes().fold(5381, |hash: u32, byte| hash.wrapping_mul(33).wrapping_add(byte.into()))
}

fn read_word(address: u64) -> Option<u64> {
    let mut bytes = [0; 8];
    memory::copy(address, &mut bytes).then(|| word(&bytes))
}

fn read_half(address: u64) -> Option<u32> {
    let mut bytes = [0; 4];
    memory::copy(address, &mut bytes).then(|| half(&bytes))
}

fn word(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(0, u64::from_ne_bytes)
}

fn half(bytes: &[u8]) -> u32 {
    bytes.try_into().map_or(0, u32::from_ne_bytes)
}

#[cfg(test)]
mod tests {
    use super::Exports;
    use crate::loader::modules;

    #[test]
    fn the_c_library_exports_its_functions() {
        let modules = modules(&mut (0, 0)).unwrap();
        let library = modules.iter().find(|one| one.name.ends_with(b"/libc.so.6"));
        let Some(exports) = library.and_then(Exports::of) else { return };
        let found = exports.find("getpid").unwrap();
        assert_eq!(found.address, (libc::getpid as *const ()).addr() as u64);
        assert!(found.size > 0);
        assert!(exports.find("_PyRuntime").is_none());
    }
}
