//! Where a thread of this process waits in the kernel, as the kernel tells other threads.

use std::ffi::{CString, c_int};
use std::io;

use oxomp_trace::calls::Blocked;

use crate::descriptor;

/// A thread that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waiting {
    /// The number of the system call, or [`Blocked::NO_CALL`].
    pub(super) call: u64,
    pub(super) stack_pointer: u64,
    /// The address of the instruction after the call.
    pub(super) address: u64,
}

/// The file in which the kernel tells a thread's system call, which stays open.
#[derive(Debug)]
pub(super) struct CallFile(c_int);

impl CallFile {
    /// Opens the file of the thread `tid`.
    pub(super) fn open(tid: u32) -> Option<Self> {
        let path = CString::new(format!("/proc/self/task/{tid}/syscall")).ok()?;
        descriptor::open(&path).map(Self)
    }

    /// What the file says; `None` if the thread has ended, or if the descriptor names another file
    /// by now, since the program has closed it.
    pub(super) fn read(&self) -> Option<Told> {
        let mut text = [0_u8; 256];
        // SAFETY: the kernel writes to `text` only.
        let length = unsafe { libc::pread(self.0, text.as_mut_ptr().cast(), text.len(), 0) };
        let text = text.get(..usize::try_from(length).ok()?)?;
        told(std::str::from_utf8(text).ok()?)
    }
}

impl Drop for CallFile {
    fn drop(&mut self) {
        // The file of a thread that has ended answers with an error of its own.
        let is_ours =
            self.read().is_some() || io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH);
        if is_ours {
            // SAFETY: our own descriptor, which still names the file.
            unsafe { libc::close(self.0) };
        }
    }
}

/// What the kernel says of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// It runs, or is ready to.
    Runs,
    Waits(Waiting),
}

fn told(text: &str) -> Option<Told> {
    let text = text.strip_suffix('\n')?;
    if text == "running" {
        return Some(Told::Runs);
    }
    let mut words = text.split(' ');
    let call = words.next()?.parse::<i64>().ok()?;
    let call = u64::try_from(call).unwrap_or(Blocked::NO_CALL);
    let mut numbers = words.map(|word| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok());
    let mut last = [None; 2];
    for number in numbers.by_ref() {
        last = [last[1], Some(number?)];
    }
    let [Some(stack_pointer), Some(address)] = last else { return None };
    Some(Told::Waits(Waiting { call, stack_pointer, address }))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use oxomp_trace::calls::Blocked;

    use super::{CallFile, Told, Waiting, told};
    use crate::own_thread::own_thread;
    use crate::usage::processor_time_of;

    #[test]
    fn the_kernels_text_is_understood() {
        assert_eq!(told("running\n"), Some(Told::Runs));
        let waits = |call, stack_pointer, address| {
            Some(Told::Waits(Waiting { call, stack_pointer, address }))
        };
        assert_eq!(
            told("202 0x5 0x80 0x2 0x0 0x0 0x0 0x7f00 0x7fab\n"),
            waits(202, 0x7f00, 0x7fab)
        );
        assert_eq!(told("-1 0x7f00 0x7fab\n"), waits(Blocked::NO_CALL, 0x7f00, 0x7fab));
        assert_eq!(told("root:x:0:0\n"), None);
        assert_eq!(told("7 8\n"), None);
        assert_eq!(told(""), None);
    }

    fn until(what: &str, mut holds: impl FnMut() -> bool) {
        for _ in 0..30_000 {
            if holds() {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
        panic!("{what}: not in a minute");
    }

    #[test]
    fn a_thread_that_sleeps_is_seen() {
        let (tell, told) = channel();
        let (end, wait) = channel::<()>();
        let sleeper = thread::spawn(move || {
            tell.send(own_thread().unsigned_abs()).unwrap();
            wait.recv().unwrap_err();
        });
        let tid = told.recv().unwrap();
        let file = CallFile::open(tid).unwrap();
        let is_call = |told| match told {
            Told::Waits(Waiting { call, .. }) => call != Blocked::NO_CALL,
            Told::Runs => false,
        };
        let waits = || file.read().is_some_and(is_call);
        // It may wait for a moment in the channel before it waits for the end.
        let mut used = 0;
        until("a thread that waits does not compute", || {
            let before = std::mem::replace(&mut used, processor_time_of(tid));
            waits() && before > 0 && before == used
        });
        drop(end);
        sleeper.join().unwrap();
        // The kernel still shows a joined thread for a moment.
        until("a thread that has ended is not read", || file.read().is_none());
        until("nor has it a clock", || processor_time_of(tid) == 0);
    }
}
