//! The symbols of an image, and the table by which the loader finds one.

use super::bytes::Bytes;
use super::flaw::Flaw;
use super::segments::{EXECUTABLE, Segments};

/// The bytes of a symbol.
pub(super) const SYMBOL: u64 = 24;
/// The kind of a function that selects another (`STT_GNU_IFUNC`).
const SELECTOR: u8 = 10;
/// The bytes of a hash table's header, of a word of its filter, of a bucket.
const HEADER: u64 = 16;
const FILTER: u64 = 8;
const BUCKET: u64 = 4;

/// The symbols.
pub(super) struct Symbols<'a> {
    /// The entries, and the bytes behind them.
    pub(super) entries: Bytes<'a>,
    pub(super) strings: Bytes<'a>,
    /// The numbers of the symbols' versions, and the bytes behind them.
    pub(super) versions: Option<Bytes<'a>>,
    pub(super) segments: &'a Segments,
}

impl Symbols<'_> {
    /// Whether the loader can look up and use the symbol of that number.
    pub(super) fn has(&self, number: u64) -> bool {
        self.is_whole(number) == Some(true)
    }

    fn is_whole(&self, number: u64) -> Option<bool> {
        let entry = self.entries.part(number.checked_mul(SYMBOL)?, SYMBOL)?;
        let (name, kind, section, value) =
            (entry.word(0)?, entry.0.get(4)? & 0xf, entry.half(6)?, entry.long(8)?);
        if let Some(versions) = self.versions {
            versions.part(number * 2, 2)?;
        }
        let is_selector = kind == SELECTOR && section != 0;
        Some(
            name < self.strings.0.len() as u64
                && (!is_selector || self.segments.has(value, 1, EXECUTABLE)),
        )
    }

    /// Checks the tables for look-ups, the newer and the older.
    pub(super) fn check(
        &self,
        newer: Option<Bytes<'_>>,
        older: Option<Bytes<'_>>,
    ) -> Result<(), Flaw> {
        let is_whole = match (newer, older) {
            (Some(table), _) => self.check_newer(table),
            (None, Some(table)) => self.check_older(table),
            (None, None) => None,
        };
        match is_whole {
            Some(true) => Ok(()),
            _ => Err("the table of its symbols is impossible".into()),
        }
    }

    /// The table of GNU: a filter, buckets with the first symbol of a chain, and hash values; the
    /// last value of a chain is odd.
    fn check_newer(&self, table: Bytes<'_>) -> Option<bool> {
        let (buckets, first, filters) = (table.word(0)?, table.word(4)?, table.word(8)?);
        if buckets == 0 || !filters.is_power_of_two() {
            return Some(false);
        }
        let heads = HEADER + filters * FILTER;
        let heads = table.part(heads, buckets * BUCKET)?;
        let chains = HEADER + filters * FILTER + buckets * BUCKET;
        let chains = table.part(chains, (table.0.len() as u64).checked_sub(chains)?)?;
        let mut symbol = 0;
        for head in heads.0.chunks_exact(BUCKET as usize).map(Bytes) {
            let head = head.word(0)?;
            if head != 0 && head < first {
                return Some(false);
            }
            symbol = head.max(symbol);
        }
        // The chain of the last bucket ends with the last symbol.
        while symbol >= first && symbol > 0 {
            let is_last = chains.word(((symbol - first) * BUCKET) as usize)? & 1 == 1;
            if is_last {
                break;
            }
            symbol += 1;
        }
        Some((first.min(symbol)..=symbol).all(|it| self.has(it)))
    }

    /// The table of System V: buckets with the first symbol of a chain, and the next one for each
    /// symbol.
    fn check_older(&self, table: Bytes<'_>) -> Option<bool> {
        let (buckets, symbols) = (table.word(0)?, table.word(4)?);
        let numbers = table.part(8, (buckets + symbols) * 4)?;
        let mut numbers = numbers.0.chunks_exact(4).map(Bytes).filter_map(|it| it.word(0));
        Some(buckets > 0 && numbers.all(|it| it < symbols) && (0..symbols).all(|it| self.has(it)))
    }
}
