//! A program that this process starts and traces.
//!
//! Only the program itself is traced, with its threads, and through execve(2): the processes that
//! it starts are not. Every signal is handed on unchanged and at once, except the signals of
//! [`Event::Stopped`], which wait for [`Child::go_on`].

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::process::Command;
use std::time::{Duration, Instant};

use oxomp_ptrace::{self as ptrace, Status};
use signal_hook::consts::{SIGCONT, SIGSTOP, SIGTRAP};

use crate::error::{Error, Result};
use crate::image::Image;
use crate::live;
use crate::status::has_ended;

mod disposition;
mod stop;
mod wake;

use disposition::Disposition;
use wake::Wake;

/// What happened to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// It ended with this status.
    Exited(i32),
    /// This signal ended it.
    Killed(i32),
    /// A thread is about to receive a signal that tells of a fault, that would end the program, or
    /// that the terminal sends for Ctrl-C and Ctrl-\. The thread stands until [`Child::go_on`].
    Stopped {
        /// The kernel's id of the thread.
        lwp: i32,
        /// The signal's number.
        signal: i32,
        /// Whether the program handles or ignores it: it will not end the program then.
        handled: bool,
    },
    /// The time is over.
    Timeout,
}

/// A program that this process started.
///
/// It belongs to the thread that started it, as the kernel has it. When it is dropped, the program
/// runs on without being traced; so it does if this process is killed.
#[derive(Debug)]
pub struct Child {
    pid: i32,
    threads: BTreeMap<i32, State>,
    wake: Wake,
    /// The thread whose signal was told by [`Event::Stopped`], and the signal.
    told: Option<(i32, i32)>,
    /// Whether the signal by which this process itself lets the program begin is still to come.
    begins: bool,
    traced: bool,
    ended: Option<Event>,
    /// The kernel lets only the thread that traces do so.
    _of_one_thread: PhantomData<*const ()>,
}

/// How a thread stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    /// Its group is stopped, and it waits for that to end.
    Listening,
    /// It stopped with this signal and event, on which nothing was done yet.
    Held {
        signal: i32,
        event: i32,
    },
}

impl Child {
    /// Starts the program. Its standard streams, terminal, environment and signals are what
    /// `command` and this process make them.
    ///
    /// # Errors
    ///
    /// [`Error::Start`] with the system's answer if the program cannot be started.
    pub fn spawn(mut command: Command) -> Result<Self> {
        let program = command.get_program().to_string_lossy().into_owned();
        let failed = |error| Error::Start { program: program.clone(), error };
        let wake = Wake::new().map_err(failed)?;
        ptrace::stop_at_exec(&mut command);
        let process = command.spawn().map_err(failed)?;
        let pid =
            i32::try_from(process.id()).map_err(|error| failed(std::io::Error::other(error)))?;
        let mut child = Self {
            pid,
            threads: BTreeMap::new(),
            wake,
            told: None,
            begins: false,
            traced: false,
            ended: None,
            _of_one_thread: PhantomData,
        };
        child.trace().map_err(failed)?;
        Ok(child)
    }

    /// Turns the old kind of tracing, which stops a program before its first instruction, into the
    /// newer kind. Under the newer kind a terminal or `SIGSTOP` stops the program as without a
    /// tracer. Between the two, a `SIGSTOP` holds the program.
    fn trace(&mut self) -> std::io::Result<()> {
        loop {
            match ptrace::wait(self.pid)? {
                Status::Stopped { signal: SIGTRAP, .. } => break,
                Status::Stopped { signal, .. } => ptrace::resume(self.pid, signal)?,
                ended => return self.ended_early(ended),
            }
        }
        ptrace::detach(self.pid, SIGSTOP)?;
        match ptrace::wait(self.pid)? {
            Status::Stopped { .. } => {}
            ended => return self.ended_early(ended),
        }
        ptrace::seize(self.pid, ptrace::TRACE_CLONE | ptrace::TRACE_EXEC)?;
        match ptrace::wait(self.pid)? {
            Status::Stopped { .. } => {}
            ended => return self.ended_early(ended),
        }
        self.traced = true;
        self.begins = true;
        self.threads.insert(self.pid, State::Running);
        ptrace::send_signal(self.pid, SIGCONT)?;
        ptrace::resume(self.pid, 0)
    }

    /// Notes that the program was killed before its first instruction.
    fn ended_early(&mut self, status: Status) -> std::io::Result<()> {
        self.ended = Some(match status {
            Status::Killed(signal) => Event::Killed(signal),
            Status::Exited(status) => Event::Exited(status),
            Status::Stopped { .. } => return Ok(()),
        });
        Ok(())
    }

    /// The program's process number.
    #[must_use]
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Whether the program handles or ignores the signal.
    #[must_use]
    pub fn handles(&self, signal: i32) -> bool {
        disposition::handles(self.pid, signal)
    }

    /// Lets the program run until something happens, or `timeout` is over.
    ///
    /// A signal that was told and not answered by [`Child::go_on`] is delivered. Once the program
    /// has ended, every call tells so.
    ///
    /// # Errors
    ///
    /// If the program cannot be waited for.
    pub fn wait(&mut self, timeout: Option<Duration>) -> Result<Event> {
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        if let Some((_, signal)) = self.told {
            self.go_on(signal);
        }
        if let Some(event) = self.release() {
            return Ok(event);
        }
        loop {
            if let Some(event) = self.ended {
                return Ok(event);
            }
            let (changed, event) = self.scan()?;
            if let Some(event) = event {
                return Ok(event);
            }
            if changed || self.find_rest() {
                continue;
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(Event::Timeout);
            }
            self.wake.wait(left);
        }
    }

    /// Lets the thread of the last [`Event::Stopped`] go on, and delivers `signal` to it, or no
    /// signal if that is 0.
    pub fn go_on(&mut self, signal: i32) {
        if let Some((lwp, _)) = self.told.take() {
            self.resume(lwp, signal);
        }
    }

    /// Stops the whole program and reads it. It stands until the next [`Child::wait`] or
    /// [`Child::let_go`]; the image is valid until then.
    ///
    /// # Errors
    ///
    /// [`Error::Ended`] if it has ended.
    pub fn image(&mut self) -> Result<Image> {
        if self.ended.is_some() || !self.traced {
            return Err(Error::Ended { pid: self.pid });
        }
        self.stop_all();
        if self.threads.is_empty() || self.ended.is_some() {
            return Err(Error::Ended { pid: self.pid });
        }
        live::read(self.pid, &self.look())
    }

    /// Ends the tracing: the program runs on, and may be looked at by a debugger. [`Child::wait`]
    /// tells when it ends. A signal that was told and not answered is delivered.
    pub fn let_go(&mut self) {
        if !self.traced || self.ended.is_some() {
            return;
        }
        self.stop_all();
        for (lwp, state) in std::mem::take(&mut self.threads) {
            let signal = match state {
                State::Held { signal, event: 0 } if self.begins && signal == SIGCONT => 0,
                State::Held { signal, event: 0 } => signal,
                _ => 0,
            };
            // An error means that it was killed meanwhile, or did not stop in time: the kernel lets
            // it go when this thread ends.
            let _ = ptrace::detach(lwp, signal);
        }
        self.told = None;
        self.traced = false;
        self.threads.insert(self.pid, State::Running);
    }

    /// Looks once at every thread. Returns whether anything had happened.
    fn scan(&mut self) -> Result<(bool, Option<Event>)> {
        let mut changed = false;
        let lwps: Vec<i32> = self.threads.keys().copied().collect();
        for lwp in lwps {
            if matches!(self.threads.get(&lwp), Some(State::Held { .. }) | None) {
                continue;
            }
            match ptrace::wait_no_hang(lwp) {
                Ok(None) => {}
                Ok(Some(status)) => {
                    changed = true;
                    if let Some(event) = self.happened(lwp, status) {
                        return Ok((true, Some(event)));
                    }
                }
                // Another thread's execve(2) ended it without a word. A thread that is still there
                // is on its way to its end.
                Err(_) if lwp != self.pid => {
                    if !self.is_thread(lwp) {
                        self.threads.remove(&lwp);
                    }
                }
                Err(error) => {
                    let what = "waiting for its end";
                    return Err(Error::Process { pid: self.pid, what, error });
                }
            }
        }
        Ok((changed, None))
    }

    /// The kernel tells of the end of the first thread when the others have been waited for: where
    /// it has ended and is not told of, finds those that were taken for gone while they ended.
    /// Returns whether there are any.
    fn find_rest(&mut self) -> bool {
        if !self.traced || !has_ended(self.pid, self.pid) {
            return false;
        }
        let Ok(entries) = std::fs::read_dir(format!("/proc/{}/task", self.pid)) else {
            return false;
        };
        let numbers =
            entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let rest: Vec<i32> = numbers.filter(|lwp| !self.threads.contains_key(lwp)).collect();
        for &lwp in &rest {
            self.threads.insert(lwp, State::Running);
        }
        !rest.is_empty()
    }

    /// Does what is to be done after a change.
    fn happened(&mut self, lwp: i32, status: Status) -> Option<Event> {
        match status {
            Status::Exited(status) => self.gone(lwp, Event::Exited(status)),
            Status::Killed(signal) => self.gone(lwp, Event::Killed(signal)),
            Status::Stopped { signal, event } => self.stopped(lwp, signal, event),
        }
    }

    /// Notes the end of a thread; the end of the first thread is the program's.
    fn gone(&mut self, lwp: i32, event: Event) -> Option<Event> {
        self.threads.remove(&lwp);
        if self.told.is_some_and(|(told, _)| told == lwp) {
            self.told = None;
        }
        if lwp != self.pid {
            return None;
        }
        self.threads.clear();
        self.told = None;
        self.ended = Some(event);
        self.ended
    }

    fn stopped(&mut self, lwp: i32, signal: i32, event: i32) -> Option<Event> {
        match event {
            0 if signal == SIGCONT && self.begins => {
                self.begins = false;
                self.resume(lwp, 0);
            }
            0 => return self.received(lwp, signal),
            ptrace::EVENT_STOP if Disposition::stops(signal) => {
                let _ = ptrace::listen(lwp);
                self.threads.insert(lwp, State::Listening);
            }
            ptrace::EVENT_STOP if !self.is_thread(lwp) => {
                // A process that clone(2) made in an unusual way, so that it passed for a thread.
                let _ = ptrace::detach(lwp, 0);
                self.threads.remove(&lwp);
            }
            event => {
                self.note(lwp, event);
                self.resume(lwp, 0);
            }
        }
        None
    }

    /// Notes the threads that an event has made or ended.
    fn note(&mut self, lwp: i32, event: i32) {
        match event {
            ptrace::EVENT_CLONE => {
                let new = ptrace::event_message(lwp).ok().and_then(|new| i32::try_from(new).ok());
                if let Some(new) = new {
                    self.threads.entry(new).or_insert(State::Running);
                }
            }
            // The thread that called execve(2) is the only one now, and has the process's number.
            ptrace::EVENT_EXEC => self.threads.retain(|&thread, _| thread == self.pid),
            _ => {}
        }
    }

    /// A thread is about to receive a signal.
    fn received(&mut self, lwp: i32, signal: i32) -> Option<Event> {
        let disposition = Disposition::of(self.pid, signal);
        if !disposition.is_told() {
            self.resume(lwp, signal);
            return None;
        }
        self.threads.insert(lwp, State::Held { signal, event: 0 });
        self.told = Some((lwp, signal));
        Some(Event::Stopped { lwp, signal, handled: disposition.handled })
    }

    fn is_thread(&self, lwp: i32) -> bool {
        std::path::Path::new(&format!("/proc/{}/task/{lwp}", self.pid)).exists()
    }

    fn resume(&mut self, lwp: i32, signal: i32) {
        // An error means that the thread was killed meanwhile; waiting for it tells that.
        let _ = ptrace::resume(lwp, signal);
        self.threads.insert(lwp, State::Running);
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.let_go();
    }
}
