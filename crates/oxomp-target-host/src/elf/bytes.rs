//! Reading numbers of a file, little endian, at any address.

/// A part of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    fn number<const N: usize>(self, at: usize) -> Option<u64> {
        let bytes = self.0.get(at..at.checked_add(N)?)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// The number of 16 bits at `at`.
    pub(super) fn half(self, at: usize) -> Option<u64> {
        self.number::<2>(at)
    }

    /// The number of 32 bits at `at`.
    pub(super) fn word(self, at: usize) -> Option<u64> {
        self.number::<4>(at)
    }

    /// The number of 64 bits at `at`.
    pub(super) fn long(self, at: usize) -> Option<u64> {
        self.number::<8>(at)
    }

    /// The `length` bytes from `start` on.
    pub(super) fn part(self, start: u64, length: u64) -> Option<Self> {
        let end = start.checked_add(length)?;
        self.0.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?).map(Self)
    }

    /// The entries of a table of `count` entries at `start`.
    pub(super) fn table(
        self,
        start: u64,
        count: u64,
        size: u64,
    ) -> Option<impl Iterator<Item = Self> + use<'a>> {
        let bytes = self.part(start, count.checked_mul(size)?)?.0;
        Some(bytes.chunks_exact(size as usize).map(Bytes))
    }
}
