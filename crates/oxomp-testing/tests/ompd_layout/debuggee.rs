//! A program that waits to be looked at: its memory, its threads, and the symbols of its objects.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use object::{Object, ObjectSymbol};
use oxomp_debuggee::{AddressSpace, Source};
use oxomp_ompd_layout::{Memory, Reader, SYMBOL};
use oxomp_testing::compiler::{Executables, Family, Recipe};
use oxomp_testing::process::clear_environment;

/// Nothing here takes longer than this.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The folder of the runtime under test.
pub(crate) fn runtime() -> PathBuf {
    let folder =
        std::env::var_os("OXOMP_LIB").expect("OXOMP_LIB names no runtime: run `cargo xtask test`");
    folder.into()
}

/// The executable of `tests/c/ompd/NAME.c`.
pub(crate) fn compile(family: Family, name: &str) -> PathBuf {
    static EXECUTABLES: OnceLock<Executables> = OnceLock::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a workspace");
    let executables = EXECUTABLES.get_or_init(|| {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ompd_layout");
        Executables::new(cache, root.join("tests/include"))
            .unwrap_or_else(|error| panic!("{error}"))
    });
    let recipe = Recipe {
        source: root.join(format!("tests/c/ompd/{name}.c")),
        compiler: family,
        level: "-O2".to_owned(),
        flags: Vec::new(),
        parts: Vec::new(),
    };
    executables.get(&recipe).unwrap_or_else(|error| panic!("{error}"))
}

/// A command that runs `program` on the runtime under test, with these variables and no others.
pub(crate) fn command(program: &Path, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(program);
    clear_environment(&mut command);
    command.env("LD_LIBRARY_PATH", runtime()).envs(variables.iter().copied());
    command
}

/// A running program.
#[derive(Debug)]
pub(crate) struct Debuggee {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    /// Dropped with the rest, which tells the watchdog that nothing hangs.
    _watched: Sender<()>,
}

/// Kills a process that hangs, unless `Sender` is dropped before the end of our patience.
fn watch(pid: u32) -> Sender<()> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        if receiver.recv_timeout(2 * PATIENCE) == Err(RecvTimeoutError::Timeout) {
            // SAFETY: no memory. The process is our child and has not been waited for.
            unsafe { libc::kill(pid.cast_signed(), libc::SIGKILL) };
        }
    });
    sender
}

impl Debuggee {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let _watched = watch(child.id());
        Debuggee { stdin: child.stdin.take(), stdout, child, _watched }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The next line that the program prints.
    pub(crate) fn line(&mut self) -> String {
        let line = self.line_if_any();
        line.unwrap_or_else(|| panic!("the program has ended: {:?}", self.child.try_wait()))
    }

    /// The next line that the program prints; `None` at the end of its output.
    pub(crate) fn line_if_any(&mut self) -> Option<String> {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("the program's output can be read");
        (!line.is_empty()).then(|| line.trim_end().to_owned())
    }

    /// Writes a line to the program.
    pub(crate) fn tell(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("it is open until `finish`");
        writeln!(stdin, "{line}").expect("the program reads");
    }

    /// Lets the program go on, to its end.
    pub(crate) fn finish(mut self) {
        drop(self.stdin.take());
        let status = self.child.wait().expect("the program can be waited for");
        assert!(status.success(), "{status}");
    }
}

impl Drop for Debuggee {
    fn drop(&mut self) {
        // After a failed assertion: nothing stays behind. It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Memory of a process.
#[derive(Debug)]
pub(crate) struct ProcessMemory(File);

impl Memory for ProcessMemory {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        self.0.read_exact_at(buffer, address).is_ok()
    }
}

impl Source for ProcessMemory {}

/// An object that is mapped into a process.
#[derive(Debug)]
pub(crate) struct Mapped {
    /// What its addresses are moved by.
    base: u64,
    symbols: Vec<(String, u64)>,
}

impl Mapped {
    /// The object of process `pid` whose file name begins with `name`.
    pub(crate) fn find(pid: u32, name: &str) -> Self {
        let maps = fs::read_to_string(format!("/proc/{pid}/maps")).expect("the process is there");
        let of_object = maps
            .lines()
            .find(|line| line.rsplit_once('/').is_some_and(|(_, file)| file.starts_with(name)));
        let line = of_object.unwrap_or_else(|| panic!("{name} is not mapped:\n{maps}"));
        let base = line.split('-').next().and_then(|start| u64::from_str_radix(start, 16).ok());
        let path = &line[line.find('/').expect("a path")..];
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let file = object::File::parse(&*bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
        let symbols = file
            .symbols()
            .chain(file.dynamic_symbols())
            .filter(|symbol| symbol.is_definition())
            .filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol.address())))
            .collect();
        Mapped { base: base.expect("an address"), symbols }
    }

    /// Where the symbol lies whose name `is_it` accepts.
    pub(crate) fn address(&self, is_it: impl Fn(&str) -> bool) -> Option<u64> {
        let found = self.symbols.iter().find(|(name, _)| is_it(name));
        found.map(|(_, address)| self.base + address)
    }

    /// The name of the symbol at `address`.
    pub(crate) fn name(&self, address: u64) -> Option<&str> {
        let found = self.symbols.iter().find(|(_, at)| self.base + at == address);
        found.map(|(name, _)| name.as_str())
    }
}

/// Memory and table of a process.
fn opened(pid: u32) -> (ProcessMemory, u64) {
    let table = Mapped::find(pid, "libomp").address(|name| name == SYMBOL);
    let memory = File::open(format!("/proc/{pid}/mem")).expect("the memory can be read");
    (ProcessMemory(memory), table.expect("the runtime exports its layout"))
}

/// Reads the process through its exported table, as a debugger's library would.
pub(crate) fn reader(pid: u32) -> Reader<ProcessMemory> {
    let (memory, table) = opened(pid);
    Reader::new(memory, table).unwrap_or_else(|error| panic!("{error}"))
}

/// The process by its nouns.
pub(crate) fn space(pid: u32) -> AddressSpace {
    let (memory, table) = opened(pid);
    AddressSpace::open(memory, table).unwrap_or_else(|error| panic!("{error}"))
}

/// The kernel's ids of the threads of a process.
pub(crate) fn lwps(pid: u32) -> BTreeSet<u64> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).expect("the process is there");
    let names = tasks.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter_map(|name| name.parse().ok()).collect()
}

/// Waits until `is_so`; panics with `what` if it never is.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "{what}: never");
        std::thread::sleep(Duration::from_millis(5));
    }
}
