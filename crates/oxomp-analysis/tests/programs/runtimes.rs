//! Where the runtimes are.

use std::env;
use std::path::{Path, PathBuf};

use oxomp_prerequisites::File;
use oxomp_prerequisites::skipped::skip;

/// A runtime to profile programs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runtime {
    Libomp,
    Libiomp5,
    Oxomp,
}

impl Runtime {
    pub(crate) fn all() -> [Self; 3] {
        [Self::Libomp, Self::Libiomp5, Self::Oxomp]
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Libomp => "libomp",
            Self::Libiomp5 => "libiomp5",
            Self::Oxomp => "oxomp",
        }
    }

    /// oxomp's own runtime is optional here: the profiler is built without it.
    pub(crate) fn is_absent(self) -> bool {
        self == Self::Oxomp && oxomp().is_none()
    }

    /// The runtime's shared object; `None`, with a message, if it is not there.
    pub(crate) fn library(self) -> Option<PathBuf> {
        let (library, how_to_get_it) = match self {
            Self::Libomp => (existing(File::Libomp.path()), "the package libomp-22-dev brings it"),
            Self::Libiomp5 => {
                let named = env::var_os("OXOMP_IOMP5").map(PathBuf::from);
                let found = named.and_then(|path| existing(&path));
                (found, "`cargo xtask test` fetches it and names it in OXOMP_IOMP5")
            }
            Self::Oxomp => (oxomp(), "OXOMP_LIB or dist/lib must hold it"),
        };
        if library.is_none() {
            skip(&format!("{} is missing: {how_to_get_it}", self.name()));
        }
        library
    }
}

/// An offload runtime for programs with target constructs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OffloadRuntime {
    Stock,
    Oxomp,
}

impl OffloadRuntime {
    pub(crate) fn all() -> [Self; 2] {
        [Self::Stock, Self::Oxomp]
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Stock => "libomptarget",
            Self::Oxomp => "oxomp_target",
        }
    }

    /// The offload runtime's shared object, if it is there.
    pub(crate) fn library(self) -> Option<PathBuf> {
        match self {
            Self::Stock => existing(File::Libomptarget.path()),
            Self::Oxomp => {
                let folder = oxomp()?.parent()?.to_owned();
                existing(&folder.join("libomptarget.so"))
            }
        }
    }
}

/// The root of the workspace.
pub(crate) fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn oxomp() -> Option<PathBuf> {
    let folder = env::var_os("OXOMP_LIB").map(PathBuf::from);
    existing(&folder.unwrap_or_else(|| workspace().join("dist/lib")).join("libomp.so"))
}

fn existing(path: &Path) -> Option<PathBuf> {
    path.exists().then(|| path.to_owned())
}
