//! What the debugger reads: a stopped process, or its core file.

use std::fs;
use std::path::Path;

use object::{Object, ObjectSegment};

use crate::debuggee::{Mapped, lwps, wait_until};
use crate::debugger::Target;

/// A process that stands still while the value lives.
pub(crate) struct Stopped {
    pid: u32,
    runtime: Mapped,
}

impl Stopped {
    pub(crate) fn new(pid: u32) -> Self {
        stop(pid);
        Stopped { pid, runtime: Mapped::find(pid, "libomp") }
    }
}

/// Stops the process: each of its threads, since one that is on its way to the stop still runs
/// when the first one has stopped.
pub(crate) fn stop(pid: u32) {
    signal(pid, libc::SIGSTOP);
    wait_until("every thread stops", || lwps(pid).into_iter().all(|lwp| is_stopped(pid, lwp)));
}

/// Whether a thread of the process has stopped or ended.
fn is_stopped(pid: u32, lwp: u64) -> bool {
    fs::read_to_string(format!("/proc/{pid}/task/{lwp}/stat")).map_or(true, |stat| {
        stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['T', 't', 'X', 'Z']))
    })
}

/// Lets the process go on.
pub(crate) fn resume(pid: u32) {
    signal(pid, libc::SIGCONT);
}

fn signal(pid: u32, signal: i32) {
    // SAFETY: no memory. The process is a child that has not been waited for.
    assert_eq!(unsafe { libc::kill(pid.cast_signed(), signal) }, 0);
}

impl Drop for Stopped {
    fn drop(&mut self) {
        resume(self.pid);
    }
}

impl Target for Stopped {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        let local = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
        let remote = libc::iovec {
            iov_base: core::ptr::without_provenance_mut(address as usize),
            iov_len: buffer.len(),
        };
        // SAFETY: the buffer is as long as it says; the other address is the other process's.
        let read =
            unsafe { libc::process_vm_readv(self.pid.cast_signed(), &local, 1, &remote, 1, 0) };
        usize::try_from(read) == Ok(buffer.len())
    }

    fn symbol(&self, name: &str) -> Option<u64> {
        self.runtime.address(|it| it == name)
    }
}

/// A core file, and the files that were mapped.
pub(crate) struct Core {
    /// Address and contents.
    segments: Vec<(u64, Vec<u8>)>,
    runtime: Mapped,
}

impl Core {
    /// The core file at `path`, of a process whose runtime was mapped so.
    pub(crate) fn open(path: &Path, maps: &str, runtime: Mapped) -> Self {
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file = object::File::parse(&*bytes).expect("a core file");
        let mut segments: Vec<_> = file
            .segments()
            .map(|segment| (segment.address(), segment.data().expect("its bytes").to_vec()))
            .filter(|(_, bytes)| !bytes.is_empty())
            .collect();
        // What no one has written is in the files, which a debugger reads.
        segments.extend(maps.lines().filter_map(unwritten));
        Core { segments, runtime }
    }
}

/// Address and contents of a line of `/proc/PID/maps` that has a file and cannot be written.
fn unwritten(line: &str) -> Option<(u64, Vec<u8>)> {
    let mut words = line.split_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let [start, end] = [start, end].map(|text| u64::from_str_radix(text, 16));
    let (start, end) = (start.ok()?, end.ok()?);
    let is_writable = words.next()?.contains('w');
    let offset = u64::from_str_radix(words.next()?, 16).ok()? as usize;
    let path = words.nth(2).filter(|path| path.contains("libomp"))?;
    if is_writable {
        return None;
    }
    let file = fs::read(path).ok()?;
    let length = (end - start) as usize;
    Some((start, file.get(offset..file.len().min(offset + length))?.to_vec()))
}

impl Target for Core {
    fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        let found = self.segments.iter().find_map(|(start, bytes)| {
            let from = usize::try_from(address.checked_sub(*start)?).ok()?;
            bytes.get(from..from.checked_add(buffer.len())?)
        });
        found.inspect(|bytes| buffer.copy_from_slice(bytes)).is_some()
    }

    fn symbol(&self, name: &str) -> Option<u64> {
        self.runtime.address(|it| it == name)
    }
}
