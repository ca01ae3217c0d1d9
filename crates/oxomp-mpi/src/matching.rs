//! The state behind the events of all calls: communicators, counts, requests.

use std::ffi::c_int;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use oxomp_sys::mpi::{BLOCKING, oxomp_mpi_event_t, oxomp_mpi_role_t};

use crate::bytes::Word;
use crate::communicators::{Communicator, Communicators};
use crate::implementation::Implementation;
use crate::instances::{End, Instance, Instances};
use crate::mix::mix;
use crate::requests::{Awaited, Message, Requests};
use crate::world::WORLD;

/// What is known of MPI in the process.
#[derive(Debug, Default)]
pub(crate) struct Matching {
    pub(crate) communicators: Communicators,
    pub(crate) instances: Instances,
    pub(crate) requests: Requests,
}

static MATCHING: Mutex<Option<Matching>> = Mutex::new(None);

/// Executes `use_it` while no other thread uses the state.
pub(crate) fn with<R>(use_it: impl FnOnce(&mut Matching) -> R) -> R {
    let mut guard = MATCHING.lock().unwrap_or_else(PoisonError::into_inner);
    let matching = guard.get_or_insert_default();
    let result = use_it(matching);
    let left_out = matching.instances.left_out + matching.requests.left_out;
    if left_out > 0 {
        (matching.instances.left_out, matching.requests.left_out) = (0, 0);
        WORLD.left_out.fetch_add(left_out, Relaxed);
    }
    result
}

/// The kind of the messages from one process to another with a tag.
fn channel(comm: &Communicator, from: u32, to: u32, tag: c_int) -> u64 {
    let ends = u64::from(from) << 32 | u64::from(to);
    mix(mix(comm.id, ends), 1 << 32 | u64::from(tag.cast_unsigned()))
}

impl Matching {
    /// The process has sent a message: its event, if it is recorded.
    pub(crate) fn send(
        &mut self,
        comm: &Communicator,
        to: c_int,
        tag: c_int,
        flags: u8,
    ) -> Option<oxomp_mpi_event_t> {
        let peer = comm.member(to)?;
        let instance = self.instances.next(channel(comm, comm.own, peer, tag), End::Sends)?;
        let role = oxomp_mpi_role_t::Send;
        Some(event(instance, role, peer, 2, flags))
    }

    /// The next message from a process with a tag is the one that is received; `None` if it is
    /// from no process.
    pub(crate) fn receive(
        &mut self,
        comm: &Communicator,
        from: c_int,
        tag: c_int,
    ) -> Option<Message> {
        let from = comm.member(from)?;
        let kind = channel(comm, from, comm.own, tag);
        Some(Message { instance: self.instances.next(kind, End::Receives), from, kind })
    }

    /// The next message from a process with a tag has arrived, and is not received yet.
    pub(crate) fn probed(&self, comm: &Communicator, from: c_int, tag: c_int) -> Option<Message> {
        let from = comm.member(from)?;
        let kind = channel(comm, from, comm.own, tag);
        Some(Message { instance: self.instances.peek(kind, End::Receives), from, kind })
    }

    /// A receive was posted: what it waits for.
    pub(crate) fn post(
        &mut self,
        comm: &Arc<Communicator>,
        from: c_int,
        tag: c_int,
    ) -> Option<Awaited> {
        if Implementation::own().is_wildcard(from, tag) {
            return Some(Awaited::Open(comm.clone()));
        }
        self.receive(comm, from, tag).map(Awaited::Known)
    }

    /// The message that a completed request has received: by `status`, where that alone tells.
    pub(crate) fn received(
        &mut self,
        awaited: Awaited,
        status: impl FnOnce() -> Option<[c_int; 2]>,
    ) -> Option<Message> {
        match awaited {
            Awaited::Known(message) => Some(message),
            Awaited::Open(comm) => {
                let [from, tag] = status()?;
                self.receive(&comm, from, tag)
            }
        }
    }

    /// The process has taken part in the next collective operation of the kind that `function` is.
    pub(crate) fn collective(
        &mut self,
        comm: &Communicator,
        function: u32,
        role: oxomp_mpi_role_t,
        root: c_int,
    ) -> Option<oxomp_mpi_event_t> {
        let root = comm.member(root)?;
        if comm.members.len() < 2 {
            return None;
        }
        let kind = mix(comm.id, 2 << 32 | u64::from(function));
        let instance = self.instances.next(kind, End::Collective)?;
        Some(event(instance, role, root, comm.members.len(), BLOCKING))
    }

    /// A receive may never complete, so the order of its messages is not known any more.
    pub(crate) fn cancelled(&mut self, request: Word) {
        if let Some(Awaited::Known(message)) = self.requests.awaited(request) {
            self.instances.lose(message.kind, End::Receives);
        }
    }
}

/// The event of a message that was received, if it is recorded.
pub(crate) fn received(message: Message, flags: u8) -> Option<oxomp_mpi_event_t> {
    Some(event(message.instance?, oxomp_mpi_role_t::Receive, message.from, 2, flags))
}

fn event(
    instance: Instance,
    role: oxomp_mpi_role_t,
    peer: u32,
    members: usize,
    flags: u8,
) -> oxomp_mpi_event_t {
    oxomp_mpi_event_t {
        instance: instance.id,
        peer,
        members: u32::try_from(members).unwrap_or(u32::MAX),
        role: role as u8,
        thinning: instance.thinning,
        flags,
    }
}
