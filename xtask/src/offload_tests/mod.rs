//! `cargo xtask offload-tests`: LLVM's own offload tests, for the host device, on any libomptarget
//! and any runtime.
//!
//! The tests are not part of this repository: they come from Debian's source package, as the page
//! `tests/OFFLOAD.md` says, which also lists those that LLVM's own library fails.

mod lit;
mod source;
mod verdict;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use oxomp_build::dist::{self, DistRequest, Profile};
use oxomp_build::workspace::Workspace;
use oxomp_prerequisites::{File, Prerequisite, Program};

use crate::packages;

/// Shown under `cargo xtask offload-tests --help`.
pub const EXAMPLES: &str = "\
What it does:
  packages   installs FileCheck, psutil and what else the tests take, as root
  source     fetches Debian's source package of LLVM (150 MB) and keeps its tests
  lit        compiles and runs each test for the host device (some minutes)

It fails when a test fails that LLVM's libomptarget passes on the same runtime, as the table in
tests/OFFLOAD.md says.

Examples:
  cargo xtask offload-tests                                         ours on ours, built anew
  cargo xtask offload-tests --libomptarget stock --libomp stock     LLVM's on LLVM's
  cargo xtask offload-tests --libomptarget DIR/libomptarget.so.22.1 --only mapping/";

/// The word for LLVM's library, as Debian has it.
const STOCK: &str = "stock";

/// The names of libomptarget that programs of clang 22 and 19 ask for, and link with.
const LIBOMPTARGET: [&str; 3] = ["libomptarget.so.22.1", "libomptarget.so.19.1", "libomptarget.so"];

/// The names of the runtime that programs and libomptarget ask for.
const LIBOMP: [&str; 2] = ["libomp.so.5", "libomp.so"];

/// What to run.
#[derive(clap::Args, Debug)]
pub struct Request {
    /// The libomptarget: a file, or `stock` for LLVM's [default: a new build of ours].
    #[arg(long)]
    libomptarget: Option<PathBuf>,
    /// The runtime: a file, or `stock` for LLVM's [default: a new build of ours].
    #[arg(long)]
    libomp: Option<PathBuf>,
    /// Run only tests whose path contains this text.
    #[arg(long)]
    only: Option<String>,
    /// Debian's archive of LLVM's sources, if it is there already.
    #[arg(long)]
    archive: Option<PathBuf>,
    /// Write the result of each test to this file.
    #[arg(long)]
    save: Option<PathBuf>,
    /// How many tests run at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Install nothing.
    #[arg(long)]
    no_install: bool,
}

/// Runs the tests and compares with the page's table.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    let programs = [Program::Clang, Program::Clangxx, Program::Flang, Program::Tar, Program::Xz];
    let files = [
        File::Libomptarget,
        File::Libomp,
        File::OffloadBinary,
        File::ClangLinkerWrapper,
        File::FileCheck,
        File::Not,
        File::DebianPython,
        File::Psutil,
    ];
    let mut wanted: Vec<Prerequisite> = programs.map(Into::into).to_vec();
    wanted.extend(files.map(Prerequisite::from));
    packages::ensure(!request.no_install, &wanted, |_| true)?;
    let tests = source::ensure(&workspace.target, request.archive.as_deref())?;
    let folder = tempfile::tempdir()?;
    let libraries = folder.path().join("lib");
    let of_llvm = stage(workspace, request, &libraries)?;
    let only = request.only.as_deref();
    let results = lit::run(&tests, folder.path(), &libraries, only, request.jobs)?;
    if let Some(file) = &request.save {
        fs::write(file, verdict::listed(&results)).with_context(|| file.display().to_string())?;
    }
    let page = workspace.root.join("tests/OFFLOAD.md");
    let page = fs::read_to_string(&page).with_context(|| page.display().to_string())?;
    verdict::judge(&results, &verdict::known(&page, of_llvm)?)
}

/// Puts both libraries into `folder` under all their names. Says whether the runtime is LLVM's.
fn stage(workspace: &Workspace, request: &Request, folder: &Path) -> Result<bool> {
    fs::create_dir(folder)?;
    let is_stock = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new(STOCK));
    let mut built = None;
    let mut ours = |name: &str| -> Result<PathBuf> {
        if built.is_none() {
            let request = DistRequest { profile: Profile::Testing, out: None };
            built = Some(dist::build(workspace, &request)?.lib());
        }
        Ok(built.as_deref().context("it has been built")?.join(name))
    };
    let libomptarget = match &request.libomptarget {
        Some(path) if path == Path::new(STOCK) => File::Libomptarget.path().to_owned(),
        Some(path) => path.clone(),
        None => ours(LIBOMPTARGET[0])?,
    };
    let libomp = match &request.libomp {
        Some(path) if path == Path::new(STOCK) => File::Libomp.path().to_owned(),
        Some(path) => path.clone(),
        None => ours(LIBOMP[0])?,
    };
    for (library, names) in [(&libomptarget, &LIBOMPTARGET[..]), (&libomp, &LIBOMP)] {
        let Ok(library) = fs::canonicalize(library) else {
            bail!("there is no {}", library.display());
        };
        eprintln!("xtask: {} is {}", names[0], library.display());
        for name in names {
            symlink(&library, folder.join(name))?;
        }
    }
    // The tests link with the device's part of the library; the host device has no such part.
    fs::write(folder.join("libomptarget.devicertl.a"), "!<arch>\n")?;
    Ok(is_stock(&request.libomp))
}
