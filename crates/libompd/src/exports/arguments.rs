//! Arguments: places for results, and handles.

use core::ptr::NonNull;

use oxomp_debuggee::{AddressSpace, Parallel, Task, Thread};
use oxomp_sys::ompd::{ompd_rc_t, ompd_size_t};

use crate::Answer;
use crate::handles::{Entity, Handle, SpaceId};
use crate::library::Library;
use crate::memory;

/// A parameter that is the address of a place for a result, or null.
#[repr(transparent)]
#[derive(Debug)]
pub(super) struct Out<T>(*mut T);

/// A place for a result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<T>(NonNull<T>);

impl<T> Out<T> {
    /// The place.
    ///
    /// # Errors
    /// `bad_input` for null.
    pub(super) fn place(self) -> Answer<Place<T>> {
        NonNull::new(self.0).map(Place).ok_or(ompd_rc_t::BAD_INPUT)
    }

    /// The place, if there is one.
    pub(super) fn optional(self) -> Option<Place<T>> {
        NonNull::new(self.0).map(Place)
    }
}

impl<T> Place<T> {
    /// Writes the result, unless the call ends with `nomem`.
    pub(super) fn set(self, value: T) {
        if memory::enough().is_ok() {
            // SAFETY: the debugger passes the address of a variable of this type, or null.
            unsafe { self.0.as_ptr().write(value) };
        }
    }
}

impl<T> Place<*mut T> {
    /// Writes a handle.
    pub(super) fn set_handle(self, handle: NonNull<u8>) {
        self.set(handle.as_ptr().cast());
    }
}

/// The address of a handle, which is never followed.
pub(super) fn address<T>(handle: *mut T) -> usize {
    handle.addr()
}

/// The number of `size` bytes, 4 or 8, at `from`, which is not null. `bad_input` for other sizes.
pub(super) fn read_id(from: NonNull<u8>, size: ompd_size_t) -> Answer<u64> {
    match size {
        // SAFETY: the debugger passes the address of an id of this size, at any alignment.
        4 => Ok(u64::from(unsafe { from.cast::<u32>().as_ptr().read_unaligned() })),
        // SAFETY: what the debugger passes has this size, at any alignment.
        8 => Ok(unsafe { from.cast::<u64>().as_ptr().read_unaligned() }),
        _ => Err(ompd_rc_t::BAD_INPUT),
    }
}

/// Writes `id` as a number of `size` bytes, 4 or 8, to `to`. `bad_input` for other sizes.
pub(super) fn write_id(to: NonNull<u8>, size: ompd_size_t, id: u64) -> Answer<()> {
    memory::enough()?;
    match size {
        // SAFETY: the debugger passes a place for an id of this size, at any alignment. Kernel ids
        // have four bytes.
        4 => unsafe { to.cast::<u32>().as_ptr().write_unaligned(id as u32) },
        // SAFETY: what the debugger passes has this size, at any alignment.
        8 => unsafe { to.cast::<u64>().as_ptr().write_unaligned(id) },
        _ => return Err(ompd_rc_t::BAD_INPUT),
    }
    Ok(())
}

macro_rules! entities {
    ($($(#[$doc:meta])* $name:ident: $kind:ident;)*) => {
        impl Library {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// `stale_handle` if the handle denotes nothing any more; the code for handles of
                /// another kind.
                pub(super) fn $name<T>(
                    &self,
                    handle: *mut T,
                ) -> Answer<(&AddressSpace, SpaceId, $kind)> {
                    let (space, handle) = self.look_up(address(handle))?;
                    let Entity::$kind(entity) = handle.entity else {
                        return Err(self.wrong_kind());
                    };
                    entity.check(space)?;
                    Ok((space, handle.space, entity))
                }
            )*
        }
    };
}

entities! {
    /// The thread of a handle.
    thread: Thread;
    /// The region of a handle.
    parallel: Parallel;
    /// The task of a handle.
    task: Task;
}

impl Library {
    /// The address space of a handle of one.
    ///
    /// # Errors
    /// As above.
    pub(super) fn space<T>(&self, handle: *mut T) -> Answer<(&AddressSpace, SpaceId)> {
        let (space, handle) = self.look_up(address(handle))?;
        match handle.entity {
            Entity::AddressSpace => Ok((space, handle.space)),
            _ => Err(self.wrong_kind()),
        }
    }

    /// The entity of a handle of any kind.
    ///
    /// # Errors
    /// As above.
    pub(super) fn any<T>(&self, handle: *mut T) -> Answer<(&AddressSpace, Handle)> {
        let (space, handle) = self.look_up(address(handle))?;
        match handle.entity {
            Entity::AddressSpace => {}
            Entity::Thread(thread) => thread.check(space)?,
            Entity::Parallel(parallel) => parallel.check(space)?,
            Entity::Task(task) => task.check(space)?,
        }
        Ok((space, handle))
    }
}

/// -1, 0 or 1.
pub(super) fn sign(ordering: core::cmp::Ordering) -> i32 {
    ordering as i32
}
