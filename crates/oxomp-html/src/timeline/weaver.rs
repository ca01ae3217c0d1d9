//! Rows in the making.

use super::lane::Lane;

/// Rows in the making, which become coarser as they outgrow their room.
pub(super) struct Weaver {
    pub(super) lanes: Vec<Lane>,
    pub(super) quantum: u64,
    /// Bytes of all rows.
    size: usize,
    room: usize,
}

impl Weaver {
    pub(super) fn new(rows: usize, room: usize) -> Self {
        Self { lanes: vec![Lane::new(1); rows], quantum: 1, size: 0, room }
    }

    pub(super) fn push(&mut self, row: usize, kind: u8, length: u64) {
        self.push_cell(row, &[(kind, length)]);
    }

    pub(super) fn push_cell(&mut self, row: usize, parts: &[(u8, u64)]) {
        let Some(lane) = self.lanes.get_mut(row) else { return };
        let before = lane.size();
        lane.push_cell(parts);
        self.size += lane.size() - before;
        while self.size > self.room && self.quantum < 1 << 60 {
            self.quantum *= 2;
            let lanes = std::mem::take(&mut self.lanes);
            self.lanes = lanes.into_iter().map(|lane| lane.refolded(self.quantum)).collect();
            self.size = self.lanes.iter().map(Lane::size).sum();
        }
    }
}
