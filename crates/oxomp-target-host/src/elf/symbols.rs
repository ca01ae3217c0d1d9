//! The symbols of an image, and the table by which the loader finds one.

use object::elf::{GnuHashHeader, HashHeader, PF_X, SHN_UNDEF, STT_GNU_IFUNC, Sym64};
use object::read::ReadRef as _;
use object::{LittleEndian as LE, U16, U32, U64};

use super::flaw::Flaw;
use super::segments::{Segments, entries};

pub(super) struct Symbols<'a> {
    /// The symbols, and what the bytes behind them are if they are taken for symbols.
    pub(super) table: &'a [Sym64<LE>],
    pub(super) strings: &'a [u8],
    /// The numbers of the symbols' versions, and of the bytes behind them.
    pub(super) versions: Option<&'a [U16<LE>]>,
    pub(super) segments: Segments<'a>,
}

impl Symbols<'_> {
    /// Whether the loader can look up and use the symbol of that number.
    pub(super) fn has(&self, number: u32) -> bool {
        let number = number as usize;
        let Some(symbol) = self.table.get(number) else { return false };
        let is_selector = symbol.st_type() == STT_GNU_IFUNC && symbol.st_shndx.get(LE) != SHN_UNDEF;
        self.versions.is_none_or(|versions| number < versions.len())
            && (symbol.st_name.get(LE) as usize) < self.strings.len()
            && (!is_selector || self.segments.has(symbol.st_value.get(LE), 1, PF_X))
    }

    /// Checks the tables for look-ups, the newer and the older.
    pub(super) fn check(&self, newer: Option<&[u8]>, older: Option<&[u8]>) -> Result<(), Flaw> {
        let is_whole = match (newer, older) {
            (Some(table), _) => self.check_newer(table),
            (None, Some(table)) => self.check_older(table),
            (None, None) => Err(()),
        };
        match is_whole {
            Ok(true) => Ok(()),
            _ => Err("the table of its symbols is impossible".into()),
        }
    }

    /// The table of GNU: a filter, buckets with the first symbol of a chain, and hash values; the
    /// last value of a chain is odd.
    fn check_newer(&self, table: &[u8]) -> Result<bool, ()> {
        let mut at = 0;
        let header = table.read::<GnuHashHeader<LE>>(&mut at)?;
        let (buckets, filters) = (header.bucket_count.get(LE), header.bloom_count.get(LE));
        if buckets == 0 || !filters.is_power_of_two() {
            return Ok(false);
        }
        table.read_slice::<U64<LE>>(&mut at, filters as usize)?;
        let heads = table.read_slice::<U32<LE>>(&mut at, buckets as usize)?;
        let values = entries::<U32<LE>>(table.get(at as usize..).ok_or(())?);
        let first = header.symbol_base.get(LE);
        let mut last = 0;
        for head in heads.iter().map(|it| it.get(LE)) {
            if head != 0 && head < first {
                return Ok(false);
            }
            last = head.max(last);
        }
        // The chain of the last bucket ends with the last symbol.
        if last > 0 {
            let chain = values.get((last - first) as usize..).ok_or(())?;
            let more = chain.iter().position(|it| it.get(LE) & 1 == 1).ok_or(())?;
            last = u32::try_from(more).ok().and_then(|more| last.checked_add(more)).ok_or(())?;
        }
        Ok((first.min(last)..=last).all(|it| self.has(it)))
    }

    /// The table of System V: buckets with the first symbol of a chain, and the next one for each
    /// symbol.
    fn check_older(&self, table: &[u8]) -> Result<bool, ()> {
        let mut at = 0;
        let header = table.read::<HashHeader<LE>>(&mut at)?;
        let (buckets, symbols) = (header.bucket_count.get(LE), header.chain_count.get(LE));
        let numbers = table.read_slice::<U32<LE>>(&mut at, buckets as usize + symbols as usize)?;
        Ok(buckets > 0
            && numbers.iter().all(|it| it.get(LE) < symbols)
            && (0..symbols).all(|it| self.has(it)))
    }
}
