//! `cargo xtask dist`: the folder that users and tests run from.
//!
//! Files are replaced by renaming, so a program that runs on the old library keeps its copy, and
//! only when their contents differ, so that a second `dist` changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use oxomp_prerequisites::Program;
use serde_json::Value;

use crate::workspace::{Workspace, cargo};
use crate::{command, gomp_stub};

/// Shown under `cargo xtask dist --help`.
pub const EXAMPLES: &str = "\
What lies there afterwards:
  bin/oxomp                  the command line
  lib/libomp.so              the runtime; libomp.so.5, libiomp5.so, libgomp.so.1 are links to it
  lib/libomptarget.so        the offload library; libomptarget.so.19.1 and .22.1 are links to it
  lib/libompd.so             what a debugger loads to read programs on the runtime
  lib/libgomp.so             what `gcc -fopenmp -Ldist/lib` links with (soname libgomp.so.1)
  lib/liboxomp_collect.so    the tool that `oxomp profile` loads
  lib/liboxomp_multiplex.so  the tool that runs several tools beside each other
  lib/oxomp-probe            makes the checks of `oxomp doctor`, with lib/liboxomp_probe.so
  include/                   omp.h, omp-tools.h, ompt.h
  lib-dev/                   testing only: the recorder that the event tests load

Examples:
  cargo xtask dist
  dist/bin/oxomp profile -- ./app
  LD_LIBRARY_PATH=dist/lib ./app
  cargo xtask dist --profile testing --out /tmp/oxomp";

/// The sonames that programs ask for, all answered by one file.
pub const RUNTIME_LINKS: [&str; 3] = ["libomp.so.5", "libiomp5.so", "libgomp.so.1"];

/// The sonames by which programs of clang 19 and of clang 22 ask for the offload library.
pub const OFFLOAD_LINKS: [&str; 2] = ["libomptarget.so.19.1", "libomptarget.so.22.1"];

/// The crate whose cdylib records events for tests; users do not get it.
const RECORDER: &str = "oxomp-recorder";

/// A build profile of the workspace's Cargo.toml.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Link-time optimised, for users.
    Release,
    /// Optimised with assertions, for the tests.
    Testing,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Testing => "testing",
        }
    }
}

/// What to build and where to put it.
#[derive(Debug)]
pub struct DistRequest {
    /// The Cargo profile.
    pub profile: Profile,
    /// The folder; a default by profile when absent.
    pub out: Option<PathBuf>,
}

/// A finished folder.
#[derive(Debug)]
pub struct Dist {
    /// The folder itself.
    pub root: PathBuf,
}

impl Dist {
    /// The folder of the shared objects.
    pub fn lib(&self) -> PathBuf {
        self.root.join("lib")
    }

    /// The runtime.
    pub fn runtime(&self) -> PathBuf {
        self.lib().join("libomp.so")
    }

    /// The command line.
    pub fn command(&self) -> PathBuf {
        self.root.join("bin/oxomp")
    }

    /// The tool that records for `oxomp profile`.
    pub fn collector(&self) -> PathBuf {
        self.lib().join("liboxomp_collect.so")
    }

    /// The recorder of the event tests; there in testing folders only.
    pub fn recorder(&self) -> PathBuf {
        self.root.join("lib-dev/liboxomp_recorder.so")
    }
}

/// Builds what is out of date and fills the folder.
pub fn build(workspace: &Workspace, request: &DistRequest) -> Result<Dist> {
    let root = match (&request.out, request.profile) {
        (Some(out), _) => std::path::absolute(out)?,
        (None, Profile::Release) => workspace.root.join("dist"),
        (None, Profile::Testing) => workspace.target.join("testing-dist"),
    };
    let dist = Dist { root };
    let with_recorder = request.profile == Profile::Testing && workspace.has_member(RECORDER);
    let built = build_packages(workspace, request.profile, with_recorder)?;

    install(artifact(&built, "oxomp")?, &dist.command())?;
    // Programs load these, so a debugger finds their lines among the program's.
    for library in ["libomp.so", "libomptarget.so", "liboxomp_collect.so", "liboxomp_multiplex.so"]
    {
        let (from, to) = (artifact(&built, library)?, dist.lib().join(library));
        match request.profile {
            Profile::Release => install_without_lines(from, &to)?,
            Profile::Testing => install(from, &to)?,
        }
    }
    for name in ["oxomp-probe", "liboxomp_probe.so"] {
        install(artifact(&built, name)?, &dist.lib().join(name))?;
    }
    install(artifact(&built, "libompd.so")?, &dist.lib().join("libompd.so"))?;
    for name in RUNTIME_LINKS {
        link("libomp.so", &dist.lib().join(name))?;
    }
    for name in OFFLOAD_LINKS {
        link("libomptarget.so", &dist.lib().join(name))?;
    }
    gomp_stub::write(&workspace.root, &dist.runtime(), &dist.lib().join("libgomp.so"))?;
    if with_recorder {
        install(artifact(&built, "liboxomp_recorder.so")?, &dist.recorder())?;
    }
    for name in ["omp.h", "omp-tools.h", "ompt.h"] {
        let header = workspace.root.join("include").join(name);
        install(&header, &dist.root.join("include").join(name))?;
    }
    Ok(dist)
}

/// Runs Cargo and hands back the files it made, by file name.
fn build_packages(
    workspace: &Workspace,
    profile: Profile,
    with_recorder: bool,
) -> Result<BTreeMap<String, PathBuf>> {
    let mut build = cargo();
    build.current_dir(&workspace.root).args(["build", "--profile", profile.name()]).args([
        "-p",
        "libomp",
        "-p",
        "libompd",
        "-p",
        "libomptarget",
        "-p",
        "oxomp-collect",
        "-p",
        "oxomp-multiplex",
        "-p",
        "oxomp-probe",
        "-p",
        "oxomp",
    ]);
    if with_recorder {
        build.args(["-p", RECORDER]);
    }
    let messages = command::capture_messages(build.arg("--message-format=json-render-diagnostics"))
        .context("the build failed; nothing was put into the folder")?;
    Ok(made_files(&messages))
}

fn made_files(messages: &str) -> BTreeMap<String, PathBuf> {
    let mut made = BTreeMap::new();
    for message in messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let files = message["filenames"].as_array().map_or(&[][..], Vec::as_slice);
        let executable = message["executable"].as_str();
        for file in files.iter().filter_map(Value::as_str).chain(executable) {
            if let Some(name) = Path::new(file).file_name() {
                made.insert(name.to_string_lossy().into_owned(), PathBuf::from(file));
            }
        }
    }
    made
}

fn artifact<'a>(made: &'a BTreeMap<String, PathBuf>, name: &str) -> Result<&'a Path> {
    made.get(name).map(PathBuf::as_path).with_context(|| format!("the build made no `{name}`"))
}

/// Copies `from` to `to` if their contents differ.
pub fn install(from: &Path, to: &Path) -> Result<()> {
    let contents = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    let mode = fs::metadata(from)?.permissions().mode();
    replace(to, &contents, mode)
}

/// As [`install`], without the table of source lines: while a program stands in a function that has
/// lines, gdb's language is the function's, and LLVM's OMPD plug-in, which reads memory by
/// expressions of C, crashes gdb in any language that is not like C. The names of functions stay.
fn install_without_lines(from: &Path, to: &Path) -> Result<()> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let stripped = folder.path().join("stripped");
    let mut strip = Program::Strip.command();
    command::run(strip.arg("--strip-debug").arg("-o").arg(&stripped).arg(from))?;
    install(&stripped, to)
}

/// Writes `contents` to `to` if they differ from what is there.
pub fn replace(to: &Path, contents: &[u8], mode: u32) -> Result<()> {
    if fs::read(to).is_ok_and(|present| present == contents) {
        return Ok(());
    }
    let folder = to.parent().context("a file needs a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut temporary = tempfile::NamedTempFile::new_in(folder)
        .with_context(|| format!("cannot write in {}", folder.display()))?;
    std::io::Write::write_all(&mut temporary, contents)?;
    fs::set_permissions(temporary.path(), fs::Permissions::from_mode(mode))?;
    temporary.persist(to).with_context(|| format!("cannot replace {}", to.display()))?;
    Ok(())
}

fn link(target: &str, at: &Path) -> Result<()> {
    if fs::read_link(at).is_ok_and(|present| present == Path::new(target)) {
        return Ok(());
    }
    if at.symlink_metadata().is_ok() {
        fs::remove_file(at).with_context(|| format!("cannot replace {}", at.display()))?;
    }
    symlink(target, at).with_context(|| format!("cannot create {}", at.display()))
}

#[cfg(test)]
mod tests {
    use super::{install_without_lines, link, made_files, replace};
    use anyhow::Result;
    use object::{Object, ObjectSymbol};
    use oxomp_prerequisites::Program;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    #[test]
    fn a_file_with_the_same_contents_is_left_alone() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("sub/file");
        replace(&file, b"one", 0o755)?;
        let before = fs::metadata(&file)?;
        replace(&file, b"one", 0o755)?;
        let inode = std::os::unix::fs::MetadataExt::ino;
        assert_eq!(inode(&before), inode(&fs::metadata(&file)?));
        replace(&file, b"two", 0o644)?;
        assert_eq!(fs::read(&file)?, b"two");
        assert_eq!(fs::metadata(&file)?.permissions().mode() & 0o777, 0o644);
        Ok(())
    }

    #[test]
    fn a_library_loses_its_lines_and_keeps_its_names() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let [from, to] = ["from.so", "to.so"].map(|name| folder.path().join(name));
        let source = folder.path().join("f.c");
        fs::write(&source, "static __attribute__((used)) void hidden_function(void) {}\n")?;
        let mut compiler = Program::Cc.command();
        compiler.args(["-shared", "-fPIC", "-g", "-o"]).arg(&from).arg(&source);
        assert!(compiler.status()?.success());
        install_without_lines(&from, &to)?;
        let seen = [&from, &to].map(|path| -> Result<(bool, bool)> {
            let bytes = fs::read(path)?;
            let library = object::File::parse(&*bytes)?;
            let has_name = library.symbols().any(|it| it.name() == Ok("hidden_function"));
            Ok((library.section_by_name(".debug_line").is_some(), has_name))
        });
        let [before, after] = seen;
        assert_eq!((before?, after?), ((true, true), (false, true)));
        Ok(())
    }

    #[test]
    fn a_link_that_points_elsewhere_is_corrected() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let at = folder.path().join("libgomp.so.1");
        symlink("old.so", &at)?;
        link("libomp.so", &at)?;
        assert_eq!(fs::read_link(&at)?, Path::new("libomp.so"));
        Ok(())
    }

    #[test]
    fn cargos_messages_name_the_files() {
        let messages = concat!(
            "{\"reason\":\"compiler-artifact\",\"filenames\":[\"/t/release/libomp.so\"],\"executable\":null}\n",
            "not json\n",
            "{\"filenames\":[\"/t/release/oxomp\"],\"executable\":\"/t/release/oxomp\"}\n",
        );
        let made = made_files(messages);
        assert_eq!(made["libomp.so"], Path::new("/t/release/libomp.so"));
        assert_eq!(made["oxomp"], Path::new("/t/release/oxomp"));
    }
}
