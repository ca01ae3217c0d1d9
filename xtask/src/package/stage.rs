//! The stage: the folder that all packages of a processor are made of, laid out as the tarball.
//!
//! Its files are stripped; their debug information lies apart, in a second folder, by the numbers
//! that the linker has given to the files (`.build-id/xx/yyyy.debug`, as gdb looks for it).
//!
//! Two stages of one commit have the same bytes, wherever they were built: folders have the same
//! names in every build, or the compiler writes them by other names, and no file has the time of
//! the build.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use object::Object;
use oxomp_build::command;
use oxomp_build::dist::{self, Contents, StubTools};
use oxomp_build::workspace::Workspace;
use oxomp_prerequisites::Packaging;

use super::architecture::Architecture;
use super::flags::Flags;
use super::glibc::Glibc;
use super::licences;
use super::place::Place;
use super::release::Release;
use super::share;
use super::tools::Tools;

/// What a stage may take, in bytes: 12 MiB. A package that grows beyond it has got something that
/// its users do not need, or code that is made many times over.
const LIMIT: u64 = 12 << 20;

/// A finished stage.
#[derive(Debug)]
pub(super) struct Stage {
    /// bin/, lib/, include/ and share/.
    pub(super) root: PathBuf,
    /// The debug files.
    pub(super) debug: PathBuf,
    pub(super) architecture: Architecture,
    pub(super) glibc: Glibc,
}

impl Stage {
    /// Builds the stage for the processor below `folder`.
    pub(super) fn build(
        workspace: &Workspace,
        folder: &Path,
        tools: &Tools,
        architecture: Architecture,
        glibc: Glibc,
        release: &Release,
    ) -> Result<Self> {
        let name = format!("{}-glibc-{}", architecture.name(), glibc.text());
        let stage = Self {
            root: folder.join("stage").join(&name),
            debug: folder.join("debug").join(&name),
            architecture,
            glibc,
        };
        for part in [&stage.root, &stage.debug] {
            if part.exists() {
                fs::remove_dir_all(part)?;
            }
            fs::create_dir_all(part)?;
        }
        let flags = Flags::new()?;
        let place = Place::new(&workspace.root, folder)?;
        let loaded = stage.zigbuild(&place, tools, &flags.beside_those_of_the_workspace())?;
        let mut own = stage.zigbuild(&place, tools, "")?;
        own.env("CARGO_ENCODED_RUSTFLAGS", flags.of_our_own());
        let made = dist::make_packaged(workspace, loaded, own)?;
        let made = made.moved(&Place::folder(), folder);
        let contents = Contents { made: &made, install: &|_, from, to| stage.put(from, to) };
        contents.fill(&stage.root, &workspace.root, &stage.stub_tools(tools))?;
        share::fill(workspace, release, &stage.root)?;
        let unwinder = tools.unwinder_licence()?;
        licences::write(workspace, architecture, release, &unwinder, &stage.root)?;
        let size = size_of(&stage.root)?;
        ensure!(size <= LIMIT, "{} takes {size} bytes, more than {LIMIT}", stage.root.display());
        Ok(stage)
    }

    /// A command that builds for the stage's processor and C library in the place.
    fn zigbuild(&self, place: &Place, tools: &Tools, setting: &str) -> Result<Command> {
        let mut build = tools.zigbuild(place)?;
        let target = format!("{}.{}", self.architecture.triple(), self.glibc.text());
        build.args(["--locked", "--target", &target]);
        if !setting.is_empty() {
            build.args(["--config", setting]);
        }
        let target = Place::folder().join("build").join(self.glibc.text());
        build.arg("--target-dir").arg(target).env("CARGO_INCREMENTAL", "0");
        Ok(build)
    }

    /// What makes stubs for the stage's processor and C library.
    pub(super) fn stub_tools(&self, tools: &Tools) -> StubTools {
        tools.stubs(&format!("{}.{}", self.architecture.gnu(), self.glibc.text()))
    }

    /// Puts the stripped file into the stage, and its debug information beside it.
    fn put(&self, from: &Path, to: &Path) -> Result<()> {
        let bytes = fs::read(from).with_context(|| from.display().to_string())?;
        let file = object::File::parse(&*bytes).with_context(|| from.display().to_string())?;
        self.glibc.suffices_for(from)?;
        let number = file
            .build_id()?
            .with_context(|| format!("{}: the linker has given it no build ID", from.display()))?;
        let number: String = number.iter().map(|byte| format!("{byte:02x}")).collect();
        let (folder, name) = number.split_at(2);
        let debug = self.debug.join(".build-id").join(folder).join(format!("{name}.debug"));
        for folder in [&debug, to].into_iter().filter_map(|path| path.parent()) {
            fs::create_dir_all(folder)?;
        }
        let mut keep = Packaging::Objcopy.command();
        keep.args(["--only-keep-debug", "--compress-debug-sections=zlib"]);
        command::capture(keep.arg(from).arg(&debug))?;
        fs::set_permissions(&debug, fs::Permissions::from_mode(0o644))?;
        command::capture(
            Packaging::Objcopy
                .command()
                .args(["--strip-all", "--remove-section=.comment"])
                .arg(from)
                .arg(to),
        )?;
        Ok(())
    }
}

/// What the files in the folder take together, in bytes.
fn size_of(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        sum += if metadata.is_dir() { size_of(&entry.path())? } else { metadata.len() };
    }
    Ok(sum)
}
