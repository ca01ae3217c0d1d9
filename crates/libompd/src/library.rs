//! The state of the library: the debugger that has initialized it, the address spaces, the handles.

use core::ptr::NonNull;
use std::collections::BTreeMap;
use std::sync::{Mutex, TryLockError};

use oxomp_debuggee::AddressSpace;
use oxomp_sys::ompd::{ompd_callbacks_t, ompd_rc_t, ompd_word_t};

use crate::Answer;
use crate::callbacks::{Callbacks, Context};
use crate::control_vars::ControlVars;
use crate::handles::{Entity, Handle, Handles, SpaceId};
use crate::{memory, process};

/// The versions of the interface that a debugger may speak, `_OPENMP` of the specifications.
const VERSIONS: [ompd_word_t; 4] = [201_811, 202_011, 202_111, 202_411];

/// The newest of them.
pub(crate) const NEWEST_VERSION: ompd_word_t = VERSIONS[VERSIONS.len() - 1];

/// The version of the interface that has `ompd_rc_incompatible_handle`.
const WITH_INCOMPATIBLE_HANDLE: ompd_word_t = 202_411;

/// The state of the library.
#[derive(Debug)]
pub(crate) struct Library {
    callbacks: Option<Callbacks>,
    spaces: BTreeMap<SpaceId, AddressSpace>,
    handles: Handles,
    pub(crate) control_vars: ControlVars,
    last_space: u64,
}

static LIBRARY: Mutex<Library> = Mutex::new(Library {
    callbacks: None,
    spaces: BTreeMap::new(),
    handles: Handles::new(),
    control_vars: ControlVars::new(),
    last_space: 0,
});

/// Calls `work` with the library's state, and returns the code of its result. A debugger makes one
/// call at a time: one that comes during another, from a callback for instance, is an error.
pub(crate) fn answer(work: impl FnOnce(&mut Library) -> Answer<()>) -> ompd_rc_t {
    let mut library = match LIBRARY.try_lock() {
        Ok(library) => library,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return ompd_rc_t::ERROR,
    };
    let provider = library.callbacks.map(|callbacks| callbacks.provider());
    match memory::answer(provider, || work(&mut library)) {
        Ok(()) => ompd_rc_t::OK,
        Err(code) => code,
    }
}

impl Library {
    /// Takes the callbacks of a debugger; the handles of an earlier initialization stay.
    pub(crate) fn initialize(
        &mut self,
        version: ompd_word_t,
        table: &ompd_callbacks_t,
    ) -> Answer<()> {
        if !VERSIONS.contains(&version) {
            return Err(ompd_rc_t::UNSUPPORTED);
        }
        self.callbacks = Some(Callbacks::new(table, version)?);
        Ok(())
    }

    /// Gives all memory back to the debugger, and forgets it.
    pub(crate) fn finalize(&mut self) -> Answer<()> {
        self.callbacks()?;
        self.handles.clear();
        self.control_vars.clear();
        self.spaces.clear();
        self.callbacks = None;
        Ok(())
    }

    /// The callbacks of the debugger.
    ///
    /// # Errors
    /// `unsupported` unless the library is initialized.
    pub(crate) fn callbacks(&self) -> Answer<Callbacks> {
        self.callbacks.ok_or(ompd_rc_t::UNSUPPORTED)
    }

    /// A handle of the process of this context.
    pub(crate) fn open(&mut self, context: Context) -> Answer<NonNull<u8>> {
        let callbacks = self.callbacks()?;
        let space = process::open(callbacks, context)?;
        self.last_space = self.last_space.wrapping_add(1);
        let id = SpaceId(self.last_space);
        let handle = Handle { space: id, entity: Entity::AddressSpace };
        let address = self.handles.add(callbacks, handle)?;
        self.spaces.insert(id, space);
        match memory::enough() {
            Ok(()) => Ok(address),
            Err(code) => {
                self.end(address.as_ptr().expose_provenance(), handle);
                Err(code)
            }
        }
    }

    /// A new handle.
    pub(crate) fn hold(&mut self, space: SpaceId, entity: Entity) -> Answer<NonNull<u8>> {
        self.handles.add(self.callbacks()?, Handle { space, entity })
    }

    /// The address space, and what the handle denotes.
    ///
    /// # Errors
    /// `stale_handle` if no handle has the address, or if the handle's address space has been
    /// released.
    pub(crate) fn look_up(&self, handle: usize) -> Answer<(&AddressSpace, Handle)> {
        self.callbacks()?;
        let handle = self.handles.get(handle)?;
        let space = self.spaces.get(&handle.space).ok_or(ompd_rc_t::STALE_HANDLE)?;
        Ok((space, handle))
    }

    /// Ends a handle of the kind that `is_kind` accepts. With the last handle of an address space
    /// the address space ends, and with it all handles of its threads, regions and tasks.
    pub(crate) fn release(&mut self, address: usize, is_kind: fn(Entity) -> bool) -> Answer<()> {
        self.callbacks()?;
        let handle = self.handles.get(address)?;
        if !is_kind(handle.entity) {
            return Err(self.wrong_kind());
        }
        self.end(address, handle);
        Ok(())
    }

    /// Ends the handle at `address`, and its address space with the last handle of that.
    fn end(&mut self, address: usize, handle: Handle) {
        self.handles.remove(address);
        if handle.entity == Entity::AddressSpace && !self.handles.has_space(handle.space) {
            self.spaces.remove(&handle.space);
        }
        if self.spaces.is_empty() {
            self.spaces.clear();
        }
    }

    /// The code for a handle of another kind than the function, or the scope, wants.
    pub(crate) fn wrong_kind(&self) -> ompd_rc_t {
        match &self.callbacks {
            Some(callbacks) if callbacks.version() >= WITH_INCOMPATIBLE_HANDLE => {
                ompd_rc_t::INCOMPATIBLE_HANDLE
            }
            _ => ompd_rc_t::INCOMPATIBLE,
        }
    }
}
