//! Sleeping until a child's state changes, or the time is over.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::SigId;
use signal_hook::consts::SIGCHLD;

/// The longest sleep: if this process was started with `SIGCHLD` blocked, no change wakes it.
const LONGEST_SLEEP: Duration = Duration::from_millis(500);

/// The line into which the handler of `SIGCHLD` writes.
#[derive(Debug)]
pub(super) struct Wake {
    listener: UnixStream,
    handler: SigId,
}

impl Wake {
    pub(super) fn new() -> io::Result<Self> {
        let (listener, line) = UnixStream::pair()?;
        listener.set_nonblocking(true)?;
        line.set_nonblocking(true)?;
        let handler = signal_hook::low_level::pipe::register(SIGCHLD, line)?;
        Ok(Self { listener, handler })
    }

    /// Sleeps until something might have happened. A change between the last look and this call
    /// has left its byte in the line.
    pub(super) fn wait(&mut self, timeout: Option<Duration>) {
        let longest = timeout.map_or(LONGEST_SLEEP, |timeout| timeout.min(LONGEST_SLEEP));
        let longest = Timespec::try_from(longest).ok();
        let mut listened = [PollFd::new(&self.listener, PollFlags::IN)];
        // An error is an interrupted sleep.
        let _ = poll(&mut listened, longest.as_ref());
        let mut bytes = [0; 256];
        while self.listener.read(&mut bytes).is_ok_and(|read| read == bytes.len()) {}
    }
}

impl Drop for Wake {
    fn drop(&mut self) {
        signal_hook::low_level::unregister(self.handler);
    }
}
