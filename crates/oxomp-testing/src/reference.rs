//! The reference runtimes: libgomp for programs of GCC, LLVM's libomp for programs of clang.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use oxomp_prerequisites::{File, Prerequisite};

use crate::compiler::Family;

/// Folders that hold the reference runtimes, under the names programs ask for.
#[derive(Debug)]
pub struct References {
    gcc: PathBuf,
    clang: PathBuf,
    /// libomp under both names: the reference that has OMPT.
    ompt: PathBuf,
}

impl References {
    /// Makes the folders, as links, inside `cache`.
    ///
    /// `OXOMP_REFERENCE_LIBGOMP` and `OXOMP_REFERENCE_LIBOMP` name other files than Debian's.
    ///
    /// # Errors
    ///
    /// Names the package of a runtime that is missing.
    pub fn new(cache: &Path) -> Result<Self, String> {
        let libgomp = find("OXOMP_REFERENCE_LIBGOMP", File::Libgomp)?;
        let libomp = find("OXOMP_REFERENCE_LIBOMP", File::Libomp)?;
        let references = Self {
            gcc: cache.join("reference/libgomp"),
            clang: cache.join("reference/libomp"),
            ompt: cache.join("reference/ompt"),
        };
        link(&references.gcc, "libgomp.so.1", &libgomp)?;
        link(&references.clang, "libomp.so.5", &libomp)?;
        link(&references.ompt, "libomp.so.5", &libomp)?;
        link(&references.ompt, "libgomp.so.1", &libomp)?;
        Ok(references)
    }

    /// The folder of the runtime that a program of this compiler usually gets.
    #[must_use]
    pub fn folder(&self, compiler: Family) -> &Path {
        match compiler {
            Family::Gcc => &self.gcc,
            Family::Clang => &self.clang,
        }
    }

    /// The folder of a runtime with OMPT that serves both compilers.
    #[must_use]
    pub fn with_ompt(&self) -> &Path {
        &self.ompt
    }
}

/// The file that `variable` names, else Debian's.
pub(crate) fn find(variable: &str, otherwise: File) -> Result<PathBuf, String> {
    let path = env::var_os(variable).map_or_else(|| otherwise.path().to_owned(), PathBuf::from);
    fs::canonicalize(&path).map_err(|_| {
        let debian = Prerequisite::from(otherwise);
        format!("{} is missing: install {debian} or name it in {variable}", path.display())
    })
}

/// Makes the link `name` to `target` in `folder`.
pub(crate) fn link(folder: &Path, name: &str, target: &Path) -> Result<(), String> {
    let said = |error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(said)?;
    let link = folder.join(name);
    if fs::read_link(&link).is_ok_and(|old| old == target) {
        return Ok(());
    }
    // Appears whole: another run of the tests may be using the folder.
    let unfinished = folder.join(format!(".{name}.{}", std::process::id()));
    symlink(target, &unfinished).map_err(said)?;
    fs::rename(&unfinished, &link).map_err(said)
}
