//! Where the runtimes are.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

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

    /// The runtime's shared object.
    pub(crate) fn library(self) -> Result<PathBuf, String> {
        match self {
            Self::Libomp => libomp(),
            Self::Libiomp5 => {
                static PATH: OnceLock<Result<PathBuf, String>> = OnceLock::new();
                PATH.get_or_init(libiomp5).clone()
            }
            Self::Oxomp => oxomp().ok_or_else(|| "neither OXOMP_LIB nor dist/lib".to_owned()),
        }
    }
}

/// The root of the workspace.
pub(crate) fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn libomp() -> Result<PathBuf, String> {
    let folders = ["/usr/lib/llvm-22/lib", "/usr/lib/llvm-19/lib", "/usr/lib/x86_64-linux-gnu"];
    folders
        .iter()
        .map(|folder| Path::new(folder).join("libomp.so.5"))
        .find(|path| path.exists())
        .ok_or_else(|| "libomp.so.5 not found: install the package libomp-22-dev".to_owned())
}

fn libiomp5() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libiomp5");
    let script = workspace().join("tests/profiler/fetch-libiomp5");
    let output = Command::new(&script)
        .arg(&folder)
        .output()
        .map_err(|error| format!("{}: {error}", script.display()))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}

fn oxomp() -> Option<PathBuf> {
    let folder = env::var_os("OXOMP_LIB").map(PathBuf::from);
    let library = folder.unwrap_or_else(|| workspace().join("dist/lib")).join("libomp.so");
    library.exists().then_some(library)
}
