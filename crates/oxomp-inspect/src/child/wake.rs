//! Sleeping until a child's state changes, the time is over, or somebody interrupts.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::SigId;
use signal_hook::consts::SIGCHLD;

/// The longest sleep: if this process was started with `SIGCHLD` blocked, no change wakes it.
const LONGEST_SLEEP: Duration = Duration::from_millis(500);

/// Ends a [`crate::Child::wait`] from any thread.
#[derive(Debug, Clone)]
pub struct Interrupter(Arc<Bell>);

#[derive(Debug)]
struct Bell {
    rung: AtomicBool,
    line: UnixStream,
}

/// The bell that `SIGCHLD` and interrupters ring.
#[derive(Debug)]
pub(super) struct Wake {
    listener: UnixStream,
    bell: Arc<Bell>,
    handler: SigId,
}

impl Interrupter {
    /// Makes the wait that runs now, or else the next one, end.
    pub fn interrupt(&self) {
        self.0.rung.store(true, Ordering::Release);
        // The line is full of calls that nobody has heard yet: one more would say nothing new.
        let _ = (&self.0.line).write(&[0]);
    }
}

impl Wake {
    pub(super) fn new() -> io::Result<Self> {
        let (listener, line) = UnixStream::pair()?;
        listener.set_nonblocking(true)?;
        line.set_nonblocking(true)?;
        let handler = signal_hook::low_level::pipe::register(SIGCHLD, line.try_clone()?)?;
        let bell = Arc::new(Bell { rung: AtomicBool::new(false), line });
        Ok(Self { listener, bell, handler })
    }

    pub(super) fn interrupter(&self) -> Interrupter {
        Interrupter(Arc::clone(&self.bell))
    }

    /// Whether somebody interrupted since the last question.
    pub(super) fn was_interrupted(&self) -> bool {
        self.bell.rung.swap(false, Ordering::Acquire)
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
