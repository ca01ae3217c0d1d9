//! A process that runs already: its memory, and the variable of its runtime to which the request
//! for a tool is written (`oxomp_sys::attach`).

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::mem::offset_of;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use object::read::elf::{ElfFile64, ProgramHeader};
use object::{LittleEndian, Object, ObjectSymbol, ReadCache};
use oxomp_sys::attach::{NAME, REASON, TEXT, VERSION, oxomp_attach_t};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::state::State;
use crate::failure::Failure;
use crate::messages::reason;
use crate::runtime_choice::Family;

/// The process. What is read and written by it fails when the process has ended.
#[derive(Debug)]
pub(crate) struct Running {
    pid: u32,
    /// The file name of its program.
    pub(crate) name: String,
    /// The lock on it says that no other command has a wish.
    memory: File,
    /// Its effective user and group.
    user: Option<(u32, u32)>,
    /// The address of the variable.
    variable: u64,
}

/// The process has ended, or has become another program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gone;

/// An OpenMP runtime that a process has mapped.
struct Mapped {
    path: PathBuf,
    begin: u64,
    /// The file has been replaced since then.
    is_deleted: bool,
}

impl Running {
    /// The process with this number.
    pub(crate) fn find(pid: u32) -> Result<Self, Failure> {
        let proc = folder_of(pid);
        let name = match fs::read_link(proc.join("exe")) {
            Ok(program) => program.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Err(_) => fs::read_to_string(proc.join("comm"))
                .map_err(|_| Failure::own(format!("there is no process {pid}")))?
                .trim()
                .to_owned(),
        };
        let named = format!("process {pid} ({name})");
        let denied = |error: &io::Error| {
            let hint =
                if error.kind() == ErrorKind::PermissionDenied { hint() } else { String::new() };
            Failure::own(format!("{named} cannot be recorded: {}{hint}", reason(error)))
        };
        let maps = fs::read(proc.join("maps")).map_err(|error| denied(&error))?;
        let mapped = runtimes(&maps);
        let variables: Vec<u64> =
            mapped.iter().filter_map(|runtime| variable(&proc.join("root"), runtime)).collect();
        let Some(&variable) = variables.first() else {
            return Err(Failure::own(not_ours(&named, &mapped)));
        };
        let memory = File::options().read(true).write(true).open(proc.join("mem"));
        let memory = memory.map_err(|error| denied(&error))?;
        let user = user_of(&proc);
        // The kernel releases the lock with the last descriptor, however this process ends.
        if flock(&memory, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
            let why = "another command records it, or looks at it";
            return Err(Failure::own(format!("{named} cannot be recorded: {why}")));
        }
        let mut running = Self { pid, name, memory, user, variable };
        // Of several runtimes the one that is in use.
        let is_in_use = |running: &Self| running.state().is_ok_and(|state| state != State::Closed);
        for variable in variables {
            running.variable = variable;
            if is_in_use(&running) {
                break;
            }
        }
        match running.word(offset_of!(oxomp_attach_t, version)) {
            // 0 before the runtime's constructor has run.
            Ok(0 | VERSION) => Ok(running),
            Ok(version) => Err(Failure::own(format!(
                "{named} runs on an oxomp of another version (interface {version}, not {VERSION})"
            ))),
            Err(Gone) => Err(running.has_ended()),
        }
    }

    /// The user and the group as which the process writes files, if they are not this command's
    /// own.
    pub(crate) fn other_user(&self) -> Option<(u32, u32)> {
        self.user.filter(|(user, _)| *user != geteuid().as_raw())
    }

    /// Whether `folder` is the same folder for the process; true if that is not known.
    pub(crate) fn sees(&self, folder: &Path) -> bool {
        let inside =
            folder.strip_prefix("/").map(|path| folder_of(self.pid).join("root").join(path));
        let (Ok(inside), Ok(own)) = (inside, fs::metadata(folder)) else { return true };
        match fs::metadata(inside) {
            Ok(inside) => (inside.dev(), inside.ino()) == (own.dev(), own.ino()),
            Err(error) => error.kind() != ErrorKind::NotFound,
        }
    }

    /// Whether a debugger or a signal has stopped the process.
    pub(crate) fn is_stopped(&self) -> bool {
        self.status("State:").is_some_and(|state| state.starts_with(['T', 't']))
    }

    /// Whether a filter of seccomp(2) stands between the process and the system.
    pub(crate) fn is_filtered(&self) -> bool {
        self.status("Seccomp:").is_some_and(|mode| mode == "2")
    }

    fn status(&self, name: &str) -> Option<String> {
        let status = fs::read_to_string(folder_of(self.pid).join("status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim().to_owned())
    }

    /// The process in words.
    pub(crate) fn named(&self) -> String {
        format!("process {} ({})", self.pid, self.name)
    }

    /// That it has ended, as an error.
    pub(crate) fn has_ended(&self) -> Failure {
        Failure::own(format!("{} has ended", self.named()))
    }

    /// The state of the variable.
    pub(crate) fn state(&self) -> Result<State, Gone> {
        self.word(offset_of!(oxomp_attach_t, state)).map(State::from_number)
    }

    /// The command's wish, and the last one that the runtime has taken.
    pub(crate) fn wishes(&self) -> Result<(u32, u32), Gone> {
        let wish = self.word(offset_of!(oxomp_attach_t, wish))?;
        Ok((wish, self.word(offset_of!(oxomp_attach_t, answered))?))
    }

    /// Writes a wish.
    pub(crate) fn wish(&self, number: u32) -> Result<(), Gone> {
        self.write(self.field(offset_of!(oxomp_attach_t, wish)), &number.to_ne_bytes())
    }

    /// Writes the text of a wish; false if it is too long.
    pub(crate) fn set_text(&self, strings: &[Vec<u8>]) -> Result<bool, Gone> {
        let mut text: Vec<u8> = strings.iter().flat_map(|one| [one, &b"\0"[..]].concat()).collect();
        text.push(0);
        if text.len() > TEXT {
            return Ok(false);
        }
        self.write(self.field(offset_of!(oxomp_attach_t, text)), &text)?;
        Ok(true)
    }

    /// The reason of a failure. It comes from the process, which may write anything.
    pub(crate) fn reason(&self) -> Result<String, Gone> {
        let mut bytes = [0; REASON];
        self.read(self.field(offset_of!(oxomp_attach_t, reason)), &mut bytes)?;
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        Ok(String::from_utf8_lossy(&bytes[..end]).replace(char::is_control, "?"))
    }

    /// Makes constructs raise events, unless they do. The runtime may change the word at the same
    /// time, so this may be in vain.
    pub(crate) fn raise_events(&self) -> Result<(), Gone> {
        let mask = self.long(self.field(offset_of!(oxomp_attach_t, mask)))?;
        let events = self.long(self.field(offset_of!(oxomp_attach_t, events)))?;
        let present = self.long(mask)?;
        if present & events != events {
            self.write(mask, &(present | events).to_ne_bytes())?;
        }
        Ok(())
    }

    fn field(&self, offset: usize) -> u64 {
        self.variable + offset as u64
    }

    fn word(&self, offset: usize) -> Result<u32, Gone> {
        let mut bytes = [0; 4];
        self.read(self.field(offset), &mut bytes)?;
        Ok(u32::from_ne_bytes(bytes))
    }

    fn long(&self, address: u64) -> Result<u64, Gone> {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes)?;
        Ok(u64::from_ne_bytes(bytes))
    }

    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Gone> {
        self.memory.read_exact_at(bytes, address).map_err(|_| Gone)
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Gone> {
        self.memory.write_all_at(bytes, address).map_err(|_| Gone)
    }
}

/// The folder in which the system describes the process; of one whose main thread has left, that of
/// another thread.
fn folder_of(pid: u32) -> PathBuf {
    let proc = PathBuf::from(format!("/proc/{pid}"));
    let has_maps = |folder: &Path| fs::read(folder.join("maps")).is_ok_and(|maps| !maps.is_empty());
    if proc.exists() && !has_maps(&proc) {
        let tasks = fs::read_dir(proc.join("task")).into_iter().flatten().flatten();
        if let Some(task) = tasks.map(|task| task.path()).find(|task| has_maps(task)) {
            return task;
        }
    }
    proc
}

/// The effective user and group of the process.
fn user_of(proc: &Path) -> Option<(u32, u32)> {
    let status = fs::read_to_string(proc.join("status")).ok()?;
    let effective = |name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    effective("Uid:").zip(effective("Gid:"))
}

/// The OpenMP runtimes in the list of mappings, each where it begins.
fn runtimes(maps: &[u8]) -> Vec<Mapped> {
    const DELETED: &[u8] = b" (deleted)";
    let mut found: Vec<Mapped> = Vec::new();
    for line in maps.split(|byte| *byte == b'\n') {
        let Some(at) = line.iter().position(|byte| *byte == b'/') else { continue };
        let named = line[at..].strip_suffix(DELETED);
        let path = Path::new(OsStr::from_bytes(named.unwrap_or(&line[at..])));
        let is_runtime =
            path.file_name().is_some_and(|name| Family::of(&name.to_string_lossy()).is_some());
        let begin = line
            .split(|byte| *byte == b'-')
            .next()
            .and_then(|text| u64::from_str_radix(str::from_utf8(text).ok()?, 16).ok());
        if let (true, Some(begin)) = (is_runtime, begin)
            && !found.iter().any(|one| one.path == path)
        {
            found.push(Mapped { path: path.to_owned(), begin, is_deleted: named.is_some() });
        }
    }
    found
}

/// The address of the variable in the process that has mapped the runtime; the files of the process
/// lie below `root`.
fn variable(root: &Path, runtime: &Mapped) -> Option<u64> {
    if runtime.is_deleted {
        return None;
    }
    let below = root.join(runtime.path.strip_prefix("/").ok()?);
    let file = File::open(below).or_else(|_| File::open(&runtime.path)).ok()?;
    let data = ReadCache::new(file);
    let elf = ElfFile64::<LittleEndian, _>::parse(&data).ok()?;
    let is_it = |symbol: &_| ObjectSymbol::name(symbol) == Ok(NAME);
    let symbol = elf.dynamic_symbols().filter(|symbol| symbol.is_definition()).find(is_it)?;
    let loaded = |header: &&object::elf::ProgramHeader64<LittleEndian>| {
        header.p_type(LittleEndian) == object::elf::PT_LOAD
    };
    let first = elf.elf_program_headers().iter().find(loaded)?.p_vaddr(LittleEndian);
    Some((runtime.begin - (first & !0xfff)).wrapping_add(symbol.address()))
}

/// Why a process without the variable cannot be recorded.
fn not_ours(named: &str, mapped: &[Mapped]) -> String {
    match mapped.first() {
        Some(runtime) if runtime.is_deleted => format!(
            "{named} cannot be recorded: its runtime, {}, has been replaced since it started; a \
             process that starts now can be",
            runtime.path.display()
        ),
        Some(runtime) => format!(
            "{named} runs on {}, and only a program on oxomp's runtime can be recorded while it \
             runs: start it by `oxomp run`, which puts oxomp's under it",
            runtime.path.display()
        ),
        None => format!("{named} has loaded no OpenMP runtime"),
    }
}

/// What forbids to look into processes, if it is known.
fn hint() -> String {
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
    match scope.trim() {
        "" | "0" => String::from(" (it takes the right to ptrace(2) it: its user, or root)"),
        scope => format!(
            " (kernel.yama.ptrace_scope is {scope}: it takes root, or `sysctl \
             kernel.yama.ptrace_scope=0`)"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::runtimes;

    #[test]
    fn a_runtime_begins_with_its_first_mapping() {
        let maps = b"55aa-55ab r--p 0 08:01 1    /bin/caf\xe9\n\
                    7f00-7f10 r--p 0 08:01 2    /opt/my lib/libgomp.so.1\n\
                    7f10-7f20 r-xp 10 08:01 2    /opt/my lib/libgomp.so.1\n\
                    7f30-7f40 r--p 0 08:01 3    /lib/libc.so.6\n\
                    7f40-7f50 r--p 0 08:01 4    /opt/libomp.so (deleted)\n";
        let found = runtimes(maps);
        let found: Vec<_> =
            found.iter().map(|one| (one.path.to_str(), one.begin, one.is_deleted)).collect();
        let expected = [
            (Some("/opt/my lib/libgomp.so.1"), 0x7f00, false),
            (Some("/opt/libomp.so"), 0x7f40, true),
        ];
        assert_eq!(found, expected);
    }
}
