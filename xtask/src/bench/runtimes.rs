//! The runtimes that are compared: oxomp, those on the machine, and those that the user names.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use oxomp_build::dist::Dist;

use super::toolchain::Compiler;
use crate::iomp;

/// The runtime that all others are compared with.
pub(super) const OURS: &str = "oxomp";

/// A program's compiler and the runtime that it runs on: a column of the table.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) compiler: Compiler,
    /// The runtime's name in the table.
    pub(super) runtime: String,
    /// The shared object.
    pub(super) library: PathBuf,
    /// A folder in which the program finds the runtime, and nothing else.
    pub(super) folder: PathBuf,
}

/// A folder of `--runtime`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    name: String,
    folder: PathBuf,
}

impl FromStr for Named {
    type Err = String;

    /// `NAME=DIR`, or `DIR`, which is its own name.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, folder) = text.split_once('=').unwrap_or((text, text));
        if name.is_empty() || folder.is_empty() {
            return Err("neither a folder nor NAME=FOLDER".to_owned());
        }
        if name == OURS {
            return Err(format!("`{OURS}` is the runtime of this repository: choose another name"));
        }
        Ok(Self { name: name.to_owned(), folder: PathBuf::from(folder) })
    }
}

/// The columns of the program that `compiler` makes, oxomp first. `links` is a folder of ours.
pub(super) fn columns(
    compiler: Compiler,
    dist: &Dist,
    target: &Path,
    named: &[Named],
    links: &Path,
) -> Result<Vec<Column>> {
    let mut runtimes = vec![(OURS.to_owned(), dist.runtime())];
    if let Some(library) = compiler.own_runtime() {
        let name = compiler.soname().split('.').next().unwrap_or_default();
        runtimes.push((name.to_owned(), library));
    }
    if compiler == Compiler::Clang
        && let Some(library) = intel(target)
    {
        runtimes.push(("libiomp5".to_owned(), library));
    }
    let named = named.iter().filter_map(|it| Some((it.name.clone(), it.library(compiler)?)));
    runtimes.extend(named);
    let column = |(at, (runtime, library)): (usize, (String, PathBuf))| {
        let folder = links.join(format!("{}-{at}", compiler.name()));
        let library = link(&library, &folder, compiler.soname())?;
        Ok(Column { compiler, runtime, library, folder })
    };
    runtimes.into_iter().enumerate().map(column).collect()
}

/// Fails if a folder of `--runtime` has no runtime at all.
pub(super) fn check(named: &[Named]) -> Result<()> {
    for it in named {
        if [Compiler::Gcc, Compiler::Clang].iter().all(|&one| it.library(one).is_none()) {
            let folder = it.folder.display();
            bail!("{folder} has neither libgomp.so.1 nor libomp.so.5 nor libiomp5.so");
        }
    }
    Ok(())
}

impl Named {
    /// The runtime in the folder that serves programs of `compiler`.
    fn library(&self, compiler: Compiler) -> Option<PathBuf> {
        let names: &[&str] = match compiler {
            Compiler::Gcc => &["libgomp.so.1"],
            Compiler::Clang => &["libomp.so.5", "libiomp5.so"],
        };
        names.iter().map(|name| self.folder.join(name)).find(|path| path.is_file())
    }
}

/// Intel's runtime: where the tests find it, or where they have installed it.
fn intel(target: &Path) -> Option<PathBuf> {
    let said = env::var_os("OXOMP_IOMP5").map(PathBuf::from);
    said.or_else(|| Some(iomp::place(target))).filter(|path| path.is_file())
}

/// Makes `folder` contain `soname` as a link to `library`, and returns the library's path without
/// links.
fn link(library: &Path, folder: &Path, soname: &str) -> Result<PathBuf> {
    let library =
        library.canonicalize().with_context(|| format!("cannot find {}", library.display()))?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let at = folder.join(soname);
    if at.symlink_metadata().is_ok() {
        fs::remove_file(&at).with_context(|| format!("cannot replace {}", at.display()))?;
    }
    symlink(&library, &at).with_context(|| format!("cannot create {}", at.display()))?;
    Ok(library)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Named, check};
    use crate::bench::toolchain::Compiler;

    #[test]
    fn a_folder_may_have_a_name() {
        let named: Named = "before=/tmp/lib".parse().expect("a name and a folder");
        assert_eq!((named.name.as_str(), named.folder.to_str()), ("before", Some("/tmp/lib")));
        let named: Named = "/tmp/lib".parse().expect("a folder");
        assert_eq!(named.name, "/tmp/lib");
        assert!("before=".parse::<Named>().is_err());
        assert!("oxomp=/tmp/lib".parse::<Named>().is_err());
    }

    #[test]
    fn a_folder_serves_the_compilers_whose_runtime_it_has() {
        let folder = tempfile::tempdir().expect("a folder");
        let named: Named = folder.path().to_str().expect("text").parse().expect("a folder");
        assert!(check(std::slice::from_ref(&named)).is_err());
        fs::write(folder.path().join("libiomp5.so"), "").expect("writable");
        assert!(check(std::slice::from_ref(&named)).is_ok());
        assert_eq!(named.library(Compiler::Gcc), None);
        assert!(named.library(Compiler::Clang).is_some());
    }
}
