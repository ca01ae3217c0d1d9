//! What lies where in the folder, of what Cargo has made.

use std::fmt;
use std::path::Path;

use anyhow::Result;

use super::gomp_stub;
use super::install::{copy, link};
use super::made::Made;
use super::stub::StubTools;

/// The sonames that programs ask for, all answered by one file.
pub const RUNTIME_LINKS: [&str; 3] = ["libomp.so.5", "libiomp5.so", "libgomp.so.1"];

/// The sonames by which programs of clang 19 and of clang 22 ask for the offload library.
pub const OFFLOAD_LINKS: [&str; 2] = ["libomptarget.so.19.1", "libomptarget.so.22.1"];

/// What a file is for, as far as its form in the folder depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A program, or a library of a debugger.
    Own,
    /// A library that programs of users load.
    Loaded,
}

/// Puts a file that Cargo has made into the folder: its kind, where it is, and its place.
pub type Install<'a> = &'a dyn Fn(Kind, &Path, &Path) -> Result<()>;

/// The contents of the folder.
#[derive(Clone, Copy)]
pub struct Contents<'a> {
    /// What Cargo has made.
    pub made: &'a Made,
    /// How a file gets into the folder.
    pub install: Install<'a>,
}

impl Contents<'_> {
    /// Fills the folder `to` with all that users get. `repository` has the headers, and `tools`
    /// make stubs for the processor of the libraries.
    pub fn fill(&self, to: &Path, repository: &Path, tools: &StubTools) -> Result<()> {
        self.fill_for_profiles(to)?;
        let lib = to.join("lib");
        for (kind, name) in [
            (Kind::Loaded, "libomptarget.so"),
            (Kind::Loaded, "liboxomp_multiplex.so"),
            (Kind::Own, "oxomp-probe"),
            (Kind::Own, "liboxomp_probe.so"),
            (Kind::Own, "libompd.so"),
        ] {
            self.put(kind, name, &lib)?;
        }
        for name in OFFLOAD_LINKS {
            link("libomptarget.so", &lib.join(name))?;
        }
        let stub = lib.join("libgomp.so");
        gomp_stub::write(repository, &lib.join("libomp.so"), &stub, tools)?;
        for name in ["omp.h", "omp-tools.h", "ompt.h", "oxomp.h", "oxomp.f90"] {
            copy(&repository.join("include").join(name), &to.join("include").join(name))?;
        }
        Ok(())
    }

    /// Puts what `oxomp profile` needs into the folder `to`.
    pub(super) fn fill_for_profiles(&self, to: &Path) -> Result<()> {
        let lib = to.join("lib");
        self.put(Kind::Own, "oxomp", &to.join("bin"))?;
        self.put(Kind::Loaded, "libomp.so", &lib)?;
        self.put(Kind::Loaded, "liboxomp_collect.so", &lib)?;
        self.put(Kind::Loaded, "liboxomp_mpi.so", &lib)?;
        for name in RUNTIME_LINKS {
            link("libomp.so", &lib.join(name))?;
        }
        Ok(())
    }

    fn put(&self, kind: Kind, name: &str, folder: &Path) -> Result<()> {
        (self.install)(kind, self.made.file(name)?, &folder.join(name))
    }
}

impl fmt::Debug for Contents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contents").field("made", self.made).finish_non_exhaustive()
    }
}
