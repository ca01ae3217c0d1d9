//! Compiling a program, running it under the collector, reading its profile.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use oxomp_analysis::Analysis;
use oxomp_analysis::calls::CallTree;
use oxomp_analysis::report::differ;
use oxomp_analysis::summary::Summary;
use oxomp_analysis::symbols::Symbols;
use oxomp_prerequisites::{File, Program};
use oxomp_testing::compiler::kept::{Kept, compile, identity};
use oxomp_trace::{Disagreement, Profile};
use tempfile::TempDir;

use crate::demand::{Demand, Rows};
use crate::runtimes::{Runtime, workspace};

/// No program of ours runs longer on a busy machine: one of some seconds with thousands of regions
/// took a minute beside twelve busy processes on two processors.
const PATIENCE: Duration = Duration::from_secs(240);

/// A compiler and a runtime, with a folder to work in.
pub(crate) struct Setting {
    compiler: Program,
    runtime: Runtime,
    collector: PathBuf,
    pub(crate) library: PathBuf,
    pub(crate) folder: TempDir,
    pub(crate) demand: Demand,
    pub(crate) rows: Rows,
    /// Where the program records if not in the folder.
    in_memory: OnceLock<TempDir>,
}

/// What a run left behind.
pub(crate) struct Run {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// One per file, that is per process.
    pub(crate) summaries: Vec<Summary>,
    /// Their call paths, in the same order.
    pub(crate) calls: Vec<CallTree>,
}

/// What `source` may include: the headers beside it and in tests/profiler.
fn headers(source: &Path) -> Result<Vec<PathBuf>, String> {
    let profiler = workspace().join("tests/profiler");
    let mut headers = Vec::new();
    for folder in [source.parent().unwrap_or(source), &profiler] {
        let files = fs::read_dir(folder).map_err(|error| error.to_string())?;
        let paths = files.filter_map(|file| Some(file.ok()?.path()));
        headers.extend(paths.filter(|path| path.extension() == Some(OsStr::new("h"))));
    }
    headers.sort();
    Ok(headers)
}

impl Setting {
    pub(crate) fn new(
        runtime: Runtime,
        library: PathBuf,
        compiler: Program,
        demand: Demand,
    ) -> Result<Self, String> {
        static COLLECTOR: OnceLock<Result<PathBuf, String>> = OnceLock::new();
        let collector = COLLECTOR.get_or_init(collector).clone()?;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        // The program asks for its compiler's runtime by name; all names lead to the one.
        let links = folder.path().join("lib");
        fs::create_dir(&links).map_err(|error| error.to_string())?;
        for name in ["libomp.so.5", "libiomp5.so", "libgomp.so.1"] {
            symlink(&library, links.join(name)).map_err(|error| error.to_string())?;
        }
        let (rows, in_memory) = (Rows::default(), OnceLock::new());
        Ok(Self { compiler, runtime, collector, library, folder, demand, rows, in_memory })
    }

    /// Gives the programs the offload runtime at `library`.
    pub(crate) fn offload_by(&self, library: &Path) -> Result<(), String> {
        let links = self.folder.path().join("lib");
        for name in ["libomptarget.so.22.1", "libomp.so"] {
            let wanted = if name == "libomp.so" { &self.library } else { library };
            symlink(wanted, links.join(name)).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    pub(crate) fn compiler(&self) -> Program {
        self.compiler
    }

    pub(crate) fn runtime(&self) -> Runtime {
        self.runtime
    }

    pub(crate) fn is_oxomp(&self) -> bool {
        self.runtime == Runtime::Oxomp
    }

    /// Where programs run, for people.
    pub(crate) fn title(&self) -> String {
        format!("{}, {}", self.compiler.text(), self.runtime.name())
    }

    /// Compiles tests/profiler/NAME.c, or else the C++ or Fortran program of that name.
    pub(crate) fn compile(&self, name: &str) -> Result<PathBuf, String> {
        self.compile_as(name, name, &[])
    }

    /// Compiles a program as [`Setting::compile`] does, to a file and with further options.
    pub(crate) fn compile_as(
        &self,
        name: &str,
        file: &str,
        options: &[&str],
    ) -> Result<PathBuf, String> {
        let source = workspace().join("tests/profiler").join(name);
        let endings = ["c", "cpp", "f90"].map(|ending| source.with_extension(ending));
        let source = endings.iter().find(|source| source.is_file()).unwrap_or(&endings[0]);
        let program = self.folder.path().join(file);
        let (compiler, warnings) = self.compiler_for(source);
        let mut command = compiler.command();
        command.args(["-O2", "-g", "-fopenmp"]).args(warnings).args(options).arg(source);
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("profiled");
        let mut kept = Kept::new(&cache, stem);
        kept = kept.of(&format!("{command:?}")).of(&identity(compiler)).of_file(source)?;
        for header in headers(source)? {
            kept = kept.of_file(&header)?;
        }
        let compiled = kept.made(|file| compile(command.arg("-o").arg(file)))?;
        // A test may compile other programs to the same file, which are not to be written into what
        // is kept.
        drop(fs::remove_file(&program));
        // A copy is for another file system only: a child that a thread of this process starts
        // meanwhile has it open for writing for a moment, in which no process can execute it.
        fs::hard_link(&compiled, &program)
            .or_else(|_| fs::copy(&compiled, &program).map(drop))
            .map_err(|error| format!("{}: {error}", program.display()))?;
        Ok(program)
    }

    /// The compiler for the language of `source`, and the options for its warnings.
    fn compiler_for(&self, source: &Path) -> (Program, &'static [&'static str]) {
        const ALL: &[&str] = &["-Wall", "-Wextra", "-Werror"];
        let is_gcc = self.compiler == Program::Gcc;
        match source.extension().and_then(OsStr::to_str) {
            Some("cpp") => (if is_gcc { Program::Gxx } else { Program::Clangxx }, ALL),
            Some("f90") => (if is_gcc { Program::Gfortran } else { Program::Flang }, &[]),
            _ => (self.compiler, ALL),
        }
    }

    /// As [`Setting::command`], of Debian's Python without a script.
    pub(crate) fn interpreter(&self) -> Command {
        let mut command = Command::new(File::DebianPython.path());
        self.prepare(&mut command);
        command
    }

    /// As [`Setting::command`]; where times are demanded, before other processes if we are allowed
    /// to.
    pub(crate) fn urgent_command(&self, program: &Path) -> Command {
        if self.demand == Demand::Counts {
            return self.command(program);
        }
        let mut command = Program::Nice.command();
        self.prepare(command.args(["-n", "-20"]).arg(program));
        command
    }

    /// Like [`Setting::command`]. Where times are demanded, the program runs in a real-time class
    /// if we are allowed to, so that processes outside of such a class do not disturb it: niceness
    /// counts within a session only, and a thread that begins while other processes use the other
    /// processors begins on its creator's processor. The program records to memory, since a thread
    /// that stores to a page of a file may have to wait for a disk that other processes keep busy.
    /// For programs with no more threads than processors, and small recordings.
    pub(crate) fn real_time_command(&self, program: &Path) -> Command {
        if self.demand == Demand::Counts {
            return self.command(program);
        }
        static IS_PERMITTED: OnceLock<bool> = OnceLock::new();
        let round_robin = || {
            let mut command = Program::Chrt.command();
            command.args(["-r", "1"]);
            command
        };
        let is_permitted = IS_PERMITTED.get_or_init(|| {
            let mut command = round_robin();
            let output = command.arg("true").output();
            output.is_ok_and(|output| output.status.success())
        });
        if let Ok(folder) = tempfile::tempdir_in("/dev/shm") {
            self.in_memory.get_or_init(|| folder);
        }
        if !is_permitted {
            return self.urgent_command(program);
        }
        let mut command = round_robin();
        self.prepare(command.arg(program));
        command
    }

    /// As [`Setting::command`], on the first processor that the test may use, and no other.
    pub(crate) fn confined_command(&self, program: &Path) -> Result<Command, String> {
        let status = fs::read_to_string("/proc/self/status").map_err(|error| error.to_string())?;
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        let first = list.and_then(|list| list.trim().split([',', '-']).next());
        let mut command = Program::Taskset.command();
        self.prepare(command.arg("-c").arg(first.ok_or("no list of processors")?).arg(program));
        Ok(command)
    }

    /// The command that runs `program` under the collector.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        self.prepare(&mut command);
        command
    }

    fn prepare(&self, command: &mut Command) {
        match self.demand {
            Demand::Times => command.env("OMP_WAIT_POLICY", "active"),
            // Threads that wait actively for one without a processor slow down every other one.
            Demand::Counts => command.env_remove("OMP_WAIT_POLICY"),
        };
        command
            .env("LD_LIBRARY_PATH", self.folder.path().join("lib"))
            .env("OMP_TOOL", "enabled")
            .env("OMP_TOOL_LIBRARIES", &self.collector)
            .env("OXOMP_OUT", self.out())
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
    }

    pub(crate) fn out(&self) -> PathBuf {
        let on_disk = || self.folder.path().join("out");
        self.in_memory.get().map_or_else(on_disk, |folder| folder.path().to_owned())
    }

    /// Compiles and runs a program and reads what it recorded.
    pub(crate) fn run(&self, name: &str) -> Result<Run, String> {
        self.finish(&mut self.command(&self.compile(name)?))
    }

    /// Runs a command and reads what it recorded.
    pub(crate) fn finish(&self, command: &mut Command) -> Result<Run, String> {
        let output = wait(command.spawn().map_err(|error| error.to_string())?)?;
        let (summaries, calls) = self.profiles()?.into_iter().unzip();
        Ok(Run {
            status: output.status,
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            summaries,
            calls,
        })
    }

    /// Runs a command that succeeds; returns the file of the one recording that it makes.
    pub(crate) fn record(&self, command: &mut Command) -> Result<PathBuf, String> {
        let output = wait(command.spawn().map_err(|error| error.to_string())?)?;
        if !output.status.success() {
            return Err(format!("the program ended with {}", output.status));
        }
        let files = fs::read_dir(self.out()).map_err(|error| error.to_string())?;
        let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
        match (paths.pop(), paths.len()) {
            (Some(path), 0) => Ok(path),
            (_, others) => Err(format!("not one file: {others} more")),
        }
    }

    /// As [`Setting::record`]: the recording, whose file is removed.
    pub(crate) fn recording(&self, command: &mut Command) -> Result<Profile, String> {
        let path = self.record(command)?;
        let profile = Profile::open(&path).map_err(|error| error.to_string())?;
        fs::remove_file(&path).map_err(|error| error.to_string())?;
        counts_agree(&profile.disagreements)?;
        Ok(profile)
    }

    /// Every profile in the output folder, which is emptied. An empty file is a recording that
    /// could not begin.
    pub(crate) fn summaries(&self) -> Result<Vec<Summary>, String> {
        Ok(self.profiles()?.into_iter().map(|(summary, _)| summary).collect())
    }

    fn profiles(&self) -> Result<Vec<(Summary, CallTree)>, String> {
        let Ok(files) = fs::read_dir(self.out()) else { return Ok(Vec::new()) };
        let mut profiles = Vec::new();
        for file in files {
            let path = file.map_err(|error| error.to_string())?.path();
            match Profile::open(&path) {
                Ok(profile) => {
                    let analysis = Analysis::new(profile, &mut Symbols::new());
                    counts_agree(&analysis.summary.quality.disagreements)?;
                    profiles.push((analysis.summary, analysis.calls));
                }
                Err(_) if path.metadata().is_ok_and(|metadata| metadata.len() == 0) => {}
                Err(error) => return Err(error.to_string()),
            }
            fs::remove_file(&path).map_err(|error| error.to_string())?;
        }
        Ok(profiles)
    }
}

impl Run {
    /// The facts a program printed, by name.
    pub(crate) fn facts(&self) -> Result<BTreeMap<String, i64>, String> {
        self.stdout
            .lines()
            .map(|line| {
                let (name, value) = line.split_once(' ').ok_or(line)?;
                Ok((name.to_owned(), value.parse().map_err(|_| line)?))
            })
            .collect::<Result<_, &str>>()
            .map_err(|line| format!("not a fact: {line}"))
    }

    /// The one profile.
    pub(crate) fn summary(&self) -> Result<&Summary, String> {
        match self.summaries.as_slice() {
            [summary] => Ok(summary),
            other => Err(format!("{} profiles instead of one; {}", other.len(), self.stderr)),
        }
    }
}

/// Whatever became of the program, no count of its recording disagrees with another one.
fn counts_agree(disagreements: &[Disagreement]) -> Result<(), String> {
    match disagreements {
        [] => Ok(()),
        some => Err(some.iter().map(differ).collect::<Vec<_>>().join("; ")),
    }
}

/// Waits, but not forever.
fn wait(mut child: Child) -> Result<Output, String> {
    let begin = Instant::now();
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(_) => return child.wait_with_output().map_err(|error| error.to_string()),
            None if begin.elapsed() > PATIENCE => {
                child.kill().map_err(|error| error.to_string())?;
                return Err(format!("the program did not end within {PATIENCE:?}"));
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// The collector: the one that is named, or a fresh build.
fn collector() -> Result<PathBuf, String> {
    if let Some(path) = env::var_os("OXOMP_COLLECT") {
        return Ok(PathBuf::from(path));
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("collect");
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--quiet", "--package", "oxomp-collect", "--profile", "testing"])
        .arg("--target-dir")
        .arg(&target)
        .current_dir(workspace())
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(target.join("testing/liboxomp_collect.so"))
}
