//! The sampled code.

use super::site::SiteId;

/// The code that threads executed when they were sampled.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// Samples of the program's own code.
    pub taken: u64,
    /// The samples whose call path could not be followed to the start of its thread.
    pub incomplete: u64,
    /// Samples that could not be taken.
    pub lost: u64,
    /// The processor time between two samples of a thread, ns.
    pub period_ns: u64,
    /// By function, most samples first.
    pub code: Vec<HotCode>,
    /// The code of serial stretches, most samples first.
    pub stretches: Vec<HotStretch>,
}

/// A function and its samples, or the samples of a library's function that it called.
#[derive(Debug, Clone, PartialEq)]
pub struct HotCode {
    /// Its name, as in [`crate::calls::CallNode::function`].
    pub function: String,
    /// Short name of its module, where that is known.
    pub module: Option<String>,
    /// The function of a library that it called, if the samples are in there.
    pub library: Option<String>,
    /// File and line with the most samples.
    pub line: Option<(String, u32)>,
    /// Samples in the function itself, or in the library's function.
    pub samples: u64,
    /// The samples that were taken outside every region.
    pub serial: u64,
}

/// The code of a [`SerialStretch`](super::SerialStretch).
#[derive(Debug, Clone, PartialEq)]
pub struct HotStretch {
    /// [`SerialStretch::after`](super::SerialStretch::after).
    pub after: Option<SiteId>,
    /// [`SerialStretch::before`](super::SerialStretch::before).
    pub before: Option<SiteId>,
    /// Samples in all instances of the stretch.
    pub samples: u64,
    /// The samples in functions of the C, C++ or Fortran library that read and write files.
    pub in_files: u64,
    /// The functions with the most samples; what the C library does counts for its caller.
    pub code: Vec<HotCode>,
}
