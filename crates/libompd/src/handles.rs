//! The handles that the debugger holds.
//!
//! A handle is the address of a block of the debugger's memory. The library keeps what each handle
//! denotes in a map, and never reads through an address that it is given. So an address that the
//! map lacks is a stale handle.

use core::ptr::NonNull;
use std::collections::BTreeMap;

use oxomp_debuggee::{Parallel, Task, Thread};
use oxomp_sys::ompd::ompd_rc_t;

use crate::Answer;
use crate::callbacks::Callbacks;
use crate::memory;

/// The number of an address space, which no other one ever gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SpaceId(pub(crate) u64);

/// What a handle denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entity {
    /// The address space itself.
    AddressSpace,
    /// A thread of it.
    Thread(Thread),
    /// A region of it.
    Parallel(Parallel),
    /// A task of it.
    Task(Task),
}

/// A handle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handle {
    /// The address space in which the entity is.
    pub(crate) space: SpaceId,
    /// What the handle denotes.
    pub(crate) entity: Entity,
}

/// A handle, and the callbacks whose memory it takes.
#[derive(Debug)]
struct Held {
    handle: Handle,
    callbacks: Callbacks,
}

/// Bytes of the debugger's memory for a handle: only its address counts.
const HANDLE_BYTES: usize = 16;

/// All handles.
#[derive(Debug, Default)]
pub(crate) struct Handles(BTreeMap<usize, Held>);

impl Handles {
    /// No handles.
    pub(crate) const fn new() -> Self {
        Handles(BTreeMap::new())
    }

    /// A new handle.
    pub(crate) fn add(&mut self, callbacks: Callbacks, handle: Handle) -> Answer<NonNull<u8>> {
        let memory = callbacks.allocate(HANDLE_BYTES)?;
        let address = memory.as_ptr().expose_provenance();
        self.0.insert(address, Held { handle, callbacks });
        match memory::enough() {
            Ok(()) => Ok(memory),
            Err(code) => {
                self.remove(address);
                Err(code)
            }
        }
    }

    /// The handle at `address`.
    ///
    /// # Errors
    /// `stale_handle` if there is no handle at `address`.
    pub(crate) fn get(&self, address: usize) -> Answer<Handle> {
        self.0.get(&address).map(|held| held.handle).ok_or(ompd_rc_t::STALE_HANDLE)
    }

    /// Ends the handle at `address`, and frees its memory. No handles need no memory.
    pub(crate) fn remove(&mut self, address: usize) {
        let held = self.0.remove(&address);
        if self.0.is_empty() {
            self.0.clear();
        }
        if let Some(held) = held
            && let Some(memory) = NonNull::new(core::ptr::with_exposed_provenance_mut(address))
        {
            held.callbacks.free(memory);
        }
    }

    /// Whether the debugger holds a handle of the address space itself.
    pub(crate) fn has_space(&self, space: SpaceId) -> bool {
        let mut handles = self.0.values().map(|held| held.handle);
        handles.any(|it| it.space == space && it.entity == Entity::AddressSpace)
    }

    /// Ends all handles.
    pub(crate) fn clear(&mut self) {
        while let Some((&address, _)) = self.0.first_key_value() {
            self.remove(address);
        }
    }
}
