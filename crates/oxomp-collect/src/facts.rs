//! Facts about the process, and the chunks that they are written to. Never called in a callback.

use std::ffi::{CStr, c_int, c_void};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::{env, fs, slice};

use oxomp_trace::Rank;
use oxomp_trace::info::{Tag, write_item, write_module};
use oxomp_trace::layout::{CHUNK_PAYLOAD, ChunkKind, PROCESS};

use crate::store::{Chunk, Exhausted, Store};
use crate::{census, clock, loader};

/// The prefixes of environment variables that are kept.
const PREFIXES: [&[u8]; 4] = [b"OMP_", b"KMP_", b"GOMP_", b"OXOMP_"];

/// The writer of the information chunks.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The process's place in a parallel job.
    rank: Option<Rank>,
    chunk: Option<Chunk>,
    used: usize,
    sequence: u32,
    /// (bias, path) of the modules written so far.
    modules: Vec<(u64, Vec<u8>)>,
    /// How often the loader has added and removed modules.
    loads: (u64, u64),
}

impl Facts {
    /// A writer that has written nothing, of a process of that rank.
    pub(crate) fn of(rank: Option<&Rank>) -> Self {
        Self { rank: rank.cloned(), ..Self::default() }
    }

    /// Writes the facts that are known at the start.
    pub(crate) fn start(
        &mut self,
        store: &Store,
        runtime: &ompt::Runtime,
        allowed_cpus: u64,
        age: u64,
    ) -> Result<(), Exhausted> {
        let command = fs::read("/proc/thread-self/cmdline").unwrap_or_default();
        let command = command.strip_suffix(&[0]).unwrap_or(&command);
        for argument in command.split(|&byte| byte == 0) {
            self.item(store, Tag::Argument, &[argument])?;
        }
        for (name, value) in env::vars_os() {
            if PREFIXES.iter().any(|prefix| name.as_bytes().starts_with(prefix)) {
                let parts = [name.as_bytes(), b"=", value.as_bytes()];
                self.item(store, Tag::Environment, &parts)?;
            }
        }
        let executable = fs::read_link("/proc/thread-self/exe").unwrap_or_default();
        self.item(store, Tag::Executable, &[executable.as_os_str().as_bytes()])?;
        let host = fs::read("/proc/sys/kernel/hostname").unwrap_or_default();
        self.item(store, Tag::Hostname, &[host.trim_ascii()])?;
        self.item(store, Tag::RuntimeVersion, &[runtime.version.to_bytes()])?;
        self.number(store, Tag::OmpVersion, u64::from(runtime.omp_version))?;
        // The runtime's own text lies in the runtime's own file.
        self.number(store, Tag::RuntimeAddress, runtime.version.as_ptr().addr() as u64)?;
        self.number(store, Tag::AllowedCpus, allowed_cpus)?;
        self.number(store, Tag::Age, age)?;
        if let Some(rank) = self.rank.clone() {
            let numbers = [rank.number, rank.size.unwrap_or(0)].map(u64::from);
            let [number, size] = numbers.map(u64::to_le_bytes);
            self.item(store, Tag::Rank, &[&number, &size, rank.job.as_bytes()])?;
        }
        self.modules(store)
    }

    /// Writes how call paths are sampled.
    pub(crate) fn sampling(
        &mut self,
        store: &Store,
        period_ns: u64,
        source: &str,
    ) -> Result<(), Exhausted> {
        self.item(store, Tag::Sampling, &[&period_ns.to_le_bytes(), source.as_bytes()])
    }

    /// Writes the facts that change as the program runs: clock, CPU time, modules.
    pub(crate) fn refresh(&mut self, store: &Store) -> Result<(), Exhausted> {
        let (tick, nanoseconds) = clock::pair();
        self.item(store, Tag::ClockPair, &[&tick.to_le_bytes(), &nanoseconds.to_le_bytes()])?;
        self.number(store, Tag::CpuTime, clock::read(libc::CLOCK_PROCESS_CPUTIME_ID))?;
        self.modules(store)
    }

    /// Writes that the recording ended in order; threads without a log lost `lost` events.
    pub(crate) fn end(&mut self, store: &Store, tick: u64, lost: u64) -> Result<(), Exhausted> {
        for (id, used) in census::threads() {
            self.item(store, Tag::ThreadCpu, &[&id.to_le_bytes(), &used.to_le_bytes()])?;
        }
        self.number(store, Tag::Lost, lost)?;
        self.number(store, Tag::End, tick)
    }

    /// Writes that the recording stopped early, and why.
    pub(crate) fn stopped(&mut self, store: &Store, tick: u64, why: &str) -> Result<(), Exhausted> {
        self.item(store, Tag::Stopped, &[&tick.to_le_bytes(), why.as_bytes()])
    }

    /// No more facts.
    pub(crate) fn close(&mut self, store: &Store) {
        if let Some(chunk) = self.chunk.take() {
            store.release(chunk);
        }
    }

    fn number(&mut self, store: &Store, tag: Tag, number: u64) -> Result<(), Exhausted> {
        self.item(store, tag, &[&number.to_le_bytes()])
    }

    /// An item that does not fit into a whole chunk is cut.
    fn item(&mut self, store: &Store, tag: Tag, parts: &[&[u8]]) -> Result<(), Exhausted> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if length > CHUNK_PAYLOAD / 2 {
            let whole = parts.concat();
            return self
                .write(store, |space| write_item(space, tag, &[&whole[..CHUNK_PAYLOAD / 2]]));
        }
        self.write(store, |space| write_item(space, tag, parts))
    }

    fn write(
        &mut self,
        store: &Store,
        mut write: impl FnMut(&mut [u8]) -> Option<usize>,
    ) -> Result<(), Exhausted> {
        for _ in 0..2 {
            if let Some(chunk) = self.chunk {
                // SAFETY: we are the chunk's writer, and `used` is at most the payload's size.
                let space = unsafe {
                    slice::from_raw_parts_mut(
                        chunk.payload().add(self.used),
                        CHUNK_PAYLOAD - self.used,
                    )
                };
                if let Some(bytes) = write(space) {
                    self.used += bytes;
                    chunk.commit(self.used);
                    return Ok(());
                }
                store.release(chunk);
            }
            self.chunk = Some(store.take(ChunkKind::Info, PROCESS, self.sequence)?);
            self.sequence += 1;
            self.used = 0;
        }
        Ok(())
    }

    /// Writes the modules that were not written yet.
    pub(crate) fn modules(&mut self, store: &Store) -> Result<(), Exhausted> {
        let mut found = Found { loads: self.loads, changed: false, modules: Vec::new() };
        // SAFETY: the callback takes its data for a `Found`.
        unsafe { loader::walk(visit, &mut found) };
        self.loads = found.loads;
        for module in found.modules {
            let key = (module.bias, module.path.clone());
            if !self.modules.contains(&key) {
                self.modules.push(key);
                self.write(store, |space| {
                    let range = (module.begin, module.end);
                    write_module(space, module.bias, range, &module.build_id, &module.path)
                })?;
            }
        }
        Ok(())
    }
}

/// A module as the loader shows it.
struct Loaded {
    bias: u64,
    begin: u64,
    end: u64,
    build_id: Vec<u8>,
    path: Vec<u8>,
}

struct Found {
    /// Counters of the last visit; if they have not changed, no module was loaded or closed since.
    loads: (u64, u64),
    changed: bool,
    modules: Vec<Loaded>,
}

/// Called by the loader for each module; non-zero ends the visit.
unsafe extern "C" fn visit(
    info: *mut libc::dl_phdr_info,
    size: usize,
    found: *mut c_void,
) -> c_int {
    // SAFETY: the loader passes a description of at least the old size, and our own pointer.
    let (info, found) = unsafe { (&*info, &mut *found.cast::<Found>()) };
    if !found.changed && size >= size_of::<libc::dl_phdr_info>() {
        let loads = (info.dlpi_adds, info.dlpi_subs);
        if loads == found.loads {
            return 1;
        }
        found.loads = loads;
    }
    found.changed = true;
    if info.dlpi_phdr.is_null() {
        return 0;
    }
    // SAFETY: the loader's table of that many headers.
    let headers = unsafe { slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let bias = info.dlpi_addr;
    let mut module =
        Loaded { bias, begin: u64::MAX, end: 0, build_id: Vec::new(), path: Vec::new() };
    for header in headers {
        let begin = bias.wrapping_add(header.p_vaddr);
        match header.p_type {
            libc::PT_LOAD => {
                module.begin = module.begin.min(begin);
                module.end = module.end.max(begin.saturating_add(header.p_memsz));
            }
            libc::PT_NOTE => {
                // SAFETY: a loaded segment of the module.
                let notes =
                    unsafe { slice::from_raw_parts(begin as *const u8, header.p_memsz as usize) };
                if let Some(id) = build_id(notes, header.p_align as usize) {
                    module.build_id = id.to_vec();
                }
            }
            _ => {}
        }
    }
    // SAFETY: null or a string of the loader's.
    let name = (!info.dlpi_name.is_null()).then(|| unsafe { CStr::from_ptr(info.dlpi_name) });
    module.path = match name.map(CStr::to_bytes) {
        // The first one without a name is the program.
        None | Some([]) if found.modules.is_empty() => {
            fs::read_link("/proc/thread-self/exe").unwrap_or_default().into_os_string().into_vec()
        }
        None => Vec::new(),
        Some(name) => name.to_vec(),
    };
    if module.begin < module.end {
        found.modules.push(module);
    }
    0
}

/// The GNU build id among ELF notes.
fn build_id(mut notes: &[u8], align: usize) -> Option<&[u8]> {
    const GNU_BUILD_ID: u32 = 3;
    let align = if align == 8 { 8 } else { 4 };
    let number = |bytes: &[u8], at: usize| {
        bytes.get(at..at + 4).map(|b| u32::from_ne_bytes([b[0], b[1], b[2], b[3]]))
    };
    loop {
        let name_size = number(notes, 0)? as usize;
        let content_size = number(notes, 4)? as usize;
        let kind = number(notes, 8)?;
        let content_at = (12 + name_size).next_multiple_of(align);
        let name = notes.get(12..12 + name_size)?;
        let content = notes.get(content_at..content_at + content_size)?;
        if kind == GNU_BUILD_ID && name == b"GNU\0" {
            return Some(content);
        }
        notes = notes.get((content_at + content_size).next_multiple_of(align)..)?;
    }
}
