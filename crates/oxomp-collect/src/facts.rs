//! Facts about the process, and the chunks that they are written to. Never called in a callback.

use std::ffi::CStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::{env, fs, io, slice};

use oxomp_arch::read::Machine;
use oxomp_trace::counters::Counter;
use oxomp_trace::info::{Python, Tag, Unfinished, write_item, write_module};
use oxomp_trace::layout::{CHUNK_PAYLOAD, ChunkKind, PROCESS};
use oxomp_trace::{MpiElsewhere, MpiWorld, Rank};

use crate::loader::{self, Loaded, Loads};
use crate::store::{Chunk, Exhausted, Store};
use crate::{census, clock, mpi_library, overhead, runtime_code};

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
    /// An address in the runtime's file.
    runtime: u64,
    /// How often the loader has added and removed modules.
    loads: Loads,
    /// The interpreter of Python that was written last.
    python: Option<Python>,
    /// Whether MPI's functions are named, and the calls outside of threads' logs as written last.
    named_mpi: bool,
    mpi: Vec<MpiElsewhere>,
    /// The process in `MPI_COMM_WORLD` as written last.
    world: Option<MpiWorld>,
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
        attached: bool,
    ) -> Result<(), Exhausted> {
        let command = of_process(fs::read, "cmdline", Vec::is_empty);
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
        let executable = executable();
        self.item(store, Tag::Executable, &[executable.as_os_str().as_bytes()])?;
        let host = fs::read("/proc/sys/kernel/hostname").unwrap_or_default();
        self.item(store, Tag::Hostname, &[host.trim_ascii()])?;
        self.item(store, Tag::Processor, &[Machine::OWN.name().as_bytes()])?;
        self.item(store, Tag::RuntimeVersion, &[runtime.version.to_bytes()])?;
        self.number(store, Tag::OmpVersion, u64::from(runtime.omp_version))?;
        // The runtime's own text lies in the runtime's own file.
        self.runtime = runtime.version.as_ptr().addr() as u64;
        self.number(store, Tag::RuntimeAddress, self.runtime)?;
        self.number(store, Tag::AllowedCpus, allowed_cpus)?;
        self.number(store, Tag::Age, age)?;
        self.number(store, Tag::WholeSums, 1)?;
        if attached {
            self.number(store, Tag::Attached, 1)?;
        }
        if let Some(rank) = self.rank.clone() {
            let numbers = [rank.number, rank.size.unwrap_or(0)].map(u64::from);
            let [number, size] = numbers.map(u64::to_le_bytes);
            self.item(store, Tag::Rank, &[&number, &size, rank.job.as_bytes()])?;
        }
        self.modules(store)
    }

    /// Writes for how long events and samples are kept, ns.
    pub(crate) fn kept(&mut self, store: &Store, kept_ns: u64) -> Result<(), Exhausted> {
        self.number(store, Tag::Kept, kept_ns)
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

    /// Writes the counters that were asked for, and how fast the processors move memory.
    pub(crate) fn counters(
        &mut self,
        store: &Store,
        counters: &[Counter],
        bandwidth: Option<(u64, u64)>,
    ) -> Result<(), Exhausted> {
        for Counter { name, position } in counters {
            let (place, why) = match position {
                Ok(position) => (*position as u64, ""),
                Err(why) => (Counter::REFUSED, why.as_str()),
            };
            let [place, length] = [place, name.len() as u64].map(u64::to_le_bytes);
            let parts = [&place, &length, name.as_bytes(), why.as_bytes()];
            self.item(store, Tag::Counter, &parts)?;
        }
        if let Some((bytes, threads)) = bandwidth.filter(|_| !counters.is_empty()) {
            let [bytes, threads] = [bytes, threads].map(u64::to_le_bytes);
            self.item(store, Tag::Bandwidth, &[&bytes, &threads])?;
        }
        Ok(())
    }

    /// Writes the process's interpreter of Python, if it was not written yet.
    pub(crate) fn python(&mut self, store: &Store, found: Python) -> Result<(), Exhausted> {
        if self.python == Some(found) {
            return Ok(());
        }
        self.python = Some(found);
        let numbers = [found.address, found.version.into(), found.frames as u64];
        let [address, version, frames] = numbers.map(u64::to_le_bytes);
        self.item(store, Tag::Python, &[&address, &version, &frames])
    }

    /// Writes the facts that change as the program runs: clock, CPU time, modules.
    pub(crate) fn refresh(&mut self, store: &Store) -> Result<(), Exhausted> {
        let (tick, nanoseconds) = clock::pair();
        self.item(store, Tag::ClockPair, &[&tick.to_le_bytes(), &nanoseconds.to_le_bytes()])?;
        self.number(store, Tag::CpuTime, census::used_by_process())?;
        self.mpi(store)?;
        self.modules(store)
    }

    /// Writes what MPI's functions are called, and their calls that are in no thread's sums.
    fn mpi(&mut self, store: &Store) -> Result<(), Exhausted> {
        let Some(functions) = mpi_library::functions() else { return Ok(()) };
        if !std::mem::replace(&mut self.named_mpi, true) {
            for (function, number) in functions.iter().zip(0_u64..) {
                // SAFETY: the library's C strings.
                let name = unsafe { CStr::from_ptr(function.name) }.to_bytes();
                let class = u64::from(function.class as u32).to_le_bytes();
                self.item(store, Tag::MpiFunction, &[&number.to_le_bytes(), &class, name])?;
            }
        }
        if let Some(world) = mpi_library::world()
            && self.world != Some(world)
        {
            self.world = Some(world);
            let numbers = [world.rank.into(), world.size.into(), world.left_out];
            let parts = numbers.map(u64::to_le_bytes);
            self.item(store, Tag::MpiWorld, &parts.each_ref().map(<[u8; 8]>::as_slice))?;
        }
        for sums in mpi_library::elsewhere() {
            if self.mpi.contains(&sums) {
                continue;
            }
            let parts = sums.numbers().map(u64::to_le_bytes);
            let parts = parts.each_ref().map(<[u8; 8]>::as_slice);
            self.item(store, Tag::MpiElsewhere, &parts)?;
            let same = |one: &MpiElsewhere| {
                (one.function, one.on_main_thread) == (sums.function, sums.on_main_thread)
            };
            self.mpi.retain(|one| !same(one));
            self.mpi.push(sums);
        }
        Ok(())
    }

    /// Writes for how long a thread in the region at `code` had not computed when the recording
    /// ended.
    pub(crate) fn unfinished(&mut self, store: &Store, one: Unfinished) -> Result<(), Exhausted> {
        let Unfinished { tid, code, taken, blocked, waits } = one;
        let [tid, code, taken, blocked, waits] =
            [tid, code, taken, blocked, waits].map(u64::to_le_bytes);
        self.item(store, Tag::Unfinished, &[&tid, &code, &taken, &blocked, &waits])
    }

    /// Writes that the recording ended in order; threads without a log lost `lost` events.
    pub(crate) fn end(&mut self, store: &Store, tick: u64, lost: u64) -> Result<(), Exhausted> {
        for (id, used) in census::threads() {
            self.item(store, Tag::ThreadCpu, &[&id.to_le_bytes(), &used.to_le_bytes()])?;
        }
        // Replaces the CPU time that `refresh` wrote: threads may still compute, and the process's
        // time, if it is read last, includes the times of all threads.
        self.number(store, Tag::CpuTime, census::used_by_process())?;
        for cost in overhead::costs() {
            let numbers = [cost.class as u64, cost.events, cost.timed, cost.ticks];
            let [class, events, timed, ticks] = numbers.map(u64::to_le_bytes);
            self.item(store, Tag::EventCost, &[&class, &events, &timed, &ticks])?;
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
        let Some(modules) = loader::modules(&mut self.loads) else { return Ok(()) };
        for (module, number) in modules.iter().zip(0..) {
            let path = path(module, number);
            let (begin, end) = module.range();
            let range = (module.bias.wrapping_add(begin), module.bias.wrapping_add(end));
            if (range.0..range.1).contains(&self.runtime) {
                runtime_code::lies_at(range);
            }
            let key = (module.bias, path);
            if range.0 < range.1 && !self.modules.contains(&key) {
                let mut notes = module.notes.iter();
                let id = notes.find_map(|(notes, align)| build_id(notes, *align));
                let id = id.unwrap_or_default();
                self.write(store, |space| write_module(space, module.bias, range, id, &key.1))?;
                self.modules.push(key);
            }
        }
        Ok(())
    }
}

/// The file of the module, the first of which has no name: it is the program.
fn path(module: &Loaded, number: usize) -> Vec<u8> {
    if number > 0 || !module.name.is_empty() {
        return module.name.clone();
    }
    executable().into_os_string().into_vec()
}

/// The program's file.
fn executable() -> PathBuf {
    of_process(fs::read_link, "exe", |path| path.as_os_str().is_empty())
}

/// What the system says of the process in the file `name`. It says nothing by the process's own
/// entry when the main thread has left, and an emulator answers for the program by no other one.
fn of_process<T: Default>(
    read: impl Fn(String) -> io::Result<T>,
    name: &str,
    is_nothing: impl Fn(&T) -> bool,
) -> T {
    let entries = ["self", "thread-self"].into_iter();
    let mut told = entries.filter_map(|entry| read(format!("/proc/{entry}/{name}")).ok());
    told.find(|told| !is_nothing(told)).unwrap_or_default()
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
