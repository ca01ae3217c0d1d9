//! What a call does to messages and collective operations, as the table of functions says.
//!
//! A call is described by [`Steps`] before it begins, and its events are made when it has ended.
//! The time of both is the program's, not that of the call.

use std::cell::UnsafeCell;
use std::ffi::c_int;
use std::sync::Arc;

use oxomp_sys::mpi::{BLOCKING, oxomp_mpi_event_t, oxomp_mpi_role_t};

use crate::bytes::{Word, int};
use crate::communicators::Communicator;
use crate::completion::{Completion, Which};
use crate::implementation::{Implementation, STATUS_WORDS};
use crate::matching::{Matching, received, with};
use crate::requests::Persistent;

/// One thing that a call does. Words are arguments of the call.
#[derive(Debug)]
enum Step {
    Send { to: [Word; 3], flags: u8 },
    Receive { from: [Word; 3], status: Word, flags: u8 },
    Post { from: [Word; 3], request: Word },
    Probe { from: [Word; 3], status: Word, flag: Option<Word>, takes: bool },
    Persist { with: [Word; 3], request: Word, sends: bool },
    Start { count: usize, requests: Word },
    Complete(Completion),
    Cancel { request: Word },
    FreeRequest { request: Word },
    Collective { comm: Word, role: oxomp_mpi_role_t, root: Word },
    Finalize(Option<Arc<Communicator>>),
    Make { place: Word, like: Option<Word> },
    FreeCommunicator { handle: Word },
}

/// What a call does.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    steps: [Option<Step>; 2],
    /// The status of a call of the program that ignores it. The library writes it, so the steps do
    /// not move once they have begun: `steps!` makes them in the place where they stay.
    status: UnsafeCell<[u64; STATUS_WORDS]>,
}

impl Steps {
    fn then(&mut self, step: Step) -> &mut Self {
        if let Some(place) = self.steps.iter_mut().find(|place| place.is_none()) {
            *place = Some(step);
        }
        self
    }

    /// A place for the status, where the program ignores it and the message is not known otherwise.
    fn needs(&mut self, source: Word, tag: Word, status: &mut Word) {
        let implementation = Implementation::own();
        let is_open = implementation.is_wildcard(int(source), int(tag));
        if is_open && implementation.ignores_status(*status) {
            *status = self.status.get().expose_provenance();
        }
    }

    /// Sends a message, and returns when its buffer may be used again.
    pub(crate) fn send(&mut self, dest: Word, tag: Word, comm: Word) -> &mut Self {
        self.then(Step::Send { to: [dest, tag, comm], flags: BLOCKING })
    }

    /// Begins to send a message.
    pub(crate) fn begin_send(&mut self, dest: Word, tag: Word, comm: Word) -> &mut Self {
        self.then(Step::Send { to: [dest, tag, comm], flags: 0 })
    }

    /// Receives a message.
    pub(crate) fn receive(
        &mut self,
        source: Word,
        tag: Word,
        comm: Word,
        status: &mut Word,
    ) -> &mut Self {
        self.needs(source, tag, status);
        self.then(Step::Receive { from: [source, tag, comm], status: *status, flags: BLOCKING })
    }

    /// Makes a request that receives a message.
    pub(crate) fn post(&mut self, source: Word, tag: Word, comm: Word, request: Word) -> &mut Self {
        self.then(Step::Post { from: [source, tag, comm], request })
    }

    /// Waits until a message can be received, or, with a flag, looks whether one can; `takes`: no
    /// other receive can get it then.
    pub(crate) fn probe(
        &mut self,
        [source, tag, comm]: [Word; 3],
        status: &mut Word,
        flag: Option<Word>,
        takes: bool,
    ) -> &mut Self {
        self.needs(source, tag, status);
        self.then(Step::Probe { from: [source, tag, comm], status: *status, flag, takes })
    }

    /// Makes a persistent request that sends a message, or receives one.
    pub(crate) fn persist(&mut self, with: [Word; 3], request: Word, sends: bool) -> &mut Self {
        self.then(Step::Persist { with, request, sends })
    }

    /// Starts persistent requests.
    pub(crate) fn start(&mut self, count: Word, requests: Word) -> &mut Self {
        let count = usize::try_from(int(count)).unwrap_or(0);
        self.then(Step::Start { count, requests })
    }

    /// Waits for requests, or tests them.
    pub(crate) fn complete(
        &mut self,
        which: Which,
        count: Word,
        requests: Word,
        statuses: &mut Word,
    ) -> &mut Self {
        let count = usize::try_from(int(count)).unwrap_or(0);
        match Completion::before(which, count, requests, statuses) {
            Some(completion) => self.then(Step::Complete(completion)),
            None => self,
        }
    }

    /// Cancels a request.
    pub(crate) fn cancel(&mut self, request: Word) -> &mut Self {
        self.then(Step::Cancel { request: handle_before(request) })
    }

    /// Frees a request.
    pub(crate) fn free_request(&mut self, request: Word) -> &mut Self {
        self.then(Step::FreeRequest { request: handle_before(request) })
    }

    /// A collective operation in which each process needs all others.
    pub(crate) fn all(&mut self, comm: Word) -> &mut Self {
        self.then(Step::Collective { comm, role: oxomp_mpi_role_t::AllToAll, root: 0 })
    }

    /// A collective operation in which each process needs the root.
    pub(crate) fn root_gives(&mut self, root: Word, comm: Word) -> &mut Self {
        self.then(Step::Collective { comm, role: oxomp_mpi_role_t::FromRoot, root })
    }

    /// A collective operation in which the root needs all others.
    pub(crate) fn root_takes(&mut self, root: Word, comm: Word) -> &mut Self {
        self.then(Step::Collective { comm, role: oxomp_mpi_role_t::ToRoot, root })
    }

    /// The last collective operation, behind which MPI answers no question.
    pub(crate) fn finalize(&mut self) -> &mut Self {
        let world = with(|matching| matching.communicators.world());
        self.then(Step::Finalize(world))
    }

    /// Makes a communicator, whose handle is stored at `place`.
    pub(crate) fn make(&mut self, place: Word) -> &mut Self {
        self.then(Step::Make { place, like: None })
    }

    /// Begins to make a communicator with the processes of `comm`.
    pub(crate) fn make_like(&mut self, comm: Word, place: Word) -> &mut Self {
        self.then(Step::Make { place, like: Some(comm) })
    }

    /// Frees the communicator whose handle is at `place`.
    pub(crate) fn free(&mut self, place: Word) -> &mut Self {
        self.then(Step::FreeCommunicator { handle: handle_before(place) })
    }

    /// The call, of the function with this number, has ended: puts its events into `events`.
    #[inline]
    pub(crate) fn end(&self, function: u32, succeeded: bool, events: &mut Vec<oxomp_mpi_event_t>) {
        if self.steps[0].is_some() {
            with(|matching| {
                let steps = self.steps.iter().flatten();
                steps.for_each(|step| step.end(matching, function, succeeded, events));
            });
        }
    }
}

impl Step {
    fn end(
        &self,
        matching: &mut Matching,
        function: u32,
        succeeded: bool,
        events: &mut Vec<oxomp_mpi_event_t>,
    ) {
        if let Self::Complete(completion) = self {
            return completion.after(matching, succeeded, events);
        }
        if !succeeded {
            return;
        }
        if let Self::Start { count, requests } = self {
            let implementation = Implementation::own();
            events.extend((0..*count).filter_map(|index| {
                // SAFETY: the call has succeeded, so the array has so many handles.
                start(matching, unsafe { implementation.handle(*requests, index) })
            }));
        }
        events.extend(self.event(matching, function));
    }

    /// The call has succeeded: its event, if it has one.
    fn event(&self, matching: &mut Matching, function: u32) -> Option<oxomp_mpi_event_t> {
        let implementation = Implementation::own();
        // SAFETY: the call has succeeded, so the argument is the address of a handle.
        let handle_at = |place: Word| unsafe { implementation.handle(place, 0) };
        match self {
            Self::Send { to: [dest, tag, comm], flags } => {
                let comm = matching.communicators.get(*comm)?;
                matching.send(&comm, int(*dest), int(*tag), *flags)
            }
            Self::Receive { from, status, flags } => {
                let (comm, [source, tag]) = open(matching, from, *status)?;
                received(matching.receive(&comm, source, tag)?, *flags)
            }
            Self::Probe { from, status, flag, takes } => {
                // SAFETY: the call has succeeded, so the argument is the address of an `int`.
                if flag.is_some_and(|flag| unsafe { (flag as *const c_int).read() } == 0) {
                    return None;
                }
                let (comm, [source, tag]) = open(matching, from, *status)?;
                let message = match takes {
                    true => matching.receive(&comm, source, tag),
                    false => matching.probed(&comm, source, tag),
                };
                // Looking does not wait.
                received(message?, 0).filter(|_| flag.is_none())
            }
            Self::Post { from: [source, tag, comm], request } => {
                let comm = matching.communicators.get(*comm)?;
                let awaited = matching.post(&comm, int(*source), int(*tag))?;
                matching.requests.posted(handle_at(*request), awaited);
                None
            }
            Self::Persist { with: [peer, tag, comm], request, sends } => {
                let comm = matching.communicators.get(*comm)?;
                let kind = if *sends { Persistent::Send } else { Persistent::Receive };
                let persistent = kind(comm, int(*peer), int(*tag));
                matching.requests.persists(handle_at(*request), persistent);
                None
            }
            Self::Cancel { request } => {
                matching.cancelled(*request);
                None
            }
            Self::FreeRequest { request } => {
                matching.requests.freed(*request);
                None
            }
            Self::Collective { comm, role, root } => {
                let comm = matching.communicators.get(*comm)?;
                matching.collective(&comm, function, *role, int(*root))
            }
            Self::Finalize(world) => {
                let role = oxomp_mpi_role_t::AllToAll;
                let event =
                    world.as_ref().and_then(|world| matching.collective(world, function, role, 0));
                matching.communicators.finalize();
                event
            }
            Self::Make { place, like } => {
                let like = like.map(|like| matching.communicators.get(like));
                match like {
                    Some(like) => matching.communicators.made_like(handle_at(*place), &*like?),
                    None => drop(matching.communicators.made(handle_at(*place))),
                }
                None
            }
            Self::FreeCommunicator { handle } => {
                matching.communicators.freed(*handle);
                None
            }
            Self::Complete(_) | Self::Start { .. } => None,
        }
    }
}

/// The handle at an address that is an argument of a call which begins; 0 for a null pointer, which
/// the call refuses.
fn handle_before(place: Word) -> Word {
    // SAFETY: the standard demands that the argument is the address of a handle.
    if place == 0 { 0 } else { unsafe { Implementation::own().handle(place, 0) } }
}

/// The communicator of a receive, and the source and tag of its message: by the status, if the
/// receive leaves them open.
fn open(
    matching: &mut Matching,
    [source, tag, comm]: &[Word; 3],
    status: Word,
) -> Option<(Arc<Communicator>, [c_int; 2])> {
    let implementation = Implementation::own();
    let comm = matching.communicators.get(*comm)?;
    let asked = [int(*source), int(*tag)];
    if !implementation.is_wildcard(asked[0], asked[1]) {
        return Some((comm, asked));
    }
    // SAFETY: the call has succeeded, and has filled in the status, which `Steps::needs` has
    // provided if the program has not.
    Some((comm, unsafe { implementation.status(status, 0) }))
}

/// A persistent request was started.
fn start(matching: &mut Matching, request: Word) -> Option<oxomp_mpi_event_t> {
    match matching.requests.persistent(request)?.0 {
        Persistent::Send(comm, dest, tag) => matching.send(&comm, dest, tag, 0),
        Persistent::Receive(comm, source, tag) => {
            let awaited = matching.post(&comm, source, tag)?;
            matching.requests.started(request, awaited);
            None
        }
        Persistent::Other => None,
    }
}

/// The process contributes `bytes` whenever the persistent request is started that was made at
/// `place`; none now.
pub(crate) fn on_start(place: Word, bytes: u64) -> u64 {
    // SAFETY: the call that has made the request has succeeded.
    let handle = unsafe { Implementation::own().handle(place, 0) };
    with(|matching| matching.requests.contributes(handle, bytes));
    0
}

/// What the process contributes to the `count` persistent requests in an array, which it has
/// started.
pub(crate) fn started_bytes(count: Word, requests: Word) -> u64 {
    let implementation = Implementation::own();
    let count = usize::try_from(int(count)).unwrap_or(0);
    with(|matching| {
        (0..count).fold(0_u64, |sum, index| {
            // SAFETY: the call has succeeded, so the array has so many handles.
            let handle = unsafe { implementation.handle(requests, index) };
            let bytes = matching.requests.persistent(handle).map_or(0, |it| it.1);
            sum.saturating_add(bytes)
        })
    })
}
