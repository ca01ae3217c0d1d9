//! The call of the runtime that the calling thread is in, for messages from deep inside the
//! runtime: found by a walk along the frame pointers, which the runtime keeps.
//!
//! The walk neither allocates nor takes a lock of the runtime, so it works after a panic and
//! without memory too.

use core::ffi::{CStr, c_void};
use core::fmt;
use core::ptr;

use oxomp_arch::frame_pointer;

use super::Location;
use crate::os;
use crate::os::loader::{self, Object};

/// A call of the runtime by the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtHand {
    /// The exported function; `None` if it has left its frame to another one, by a jump as its last
    /// act.
    entry: Option<&'static CStr>,
    /// The return address of the call.
    pub(crate) return_address: *const c_void,
}

impl AtHand {
    /// The innermost call from code outside of the runtime. `None` on a worker that is not in the
    /// program's code, or if the frames do not show the call.
    #[inline(never)]
    pub(crate) fn find() -> Option<Self> {
        let ours = os::own_base();
        let mut frame = frame_pointer().addr();
        let mut inside: *const c_void = ptr::null();
        for _ in 0..DEEPEST {
            let mut words = [0; 2];
            if !os::read_own_memory(frame, &mut words) {
                return None;
            }
            let [caller, return_address] = words;
            let return_address = ptr::with_exposed_provenance::<c_void>(return_address);
            // The return address may belong to the next function: the call lies before it.
            let base = loader::base_of(return_address.wrapping_byte_sub(1))?;
            if base != ours {
                let entry = name(inside);
                // The C library begins threads in the runtime, which is no call of the program.
                let is_call = entry.is_some() || Some(base) != c_library();
                return is_call.then_some(AtHand { entry, return_address });
            }
            if caller <= frame {
                return None;
            }
            (frame, inside) = (caller, return_address);
        }
        None
    }

    /// The exported function's name, without the trailing underscore of its Fortran name; `the
    /// runtime` if it is unknown.
    pub(crate) fn entry(&self) -> &str {
        let name = self.entry.and_then(|name| name.to_str().ok());
        name.map_or("the runtime", |name| name.trim_end_matches('_'))
    }

    pub(crate) fn location(&self) -> Location<'static> {
        Location::Code(self.return_address)
    }
}

/// Writes `entry called at module+offset`, without reading the module's file.
impl fmt::Display for AtHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} called at ", self.entry())?;
        // SAFETY: code of the object has called the runtime and not returned, so the object stays
        // loaded.
        match unsafe { Object::around(self.return_address) } {
            None => write!(f, "{:p}", self.return_address),
            Some(object) => {
                let path = object.name.to_str().unwrap_or("?");
                let file = path.rsplit('/').next().unwrap_or(path);
                write!(f, "{file}+{:#x}", self.return_address.addr() - object.base.addr())
            }
        }
    }
}

/// The longest chain of frames inside the runtime; a longer one is broken.
const DEEPEST: usize = 100;

/// The load address of the C library.
fn c_library() -> Option<*const c_void> {
    loader::base_of(libc::getpid as *const c_void)
}

/// The exported function that returns to `inside`.
fn name(inside: *const c_void) -> Option<&'static CStr> {
    // SAFETY: the object is the runtime itself, which is never unloaded.
    let object = unsafe { Object::around(inside.wrapping_byte_sub(1)) }?;
    object.symbol.map(|(name, _)| name)
}
