//! A place in a program, before it has a name.

use std::path::PathBuf;

/// A place in the program: where a construct was encountered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Site {
    /// The address in the profiled process after the call of the construct (OMPT's `codeptr_ra`).
    /// It is a return address: look up `codeptr - 1`.
    pub codeptr: u64,
    /// The mapped file that holds the address; `None` for code that belongs to no file, or whose
    /// module table did not reach the profile.
    pub module: Option<SiteModule>,
}

/// The mapped file of a [`Site`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SiteModule {
    /// Path at run time, absolute where the loader knew it, for people.
    pub path: String,
    /// The same path as the system knows it, which need not be text.
    pub file: PathBuf,
    /// GNU build id; empty if the file has none.
    pub build_id: Vec<u8>,
    /// `codeptr` minus the load bias: an address in the terms of the file's own symbol table and
    /// debug information. It is a return address, as `codeptr` is.
    pub offset: u64,
}
