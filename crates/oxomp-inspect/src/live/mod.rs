//! A live process: what `/proc` tells of it, and stopping it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::image::{Image, Mapped, Parts};
use crate::maps::{self, Mapping};
use crate::memory::ProcessMemory;
use crate::module::{self, Module};
use crate::thread::NativeThread;
use crate::{Error, Result};

mod attach;
mod hold;
mod refusal;
mod task;

pub(crate) use attach::{Held, PATIENCE, has_ended};
pub(crate) use hold::Hold;

/// Stops the process.
pub(crate) fn stop(pid: i32) -> Result<Image> {
    let pid = refusal::process_of(pid)?;
    refusal::before(pid)?;
    let (hold, held) = Hold::take(pid)?;
    let mut image = read(pid, &held)?;
    image._hold = Some(hold);
    Ok(image)
}

/// Reads what there is to know about a process whose threads stand still.
pub(crate) fn read(pid: i32, held: &[Held]) -> Result<Image> {
    let failed = |what| move |error: io::Error| Error::Process { pid, what, error };
    let memory = File::open(format!("/proc/{pid}/mem")).map_err(failed("its memory"))?;
    let memory = ProcessMemory::live(memory);
    let text = fs::read(format!("/proc/{pid}/maps")).map_err(failed("its mappings"))?;
    let mappings = maps::parse(&String::from_utf8_lossy(&text));
    let modules = modules(pid, &memory, &mappings);
    let threads: Vec<NativeThread> = held.iter().map(|held| task::thread(pid, held)).collect();
    let mut warnings = Vec::new();
    for held in held.iter().filter(|held| held.registers.is_none()) {
        warnings.push(format!(
            "thread {} did not stop: it is in a system call that cannot be interrupted, or ends",
            held.lwp
        ));
    }
    let mapped = mappings
        .into_iter()
        .map(|mapping| Mapped { range: mapping.range, executable: mapping.executable })
        .collect();
    Ok(Image::new(Parts { pid, memory, modules, threads, mapped, warnings }))
}

fn modules(pid: i32, memory: &ProcessMemory, mappings: &[Mapping]) -> Vec<Module> {
    module::modules(memory, mappings, |mapping| openable(pid, mapping))
}

/// A path by which this process can open the mapped file itself, rather than another one that has
/// its name now, or has it outside of the process's container.
fn openable(pid: i32, mapping: &Mapping) -> Option<PathBuf> {
    let inode = mapping.file.as_ref()?.1;
    let is_it =
        |path: &Path| fs::metadata(path).is_ok_and(|found| found.is_file() && found.ino() == inode);
    let inside = format!("/proc/{pid}/root{}", mapping.path);
    let program = format!("/proc/{pid}/exe");
    let mapped = format!("/proc/{pid}/map_files/{:x}-{:x}", mapping.range.start, mapping.range.end);
    let named = (!mapping.deleted).then(|| mapping.path.clone());
    named.into_iter().chain([inside, program, mapped]).map(PathBuf::from).find(|path| is_it(path))
}
