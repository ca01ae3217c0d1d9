//! Requests whose completion tells of a received message, and persistent ones.

use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::Arc;

use crate::bytes::Word;
use crate::communicators::Communicator;
use crate::instances::Instance;
use crate::mix::Mixed;

/// The most requests of which something is known.
const MOST: usize = 1 << 16;

/// A message that a request waits for.
#[derive(Debug, Clone)]
pub(crate) enum Awaited {
    /// The message is known.
    Known(Message),
    /// The message is known by the status alone: the receive leaves its source or its tag open.
    Open(Arc<Communicator>),
}

/// The message of a receive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Message {
    /// Its identity; `None` if it is not recorded.
    pub(crate) instance: Option<Instance>,
    /// The rank of its sender in `MPI_COMM_WORLD`.
    pub(crate) from: u32,
    /// The kind among which it is counted.
    pub(crate) kind: u64,
}

/// What a persistent request does whenever it is started.
#[derive(Debug, Clone)]
pub(crate) enum Persistent {
    /// Sends to a process with a tag.
    Send(Arc<Communicator>, c_int, c_int),
    /// Receives from a process with a tag.
    Receive(Arc<Communicator>, c_int, c_int),
    /// Anything else.
    Other,
}

/// What is known of a request.
#[derive(Debug, Default)]
struct Request {
    awaited: Option<Awaited>,
    persistent: Option<Persistent>,
    /// The bytes that the process contributes with each start of a persistent request.
    bytes: u64,
}

/// The requests in use by their handles.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    by_handle: HashMap<Word, Request, Mixed>,
    /// Requests for which there was no room.
    pub(crate) left_out: u64,
}

impl Requests {
    /// Whether nothing is known of any request.
    pub(crate) fn is_empty(&self) -> bool {
        self.by_handle.is_empty()
    }

    fn entry(&mut self, handle: Word) -> Option<&mut Request> {
        if self.by_handle.len() >= MOST && !self.by_handle.contains_key(&handle) {
            self.left_out += 1;
            return None;
        }
        Some(self.by_handle.entry(handle).or_default())
    }

    /// A request that receives a message was made; an earlier one with this handle is gone.
    pub(crate) fn posted(&mut self, handle: Word, awaited: Awaited) {
        if let Some(request) = self.entry(handle) {
            *request = Request { awaited: Some(awaited), ..Request::default() };
        }
    }

    /// A persistent request was made.
    pub(crate) fn persists(&mut self, handle: Word, persistent: Persistent) {
        if let Some(request) = self.entry(handle) {
            *request = Request { persistent: Some(persistent), ..Request::default() };
        }
    }

    /// The process contributes so many bytes with each start of a persistent request.
    pub(crate) fn contributes(&mut self, handle: Word, bytes: u64) {
        if let Some(request) = self.entry(handle) {
            request.bytes = bytes;
            request.persistent.get_or_insert(Persistent::Other);
        }
    }

    /// What a persistent request does, and the bytes that the process contributes to it.
    pub(crate) fn persistent(&self, handle: Word) -> Option<(Persistent, u64)> {
        let request = self.by_handle.get(&handle)?;
        Some((request.persistent.clone()?, request.bytes))
    }

    /// A persistent request was started.
    pub(crate) fn started(&mut self, handle: Word, awaited: Awaited) {
        if let Some(request) = self.by_handle.get_mut(&handle) {
            request.awaited = Some(awaited);
        }
    }

    /// Whether something is known of a request, and whether its message is known by the status
    /// alone.
    pub(crate) fn look(&self, handle: Word) -> Option<bool> {
        let request = self.by_handle.get(&handle)?;
        Some(matches!(request.awaited, Some(Awaited::Open(_))))
    }

    /// The request is complete: what it waited for. A persistent one stays.
    pub(crate) fn completed(&mut self, handle: Word) -> Option<Awaited> {
        let request = self.by_handle.get_mut(&handle)?;
        let awaited = request.awaited.take();
        if request.persistent.is_none() {
            self.by_handle.remove(&handle);
        }
        awaited
    }

    /// What an active request waits for.
    pub(crate) fn awaited(&self, handle: Word) -> Option<Awaited> {
        self.by_handle.get(&handle)?.awaited.clone()
    }

    /// The request was freed.
    pub(crate) fn freed(&mut self, handle: Word) {
        self.by_handle.remove(&handle);
    }
}

#[cfg(test)]
mod tests {
    use super::{Awaited, Message, Persistent, Requests};

    fn known(from: u32) -> Awaited {
        Awaited::Known(Message { instance: None, from, kind: 0 })
    }

    #[test]
    fn a_persistent_request_outlives_its_completion() {
        let mut all = Requests::default();
        all.persists(1, Persistent::Other);
        all.contributes(1, 40);
        all.started(1, known(2));
        all.posted(2, known(3));
        for handle in [1, 2] {
            assert!(all.completed(handle).is_some());
            assert!(all.completed(handle).is_none(), "once");
        }
        assert_eq!(all.persistent(1).map(|it| it.1), Some(40));
        assert!(all.persistent(2).is_none() && all.look(2).is_none());
        all.freed(1);
        assert!(all.is_empty());
    }
}
