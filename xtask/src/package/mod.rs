//! `cargo xtask package`: what users install, and its trial on a machine that has nothing.
//!
//! A `stage` is built for each processor and C library; tarball, wheel and Debian packages are
//! made of stages, and `bare` machines install them, use them, and remove them again. The crates
//! of the SDK are packed as for publication (`registry`).

mod architecture;
mod bare;
mod checksums;
mod debian;
mod flags;
mod glibc;
mod licences;
mod notices;
mod place;
mod registry;
mod release;
mod share;
mod stage;
mod tarball;
mod tools;
mod trial;
mod twice;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};
use oxomp_build::workspace::Workspace;
use oxomp_prerequisites::{Foreign, Prerequisite, Program, PythonModule};

use crate::{foreign, packages};
use architecture::Architecture;
use glibc::Glibc;
use release::Release;
use stage::Stage;
use tools::Tools;

/// Shown under `cargo xtask package --help`.
pub const EXAMPLES: &str = "\
What lies in target/package/out afterwards, for each processor:
  oxomp-VERSION-PROCESSOR-linux.tar.gz        unpack it anywhere
  oxomp-VERSION-PROCESSOR-linux-debug.tar.gz  the debug files of all packages
  oxomp-VERSION-py3-none-manylinux….whl       pip install
  *.deb                                       apt install
  SHA256SUMS                                  checksums of all of them

Examples:
  cargo xtask package                              the crates of the SDK only, as the tests do
  cargo xtask package --all                        everything, and its trials (10 minutes and more)
  cargo xtask package --only wheel --target x86_64
  cargo xtask package --all --twice                builds twice, and compares the bytes";

/// What packages are made and tried with that the tests use, too.
const ALSO_NEEDED: [Prerequisite; 5] = [
    Prerequisite::Program(Program::Git),
    Prerequisite::Program(Program::Gzip),
    Prerequisite::PythonModule(PythonModule::Ensurepip),
    Prerequisite::Foreign(Foreign::Mmdebstrap),
    Prerequisite::Foreign(Foreign::Mount),
];

/// What to make.
#[derive(Args, Debug)]
pub struct Request {
    /// Make everything, and install it on a bare Debian in a folder, as root.
    #[arg(long, conflicts_with = "only")]
    all: bool,
    /// Make only these.
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Kind>,
    /// Make them for these processors only.
    #[arg(long = "target", value_enum, value_delimiter = ',')]
    targets: Vec<Architecture>,
    /// Install nothing: neither what the packages are built with, nor the packages on a bare
    /// Debian.
    #[arg(long)]
    no_install: bool,
    /// Build everything once more, in another folder, and fail if a byte differs.
    #[arg(long)]
    twice: bool,
}

/// A kind of package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// The crates of the SDK, as for publication.
    Registry,
    /// An archive that is unpacked anywhere.
    Tarball,
    /// A wheel, for pip.
    Wheel,
    /// Packages of Debian.
    Debian,
}

impl Kind {
    /// Those that are made of stages.
    const OF_STAGES: [Self; 3] = [Self::Tarball, Self::Wheel, Self::Debian];

    /// The name on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::Registry => "registry",
            Self::Tarball => "tarball",
            Self::Wheel => "wheel",
            Self::Debian => "debian",
        }
    }
}

impl Request {
    fn wants(&self, kind: Kind) -> bool {
        self.all || self.only.contains(&kind) || (self.only.is_empty() && kind == Kind::Registry)
    }

    /// The arguments that ask for the same packages.
    fn words(&self) -> Vec<String> {
        let kinds = Kind::OF_STAGES.into_iter().filter(|kind| self.wants(*kind));
        let kinds: Vec<&str> = kinds.map(Kind::name).collect();
        let processors: Vec<&str> =
            self.architectures().into_iter().map(Architecture::name).collect();
        let words = ["--only", &kinds.join(","), "--target", &processors.join(",")];
        words.map(str::to_owned).to_vec()
    }

    /// The processors, this machine's first.
    fn architectures(&self) -> Vec<Architecture> {
        let mut wanted = match self.targets.as_slice() {
            [] => Architecture::value_variants().to_vec(),
            some => some.to_vec(),
        };
        wanted.sort_by_key(|it| *it != Architecture::OWN);
        wanted.dedup();
        wanted
    }
}

/// Makes what is asked for.
pub fn run(workspace: &Workspace, request: &Request) -> Result<()> {
    if request.wants(Kind::Registry) {
        registry::run(workspace)?;
        if request.all {
            registry::rehearse(workspace)?;
        }
    }
    if !Kind::OF_STAGES.into_iter().any(|kind| request.wants(kind)) {
        return Ok(());
    }
    let wanted: Vec<Prerequisite> = Prerequisite::packaging().chain(ALSO_NEEDED).collect();
    packages::ensure(!request.no_install, &wanted, |_| true)?;
    let folder = workspace.target.join("package");
    let out = folder.join("out");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    fs::create_dir_all(&out)?;
    let made = make(workspace, request, &folder, &out)?;
    checksums::write(&out)?;
    if request.twice {
        twice::run(workspace, &folder, &out, &request.words())?;
    }
    if !request.no_install {
        for (architecture, packages) in &made {
            trial::run(workspace, &folder, *architecture, packages)?;
        }
    }
    for path in made.into_iter().flat_map(|(_, packages)| packages) {
        println!("{}", path.display());
    }
    Ok(())
}

/// Makes the packages of stages, and returns their paths by processor.
fn make(
    workspace: &Workspace,
    request: &Request,
    folder: &Path,
    out: &Path,
) -> Result<Vec<(Architecture, Vec<PathBuf>)>> {
    let tools = Tools::ensure(folder)?;
    let release = Release::of(workspace)?;
    let mut all = Vec::new();
    for architecture in request.architectures() {
        let mut made = Vec::new();
        foreign::add_to_rust(architecture.triple())?;
        if request.wants(Kind::Tarball) || request.wants(Kind::Wheel) {
            let stage =
                Stage::build(workspace, folder, &tools, architecture, Glibc::Old, &release)?;
            if request.wants(Kind::Tarball) {
                let name = release.name(architecture.name());
                made.push(tarball::pack(&stage.root, &name, &release, out)?);
                made.push(tarball::pack(&stage.debug, &format!("{name}-debug"), &release, out)?);
            }
            if request.wants(Kind::Wheel) {
                made.push(wheel::build(workspace, &stage, &release, &tools, out)?);
            }
        }
        if request.wants(Kind::Debian) {
            let stage =
                Stage::build(workspace, folder, &tools, architecture, Glibc::OneFile, &release)?;
            made.extend(debian::build(workspace, &stage, &release, out)?);
        }
        all.push((architecture, made));
    }
    Ok(all)
}
