//! The sampled code.

use serde::Serialize;

use super::site::SiteId;
use super::written::{FileAndLine, as_one};

/// The functions that the threads executed at sampled moments.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sampled {
    /// Samples of the program's own code.
    pub taken: u64,
    /// Those among them whose call path could not be followed to the start of its thread.
    pub incomplete: u64,
    /// Samples that could not be taken.
    pub lost: u64,
    /// Processor time between two samples of a thread, ns.
    pub period_ns: u64,
    /// The code of the whole run by function, most samples first; the 200 functions with the most.
    pub code: Vec<HotCode>,
    /// The code of serial stretches, most samples first.
    #[serde(rename = "serial")]
    pub stretches: Vec<HotStretch>,
}

/// A function and its samples. File and line are those with the most samples.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotCode {
    /// The function; module and offset where it has no name.
    pub function: String,
    /// Short name of the mapped file; null if unknown.
    pub module: Option<String>,
    /// The function of a library that it called, if the samples are in there; null otherwise.
    pub library: Option<String>,
    /// File and line with the most samples.
    #[serde(flatten, serialize_with = "as_one::<FileAndLine, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "FileAndLine"))]
    pub line: Option<(String, u32)>,
    /// Samples in the function itself, or in the library's; times `period_ns` they are an estimate
    /// of its processor time.
    pub samples: u64,
    /// Those among them that were taken outside every region.
    #[serde(rename = "serial_samples")]
    pub serial: u64,
}

/// The code of a serial stretch.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotStretch {
    /// The region that ended before the stretch; null at the start of the thread.
    pub after: Option<SiteId>,
    /// The region that began after it; null at the end of the thread.
    pub before: Option<SiteId>,
    /// Samples in all instances of the stretch.
    pub samples: u64,
    /// The samples in functions of the C, C++ or Fortran library that read and write files.
    #[serde(skip)]
    pub in_files: u64,
    /// The samples in the interpreter of Python, or in what it calls of the C library.
    #[serde(skip)]
    pub in_python: u64,
    /// The functions that have most of them, at most three.
    // What the C library does counts for its caller.
    pub code: Vec<HotCode>,
}
