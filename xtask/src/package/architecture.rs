//! The processors that packages are made for, and their names.

use clap::ValueEnum;

use crate::foreign::Target;

/// A processor, with Linux and the GNU C library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Architecture {
    /// x86-64.
    #[value(name = "x86_64")]
    X86_64,
    /// 64-bit Arm.
    Aarch64,
}

impl Architecture {
    /// This machine's.
    pub(super) const OWN: Self =
        if cfg!(target_arch = "aarch64") { Self::Aarch64 } else { Self::X86_64 };

    /// The processor as one that an emulator executes; none if it is this machine's.
    pub(super) fn emulated(self) -> Option<Target> {
        match self {
            own if own == Self::OWN => None,
            Self::Aarch64 => Some(Target::Aarch64),
            // Nobody builds x86-64's packages elsewhere: there is no emulator for it here.
            Self::X86_64 => None,
        }
    }

    /// The name in Python's platform tags, in names of tarballs, and of `uname -m`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64",
            Self::Aarch64 => "aarch64",
        }
    }

    /// Rust's name of the processor and its system.
    pub(super) fn triple(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64-unknown-linux-gnu",
            Self::Aarch64 => "aarch64-unknown-linux-gnu",
        }
    }

    /// GNU's name of the processor and its system, as in the folders of Debian's libraries.
    pub(super) fn gnu(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64-linux-gnu",
            Self::Aarch64 => "aarch64-linux-gnu",
        }
    }

    /// Debian's name of the processor.
    pub(super) fn debian(self) -> &'static str {
        match self {
            Self::X86_64 => "amd64",
            Self::Aarch64 => "arm64",
        }
    }
}
