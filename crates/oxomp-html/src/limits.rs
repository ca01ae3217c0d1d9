//! How much of a recording a page shows, so that its size is bounded.

/// The most bytes of a page.
pub const PAGE_BYTES: usize = 10_000_000;

/// Upper bounds of the parts of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Bytes of the timeline's cells, all threads together, before they are encoded as text.
    pub(crate) timeline_bytes: usize,
    /// Threads with a row in the timeline and in other charts by thread.
    pub(crate) threads: usize,
    /// Rows of a table.
    pub(crate) rows: usize,
    /// Regions that can be opened.
    pub(crate) details: usize,
    /// Threads whose times in a region are shown, all regions together.
    pub(crate) region_threads: usize,
    /// Frames of the flame graph.
    pub(crate) frames: usize,
    /// Lines of source.
    pub(crate) source_lines: usize,
    /// Characters of a name, of a variable's value, or of an argument.
    pub(crate) name: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeline_bytes: 900_000,
            threads: 256,
            rows: 1_000,
            details: 400,
            region_threads: 12_800,
            frames: 4_000,
            source_lines: 400,
            name: 400,
        }
    }
}

impl Limits {
    /// Half of everything.
    pub(crate) fn halved(self) -> Self {
        Self {
            timeline_bytes: self.timeline_bytes / 2,
            threads: (self.threads / 2).max(1),
            rows: (self.rows / 2).max(1),
            details: (self.details / 2).max(1),
            region_threads: self.region_threads / 2,
            frames: (self.frames / 2).max(1),
            source_lines: self.source_lines / 2,
            name: (self.name / 2).max(20),
        }
    }

    /// Whether a further half would change nothing worth having.
    pub(crate) fn are_smallest(self) -> bool {
        self.rows == 1
    }
}
