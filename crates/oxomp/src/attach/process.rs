//! A process that runs already: its memory, and the variable of its runtime to which the request
//! for a tool is written (`oxomp_sys::attach`).

use std::ffi::OsStr;
use std::fs::{self, File};
use std::mem::offset_of;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use object::read::elf::{ElfFile64, ProgramHeader};
use object::{LittleEndian, Object, ObjectSymbol, ReadCache};
use oxomp_sys::attach::{NAME, TEXT, VERSION, oxomp_attach_t};

use crate::failure::Failure;
use crate::messages::reason;
use crate::runtime_choice::Family;

/// The process. What is read and written by it fails when the process has ended.
#[derive(Debug)]
pub(crate) struct Running {
    pid: u32,
    /// The file name of its program.
    pub(crate) name: String,
    memory: File,
    /// The address of the variable.
    variable: u64,
}

/// The process has ended, or has become another program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gone;

/// The events that constructs raised before the request: a debugger or the runtime itself may
/// listen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Events {
    /// The address of the set.
    mask: u64,
    events: u64,
}

/// An OpenMP runtime that a process has mapped.
struct Mapped {
    path: PathBuf,
    begin: u64,
}

impl Running {
    /// The process with this number.
    pub(crate) fn find(pid: u32) -> Result<Self, Failure> {
        let proc = PathBuf::from(format!("/proc/{pid}"));
        let name = match fs::read_link(proc.join("exe")) {
            Ok(program) => program.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Err(_) => fs::read_to_string(proc.join("comm"))
                .map_err(|_| Failure::own(format!("there is no process {pid}")))?
                .trim()
                .to_owned(),
        };
        let named = format!("process {pid} ({name})");
        let denied = |error: &std::io::Error| {
            Failure::own(format!("{named} cannot be recorded: {}{}", reason(error), hint()))
        };
        let maps = fs::read(proc.join("maps")).map_err(|error| denied(&error))?;
        let mapped = runtimes(&maps);
        let variable = mapped.iter().find_map(|runtime| variable(&proc.join("root"), runtime));
        let Some(variable) = variable else {
            return Err(Failure::own(not_ours(&named, &mapped)));
        };
        let memory = File::options().read(true).write(true).open(proc.join("mem"));
        let memory = memory.map_err(|error| denied(&error))?;
        let running = Self { pid, name, memory, variable };
        match running.word(offset_of!(oxomp_attach_t, version)) {
            // 0 before the runtime's constructor has run.
            Ok(0 | VERSION) => Ok(running),
            Ok(version) => Err(Failure::own(format!(
                "{named} runs on an oxomp of another version (interface {version}, not {VERSION})"
            ))),
            Err(Gone) => Err(running.has_ended()),
        }
    }

    /// The process in words.
    pub(crate) fn named(&self) -> String {
        format!("process {} ({})", self.pid, self.name)
    }

    /// That it has ended, as an error.
    pub(crate) fn has_ended(&self) -> Failure {
        Failure::own(format!("{} has ended", self.named()))
    }

    /// The number of its user.
    pub(crate) fn user(&self) -> Option<(u32, u32)> {
        let metadata = fs::metadata(format!("/proc/{}", self.pid)).ok()?;
        Some((metadata.uid(), metadata.gid()))
    }

    /// The state of the variable.
    pub(crate) fn state(&self) -> Result<u32, Gone> {
        self.word(offset_of!(oxomp_attach_t, state))
    }

    /// Sets the state of the variable.
    pub(crate) fn set_state(&self, state: u32) -> Result<(), Gone> {
        self.write(self.field(offset_of!(oxomp_attach_t, state)), &state.to_ne_bytes())
    }

    /// Writes the text of a request; false if it is too long.
    pub(crate) fn set_text(&self, strings: &[Vec<u8>]) -> Result<bool, Gone> {
        let mut text: Vec<u8> = strings.iter().flat_map(|one| [one, &b"\0"[..]].concat()).collect();
        text.push(0);
        if text.len() > TEXT {
            return Ok(false);
        }
        self.write(self.field(offset_of!(oxomp_attach_t, text)), &text)?;
        Ok(true)
    }

    /// The reason of a failure.
    pub(crate) fn text(&self) -> Result<String, Gone> {
        let mut bytes = [0; 1024];
        self.read(self.field(offset_of!(oxomp_attach_t, text)), &mut bytes)?;
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        Ok(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }

    /// Makes constructs raise events. Returns which ones they raised before.
    pub(crate) fn raise_events(&self) -> Result<Events, Gone> {
        let mask = self.long(self.field(offset_of!(oxomp_attach_t, mask)))?;
        let events = self.long(self.field(offset_of!(oxomp_attach_t, events)))?;
        let before = Events { mask, events: self.long(mask)? };
        self.write(mask, &(before.events | events).to_ne_bytes())?;
        Ok(before)
    }

    /// Makes constructs raise only the events that they raised before.
    pub(crate) fn restore(&self, before: Events) -> Result<(), Gone> {
        self.write(before.mask, &before.events.to_ne_bytes())
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

/// The OpenMP runtimes in the list of mappings, each where it begins.
fn runtimes(maps: &[u8]) -> Vec<Mapped> {
    let mut found: Vec<Mapped> = Vec::new();
    for line in maps.split(|byte| *byte == b'\n') {
        let Some(at) = line.iter().position(|byte| *byte == b'/') else { continue };
        let path = Path::new(OsStr::from_bytes(&line[at..]));
        let is_runtime =
            path.file_name().is_some_and(|name| Family::of(&name.to_string_lossy()).is_some());
        let begin = line
            .split(|byte| *byte == b'-')
            .next()
            .and_then(|text| u64::from_str_radix(str::from_utf8(text).ok()?, 16).ok());
        if let (true, Some(begin)) = (is_runtime, begin)
            && !found.iter().any(|one| one.path == path)
        {
            found.push(Mapped { path: path.to_owned(), begin });
        }
    }
    found
}

/// The address of the variable in the process that has mapped the runtime; the files of the process
/// lie below `root`.
fn variable(root: &Path, runtime: &Mapped) -> Option<u64> {
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
                    7f30-7f40 r--p 0 08:01 3    /lib/libc.so.6\n";
        let found = runtimes(maps);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].path.to_str(), found[0].begin),
            (Some("/opt/my lib/libgomp.so.1"), 0x7f00)
        );
    }
}
