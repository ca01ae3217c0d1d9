//! What the programs are compiled by, and what they run on.

use clap::ValueEnum;

/// A family of compilers for C, C++ and Fortran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Compiler {
    Gcc,
    Clang,
}

impl Compiler {
    /// The name that the files' comments use.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Gcc => "gcc",
            Self::Clang => "clang",
        }
    }
}

/// The runtime under the programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Runtime {
    Oxomp,
    Keep,
}

impl Runtime {
    /// The name that the files' comments use.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Oxomp => "oxomp",
            Self::Keep => "libomp",
        }
    }
}
