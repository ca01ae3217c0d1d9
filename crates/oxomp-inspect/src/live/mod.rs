//! A live process that was stopped, and what `/proc` tells of it then.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use crate::binary::{self, Module};
use crate::error::{Error, Result};
use crate::image::{Image, Mapped, Parts};
use crate::maps::{self, Mapping};
use crate::memory::ProcessMemory;
use crate::pages::Pages;
use crate::status::field;
use crate::stop::{self, Held, Hold};
use crate::thread::NativeThread;

mod thread;

impl Image {
    /// Stops the process `pid`, all threads of it.
    ///
    /// The image may be used and dropped by any thread. If the calling process is killed, the
    /// kernel lets the stopped one go on.
    ///
    /// # Errors
    ///
    /// [`Error`] says why it cannot be stopped, and what helps.
    pub fn stop(pid: i32) -> Result<Self> {
        let pid = stop::process_of(pid)?;
        stop::check(pid)?;
        let was_stopped = is_stopped(pid);
        let (hold, held) = Hold::take(pid)?;
        let mut image = read(pid, &held)?;
        if was_stopped {
            let how = format!("by SIGSTOP or from a terminal: `kill -CONT {pid}` lets it go on");
            image.warnings.push(format!("the process was stopped before, {how}"));
        }
        image._hold = Some(hold);
        Ok(image)
    }
}

/// Whether a signal has stopped the process, as SIGSTOP or a terminal's Ctrl-Z does.
fn is_stopped(pid: i32) -> bool {
    let status = fs::read(format!("/proc/{pid}/status")).unwrap_or_default();
    let status = String::from_utf8_lossy(&status).into_owned();
    field(&status, "State").is_some_and(|state| state.starts_with('T'))
}

/// Reads what there is to know about a process whose threads stand still.
///
/// A process may end although all of its threads were stopped or are ending: by `SIGKILL`, or by an
/// exit that was under way. It loses its memory some time before it is a zombie.
pub(crate) fn read(pid: i32, held: &[Held]) -> Result<Image> {
    let failed = |what| {
        move |error: io::Error| match Errno::from_io_error(&error) {
            Some(Errno::SRCH | Errno::NOENT) => Error::Ended { pid },
            _ => Error::Process { pid, what, error },
        }
    };
    let memory = File::open(format!("/proc/{pid}/mem")).map_err(failed("its memory"))?;
    let memory = ProcessMemory::live(memory);
    let text = fs::read(format!("/proc/{pid}/maps")).map_err(failed("its mappings"))?;
    let mappings = maps::parse(&String::from_utf8_lossy(&text));
    if mappings.is_empty() {
        return Err(Error::Ended { pid });
    }
    let modules = modules(pid, &memory, &mappings);
    let threads = held.iter().map(|held| thread::thread(pid, &memory, held));
    let threads: Vec<NativeThread> = threads.collect();
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
    let pages = Pages::open(pid);
    Ok(Image::new(Parts { pid, memory, pages, modules, threads, mapped, warnings }))
}

fn modules(pid: i32, memory: &ProcessMemory, mappings: &[Mapping]) -> Vec<Module> {
    binary::modules(memory, mappings, |mapping| openable(pid, mapping))
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

#[cfg(test)]
mod tests {
    use oxomp_prerequisites::Program;

    use super::read;
    use crate::error::Error;
    use crate::status::has_ended;

    /// The number of a process that has ended and waits for its parent's notice.
    fn ended() -> (std::process::Child, i32) {
        let child = Program::Sh.command().args(["-c", "exit 0"]).spawn().expect("a child");
        let pid = i32::try_from(child.id()).expect("a number");
        while !has_ended(pid, pid) {
            std::thread::yield_now();
        }
        (child, pid)
    }

    #[test]
    fn a_process_that_ends_before_it_is_read_has_ended() {
        let (mut child, pid) = ended();
        let zombie = read(pid, &[]);
        assert!(matches!(zombie, Err(Error::Ended { .. })), "{zombie:?}");
        child.wait().expect("its end");
        let gone = read(pid, &[]);
        assert!(matches!(gone, Err(Error::Ended { .. })), "{gone:?}");
    }
}
