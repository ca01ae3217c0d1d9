//! A row of the timeline: cells without gaps, each with the time of each kind in it.
//!
//! A cell that is at least a quantum long has one kind and is exact. Shorter pieces are gathered in
//! cells of about a quantum, which keep the time of each of their kinds: no event is dropped, only
//! its position inside the cell is. As the timeline grows, the quantum does.
//!
//! Cells lie in bytes: for each kind in a cell, the kind's number, plus 128 unless it is the cell's
//! last, and its time as a little-endian base-128 number of nanoseconds.

/// Marks that further kinds of the same cell follow.
const MORE: u8 = 128;

/// Times by kind.
type Parts = Vec<(u8, u64)>;

/// A row.
#[derive(Debug, Clone, Default)]
pub(super) struct Lane {
    bytes: Vec<u8>,
    /// The cell that may still grow.
    open: Parts,
    quantum: u64,
}

impl Lane {
    pub(super) fn new(quantum: u64) -> Self {
        Self { quantum: quantum.max(1), ..Self::default() }
    }

    /// Adds `length` ns of `kind`.
    #[cfg(test)]
    fn push(&mut self, kind: u8, length: u64) {
        self.push_cell(&[(kind, length)]);
    }

    /// Adds the times of `parts`, of which only the sums are known.
    pub(super) fn push_cell(&mut self, parts: &[(u8, u64)]) {
        let length = total(parts);
        if length == 0 {
            return;
        }
        if let ([(open, time)], [(kind, more)]) = (&mut self.open[..], parts)
            && open == kind
        {
            *time += more;
        } else if length < self.quantum && total(&self.open) < self.quantum {
            for (kind, time) in parts {
                match self.open.iter_mut().find(|part| part.0 == *kind) {
                    Some(part) => part.1 += time,
                    None => self.open.push((*kind, *time)),
                }
            }
        } else {
            self.close();
            self.open.extend_from_slice(parts);
        }
    }

    /// Bytes of the cells so far.
    pub(super) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// This lane with cells of a larger quantum.
    pub(super) fn refolded(mut self, quantum: u64) -> Self {
        self.close();
        let mut coarser = Self::new(quantum);
        let mut rest = &self.bytes[..];
        while let Some(parts) = next_cell(&mut rest) {
            coarser.push_cell(&parts);
        }
        coarser
    }

    /// All cells.
    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.close();
        self.bytes
    }

    fn close(&mut self) {
        let count = self.open.len();
        for (position, (kind, time)) in self.open.drain(..).enumerate() {
            self.bytes.push(if position + 1 < count { kind | MORE } else { kind });
            let mut rest = time;
            while rest >= 128 {
                self.bytes.push((rest % 128) as u8 | 128);
                rest /= 128;
            }
            self.bytes.push(rest as u8);
        }
    }
}

fn total(parts: &[(u8, u64)]) -> u64 {
    parts.iter().map(|part| part.1).sum()
}

/// Takes the first cell off `bytes`; `None` at their end.
fn next_cell(bytes: &mut &[u8]) -> Option<Parts> {
    let mut parts = Parts::new();
    loop {
        let (&kind, mut rest) = bytes.split_first()?;
        let (mut time, mut shift) = (0, 0);
        loop {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            time |= u64::from(byte % 128) << shift;
            shift += 7;
            if byte < 128 {
                break;
            }
        }
        *bytes = rest;
        parts.push((kind & !MORE, time));
        if kind & MORE == 0 {
            return Some(parts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Lane, Parts, next_cell};

    fn cells(lane: Lane) -> Vec<Parts> {
        let bytes = lane.into_bytes();
        let mut rest = &bytes[..];
        let mut cells = Vec::new();
        while let Some(cell) = next_cell(&mut rest) {
            cells.push(cell);
        }
        assert!(rest.is_empty());
        cells
    }

    #[test]
    fn few_pieces_stay_as_they_are() {
        let mut lane = Lane::new(1);
        for (kind, length) in [(0, 5), (2, 1), (2, 300), (0, 1_000_000_007), (5, 0)] {
            lane.push(kind, length);
        }
        let expected = [vec![(0, 5)], vec![(2, 301)], vec![(0, 1_000_000_007)]];
        assert_eq!(cells(lane), expected);
    }

    #[test]
    fn a_coarser_lane_keeps_the_time_of_every_kind_and_long_pieces_exactly() {
        let mut lane = Lane::new(1);
        let mut sums = [0_u64; 3];
        for step in 0..10_000_u64 {
            let kind = (step % 3) as u8;
            let length = if step == 5_000 { 1_000_000 } else { 1 + step * 7 % 50 };
            lane.push(kind, length);
            sums[usize::from(kind)] += length;
        }
        let size = lane.clone().into_bytes().len();
        let coarse = lane.refolded(4_096);
        assert!(coarse.size() * 20 < size, "{} of {size}", coarse.size());
        let coarse = cells(coarse);
        let mut found = [0_u64; 3];
        for &(kind, time) in coarse.iter().flatten() {
            found[usize::from(kind)] += time;
        }
        assert_eq!(found, sums);
        assert!(coarse.contains(&vec![(2, 1_000_000)]), "the long piece is a cell of its own");
    }
}
